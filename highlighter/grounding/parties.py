"""Parties that act in a claim and in a source: "The Tenant pays for delivery" is not what "The Landlord bears its cost" says.

A small model weighs what is done, and overlooks who does it. Only words for parties and offices are known, and there is no
parser: where it cannot be told who acts, nothing is said.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from highlighter.grounding.voice import IRREGULAR_PARTICIPLES
from highlighter.text.characters import fold
from highlighter.text.lazy_pattern import compile_later
from highlighter.text.modal_verbs import ENGLISH_MODALS
from highlighter.text.party_words import build_cjk_pattern, find_party_groups
from highlighter.text.terms import STOP_WORDS, stem_word

# Who these are, other sentences say.
_INDEFINITE = frozenset(
    "i we you he she they it who whoever anyone anybody someone somebody everyone everybody nobody person persons people party"
    " parties company member members one our your their his her its us them him me"
    " ich wir sie er es man wer jeder niemand partei parteien ihr ihre sein seine"
    " je nous vous il elle ils elles qui quiconque partie parties son sa ses leur"
    " yo nosotros usted él ella ellos quien parte partes su sus".split()
)
_YOU = frozenset("you your we our us i my wir ihr nous vous nosotros usted ustedes".split())
_INDEFINITE_CJK = compile_later(r"[我你您他她其它谁]|双方|各方|任何人|当事人|一方|公司|会员|成员")
_TOKEN = compile_later(
    r"[^\W\d_\u3400-\u9fff]+(?:['-][^\W\d_\u3400-\u9fff]+)*|[\u3400-\u9fff]|[,;:.!?()，；：。、！？（）\n]|\d+"
)
_ARTICLES = frozenset(
    "the a an each every any no all both such this that these those my our your its their his her other"
    " der die das ein eine jeder jede kein keine dieser diese le la les l un une chaque tout toute el los las una cada todo".split()
)
# In German, an article tells who something is done to.
_OBJECT_ARTICLES = frozenset("den dem einen einem des eines jeden jedem jedes keinen keinem diesen diesem".split())
_SUBJECT_ARTICLES = frozenset("der ein jeder kein dieser el los".split())
# After a word for a party: "the parent company".
_KINDS = frozenset("company companies bank party parties".split())
_VERB = compile_later(r"[a-z]{2,}[a-rt-z]s|qui")
_BY = frozenset("by von vom durch par por".split())
_PREPOSITIONS = frozenset(
    "of to from with for against on at in into upon between under about before after via through without towards than"
    " an zu zum zur bei beim mit für gegen gegenüber ohne auf aus nach"
    " de du des à au aux avec pour envers contre sans chez del al con para contra ante sin hacia".split()
)
_CLAUSE_STARTS = frozenset(
    ", ; : . ! ? ( ) ， ； ： 。 、 ！ ？ （ ） \n if when where unless that because while until once whether as since provided"
    " wenn falls sofern dass weil solange si lorsque quand que cuando c'est".split()
)
_AUXILIARIES = frozenset(
    "shall must may can will should might could would cannot is are was were has have had does do did be"
    " ist sind war waren hat haben muss müssen kann können darf dürfen soll sollen wird werden trägt"
    " est sont doit doivent peut peuvent a ont sera es son debe deben puede pueden ha han será".split()
)
# After these, a party is who must act: "at the Tenant's expense", "incombe au locataire", "corre a cargo del vendedor".
_BURDENS = compile_later(
    r"(?:expense|responsibility|duty|obligation|task|risk|obliegt|lasten|sache|charge|incombe|incombent|appartient|revient|cargo|corresponde"
    r"|corresponden|incumbe|compete)\s+(?:of|an|de|du|à|au|aux|del|al|a)?\s*(?:the|der|dem|des|le|la|l'|el|los|las)?\s*$"
)
_BURDENS_AFTER = compile_later(
    r"(?:'s?)?\s+(?:own\s+)?(?:expense|cost|responsibility|duty|obligation|task|risk|job|decision)\b"
)
_CJK_BURDENS = r"的(?:责任|义务|职责)|の(?:责任|义务|负担)"
# Who is told, or gets something, does not act; nor does who says what others do.
_PASSIVE_AFTER = compile_later(
    rf"\s*(?:(?:{ENGLISH_MODALS})\s+)?(?:not\s+)?(?:be|is|are|was|were|(?:has|have|had) been)\s+(?:not\s+|\w+ly\s+)?"
    r"(?!(?:required|obliged|permitted|allowed|expected|bound|supposed|needed)\b)(?:\w+ed|paid|given|told|sent|held|made|kept|taken|shown|bound)\b"
)
_NO_ACT_AFTER = compile_later(
    rf"\s*(?:(?:{ENGLISH_MODALS}|also|often|usually)\s+)?"
    r"(?:receives?|gets?|earns?|obtains?|recovers?|says?|said|states?|stated|reports?|reported|recommends?|recommended|advises?|advised|notes?|noted"
    r"|finds?|found|held|holds that|confirms?|confirmed|believes?|believed|warns?|warned|argues?|argued|erhält|erhalten|bekommt|empfiehlt"
    r"|reçoit|recommande|recibe|recomienda)\b|(?:收到|获得|得到|建议|认为|表示|指出)"
)  # fmt: skip
# Who lets or asks others to act, or takes what they pay, says the same as who acts: "The Landlord collects a deposit".
_CONCERNS_OTHERS_AFTER = compile_later(
    rf"\s*(?:(?:{ENGLISH_MODALS}|also|not)\s+)*"
    r"(?:grant|allow|permit|let|enable|entitle|offer|charge|collect|demand|require|request|invoice|deduct)(?:t?s|ed|ted|d)?\b"
    r"|[^,;:.]{0,80}\b(?:gewähr|gestatt|erlaub|verlang|forder|berechn|erheb)(?:en|t|et|te|ete)\b|\s+erhebt\b"
    r"|\s+(?:(?:peut|doit|puede|debe)\s+)?(?:accorder?|autoriser?|permet(?:tre)?|exiger?|demander?|facturer?|encaisser?|perçoit|percevoir"
    r"|conceder?|autorizar?|permit[ei]r?|exig[ei]r?|cobrar?|facturar?)\b"
    r"|(?:应当?|可以?|须|有权|必须|不得)?(?:[^，；。]{0,12})(?:收取|要求|允许|准许|给予)"
)  # fmt: skip
# Between two words for one party: "the Supplier is the Processor", "Acme Bank plc (the "Customer")".
_DEFINED_BETWEEN = compile_later(
    r"\W*(?:(?:is|are|being|means|acts? as|acting as|also|hereinafter|referred to as|known as|called|ist|als|im folgenden|nachfolgend|est"
    r"|ci-après|es|en adelante|以下简称|以下称|为|是)\W*)+(?:the|an?|der|die|das|le|la|el)?\W*"
    r"|(?:(?!\b(?:and|und|et|y|or|oder)\b|[和与及])[^.;。\"“”)）]){0,60}[(（](?:the|der|die|das|le|la|el|hereinafter|以下简称|以下称)?\W*"
)  # fmt: skip
_PREDICATE_AFTER = compile_later(
    rf"(?:'s?\s+|\s+(?:(?:{ENGLISH_MODALS}|not|also|then|only|\w+ly)\s+)*"
    r"(?:(?:be|is|are|was|were|becomes?|became|remains?|goes|went)\s+(?:not\s+)?)?)(?P<predicate>[a-z]{3,})\b"
)
_PASSIVE_BEFORE = compile_later(
    r"\b(?:be|is|are|was|were|been|being) (?:not )?(?:\w+ly )?(?P<predicate>[a-z]{3,})(?: [^,;:.]{1,80})? by (?:the |an? |each |every )?$"
)
_PREDICATE_BEFORE = compile_later(r"(?P<predicate>[a-z]{4,}) of (?:the |an? |each |every )?$")
# Either party to these does them: "The Landlord leases the flat to the Tenant", who leases it from the Landlord.
_CONVERSES = frozenset("leas rent hire meet marri agre share trade contract".split())
# These each of them has, so that they tell nobody from the other.
_SHARED_NOUNS = frozenset(
    "oblig duti right cost expens name address account properti signatur share part staff agent reput behalf request choic"
    " discret consent notic site premis obligat".split()
)
_AGENT_AFTER_CJK = compile_later(rf"[はが]|{_CJK_BURDENS}")
_BEFORE_CJK_AGENT = compile_later(r"(?:^|[，；：。、！？（）\s]|由|如|若|如果|当|是|归|则)$")


MAX_CHARACTERS_BESIDE = 120


class Party(NamedTuple):
    """A word for a party or an office; parties that share a group may be the same."""

    word: str
    groups: frozenset[int]
    acts: bool  # is who does something, as far as the words around it tell
    predicate: str = ""  # the stem of what it does, is or has, in English
    concerns_others: bool = False  # what it does, as "grants" or "collects", says what another party has or pays
    start: int = 0  # offset of the word in its text


def find_exchanged_parties(claim: str, sentence: str) -> tuple[Party, Party] | None:
    """Return who does something in a claim, and who does the same in a sentence: "indemnified by the Tenant", where the
    Tenant is indemnified. The claim and the sentence name both of them.
    """
    claimed, stated = find_parties(claim), find_parties(sentence)
    for party, other in _pair_agents(claimed, stated):
        if party.groups & _join_groups(stated) and other.groups & _join_groups(claimed):
            return party, other
    return None


def has_other_agent(claim: str, sentence: str) -> bool:
    """Return whether a sentence says that another party does what a party does in a claim."""
    return any(_pair_agents(find_parties(claim), find_parties(sentence)))


def are_defined_as_same(text: str, party: Party, other: Party) -> bool:
    """Return whether a text says that two words are for the same party: "Acme Bank (the "Customer")"."""
    parties = find_parties(text)
    return any(
        _DEFINED_BETWEEN.fullmatch(fold(text[first.start + len(first.word) : second.start]))
        for first, second in pairwise(parties)
        if (first.groups & party.groups and second.groups & other.groups)
        or (first.groups & other.groups and second.groups & party.groups)
    )


def find_absent_party(claim: str, sentence: str) -> tuple[Party, Party] | None:
    """Return who acts in a claim and is not named in a sentence, with who acts there and is not named in the claim."""
    claimed, stated = find_parties(claim), find_parties(sentence)
    if not claimed or not stated or _says_you(sentence):
        return None
    claimed_groups, stated_groups = _join_groups(claimed), _join_groups(stated)
    missing = next((party for party in claimed if party.acts and not party.groups & stated_groups), None)
    other = next((party for party in stated if party.acts and not party.groups & claimed_groups), None)
    if missing is None or other is None or missing.concerns_others != other.concerns_others:
        return None
    return missing, other


def names_party(text: str, party: Party) -> bool:
    """Return whether a text names a party in these or in other words."""
    return bool(_join_groups(find_parties(text)) & party.groups)


def is_indefinite(text: str) -> bool:
    """Return whether a text has a pronoun or a word like "party": another sentence may say who that is."""
    return _has_word(text, _INDEFINITE) or _INDEFINITE_CJK.search(fold(text)) is not None


def _pair_agents(claimed: Sequence[Party], stated: Sequence[Party]) -> Iterator[tuple[Party, Party]]:
    """Yield parties of a claim with who does the same in a sentence, where that is nobody who may be the same."""
    for party in claimed:
        others = [other for other in stated if other.predicate and other.predicate == party.predicate]
        if others and not any(party.groups & other.groups for other in others):
            yield party, others[0]


def _says_you(text: str) -> bool:
    return _has_word(text, _YOU) or any(mark in fold(text) for mark in "我你您")


def _has_word(text: str, words: frozenset[str]) -> bool:
    return not words.isdisjoint(token[0] for token in _TOKEN.finditer(fold(text)))


def _join_groups(parties: tuple[Party, ...]) -> frozenset[int]:
    return frozenset().union(*(party.groups for party in parties))


@lru_cache(maxsize=4_096)
def find_parties(text: str) -> tuple[Party, ...]:
    """Return the parties that a text names."""
    folded = fold(text)
    return (*_find_words(text, folded), *_find_cjk(text, folded))


def _find_words(text: str, folded: str) -> list[Party]:
    tokens = list(_TOKEN.finditer(folded))
    words = [token[0] for token in tokens]
    found = []
    for index, token in enumerate(tokens):
        if groups := find_party_groups(words[index]):
            has_s = words[index].endswith(("'s", "s'"))
            end = token.end() - (2 if words[index].endswith("'s") else 1 if has_s else 0)
            before, after = _look_around(folded, token.start(), end)
            is_capital = [text[token.start()].isupper() for token in tokens[max(index - 4, 0) : index]]
            is_burdened = bool(_BURDENS.search(before) or _BURDENS_AFTER.match(after))
            acts = is_burdened or _acts(words, index, after, is_capital)
            concerns = bool(_CONCERNS_OTHERS_AFTER.match(after))
            predicate = _find_predicate(before, after)
            found.append(Party(text[token.start() : end], groups, acts, predicate, concerns, token.start()))
    return found


def _look_around(folded: str, start: int, end: int) -> tuple[str, str]:
    """Return the characters beside a party that tell whether it acts."""
    return folded[max(start - MAX_CHARACTERS_BESIDE, 0) : start], folded[end : end + MAX_CHARACTERS_BESIDE]


def _find_predicate(before: str, after: str) -> str:
    """Return the stem of what a party does or is, or of what is its own; empty where that cannot be told."""
    if _PASSIVE_AFTER.match(after):
        return ""
    match = _PASSIVE_BEFORE.search(before) or _PREDICATE_BEFORE.search(before) or _PREDICATE_AFTER.match(after)
    predicate = match["predicate"] if match else ""
    stem = stem_word(IRREGULAR_PARTICIPLES.get(predicate, predicate)) if predicate not in STOP_WORDS else ""
    return "" if stem in _CONVERSES or stem in _SHARED_NOUNS else stem


def _acts(words: list[str], index: int, after: str, is_capital: Sequence[bool]) -> bool:
    """Return whether a party at an index acts. `is_capital` tells of the words before it whether they have a capital."""
    if _PASSIVE_AFTER.match(after) or _NO_ACT_AFTER.match(after) or after.startswith("'"):
        return False
    first = index
    # "the main contractor", "the competent authority"
    for back in range(1, 4):
        word = words[index - back] if index >= back else ","
        if word in _ARTICLES:
            first = index - back
            break
        if word in _OBJECT_ARTICLES:
            return index > back and words[index - back - 1] in _BY
        if word in _CLAUSE_STARTS or word in _PREPOSITIONS or word in _BY or word.isdigit():
            first = index - back + 1
            break
    before = words[first - 1] if first else "."
    if before in _PREPOSITIONS:
        return False
    following = next((word for word in words[index + 1 : index + 3] if word not in _KINDS), "")
    begins_clause = before in _CLAUSE_STARTS or before.isdigit()
    if begins_clause or before in _BY or following in _AUXILIARIES or _VERB.fullmatch(following):
        return True
    # "bezahlt der Mieter", "lo paga el vendedor"; but "die Pflichten der Mieter" are what they have.
    is_noun_before = is_capital[first - index - 1] if index - first < len(is_capital) else False
    is_after_verb = words[index].startswith("ال") and before.startswith(("ي", "ت", "س"))
    return is_after_verb or (words[first] in _SUBJECT_ARTICLES and not is_noun_before)


def _find_cjk(text: str, folded: str) -> list[Party]:
    found = []
    for match in build_cjk_pattern().finditer(folded):
        before, after = _look_around(folded, *match.span())
        acts = bool(_AGENT_AFTER_CJK.match(after)) or (
            bool(_BEFORE_CJK_AGENT.search(before)) and not after.startswith(("的", "の"))
        )
        acts = acts and not _NO_ACT_AFTER.match(after)
        concerns = bool(_CONCERNS_OTHERS_AFTER.match(after))
        word = text[match.start() : match.end()]
        found.append(Party(word, find_party_groups(match[0]), acts, "", concerns, match.start()))
    return found
