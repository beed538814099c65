"""Negations that reach only to the end of their clause: "without deduction", "on 29 September, not on 22 September"."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from highlighter.grounding.wording import Wording
from highlighter.text.characters import fold
from highlighter.text.lazy_pattern import compile_later
from highlighter.text.negations import NEGATING_PREPOSITIONS

CLAUSE_END = compile_later(r"[,:.](?!\d)|[;，；：。]")
# Before what stands instead of something else.
_CONTRASTING_NOT = compile_later(
    r"[,，]\s?(?:and |but |und |et )?(?P<not>(?:not|nicht|non|pas)\b|[而並并]?(?:非|不是))"
    r"(?!\s(?:later|earlier|sooner|less|more|fewer|exceeding|only|just|even|until|unless|before|including|being|all|every|yet|nur)\b)"
)


class LocalNegation(NamedTuple):
    """A negating word at `[start, end)` of a sentence, and where its clause begins and ends."""

    start: int
    end: int
    clause_start: int
    clause_end: int
    is_contrast: bool  # after a comma, in place of something else


def blank_local_negations(claim: Wording, source: Wording, source_text: str) -> str:
    """Return a source's text with blanks for each "without" and ", not" that negates nothing of which the claim speaks."""
    for negation in _find_irrelevant_negations(claim, source):
        start, end = negation.start, negation.end
        source_text = source_text[:start] + " " * (end - start) + source_text[end:]
    return source_text


def remove_irrelevant_corrections(claim: Wording, source: Wording) -> str:
    """Return a source's text without what stands there instead of something else, if the claim does not speak of it."""
    text = source.text
    for negation in sorted(_find_irrelevant_negations(claim, source), reverse=True):
        if negation.is_contrast:
            text = text[: negation.clause_start] + text[negation.clause_end :]
    return text


def _find_irrelevant_negations(claim: Wording, source: Wording) -> Iterator[LocalNegation]:
    """Yield the local negations that negate none of the claim's words; those that the source says elsewhere may come from there."""
    content_words = [word for word in source.words if not word.is_stop_word]
    for negation in _find_local_negations(source):
        reach = range(negation.end, negation.clause_end)
        elsewhere = frozenset[str]().union(*(word.keys for word in content_words if word.start not in reach))
        negated = [word for word in content_words if word.start in reach]
        is_same_language = bool(elsewhere & claim.keys)  # words of another language can be the negated ones
        if is_same_language and not any(word.keys & claim.keys and not word.keys & elsewhere for word in negated):
            yield negation


def _find_local_negations(source: Wording) -> Iterator[LocalNegation]:
    spans = [(word.start, word.end, word.start, False) for word in source.words if word.text in NEGATING_PREPOSITIONS]
    matches = _CONTRASTING_NOT.finditer(fold(source.text))
    for start, end, first, is_contrast in (*spans, *((*m.span("not"), m.start(), True) for m in matches)):
        end_of_clause = CLAUSE_END.search(source.text, end)
        yield LocalNegation(
            start, end, first, end_of_clause.start() if end_of_clause else len(source.text), is_contrast
        )
