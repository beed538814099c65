"""Locate a quote in a text: exactly, in the normal form, by similarity, or not at all.

Cheap and certain tiers come first. Words decide; the context and the hinted span only choose among spans that say the
same. A span in which a number, a negation or a word like "shall" differs is never a match, however similar the rest is:
it is reported as a near miss, with the differences.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

from rapidfuzz.distance import Indel

from highlighter.cpu_budget import check_cpu
from highlighter.locale import N_
from highlighter.quotes.fuzzy_search import SimilarSpan, find_occurrences, find_similar_spans, is_word_boundary
from highlighter.quotes.normal_form import ComparableText, normalise_text
from highlighter.quotes.significance import (
    MIN_EXACT_STRENGTH,
    MIN_FUZZY_STRENGTH,
    NEGATION_SIGN,
    NumberCounter,
    count_numbers,
    count_significant_words,
    measure_strength,
)
from highlighter.quotes.word_diff import SAME, DiffSegment, diff_words, explain_changed_meaning

EXACT, NORMALISED, FUZZY, SEMANTIC, NONE = "exact", "normalised", "fuzzy", "semantic", "none"

# Characters kept before and after a quote, as many as W3C annotations and most of their tools keep.
CONTEXT_CHARACTERS = 32
# How similar a span must be to match; a short quote, in which one letter weighs more, needs a little more.
MIN_FUZZY_SCORE, MIN_SHORT_FUZZY_SCORE, SHORT_QUOTE_CHARACTERS = 0.85, 0.9, 40
# How much more similar a span with an altered meaning may be before it rules out a match elsewhere.
MAX_LEAD_OF_ALTERED_SPAN = 0.04
# From this similarity on, a near miss is worth showing.
MIN_NEAR_MISS_SCORE = 0.6
# A word or two are located by their context if it agrees this well.
MIN_CONTEXT_AGREEMENT = 0.8
MAX_OCCURRENCES = 1000
# A longer quote is not searched by similarity, which costs the square of the quote's length.
MAX_FUZZY_QUOTE_CHARACTERS = 20_000
_LEADING_DECORATION = re.compile(r"(?:[\s\"'“”‘’„«»`…]|\.\.\.|\. \. \.|\[\.\.\.\]|\[…\])*+")
_TRAILING_DECORATION = re.compile(r"(?:[\s\"'“”‘’„«»`…]|\.\.\.|\. \. \.|\]\.\.\.\[|\]…\[)*+")  # read from the end

QUOTE_TOO_SHORT = N_("The quote is too short or too common to locate.")
QUOTE_NOT_FOUND = N_("No passage matches this quote.")


@dataclass(frozen=True, slots=True)
class QuoteMatch:
    """A match at `[start, end)` of the text; with the tier `none` a near miss, of which `why` says what differs."""

    tier: str
    start: int
    end: int
    score: float
    differs: tuple[DiffSegment, ...] = ()
    other_spans: tuple[tuple[int, int], ...] = ()  # further spans that match as well
    why: str = ""
    context_agreement: float = 0.0  # how similar the text around the span is to the given context


def match_quote(
    text: str | ComparableText, quote: str, prefix: str = "", suffix: str = "", near: tuple[int, int] | None = None
) -> QuoteMatch | None:
    """Return the best match of a quote, or None. `near` hints at the span in which the quote is expected."""
    match = find_closest_match(text, quote, prefix, suffix, near)
    return match if match and match.tier != NONE else None


def find_closest_match(
    text: str | ComparableText, quote: str, prefix: str = "", suffix: str = "", near: tuple[int, int] | None = None
) -> QuoteMatch | None:
    """Return the best match of a quote, or the closest near miss."""
    check_cpu()
    comparable = text if isinstance(text, ComparableText) else ComparableText(text)
    quote = trim_quote(quote)
    strength = measure_strength(quote)
    if not strength:
        return None
    chooser = _OccurrenceChooser(comparable, prefix, suffix, near)
    number_counter, quote_numbers, near_miss = NumberCounter(comparable.text), count_numbers(quote), None
    for tier, tier_spans in (
        (EXACT, _find_exact(comparable, quote)),
        (NORMALISED, _find_normalised(comparable, quote)),
    ):
        spans = list(tier_spans)
        matching_spans = [span for span in spans if number_counter.count(*span) == quote_numbers]
        if matching_spans and (
            strength >= MIN_EXACT_STRENGTH or (matching_spans := chooser.filter_by_context(matching_spans))
        ):
            best = chooser.choose_best(matching_spans)
            others = tuple(span for span in matching_spans if span != best)
            return QuoteMatch(
                tier, *best, 1.0, other_spans=others, context_agreement=chooser.measure_context_agreement(*best)
            )
        near_miss = near_miss or (QuoteMatch(NONE, *chooser.choose_best(spans), 1.0) if spans else None)
    if strength < MIN_EXACT_STRENGTH:
        return None
    return _find_fuzzy(comparable, quote, strength, chooser) or (
        replace(near_miss, why=_explain_significant_difference(comparable, quote, near_miss)) if near_miss else None
    )


def trim_quote(quote: str) -> str:
    """Return the quote without surrounding spaces, quotation marks and ellipses."""
    quote = quote[_match_length(_LEADING_DECORATION, quote) :]
    return quote[: len(quote) - _match_length(_TRAILING_DECORATION, quote[::-1])]


def _match_length(pattern: re.Pattern[str], text: str) -> int:
    match = pattern.match(text)
    return match.end() if match else 0


def _find_exact(text: ComparableText, quote: str) -> Iterator[tuple[int, int]]:
    """Yield the spans that hold the quote character by character."""
    for start in islice(find_occurrences(text.text, quote), MAX_OCCURRENCES):
        if is_word_boundary(text.text, start) and is_word_boundary(text.text, start + len(quote)):
            yield start, start + len(quote)


def _find_normalised(text: ComparableText, quote: str) -> Iterator[tuple[int, int]]:
    """Yield the spans whose normal form is that of the quote."""
    normal_quote, normal_form = normalise_text(quote).text, text.normal_form
    for first in islice(find_occurrences(normal_form.text, normal_quote), MAX_OCCURRENCES):
        start, end = normal_form.original_span(first, first + len(normal_quote))
        if (
            not _is_ligature_cut(text, first, first + len(normal_quote))
            and is_word_boundary(text.text, start)
            and is_word_boundary(text.text, end)
        ):
            yield start, end


def _is_ligature_cut(comparable: ComparableText, first: int, last: int) -> bool:
    """Return whether an edge of the span separates letters that came from one character of the text."""
    text, offsets = comparable.normal_form.text, comparable.normal_form.offsets
    is_first_cut = first > 0 and text[first - 1] != " " and offsets[first - 1] == offsets[first]
    return is_first_cut or (last < len(offsets) and text[last] != " " and offsets[last] == offsets[last - 1])


def _find_fuzzy(text: ComparableText, quote: str, strength: float, chooser: _OccurrenceChooser) -> QuoteMatch | None:
    """Return the most similar span that keeps the quote's meaning, or the closest near miss."""
    if strength < MIN_FUZZY_STRENGTH or len(quote) > MAX_FUZZY_QUOTE_CHARACTERS:
        return None
    candidates = [
        _choose_acceptable_span(text, quote, spans)
        for spans in find_similar_spans(text, normalise_text(quote).text, MIN_NEAR_MISS_SCORE)
    ]
    if not candidates:
        return None
    # A more similar span with an altered meaning rules out matches elsewhere: the quote was taken from there and changed.
    highest_score = max(match.score for match in candidates)
    matches = [
        match for match in candidates if match.tier == FUZZY and match.score > highest_score - MAX_LEAD_OF_ALTERED_SPAN
    ]
    best_score = max(match.score for match in matches or candidates)
    best_by_span = {
        (match.start, match.end): match for match in matches or candidates if match.score > best_score - 0.005
    }
    chosen = best_by_span[chooser.choose_best(list(best_by_span))]
    span = chosen.start, chosen.end
    others = tuple(other for other in best_by_span if other != span)
    return replace(chosen, other_spans=others, context_agreement=chooser.measure_context_agreement(*span))


def _choose_acceptable_span(text: ComparableText, quote: str, spans: list[SimilarSpan]) -> QuoteMatch:
    """Return the first alternative that matches, or the most similar one as a near miss."""
    most_similar = _judge_span(text, quote, *spans[0])
    if most_similar.tier == FUZZY:
        return most_similar
    alternatives = (_judge_span(text, quote, *span) for span in spans[1:])
    return next((match for match in alternatives if match.tier == FUZZY), most_similar)


def _judge_span(text: ComparableText, quote: str, start: int, end: int, score: float) -> QuoteMatch:
    """Return a span as a match, or as a near miss with the reason."""
    differs = diff_words(quote, text.text[start:end])
    match = QuoteMatch(FUZZY, start, end, score, differs)
    if count_numbers(text.text, start, end) != count_numbers(text.text[start:end]):  # the span cuts a number
        return replace(match, tier=NONE, why=_explain_significant_difference(text, quote, match))
    if why := explain_changed_meaning(differs):
        return replace(match, tier=NONE, why=why)
    min_score = MIN_FUZZY_SCORE if len(quote) >= SHORT_QUOTE_CHARACTERS else MIN_SHORT_FUZZY_SCORE
    return match if score >= min_score else replace(match, tier=NONE, why=QUOTE_NOT_FOUND)


def _explain_significant_difference(text: ComparableText, quote: str, match: QuoteMatch) -> str:
    """Return which of the significant words differ."""
    quote_words, text_words = count_significant_words(quote), count_significant_words(text.text, match.start, match.end)
    only_in_quote, only_in_text = (
        ", ".join("not" if word == NEGATION_SIGN else word for word in counter)
        for counter in (quote_words - text_words, text_words - quote_words)
    )
    if only_in_quote and only_in_text:
        return N_(f"The text says “{only_in_text}” where the quote says “{only_in_quote}”.")
    return (
        N_(f"The quote says “{only_in_quote}”, the text does not.")
        if only_in_quote
        else N_(f"The text says “{only_in_text}”, the quote does not.")
    )


class _OccurrenceChooser:
    """Chooses among spans that say the same: by their context, then by their distance to the hinted span."""

    def __init__(self, text: ComparableText, prefix: str, suffix: str, hint_span: tuple[int, int] | None):
        self.text = text
        self.prefix, self.suffix = (
            normalise_text(prefix[-4 * CONTEXT_CHARACTERS :]).text,
            normalise_text(suffix[: 4 * CONTEXT_CHARACTERS]).text,
        )
        self.hint_span = hint_span

    def choose_best(self, spans: list[tuple[int, int]]) -> tuple[int, int]:
        if len(spans) == 1:
            return spans[0]
        return min(
            spans,
            key=lambda span: (
                -round(self.measure_context_agreement(*span), 1),
                self._distance_to_hint(*span),
                span[0],
            ),
        )

    def filter_by_context(self, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """Return the spans whose context agrees with the given one; none when no context was given."""
        if not self.prefix and not self.suffix:
            return []
        return [span for span in spans if self.measure_context_agreement(*span) >= MIN_CONTEXT_AGREEMENT]

    def measure_context_agreement(self, start: int, end: int) -> float:
        """Return the similarity of a span's context to the given one, 0 to 1, averaged over both sides."""
        similarities, text = [], self.text.text
        if self.prefix:
            before = normalise_text(text[max(start - 3 * len(self.prefix) - 8, 0) : start]).text[-len(self.prefix) :]
            similarities.append(Indel.normalized_similarity(self.prefix, before))
        if self.suffix:
            after = normalise_text(text[end : end + 3 * len(self.suffix) + 8]).text[: len(self.suffix)]
            similarities.append(Indel.normalized_similarity(self.suffix, after))
        return sum(similarities) / len(similarities) if similarities else 0.0

    def _distance_to_hint(self, start: int, end: int) -> int:
        if self.hint_span is None:
            return 0
        first, last = self.hint_span
        return max(first - end, start - last, 0)


def list_changes(segments: tuple[DiffSegment, ...]) -> tuple[DiffSegment, ...]:
    """Return the segments that differ."""
    return tuple(segment for segment in segments if segment.kind != SAME)
