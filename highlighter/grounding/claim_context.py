"""What a claim takes from the lines before it: an item of a list its lead-in, and a pronoun the subject that it means."""

from __future__ import annotations

from highlighter.grounding.parties import find_parties
from highlighter.grounding.statements import FINITE_VERB
from highlighter.grounding.wording import parse_wording
from highlighter.text.characters import fold
from highlighter.text.lazy_pattern import compile_later

# Words before a party that is the subject of its sentence, itself among them: "The other Contracting Party".
MAX_SUBJECT_WORDS = 4
# An item with a longer word in small letters and a full stop is a sentence, although its verb is not known.
_SENTENCE = compile_later(r".*\s[a-zß-ÿ]{4,}\b.*[.。]")
# "The Landlord: insures the building"
_SUBJECT_ALONE = compile_later(r"(?:the|each|every|an?|this) \w+(?: \w+)?")
_ACTIVITY_FIRST = compile_later(r"[a-z]+[^\Wsu\d]s (?:the|an?|all|any|its|their|to|for|at|in|on|by|with) ")
_OTHER_VERBS = (
    r"ist|sind|war|waren|hat|haben|muss|müssen|darf|dürfen|kann|können|soll|sollen|wird|werden|umfasst|umfassen|enthält|zahlt|trägt"
    r"|est|sont|était|doit|doivent|peut|peuvent|comprend|comprennent|paie|es|son|era|debe|deben|puede|pueden|incluye|incluyen|paga"
)
_VERB = compile_later(rf"{FINITE_VERB.pattern}|\b(?:{_OTHER_VERBS})\b")
# A verb that begins an item: its subject is the lead-in.
_VERB_FIRST = compile_later(rf"(?!having\b)(?:{FINITE_VERB.pattern}|(?:{_OTHER_VERBS})\b)")
# "The lease allows", "It carries", "The report lists three risks"
_ACTIVITY_LAST = compile_later(r"(?:the|this|it|he|she|they|we|you|each|every|an?)\b.* [a-z]{2,}(?:[^\Wsu\d]s|ed)")
# Where a lead-in is not a whole clause: a whole sentence completes it, too.
_OPEN_END = compile_later(
    r"\b(?:if|when|where|unless|that|because|until|whether|wenn|falls|sofern|dass|si|que|lorsque|cuando)$|(?:如果|若|当)$"
)
_PREPOSITION_END = compile_later(
    r"\b(?:in|to|for|of|on|at|with|by|from|against|under|including|bei|für|von|mit|an|auf|zu|gegen|de|à|pour|avec|para|con|por)$"
)
_VERB_END = compile_later(rf"(?:{_VERB.pattern})(?: not)?$|^(?:it|he|she|they|we|you) \w+$")
_CLAUSE_FIRST = compile_later(
    r"(?:if|when|unless|until|to|for|in|on|at|with|by|within|before|after|wenn|falls|um|si|pour|para)\b"
)
# Words of a lead-in that only announce a list.
_ANNOUNCING = frozenset(
    "follow follows following key main point points rule rules step steps term terms detail details summary overview list item items say says"
    " state states provide provides apply applies note notes fact facts answer source document text contract agreement leaflet report handbook"
    " include includes important thing things information result results conclusion reason reasons example examples found find".split()
)
_FOLLOWING_FIRST = compile_later(
    rf"(?:the|these|any of the|all of the) following\b(?: [\w-]+){{0,2}}? (?=(?:{FINITE_VERB.pattern}))"
)
_FOLLOWING_LAST = compile_later(r"\b(?:(?:any|one|all|each) of )?(?:the|these|those) following(?: [\w-]+){0,3}$")
_PRONOUN = compile_later(
    r"(?:she|he|it|they|sie|er|es|elle|il|elles|ils|ella|él|ellos|ellas)\b(?! (?:is|was|will be) (?:possible|clear|likely|important|not clear)\b)"
)
_THING_PRONOUN = compile_later(r"(?:it|they|es|sie|il|elle|elles|ils|ella|ellas|él|ellos)\b")
# What happens to something says nothing of who acts.
_NO_ACT = compile_later(
    r"\w+ (?:(?:may|must|shall|can|will|should)(?: not)? )?(?:be|is|are|was|were|has been|have been|ist|sind|war|est|es)\b"
)
_TITLE = r"(?:Mr|Mrs|Ms|Miss|Dr|Prof|Cllr|Sir|Lady|Lord|Judge|Herrn?|Frau|Mme|Mlle|Monsieur|Madame|Sr|Sra|Señora?|Don|Doña|Dhr|Mevr)"
_NAME = r"(?:[A-ZÀ-ÞĀ-Ž]\.\s?)*[A-ZÀ-ÞĀ-Ž][\w'’-]+(?:\s(?:(?:de|van|von|der|del|di|da)\s)?[A-ZÀ-ÞĀ-Ž][\w'’-]*\.?)*"
_TITLED_PERSON = compile_later(rf"\b(?:{_TITLE}\.?|M\.)\s(?P<name>{_NAME})")
_PERSON_FIRST = compile_later(
    r"(?!(?:The|This|That|These|Our|Their|Its|An?|In|On|At|For|Under|All|Each|Both)\s)(?P<name>[A-ZÀ-Þ][a-zß-ÿ'’-]+ (?:[A-ZÀ-Þ]\. ?)?[A-ZÀ-Þ][\w'’-]+),? (?=[a-z])"
)
_PERSONAL = compile_later(r"(?:she|he)\b")


def join_lead_in(lead_in: str, item: str) -> str:
    """Return an item of a list with the line above the list that it completes; the item alone where it says something alone.

    `lead_in` is the line without its colon.
    """
    if not _completes(lead_in, item):
        return item
    bare_item = item.rstrip(" ,;，；")
    if bare_item.endswith((" and", " or")):
        bare_item = bare_item.rsplit(" ", 1)[0].rstrip(",; ")
    rest_last = _FOLLOWING_LAST.search(fold(lead_in))
    if rest_first := _FOLLOWING_FIRST.match(fold(lead_in)):
        return f"{bare_item.rstrip('.')} {lead_in[rest_first.end() :]}"
    if rest_last:
        return f"{lead_in[: rest_last.start()]}{bare_item}"
    folded, folded_item = fold(lead_in), fold(item)
    is_open = any(pattern.search(folded) for pattern in (_OPEN_END, _PREPOSITION_END, _VERB_END)) or (
        _SUBJECT_ALONE.fullmatch(folded) or _VERB_FIRST.match(folded_item) or _CLAUSE_FIRST.match(folded_item)
    )
    return f"{lead_in} {bare_item}" if is_open else f"{lead_in}: {bare_item}"


def _completes(lead_in: str, item: str) -> bool:
    folded, folded_item = fold(lead_in), fold(item)
    content_words = [word for word in parse_wording(lead_in).content_words if word.text not in _ANNOUNCING]
    if not content_words or not item:
        return False
    if _OPEN_END.search(folded):
        return True
    if _VERB_FIRST.match(folded_item):
        return item[:1].islower() or not _VERB.search(folded)  # "The Tenant: must pay the rent"
    if _SUBJECT_ALONE.fullmatch(folded) and _ACTIVITY_FIRST.match(item):
        return True
    is_fragment = item[:1].islower() or not (_VERB.search(folded_item) or _SENTENCE.fullmatch(item))
    is_statement = _VERB.search(folded) or _PREPOSITION_END.search(folded) or _ACTIVITY_LAST.fullmatch(folded)
    return is_fragment and bool(is_statement)


def begins_with_pronoun(claim: str) -> bool:
    """Return whether a claim begins with a pronoun that may mean the subject of the sentence before."""
    return _PRONOUN.match(fold(claim)) is not None


def resolve_party(claim: str, antecedent: str) -> str:
    """Return a claim with the party for the pronoun at its beginning, if the sentence before names no other party."""
    folded = fold(claim)
    pronoun = _PRONOUN.match(folded)
    parties = find_parties(antecedent)
    if pronoun is None or not parties or not parties[0].acts or any(p.groups != parties[0].groups for p in parties):
        return claim
    if _THING_PRONOUN.match(folded) and _NO_ACT.match(folded):
        return claim
    end = antecedent.index(parties[0].word) + len(parties[0].word)
    return antecedent[:end] + claim[pronoun.end() :] if len(antecedent[:end].split()) <= MAX_SUBJECT_WORDS else claim


def find_other_person(claim: str, antecedent: str, sentence: str, before: str) -> tuple[str, str] | None:
    """Return the person that the pronoun of a claim means, and the other one that a sentence names in its place.

    `before` is the sentence before that one in the source, which a pronoun of its own means.
    """
    folded = fold(claim)
    if not _PRONOUN.match(folded):
        return None
    is_personal = bool(_PERSONAL.match(folded))
    meant = _find_persons(antecedent, is_personal)
    text = f"{before} {sentence}" if _PRONOUN.match(fold(sentence)) else sentence
    others = _find_persons(text, is_personal)
    if len(meant) != 1 or not others or any(_share_word(meant[0], other) for other in others):
        return None
    return (
        None if any(word in fold(text) for word in fold(meant[0]).split() if len(word) > 2) else (meant[0], others[0])
    )


def _find_persons(text: str, is_personal: bool) -> list[str]:
    persons = [match["name"] for match in _TITLED_PERSON.finditer(text)]
    first = _PERSON_FIRST.match(text) if is_personal and not persons else None
    return persons or ([first["name"]] if first else [])


def _share_word(name: str, other: str) -> bool:
    return bool(set(fold(name).split()) & set(fold(other).split()))
