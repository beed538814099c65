"""Check the quotations of an answer against a source: verified, altered (with the difference), or not found."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from highlighter.locale import N_
from highlighter.quotes.fuzzy_search import find_occurrences, is_word_boundary
from highlighter.quotes.matcher import (
    EXACT,
    MAX_OCCURRENCES,
    NORMALISED,
    QUOTE_NOT_FOUND,
    QuoteMatch,
    find_closest_match,
    list_changes,
    match_quote,
    trim_quote,
)
from highlighter.quotes.normal_form import ComparableText, normalise_text
from highlighter.quotes.significance import MIN_EXACT_STRENGTH, NumberCounter, count_numbers, measure_strength
from highlighter.quotes.word_diff import ADDED, SAME, DiffSegment
from highlighter.text.sentences import split_sentences

VERIFIED, ALTERED, NOT_FOUND = "verified", "altered", "not found"

_QUOTATION = re.compile(
    r"“([^“”]+)”|\"([^\"\n]+)\"|「([^「」]+)」|『([^『』]+)』|«([^«»]+)»|(?<!\w)‘([^‘’]{12,})’(?!\w)"
)
_ELLIPSIS = re.compile(r"\[\s*+(?:\.\.\.|…)\s*+\]|\(\s*+(?:\.\.\.|…)\s*+\)|\.\.\.|…|\. \. \.")
_BRACKETED_LETTERS = re.compile(r"\[([^\W\d_]{1,3})\]")  # "[t]he": a marked change of case
# The strength from which a sentence can be recognised as joined to another one.
MIN_RUN_STRENGTH = 3


@dataclass(frozen=True, slots=True)
class Quotation:
    """The words between quotation marks in an answer; `[start, end)` is their span."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class QuotationCheck:
    """The result of checking a quotation; `[start, end)` is the span of the source it was taken from."""

    state: str
    start: int = 0
    end: int = 0
    differs: tuple[DiffSegment, ...] = ()
    why: str = ""


def find_quotations(answer: str) -> list[Quotation]:
    """Return the quotations that are long enough to be located; a single word in quotation marks is none."""
    quotations = []
    for match in _QUOTATION.finditer(answer):
        group = match.lastindex or 0
        if measure_strength(match[group]) >= MIN_EXACT_STRENGTH:
            quotations.append(Quotation(match[group], match.start(group), match.end(group)))
    return quotations


def check_quote(quote: str, source: str | ComparableText) -> QuotationCheck:
    """Check a quotation against the cited source. Differences in case, hyphens or quotation marks do not count."""
    text = source if isinstance(source, ComparableText) else ComparableText(source)
    quote = _BRACKETED_LETTERS.sub(r"\1", trim_quote(quote))
    match = find_closest_match(text, quote)
    if match and match.tier in (EXACT, NORMALISED):
        return QuotationCheck(VERIFIED, match.start, match.end)
    runs = [run for run in _ELLIPSIS.split(quote) if normalise_text(run).text]
    if len(runs) > 1 and measure_strength(quote) >= MIN_EXACT_STRENGTH and (span := _find_runs_in_order(text, runs)):
        return QuotationCheck(VERIFIED, *span)
    if joined := _check_joined_sentences(text, quote):
        return joined
    if match and (match.differs or match.why != QUOTE_NOT_FOUND):
        return QuotationCheck(ALTERED, match.start, match.end, match.differs, _explain_difference(match))
    return QuotationCheck(NOT_FOUND, why=QUOTE_NOT_FOUND)


def _find_runs_in_order(text: ComparableText, runs: Sequence[str]) -> tuple[int, int] | None:
    """Return the span in which several runs follow one another, each word for word."""
    normal_form, number_counter, spans, position = text.normal_form, NumberCounter(text.text), [], 0
    for run in runs:
        normal_run, run_numbers = normalise_text(run).text, count_numbers(run)
        for offset in islice(find_occurrences(normal_form.text, normal_run, position), MAX_OCCURRENCES):
            span = normal_form.original_span(offset, offset + len(normal_run))
            if all(is_word_boundary(text.text, edge) for edge in span) and number_counter.count(*span) == run_numbers:
                break
        else:
            return None
        spans.append(span)
        position = offset + len(normal_run)
    return spans[0][0], spans[-1][1]


def _check_joined_sentences(text: ComparableText, quote: str) -> QuotationCheck | None:
    """Return a check if all sentences exist but are not adjacent: the omitted text between them is the difference."""
    sentences = [span.text for span in split_sentences(quote)]
    if len(sentences) < 2 or any(measure_strength(sentence) < MIN_RUN_STRENGTH for sentence in sentences):
        return None
    matches = []
    for sentence in sentences:
        match = match_quote(text, sentence)
        if match is None or match.tier not in (EXACT, NORMALISED):
            return None
        matches.append(match)
    first, last = matches[0], matches[-1]
    omitted = text.text[first.end : last.start].strip()
    between = (DiffSegment(ADDED, "", omitted),) if omitted and len(sentences) == 2 else ()
    segments = (
        DiffSegment(SAME, sentences[0], sentences[0]),
        *between,
        *(DiffSegment(SAME, sentence, sentence) for sentence in sentences[1:]),
    )
    start, end = min(match.start for match in matches), max(match.end for match in matches)
    return QuotationCheck(ALTERED, start, end, segments, N_("The quoted sentences are not consecutive in the source."))


def _explain_difference(match: QuoteMatch) -> str:
    if match.why not in ("", QUOTE_NOT_FOUND):
        return match.why
    segment = next(iter(list_changes(match.differs)), None)
    if segment is None:
        return N_("The quote does not match the source word for word.")
    if not segment.theirs:
        return N_(f"The quote says “{segment.ours}”, the source does not.")
    if not segment.ours:
        return N_(f"The source says “{segment.theirs}”, the quote does not.")
    return N_(f"The source says “{segment.theirs}” where the quote says “{segment.ours}”.")
