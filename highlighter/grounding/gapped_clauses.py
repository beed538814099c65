"""Clauses that leave out what the first one says: "The north car park has 120 spaces, the south car park 85".

The model finds the value of the first clause alone, so it reads the others with the words that they leave out.
"""

from __future__ import annotations

from collections.abc import Sequence

from highlighter.grounding.clause_values import ClauseValue, SourceClause, split_clauses
from highlighter.grounding.wording import KeyedWord, join_keys, parse_wording
from highlighter.quotes.restrictions import RESTRICTION
from highlighter.quotes.significance import has_negation
from highlighter.text.characters import fold
from highlighter.text.lazy_pattern import compile_later
from highlighter.text.modal_verbs import ENGLISH_MODALS
from highlighter.text.negations import classify_word
from highlighter.text.terms import is_cjk

MAX_SUBJECT_WORDS = 4
# A name of fewer words may be a verb: "opens on 1 May, closes on 2 May".
MIN_NAME_WORDS = 2
# Between a verb and its value: "represents the", "is open until the".
MAX_GLUE_WORDS = 2
_AUXILIARY = compile_later(
    rf"{ENGLISH_MODALS}|be|been|is|are|was|were|has|have|had|ist|sind|hat|haben|wird|werden|est|sont|a|ont|es|son|tiene|tienen|è|sono|ha|hanno|é|são|tem|têm"
    "|heeft|hebben|wordt|worden|zijn"
)
_OF = compile_later("of|von|vom|de|du|des|del|di|do|da|van")
_BEFORE_NOUN = compile_later(
    rf"(?:{_OF.pattern}|the|an?|der|die|das|den|dem|eine?|le|la|les|une?|el|los|las|una?|il|lo|gli|i|o|os|as|uma?|het|een|for|für|pour|para|per|voor|with|mit|avec|con|met|in|en|on)"
)
# What a clause depends on is not said of what follows it.
_DEPENDENT = compile_later(
    r"\b(?:if|where|when|while|unless|whether|that|although|because|wenn|falls|sofern|obwohl|weil|dass|während|si|lorsque|quand|que|qu|cuando|aunque"
    r"|se|quando|che|benché|caso|als|indien|terwijl|dat|omdat|если|когда|что|хотя|may|might|could|would)\b"
)
# Rows of a table are read with their headers: "Medicine: A, morning: 0".
_NO_PROSE = compile_later(r"[|\t=(\[{\n]|:(?!\d)")


def complete_clauses(sentence: str) -> list[str]:
    """Return the later clauses of a sentence with the words of the first one that they leave out; none where it is not clear."""
    folded = fold(sentence)
    if (
        any(map(is_cjk, sentence))
        or _NO_PROSE.search(sentence)
        or _DEPENDENT.search(folded)
        or RESTRICTION.search(folded)
    ):
        return []
    clauses = split_clauses(parse_wording(sentence))
    if not clauses or _is_denial(clauses[0]):
        return []
    later = [
        clause for clause in clauses[1:] if not _is_denial(clause)
    ]  # "older vehicles none" denies nothing of others
    return [completed for clause in later if (completed := _complete(clauses[0], clause))]


def _is_denial(clause: SourceClause) -> bool:
    text = clause.source.text[clause.start : clause.words[-1].end]
    return has_negation(fold(text))


def _complete(first: SourceClause, clause: SourceClause) -> str:
    """Return a clause that has nothing but a subject and a value, with the words between and behind those of the first clause."""
    if len(first.values) != 1 or len(clause.values) != 1:
        return ""
    (value,), (own,) = first.values, clause.values
    text = first.source.text
    subject = _read_subject(clause, own)
    after = [word for word in clause.content_words if word.start >= own.end]
    if not subject and _is_parallel(first, value, clause, own):
        return f"{text[first.start : value.start]}{text[own.start : clause.words[-1].end]}."
    is_unit = all(word.keys & first.keys for word in after)
    if not subject or not is_unit or not own.can_replace(value):
        return ""
    replaced = [word for word in first.content_words if word.start < value.start][: len(subject)]
    is_alike = len(replaced) == len(subject) and _is_alike(first, value, replaced, clause, subject)
    between = text[replaced[-1].end : value.start] if is_alike else ""
    if not between.strip() and len(subject) >= MIN_NAME_WORDS:
        between = _read_verb(first, value)
    number_end = next((word.end for word in clause.words if word.start == own.start), own.end)
    own_end = min(own.end, number_end) if value.unit else own.end
    rest = text[value.end : first.words[-1].end]
    return (
        f"{text[clause.start : subject[-1].end]}{between}{text[own.start : own_end]}{rest}." if between.strip() else ""
    )


def _is_parallel(first: SourceClause, value: ClauseValue, clause: SourceClause, own: ClauseValue) -> bool:
    """Return whether a clause begins with a value of the same unit, and goes on as the first one does: "and 19 euros for guests"."""
    beside = [[word for word in part.words if word.start > v.start] for part, v in ((first, value), (clause, own))]
    shared = [word for word, other in zip(*beside, strict=False) if word.keys & other.keys]
    has_one_unit = own.kind == value.kind and own.unit == value.unit and clause.words[0].start == own.start
    has_more = any(not word.keys & first.keys for word in clause.content_words if word.start >= own.end)
    glue = [word for word in shared if word not in first.content_words]
    before = any(word.start < value.start for word in first.content_words)
    return has_one_unit and has_more and before and bool(glue) and beside[0][: len(shared)] == shared


def _read_verb(first: SourceClause, value: ClauseValue) -> str:
    """Return the words of the first clause from its verb, which stands right before the value, to the value; "" without one."""
    text = first.source.text
    before = [word for word in first.words if word.start < value.start]
    verbs = [
        number for number, word in enumerate(before) if word in first.content_words or _AUXILIARY.fullmatch(word.text)
    ]
    if not verbs or len(before) - verbs[-1] > MAX_GLUE_WORDS + 1:
        return ""
    start = verbs[-1]
    while start > 0 and _AUXILIARY.fullmatch(before[start - 1].text):
        start -= 1
    is_noun = start == 0 or _BEFORE_NOUN.fullmatch(before[start - 1].text)
    if is_noun or any(_BEFORE_NOUN.fullmatch(word.text) and _OF.fullmatch(word.text) for word in before[verbs[-1] :]):
        return ""
    return " " + text[before[start].start : value.start]


def _is_alike(
    first: SourceClause,
    value: ClauseValue,
    replaced: Sequence[KeyedWord],
    clause: SourceClause,
    subject: Sequence[KeyedWord],
) -> bool:
    """Return whether two subjects have as many words, and the second one none of what the first clause says between its own and the value."""
    words, own_words = (
        [word for word in part.words if word.start <= last.start]
        for part, last in ((first, replaced[-1]), (clause, subject[-1]))
    )
    keys = join_keys(word for word in first.words if replaced[-1].start < word.start < value.start)
    return len(words) == len(own_words) and not any(word.keys & keys for word in subject)


def _read_subject(clause: SourceClause, own: ClauseValue) -> Sequence[KeyedWord]:
    words = [word for word in clause.content_words if word.start < own.start]
    has_bound = any(classify_word(word.text) for word in clause.words)
    return words if 0 < len(words) <= MAX_SUBJECT_WORDS and not has_bound else ()
