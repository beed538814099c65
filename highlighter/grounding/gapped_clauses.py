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
from highlighter.text.negations import classify_word
from highlighter.text.terms import is_cjk

MAX_SUBJECT_WORDS = 4
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
    if has_negation(folded):
        return []
    clauses = split_clauses(parse_wording(sentence))
    return [completed for clause in clauses[1:] if (completed := _complete(clauses[0], clause))]


def _complete(first: SourceClause, clause: SourceClause) -> str:
    """Return a clause that has nothing but a subject and a value, with the words between and behind those of the first clause."""
    if len(first.values) != 1 or len(clause.values) != 1:
        return ""
    (value,), (own,) = first.values, clause.values
    text = first.source.text
    subject = _read_subject(clause, own)
    after = [word for word in clause.content_words if word.start >= own.end]
    is_unit = all(word.keys & first.keys for word in after)
    if not subject or not is_unit or not own.can_replace(value):
        return ""
    replaced = [word for word in first.content_words if word.start < value.start][: len(subject)]
    if len(replaced) < len(subject) or not _is_alike(first, replaced, clause, subject):
        return ""
    between = text[replaced[-1].end : value.start]
    number_end = next(word.end for word in clause.words if word.start == own.start)
    own_end = min(own.end, number_end) if value.unit else own.end
    rest = text[value.end : first.words[-1].end]
    return (
        f"{text[clause.start : subject[-1].end]}{between}{text[own.start : own_end]}{rest}." if between.strip() else ""
    )


def _is_alike(
    first: SourceClause, replaced: Sequence[KeyedWord], clause: SourceClause, subject: Sequence[KeyedWord]
) -> bool:
    """Return whether two subjects have as many words, and the second one nothing of what the first clause says behind its own."""
    words, own_words = (
        [word for word in part.words if word.start <= last.start]
        for part, last in ((first, replaced[-1]), (clause, subject[-1]))
    )
    behind = join_keys(word for word in first.words if word.start > replaced[-1].start)
    return len(words) == len(own_words) and not any(word.keys & behind for word in subject)


def _read_subject(clause: SourceClause, own: ClauseValue) -> Sequence[KeyedWord]:
    words = [word for word in clause.content_words if word.start < own.start]
    has_bound = any(classify_word(word.text) for word in clause.words)
    return words if 0 < len(words) <= MAX_SUBJECT_WORDS and not has_bound else ()
