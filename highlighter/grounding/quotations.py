"""An answer's own quotations, held against the text they cite: verified, altered (with the difference), or not found."""

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
_BRACKETED_LETTERS = re.compile(r"\[([^\W\d_]{1,3})\]")  # "[t]he": the case changed, and said so
# The shortest run of a quotation that can be told to have been joined to another.
MIN_RUN_STRENGTH = 3


@dataclass(frozen=True, slots=True)
class Quotation:
    """What stands between quotation marks in an answer; `[start, end)` is the place of the words alone."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class QuotationCheck:
    """What became of a quotation; `[start, end)` is the place in the source that it was made from."""

    state: str
    start: int = 0
    end: int = 0
    differs: tuple[DiffSegment, ...] = ()
    why: str = ""


def find_quotations(answer: str) -> list[Quotation]:
    """Those that say enough to be looked for: a single word in quotation marks is no quotation."""
    found = []
    for match in _QUOTATION.finditer(answer):
        group = match.lastindex or 0
        if measure_strength(match[group]) >= MIN_EXACT_STRENGTH:
            found.append(Quotation(match[group], match.start(group), match.end(group)))
    return found


def check_quote(quote: str, source: str | ComparableText) -> QuotationCheck:
    """In the words of the cited source. A difference of writing alone (case, hyphens, quotation marks) is none."""
    words = source if isinstance(source, ComparableText) else ComparableText(source)
    quote = _BRACKETED_LETTERS.sub(r"\1", trim_quote(quote))
    found = find_closest_match(words, quote)
    if found and found.tier in (EXACT, NORMALISED):
        return QuotationCheck(VERIFIED, found.start, found.end)
    runs = [run for run in _ELLIPSIS.split(quote) if normalise_text(run).text]
    if len(runs) > 1 and measure_strength(quote) >= MIN_EXACT_STRENGTH and (whole := _find_runs_in_order(words, runs)):
        return QuotationCheck(VERIFIED, *whole)
    if joined := _check_joined_sentences(words, quote):
        return joined
    if found and (found.differs or found.why != QUOTE_NOT_FOUND):
        return QuotationCheck(ALTERED, found.start, found.end, found.differs, _explain_difference(found))
    return QuotationCheck(NOT_FOUND, why=QUOTE_NOT_FOUND)


def _find_runs_in_order(words: ComparableText, runs: Sequence[str]) -> tuple[int, int] | None:
    """Where several runs stand one after another, each word for word."""
    whole, counted, places, at = words.normal_form, NumberCounter(words.text), [], 0
    for run in runs:
        wanted, said = normalise_text(run).text, count_numbers(run)
        for first in islice(find_occurrences(whole.text, wanted, at), MAX_OCCURRENCES):
            place = whole.original_span(first, first + len(wanted))
            if all(is_word_boundary(words.text, edge) for edge in place) and counted.count(*place) == said:
                break
        else:
            return None
        places.append(place)
        at = first + len(wanted)
    return places[0][0], places[-1][1]


def _check_joined_sentences(words: ComparableText, quote: str) -> QuotationCheck | None:
    """Sentences that are all there, and not beside each other: what was left out between them is the difference."""
    parts = [span.text for span in split_sentences(quote)]
    if len(parts) < 2 or any(measure_strength(part) < MIN_RUN_STRENGTH for part in parts):
        return None
    found = []
    for part in parts:
        one = match_quote(words, part)
        if one is None or one.tier not in (EXACT, NORMALISED):
            return None
        found.append(one)
    first, last = found[0], found[-1]
    left_out = words.text[first.end : last.start].strip()
    between = (DiffSegment(ADDED, "", left_out),) if left_out and len(parts) == 2 else ()
    pieces = (DiffSegment(SAME, parts[0], parts[0]), *between, *(DiffSegment(SAME, part, part) for part in parts[1:]))
    start, end = min(one.start for one in found), max(one.end for one in found)
    return QuotationCheck(ALTERED, start, end, pieces, N_("The quoted sentences are not consecutive in the source."))


def _explain_difference(found: QuoteMatch) -> str:
    if found.why not in ("", QUOTE_NOT_FOUND):
        return found.why
    piece = next(iter(list_changes(found.differs)), None)
    if piece is None:
        return N_("The quote does not match the source word for word.")
    if not piece.theirs:
        return N_(f"The quote says “{piece.ours}”, the source does not.")
    if not piece.ours:
        return N_(f"The source says “{piece.theirs}”, the quote does not.")
    return N_(f"The source says “{piece.theirs}” where the quote says “{piece.ours}”.")
