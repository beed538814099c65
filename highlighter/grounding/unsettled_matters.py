"""What a sentence says of a time that is over, corrects, or leaves undecided, and that a claim tells as what holds.

A model takes "In 2024 the discount was 10 per cent" for "The discount is 10 per cent", and a proposal for what it proposes. The
languages are English, German, French, Spanish, Italian, Portuguese, Dutch, Russian, Chinese, Japanese, Korean and Arabic
where a row does not say otherwise. Texts are folded.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, pairwise

from highlighter.grounding.unsaid_words import tells_past
from highlighter.grounding.wording import NUMBER, Wording, parse_wording
from highlighter.quotes.significance import has_negation
from highlighter.text.characters import fold
from highlighter.text.clauses import AND_WORDS, BUT_WORDS
from highlighter.text.lazy_pattern import compile_later

# Clauses of a sentence that are looked at: a text with more is no sentence.
MAX_CLAUSES = 20
_YEAR = r"(?:(?:19|20)\d{2})"
# The time of which a sentence speaks, at its beginning or beside its verb.
_PERIOD = compile_later(
    rf"\b(?:(?:in|during|for|until|till|up to|before) (?:the end of )?(?:\w+ )?{_YEAR}|(?:until|till) \d{{1,2}} \w+(?: {_YEAR})?"
    r"|previously|formerly|originally|initially|at that time|in those days|in the (?:first|previous|earlier) (?:version|edition)"
    rf"|(?:im jahr|bis|vor|in|bis zum)(?: (?:ende|\d{{1,2}}\.))*(?: \w+)? {_YEAR}|früher|vorher|zuvor|damals|ursprünglich|zunächst|bisher"
    rf"|(?:en|jusqu'(?:en|au|à)|avant)(?: \d{{1,2}}(?:er)?)?(?: (?:fin )?\w+)? {_YEAR}|auparavant|précédemment|initialement|autrefois"
    rf"|(?:en|hasta(?: el| fin de)?|antes de)(?: \d{{1,2}} de)?(?: \w+(?: del?)?)? {_YEAR}|anteriormente|inicialmente|antiguamente"
    rf"|(?:nel|fino al?|prima del)(?: \d{{1,2}})?(?: \w+)? {_YEAR}|in precedenza|inizialmente|in passato"
    rf"|(?:em|até(?: ao?)?|antes de)(?: \d{{1,2}} de)?(?: \w+ de)? {_YEAR}"
    rf"|(?:tot|voor)(?: \d{{1,2}})?(?: \w+)? {_YEAR}|voorheen|vroeger|destijds|oorspronkelijk"
    rf"|(?:до|в)(?: \d{{1,2}} \w+)? {_YEAR}|ранее|прежде|первоначально)\b"
    rf"|当初|当時は|以前は|{_YEAR}年(?:まで|には?)|原[定为來来]|此前|{_YEAR}年(?:以?前|之前)?|당초|원래는?|이전에는?|{_YEAR}년(?:까지|에)|حتى عام|في السابق|سابقا"
)
# The past of a state: "was raised to 50" says what holds since then.
_WAS = compile_later(
    r"\b(?:(?:was|were)(?! \w+(?:ed|wn|lt|nt|ut)\b)(?! (?:set|put|made|cut|held|born|sold|bought|to)\b)|amounted|totall?ed|stood at|had"
    r"|betrug|betrugen|galt|galten|war|waren|kostete|kosteten|lag|lagen|belief|hatte|hatten"
    r"|était|étaient|s'élevai(?:t|ent)|coûtai(?:t|ent)|avait|avaient|valait"
    r"|era|eran|costaba|costaban|ascendía|ascendían|estaba|estaban|tenía|tenían"
    r"|costava|costavano|ammontava|valeva|erano|aveva|eram|tinha|tinham|custava|custavam|bedroeg|bedroegen|kostte|kostten|gold|составлял[аои]?|был[аои]?|стоил[аои]?)\b"
    r"|でした|だった|でし|이었|였다|였습|كان"
)
_IS = compile_later(
    r"\b(?:is|are|amounts?|totals?|stands?|costs?|has|have|beträgt|betragen|gilt|gelten|ist|sind|kostet|kosten|liegt|liegen|hat|haben"
    r"|est|sont|s'élève|s'élèvent|coûte|coûtent|a|ont|es|son|cuesta|cuestan|asciende|ascienden|está|están|tiene|tienen"
    r"|è|sono|costa|costano|ammonta|vale|ha|hanno|é|são|custa|custam|tem|têm|bedraagt|bedragen|kost|geldt|heeft|zijn|составляет|стоит)\b"
    r"|である|です|为|是|이다|입니다"
)
# What holds still, or in a claim the past.
_STILL = compile_later(
    r"\b(?:still|remains?|unchanged|as (?:it is )?(?:now|today)|weiterhin|noch immer|unverändert|toujours|encore|inchangée?s?|sigue|todavía|ancora|ainda|nog steeds|по-прежнему)\b"
    r"|仍|依然|引き続き|여전히"
)
_OF_CLAIM = compile_later(
    rf"{_PERIOD.pattern}|\b(?:was|were|had|war|waren|betrug|galt|était|étaient|era|eran|been|used to|last|letzte[rsn]?)\b|でし|だった|[原曾]|当初|였|었"
)
_CLAUSE_BORDER = compile_later(
    rf"\s(?:{AND_WORDS})\s(?=(?:[^\s,;.]+ ){{0,3}}?(?!a\b)(?:{_IS.pattern}))"
    rf"|[;；。]\s?|[,，、]\s?(?=(?:{AND_WORDS}|{BUT_WORDS})\b)|[，](?=而|但|现|現)"
)

# A figure or statement that is corrected.
_CORRECTION = compile_later(
    r"\b(?:correction|(?<!the )(?<!its )(?<!a )corrected|corrigend(?:um|a)|errat(?:um|a)|berichtigung|berichtigt|rectificatif|corrección|rettifica|errata corrige|retificação|rectificatie|исправлен\w*)\b"
    r"|更正|勘误|訂正|정정"
)
_WAS_GIVEN = compile_later(
    r"\b(?:(?:was|were|been) (?:\w+ly )?(?:given|stated|printed|shown|reported|listed|quoted)|(?:war|waren|wurden?) [^,;.]{0,60}\b(?:angegeben|genannt|ausgewiesen)"
    r"|(?:était|étaient|a été|ont été) (?:indiqu|mentionn|donn|imprim)ée?s?|(?:figuraba|constaba|se indicó|era indicat[oa]|constava|stond vermeld))\b|误(?:为|作|写)|誤って"
)

# A proposal, its matter, and that nothing is decided of it: "The application of the band for £3,000 was deferred".
_PROPOSAL = (
    r"proposals?|applications?|requests?|motions?|bids?|petitions?|drafts?|plans?|negotiations?|talks|discussions?|consultations?|suggestions?"
    r"|(?:\w*antr[aä]g(?:e|s|es)?|\w*vorschl[aä]g(?:e|s|es)?|\w*verhandlung(?:en)?|\w*gespräche|\w*entwurf|\w*gesuch)"
    r"|demandes?|propositions?|requêtes?|négociations?|projets?|discussions"
    r"|propuestas?|solicitud(?:es)?|peticion(?:es)?|petición|negociacion(?:es)?|proyectos?|mociones|moción"
    r"|propost[ae]|richiest[ae]|domand[ae]|trattative|negoziati|mozion[ei]|pedidos?|negociações|moção"
    r"|voorstel(?:len)?|aanvra(?:ag|gen)|verzoek(?:en)?|onderhandelingen|предложени[ея]|заявк[аи]|переговоры"
)
_AUXILIARY = (
    r"(?:was|were|is|are|has been|have been|will be|wurden?|wird|werden|ist|sind|est|sont|sera|seront|a été|ont été|fue|fueron|será|serán|se|ha sido"
    r"|è|è stat[oa]|sono|sono state?i?|sarà|foi|foram|werd|werden|is|zijn|был[аои]?|будет|будут)"
)
_UNDECIDED = (
    r"deferred|postponed|adjourned|tabled|pending|submitted|presented|discussed|considered|rejected|refused|declined|withdrawn|turned down|dismissed|not"
    r"|under (?:review|consideration|discussion)|referred|voted|vertagt|verschoben|zurückgestellt|abgelehnt|zurückgezogen|eingereicht|gestellt|geprüft|beraten"
    r"|reportée?s?|ajournée?s?|rejetée?s?|refusée?s?|retirée?s?|présentée?s?|soumise?s?|examinée?s?|étudiée?s?"
    r"|aplazad[oa]s?|pospuest[oa]s?|rechazad[oa]s?|retirad[oa]s?|presentad[oa]s?|estudiad[oa]s?|votará\w*|debatid[oa]s?|estudia"
    r"|rinviat[aoei]|respint[aoei]|presentat[aoei]|ritirat[aoei]|adiad[oa]s?|rejeitad[oa]s?|apresentad[oa]s?"
    r"|uitgesteld|afgewezen|ingediend|ingetrokken|отложен[аоы]?|отклонен[аоы]?|подан[аоы]?"
)
_OPEN_PROPOSAL = compile_later(
    rf"\b(?:{_PROPOSAL})\b(?P<matter>[^;:]{{2,160}}?)\b{_AUXILIARY} (?:[^\s,;:.]+ ){{0,5}}?(?:{_UNDECIDED})\b"
)
_PROPOSAL_OF_CLAIM = compile_later(
    rf"\b(?:{_PROPOSAL}|propos\w*|appl(?:y|ie[sd])|ask\w*|request\w*|want\w*|wish\w*|seeks?|sought|may|might|could|would|beantrag\w*|vorgeschlagen|vorschlagen|verhandel\w*"
    rf"|demand\w*|propon\w*|propus\w*|solicit\w*|pid[ie]\w*|chied\w*|{_UNDECIDED})\b"
)
_ACCEPTED = compile_later(
    r"\b(?:accepted|granted|approved|adopted|passed|carried|agreed|allowed|angenommen|genehmigt|bewilligt|beschlossen|stattgegeben|adoptée?s?|approuvée?s?|acceptée?s?|accordée?s?"
    r"|aprobad[oa]s?|aceptad[oa]s?|concedid[oa]s?|approvat[aoei]|accolt[aoei]|aprovad[oa]s?|goedgekeurd|aangenomen|toegekend|принят[аоы]?|одобрен[аоы]?)\b"
)


def find_unsettled_matter(claim: str, sentence: str) -> str | None:
    """Return the words by which a sentence speaks of a time that is over, corrects or leaves open what a claim tells as what holds."""
    wording, source = parse_wording(claim), parse_wording(sentence)
    return (
        _find_past_period(wording, source) or _find_corrected_figure(wording, source) or _find_proposal(wording, source)
    )


def _find_past_period(claim: Wording, source: Wording) -> str | None:
    """Return "In 2024" of "In 2024 the discount was 10 per cent", if a claim says that it is 10 per cent."""
    claim_text, source_text = fold(claim.text), fold(source.text)
    if not _IS.search(claim_text) or _OF_CLAIM.search(claim_text) or tells_past(claim_text):
        return None
    for start, end in _list_clauses(source_text):
        period, was = _PERIOD.search(source_text, start, end), _WAS.search(source_text, start, end)
        if period and was and not _STILL.search(source_text) and claim.is_about_clause(source, start, end):
            return source.text[slice(*period.span())]
    return None


def _list_clauses(folded: str) -> Iterator[tuple[int, int]]:
    borders = [match.span() for match in islice(_CLAUSE_BORDER.finditer(folded), MAX_CLAUSES)]
    return ((start, end) for (_, start), (end, _) in pairwise([(0, 0), *borders, (len(folded), len(folded))]))


def _find_corrected_figure(claim: Wording, source: Wording) -> str | None:
    """Return "was given as" of a correction, if a claim has the figure that was given."""
    claim_text, source_text = fold(claim.text), fold(source.text)
    given = _WAS_GIVEN.search(source_text)
    if given is None or not _CORRECTION.search(source_text) or _WAS_GIVEN.search(claim_text):
        return None
    figures = [word for word in source.words if word.kind == NUMBER and word.start >= given.start()]
    is_claimed = bool(figures) and bool(figures[0].keys & claim.keys)
    return source.text[slice(*given.span())] if is_claimed else None


def _find_proposal(claim: Wording, source: Wording) -> str | None:
    """Return "application ... was deferred", if a claim tells as a fact what is applied for."""
    source_text = fold(source.text)
    claim_text = fold(claim.text)
    if _PROPOSAL_OF_CLAIM.search(claim_text) or has_negation(claim_text) or _ACCEPTED.search(source_text):
        return None
    match = _OPEN_PROPOSAL.search(source_text)
    if match is None or not claim.is_about_clause(source, *match.span("matter")):
        return None
    return source.text[slice(*match.span())]
