"""Words without which a sentence says something else, and that a claim leaves out: "expect", "may", "please", "above the base rate".

The languages are English, German, French, Spanish, Italian, Portuguese, Dutch, Russian, Chinese, Japanese and Korean where a
row does not say otherwise. Texts are folded.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rapidfuzz.distance import Prefix

from highlighter.grounding.wording import DATE, NUMBER, KeyedWord, parse_wording
from highlighter.quotes.significance import has_negation
from highlighter.text.characters import fold
from highlighter.text.clauses import MATTERS, find_clause
from highlighter.text.function_words import ALL_FUNCTION_WORDS
from highlighter.text.language import detect_language
from highlighter.text.lazy_pattern import compile_later
from highlighter.text.modal_verbs import DUTY_VERBS, PERMISSION_WORDS

MIN_SHARED_WORDS = 2
# What is not so yet, or only wanted, by the words that say so.
# "As expected", "the forecast of" and French "prévoit" (the contract provides) are no such words.
_EXPECTED = (
    r"\b(?:(?<!than )(?<!as )expect(?:s|ed)?|(?<!the )(?<!of )(?<!than )(?<!a )forecasts?|projected|anticipat(?:es?|ed)"
    r"|would have|hätten?|aurai(?:t|ent)|habrían?|avrebbe(?:ro)?|teriam?|(?:(?<!the )plan(?:s|ned)?|intend(?:s|ed)?|aim(?:s|ed)?) to"
    r"|(?<!als )(?<!wie )erwart(?:en|et|ete|eten)|rechnen mit|rechnet mit|prognostizier(?:t|en)|planen|beabsichtig(?:t|en)"
    r"|(?<!the )(?<!a )(?<!this )suspects?|suspected (?=that\b|an?\b|the\b)|(?:is|are|am) (?:considering|looking into|(?:examining|exploring|studying)(?= (?:whether|how|if|\w+ing|the (?:use|introduction|possibility|option|idea|feasibility))\b))"
    r"|vermut(?:en|et|ete|eten)|erwäg(?:en|t)|soupçonn(?:e|ons|ent)|envisage(?:ons|nt)?|étudions|sospecha(?:mos|n)?|estudiamos|sospett(?:a|iamo|ano)"
    r"|suspeita(?:mos|m)|vermoed(?:t|en)|overweegt|overwegen|подозрева\w+|рассматрива\w+"
    r"|nous (?:prévoyons|attendons)|prevemos|esperamos|se espera)\b|(?<![比按超于])(?:预计|预测)|怀疑|疑似|正在(?:研究|考虑|讨论|评估)|検討(?:中|して)|疑い|검토 ?(?:중|하고)"
    r"|(?:ندرس|تدرس|يدرس|نفكر في|تفكر في|نعتزم|تعتزم|نخطط|تخطط)(?= )"
)
_WANTED = (
    r"\b(?:(?:recommend|request|suggest)(?:s|ed)?|propos(?:es?|ed)|advis(?:es?|ed)|urg(?:es?|ed))(?= (?:that|to|\w+ing)\b)"
    r"|\b(?:empfiehlt|empfahl|empfohlen|beantragt(?:en?)?(?=,)|recommand(?:e|é|a|ent)|préconis(?:e|é|a|ent)|recomend(?:ó|aron|aba))\b"
    r"|(?<![该此项的])(?:建议|提议)(?!的)"
)
_STATUS = compile_later(f"{_EXPECTED}|{_WANTED}")
# In a claim that says itself that something is not so yet.
_STATUS_OF_CLAIM = compile_later(
    r"\b(?:expect\w*|forecasts?|project\w*|anticipat\w*|plan(?:s|ned)?|intend\w*|aims?|targets?|suspect\w*|consider\w*|examin\w*|explor\w*|stud(?:y|ies|ying)|propos\w*|recommend\w*|request\w*|suggest\w*"
    r"|advis\w*|urg\w*|will|would|hätten?|aurai\w+|habría\w*|avrebbe\w*|teriam?|should|could|(?<!in )(?<!of )(?<!\d )may(?! \d)|might|can|must|shall|to be|outlook|guidance|wants?|asks?|asked"
    r"|no decision|not (?:yet )?(?:been )?(?:decided|confirmed)|keine entscheidung|nicht entschieden|aucune décision|pas (?:encore )?décidé|ninguna decisión"
    r"|nessuna decisione|nenhuma decisão|geen besluit|не решено"
    r"|vermut\w*|erwäg\w*|soupçon\w*|envisag\w*|étudi\w*|sospech\w*|estudi\w*|sospett\w*|suspeit\w*|vermoed\w*|overweeg\w*|overwegen|подозр\w*|рассматр\w*"
    r"|erwart\w*|prognos\w*|plan\w*|geplant\w*|beabsichtig\w*|empf\w*|beantrag\w*|wird|werden|würden?|soll\w*|vorschlag\w*|vorgeschlagen"
    r"|prév\w*|recommand\w*|propos\w*|préconis\w*|devrai\w*|sera|seront|doi(?:t|vent)|peu(?:t|vent)"
    r"|prev\w*|esper\w*|recomend\w*|propu\w*|propon\w*|deber\w*|será\w*|debe\w*|puede\w*)\b|预|计划|建议|提议|将|应|拟|会|可|怀疑|疑|研究|考虑|検討|검토|决定|結論|결정|(?:ندرس|تدرس|يدرس|تفكر|تعتزم|تخطط|سوف|قد|قرار)(?= )"
)
# What is to be done, and is no fact yet when a claim speaks of the past.
_TO_BE_DONE = compile_later(
    r"\b(?:(?:planned|scheduled|due|slated) (?:for|to)|(?<!as )geplant|vorgesehen|prévue?s?|previst[aeio]s?|gepland"
    r"|запланирован\w*|планируе\w+|намечен\w*|will|wird|sera|seront|será|serán|serão|sarà|saranno|zal|zullen|будет|будут)\b"
    r"|예정|계획|予定|计划于|定于"
)
_PAST_OF_CLAIM = compile_later(
    r"\b(?:has|have|had|was|were|went|took|came|held|began|sent|gave|got|became|wrote|(?<!the )(?<!an )(?<!a )(?<!is )(?<!are )(?<!be )"
    r"(?:paid|made|sold|bought|built|(?!hundred|(?:un)?limited|united|sacred|hatred|indeed|speed|(?:ex|pro|suc)ceed)\w{3,}(?<!ne)ed)"
    r"|fand|fanden|wurden?|begann|(?:hat|haben)\b.* \w*ge\w+(?:t|en)|(?:a|ont) (?:été|eu)"
    r"|tuvo|tuvieron|fue|fueron|hanno? \w+(?:ato|uto|ito|so|to)|ha (?:avuto|\w+(?:ato|uto|ito|so|rto|ado|ido|cho))|è stat[oa]|sono stat[ie]"
    r"|\w{3,}(?:ó|ieron|aron)|teve|foi|foram|\w{3,}(?:ou|aram|iram|iu|[dclv]eu)|(?:heeft|hebben)\b.* \w*ge\w+|werd|werden|vond|vonden|begon"
    r"|был[аои]?|\w{3,}(?:лся|лась|лось|лись))\b|[했었았됐](?:다|습니다)|已|した"
)
# In French alone: English has "a report" and "a court".
_PAST_OF_FRENCH_CLAIM = compile_later(r"\b(?:a|ont) \w+(?:é|i|u|rt|is)\b")
# A past in a condition, or of those who are spoken of, is none of the sentence: "if it was cancelled", "those who applied".
_SUBORDINATE_PAST = compile_later(
    r"\b(?:if|when|whenever|unless|who|whoever|wenn|falls|sofern|wer|si|qui|lorsque|quand|quien(?:es)?|cuando|chi|quando|als|wie|wanneer|если|кто)\b"
    rf"(?: [^\s,;.]+){{0,6}}? (?:{_PAST_OF_CLAIM.pattern})(?: \w+ed\b)?"
)
# What somebody is asked to do; "please note that" tells something.
_REQUEST = compile_later(
    r"\b(?:please|kindly)\b(?! (?:note|be |find|see|remember|keep in mind))|\b(?:bitte(?! beacht)|veuillez(?! noter)|merci de|por favor"
    r"|si prega di|gelieve|alstublieft|пожалуйста|просим|просьба)\b|请(?!注意)|ください|주십시오|주세요"
)
_TO_COME = compile_later(r"\b(?:will|wird|werden|sera|seront|será|sarà|zal|будет)\b")
_REQUEST_OF_CLAIM = compile_later(
    rf"\b(?:{DUTY_VERBS}|should|soll\w*|devrai\w*|ask\w*|request\w*|please|want\w*|wish\w*|bittet|gebeten|demand\w*|pid\w+|solicit\w*|chied\w+|vraagt|verzoekt|gevraagd|прос\w+)\b|请|要求"
)
# What a party says, and another may deny.
_ALLEGED = compile_later(
    r"\b(?:alleg(?:es?|ed)|contends?|contended|asserts?|asserted|(?:claim(?:s|ed)|argu(?:es|ed)|submit(?:s|ted)|maintain(?:s|ed)) that|behaupte(?:t|te|ten)"
    r"|allègue(?:nt)?|prétend(?:ent)?|alegan?|sostiene|beweert|утвержда\w+)\b"
)
_SAID = compile_later(r"\b(?:says?|said|states?|stated|sagt|dit|dice|diz|zegt|говорит)\b")
_DENIED = compile_later(
    r"\b(?:den(?:y|ies|ied)|disput(?:es?|ed)|contest(?:s|ed)|bestreitet|bestritt|conteste|nie|niega|nega|betwist|ontkent|отрицает) (?:this|that|it|dies|das|cela|le|lo|isso|dit|это)\b"
)
_SPEAKER_OF_CLAIM = compile_later(
    rf"{_ALLEGED.pattern}|{_SAID.pattern}|\b(?:according|claim\w*|view|den(?:y|ies|ied)|laut|nach|selon|según|secondo|segundo|volgens|согласно)\b"
)
# What somebody may do, with the verb; German and Dutch have it at the end. English "can" says what somebody is able to do.
_MAY = compile_later(
    r"\b(?P<may>(?<!in )(?<!of )(?<!\d )may(?! \d)|darf|dürfen|peu(?:t|vent)|pueden?|podrán?|può|possono|podem?|mag|mogen|kan|kunnen|может|могут)\b(?P<rest>[^,;:.]{3,120})"
)
_MUST = compile_later(rf"\b(?P<may>{DUTY_VERBS}|deberán?|deverão|deverá)\b(?P<rest>[^,;:.]{{3,120}})")
# "May want to check": the verb follows.
_WISH = compile_later(r"^\s(?:also )?(?:want|wish|decide|choose|prefer|like|need|be able) to\b")
_VERB_AT_END = compile_later("darf|dürfen|mag|mogen|kan|kunnen|muss|müssen|moet|moeten")
_DUTY_OR_DENIAL = compile_later(rf"\b(?:{DUTY_VERBS}|should|if|only|wenn|nur|si|se|als|если)\b")
_NO_FACT = compile_later(
    rf"\b(?:{PERMISSION_WORDS}|might|could|would|entitled|right|option\w*|possib\w*|facult\w*|facolt\w*|poder(?:es)?|potere|pouvoir|권한|auth?ori[sz]\w*|berechtigt|recht|droit|derecho|diritto"
    r"|direito|faculdade|bevoegd|mogelijk|möglich|разреш\w*|право|возмож\w*|{DUTY_VERBS}|deber\w+|should|if|when|wenn|si|se|als|если)\b|可|수 있|できる"
)
_NOUN_ENDING = compile_later(r".*(?:[sct]ion|zione|ción|ção|m[ei]?ento|ment|eur|or|ung|ing|ние)s?")
MIN_VERB_STEM, MAX_VERB_ENDING = 4, 4
# Who alone does or gets something.
_ONLY = r"\b(?:only|solely|exclusively|nur|ausschließlich|lediglich|seulement|uniquement|exclusivement|solo|sólo|solamente|únicamente|soltanto|esclusivamente|apenas|somente|alleen|uitsluitend|только|лишь)\b|仅|只"
_ONLY_OF_CLAIM = compile_later(rf"(?:{_ONLY})(?!\W*(?:if|when|wenn|si|se|als|если|\d))")
_RESTRICTED = compile_later(
    rf"{_ONLY}|\b(?:just|sole|alone|unless|except\w*|exclu\w+|limited|restricted|reserved|at (?:the )?most|höchstens|maximal|allein|sauf|salvo|seule?s?|que"
    r"|außer|beschränkt|vorbehalten|réservée?s?|limit\w+|reservad\w+|riservat\w+|behalve|voorbehouden|кроме)\b|限|除"
)

# A rate beside another rate: "4 per cent a year above the base rate".
_RATE = r"\w*(?:rate|index|euribor|sofr|libor|sonia|inflation|zinssatz|leitzins)\w*|taux [^,;.]*|tipo [^,;.]*|inter[eé]s[^,;.]*|tasso [^,;.]*|taxa [^,;.]*|rente\b"
_MARGIN = compile_later(
    r"(?:%|per ?cent|(?:percentage )?points?|basis points|prozent\w*|pour cent|por ciento|punt[oi]s?|pontos?|punten|procent\w*)(?: [^\W\d_]+){0,3}? "
    rf"(?P<margin>(?:above|below|over|under|plus|über|unter|au-dessus|en dessous|sobre|por encima|superior\w*|al di sopra|acima|boven)\b"
    rf"[^,;.]{{0,80}}?\b(?:{_RATE}))"
)
# A figure to which another rate is added, where that rate stands first: "the base rate plus 2.75 per cent".
_ADDED_TO_RATE = compile_later(
    r"\b(?P<margin>(?:\w{0,30}(?:rate|index|euribor|sofr|libor|sonia|zinssatz|leitzins)\w{0,30}|(?:taux|tipo|tasso|taxa|rente) [^,;.]{0,40}?)"
    r" (?:plus|minus|zuzüglich|abzüglich|augmenté d'?e?|majoré d'?e?|más|menos|più|maggiorato del|mais|verhoogd met|плюс)) (?=\d)"
)


def find_unsaid_status(claim: str, sentence: str) -> str | None:
    """Return the word by which a sentence says that something is expected or wanted, if a claim states it as a fact."""
    folded, wording = fold(sentence), parse_wording(claim)
    match = _STATUS.search(folded)
    if match is None or _STATUS_OF_CLAIM.search(fold(claim)):
        return None
    _, end = find_clause(folded, *match.span(), MATTERS)
    source = parse_wording(sentence)
    within = source.keys_between(match.end(), end)
    later = source.keys_between(end, len(sentence)) - within
    shared = [word for word in wording.content_words if word.keys & within]
    has_other_numbers = any(word.kind == NUMBER and not word.keys & within for word in wording.words)
    if len(shared) < MIN_SHARED_WORDS or has_other_numbers or wording.keys & later:
        return None
    return sentence[match.start() : match.end()]


def find_unsaid_margin(claim: str, sentence: str) -> str | None:
    """Return "above the base rate" of a sentence, if a claim has its figure without it."""
    folded, keys, source = fold(sentence), parse_wording(claim).keys, parse_wording(sentence)
    match = _MARGIN.search(folded)
    numbers = [word for word in source.words if word.kind == NUMBER and match and word.end <= match.start() + 1]
    if match is None and (match := _ADDED_TO_RATE.search(folded)):
        numbers = [word for word in source.words if word.kind == NUMBER and word.start >= match.end()][:1]
    if match is None:
        return None
    margin = source.words_between(*match.span("margin"))
    is_same_figure = bool(numbers) and bool(numbers[-1].keys & keys)
    before = source.keys_between(0, match.start("margin"))
    is_said = any(word.keys & keys - before for word in margin if not word.is_stop_word and len(word.text) > 3)
    return sentence[slice(*match.span("margin"))] if is_same_figure and not is_said else None


def find_unsaid_plan(claim: str, sentence: str) -> str | None:
    """Return the words by which a clause says that something is to be done, or asks for it, if a claim says that it was done."""
    folded_claim = fold(claim)
    is_french = (detect_language(claim) or detect_language(sentence)) == "fr"
    is_past = tells_past(folded_claim, is_french)
    is_told_as_done = is_past and not _STATUS_OF_CLAIM.search(folded_claim)
    if is_told_as_done and (words := _find_in_clause_of_claim(_TO_BE_DONE, claim, sentence, is_french)):
        return words
    if (is_past or _TO_COME.search(folded_claim)) and not _REQUEST_OF_CLAIM.search(folded_claim):
        return _find_in_clause_of_claim(_REQUEST, claim, sentence, is_french)
    return None


def tells_past(folded: str, is_french: bool = False) -> bool:
    """Return whether a text says that something was done, elsewhere than in a subordinate clause."""
    main = _SUBORDINATE_PAST.sub(" ", folded)
    return bool(_PAST_OF_CLAIM.search(main) or (is_french and _PAST_OF_FRENCH_CLAIM.search(main)))


def _find_in_clause_of_claim(pattern: re.Pattern[str], claim: str, sentence: str, is_french: bool) -> str | None:
    """Return the words of a clause that match, if it has the dates of the claim, or else all its words, and says of nothing that it was done."""
    wording, source, folded = parse_wording(claim), parse_wording(sentence), fold(sentence)
    match = pattern.search(folded)
    if match is None:
        return None
    start, end = find_clause(folded, *match.span(), MATTERS)
    if tells_past(folded[start : match.start()], is_french) or tells_past(folded[match.end() : end], is_french):
        return None
    within = source.keys_between(start, end)
    shared = [word for word in wording.content_words if word.keys & source.keys]
    dated = [word for word in shared if word.kind in (NUMBER, DATE)] or shared
    is_in_clause = sum(bool(word.keys & within) for word in shared) >= MIN_SHARED_WORDS and all(
        word.keys & within for word in dated
    )
    return sentence[match.start() : match.end()] if is_in_clause else None


def find_unsaid_speaker(claim: str, sentence: str, sentences: Sequence[str]) -> str | None:
    """Return the word by which a sentence says that a party says something, if a claim states it as a fact.

    What is merely said counts only where another sentence denies it.
    """
    if _SPEAKER_OF_CLAIM.search(fold(claim)):
        return None
    folded = fold(sentence)
    match = _ALLEGED.search(folded)
    if match is None and any(_DENIED.search(fold(other)) for other in sentences):
        match = _SAID.search(folded)
    keys = parse_wording(claim).keys
    reported = parse_wording(sentence).words_between(match.end(), len(sentence)) if match else ()
    is_about_it = sum(bool(word.keys & keys) for word in reported if not word.is_stop_word) >= MIN_SHARED_WORDS
    return sentence[match.start() : match.end()] if match and is_about_it else None


def find_unsaid_permission(claim: str, sentence: str) -> str | None:
    """Return the "may" of a sentence, if a claim says that somebody does what they only may do."""
    folded_claim = fold(claim)
    if _NO_FACT.search(folded_claim) or has_negation(folded_claim):
        return None
    claim_words = [word.text for word in parse_wording(claim).words]
    for match in _MAY.finditer(fold(sentence)):
        if any(_is_form_of(word, verb.text) for word in claim_words for verb in _list_verbs(match)):
            return sentence[match.start("may") : match.end("may")]
    return None


def find_unsaid_duty(claim: str, sentence: str) -> str | None:
    """Return the "shall" of a sentence, if a claim says that somebody may do what they must do."""
    folded_claim, folded = fold(claim), fold(sentence)
    if _DUTY_OR_DENIAL.search(folded_claim) or has_negation(folded_claim):
        return None
    allowed = [word.text for match in _MAY.finditer(folded_claim) for word in _list_verbs(match)]
    for match in _MUST.finditer(folded):
        if any(_is_form_of(verb, word.text) for word in _list_verbs(match) for verb in allowed):
            is_denied = has_negation(folded[match.start() : match.end()])
            is_allowed_elsewhere = _MAY.search(folded) is not None
            return None if is_denied or is_allowed_elsewhere else sentence[slice(*match.span("may"))]
    return None


def _list_verbs(match: re.Match[str]) -> list[KeyedWord]:
    """Return the verb behind a modal verb; in German and Dutch the last word of the clause."""
    words = list(parse_wording(_WISH.sub(" ", match["rest"])).content_words)
    return words[-1:] if _VERB_AT_END.fullmatch(match["may"]) else words[:1]


def _is_form_of(word: str, verb: str) -> bool:
    """Return whether a word is another form of a verb, or the same, and no noun of its stem."""
    shared = Prefix.similarity(word, verb)
    size = max(len(word), len(verb))
    is_noun = _NOUN_ENDING.fullmatch(word) and not _NOUN_ENDING.fullmatch(verb)  # "bring" and "comment" are verbs
    return shared >= MIN_VERB_STEM and size - shared <= MAX_VERB_ENDING and not is_noun


def find_added_only(claim: str, sentence: str) -> str | None:
    """Return the "only" of a claim that has no other word than its sentence, in which nothing restricts anything."""
    match = _ONLY_OF_CLAIM.search(fold(claim))
    folded = fold(sentence)
    if match is None or _RESTRICTED.search(folded) or has_negation(folded):
        return None
    keys = parse_wording(sentence).keys
    beside = [word for word in parse_wording(claim).content_words if not match.start() <= word.start < match.end()]
    is_same = all(word.keys & keys for word in beside if word.text not in ALL_FUNCTION_WORDS)
    return claim[match.start() : match.end()] if is_same else None
