"""Locate a quote in a text: exactly, in the normal form, by similarity, or not at all.

Cheap and certain tiers come first. Words decide; the context and the hinted span only choose among spans that say the
same. A span in which a number, a negation or a word like "shall" differs is never a match, however similar the rest is:
it is reported as a near miss, with the differences.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, pairwise

from highlighter.cpu_budget import check_cpu
from highlighter.locale import N_
from highlighter.quotes.fragments import (
    UNMARKED_GAP_FACTOR,
    find_fragments,
    list_innermost_spans,
    remove_remarks,
    split_at_gaps,
    split_at_text_ends,
    split_joined_sentences,
)
from highlighter.quotes.fuzzy_match import MIN_SHORTENED_SCORE, add_reason, compare_significant_words, find_fuzzy_match
from highlighter.quotes.fuzzy_search import find_occurrences, is_word_boundary
from highlighter.quotes.match import EXACT, FUZZY, NONE, NORMALISED, NOT_FOUND, OMISSION, QuoteMatch
from highlighter.quotes.normal_form import ComparableText, normalise_text
from highlighter.quotes.numeral_search import find_numeral_spans, has_same_numbers
from highlighter.quotes.occurrence_chooser import OccurrenceChooser
from highlighter.quotes.restrictions import find_cut_negation
from highlighter.quotes.significance import MIN_EXACT_STRENGTH, NumberCounter, count_numbers, measure_strength
from highlighter.quotes.word_diff import SAME, DiffSegment

# Fragments within this distance were quoted from one passage; farther ones may happen to be in the same order.
MAX_CERTAIN_GAP_CHARACTERS = 300
MAX_OCCURRENCES = 1000
_LEADING_DECORATION = re.compile(r"(?:[\s\"'“”‘’„«»`…⋯]|\.\.\.|\. \. \.|[\[(（]\s?(?:\.\.\.|…+)\s?[\])）])*+")
_TRAILING_DECORATION = re.compile(  # read from the end
    r"(?:[\s\"'“”‘’„«»`…⋯]|\.\.\.|\. \. \.|[\])）]\s?(?:\.\.\.|…+)\s?[\[(（])*+"
)


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
    chooser = OccurrenceChooser(comparable, prefix, suffix, near)
    match = _find_in_tiers(comparable, trim_quote(quote), chooser)
    return _refuse_cut_negation(comparable, match, chooser) if match and match.tier != NONE else match


def _refuse_cut_negation(text: ComparableText, match: QuoteMatch, chooser: OccurrenceChooser) -> QuoteMatch:
    """Return the match, or a near miss if the text negates it beside the quote and the given context does not say so."""
    negation = find_cut_negation(text.text, match.start, match.end)
    if not negation or chooser.filter_by_context([(match.start, match.end)]):
        return match
    why = N_("The quote leaves out “{restriction}”.", restriction=negation)
    return replace(match, tier=NONE, why=why, reason=OMISSION)


def _find_in_tiers(text: ComparableText, quote: str, chooser: OccurrenceChooser) -> QuoteMatch | None:
    """Return the match of the best tier, or the closest near miss."""
    match = _find_verbatim(text, quote, chooser)
    if match and match.tier != NONE:
        return match
    plain_quote = remove_remarks(quote)
    if plain_quote != quote and (plain := _find_in_tiers(text, trim_quote(plain_quote), chooser)):
        return replace(plain, tier=NORMALISED) if plain.tier == EXACT else plain
    if fragments := split_at_gaps(quote):
        fragmented = _choose_fragmented(find_fragments(text, fragments, _match_words), chooser)
        if fragmented and (fragmented.tier != NONE or fragmented.reason != NOT_FOUND):
            return _find_nearer_alteration(text, quote, chooser, fragmented) or fragmented
    similar = find_fuzzy_match(text, quote, chooser) or match
    if same := _find_other_number_forms(text, quote, chooser, similar):
        return same
    if similar is None or similar.tier == NONE or similar.score < UNMARKED_GAP_FACTOR:
        fragments = split_joined_sentences(quote)
        joined = find_fragments(text, fragments, _match_verbatim_words) if fragments else []
        if not joined and (fragments := split_at_text_ends(text, quote)):
            joined = find_fragments(text, fragments, _match_verbatim_words)
        return _choose_fragmented(joined, chooser) or similar
    return similar


def _find_other_number_forms(
    text: ComparableText, quote: str, chooser: OccurrenceChooser, similar: QuoteMatch | None
) -> QuoteMatch | None:
    """Return a match whose words are the quote's but for the forms of its numbers; `similar` was found without that."""
    if similar and similar.tier == FUZZY:
        span_text = text.text[similar.start : similar.end]
        return replace(similar, tier=NORMALISED, score=1.0) if has_same_numbers(quote, span_text) else None
    spans = list(islice(find_numeral_spans(text, quote), MAX_OCCURRENCES))
    if measure_strength(quote) < MIN_EXACT_STRENGTH:
        spans = chooser.filter_by_context(spans)
    if not spans:
        return None
    best = chooser.choose_best(spans)
    others = tuple(span for span in spans if span != best)
    agreement = chooser.measure_context_agreement(*best)
    return QuoteMatch(NORMALISED, *best, 1.0, other_spans=others, context_agreement=agreement)


def _find_nearer_alteration(
    text: ComparableText, quote: str, chooser: OccurrenceChooser, fragmented: QuoteMatch
) -> QuoteMatch | None:
    """Return an altered passage that resembles the whole quote, if fragments are only found far from each other."""
    gaps = [right[0] - left[1] for left, right in pairwise(fragmented.spans)]
    if fragmented.tier == NONE or max(gaps, default=0) <= MAX_CERTAIN_GAP_CHARACTERS:
        return None
    similar = find_fuzzy_match(text, quote, chooser)
    is_altered = similar and similar.tier == NONE and similar.reason != NOT_FOUND
    return similar if similar and is_altered and similar.score >= MIN_SHORTENED_SCORE else None


def _match_words(text: ComparableText, words: str) -> QuoteMatch | None:
    """Return the best match of one fragment of a quote, or the closest near miss."""
    chooser = OccurrenceChooser(text, "", "", None)
    match = _find_verbatim(text, words, chooser)
    return match if match and match.tier != NONE else find_fuzzy_match(text, words, chooser) or match


def _match_verbatim_words(text: ComparableText, words: str) -> QuoteMatch | None:
    match = _find_verbatim(text, words, OccurrenceChooser(text, "", "", None))
    return match if match and match.tier != NONE else None


def _find_verbatim(text: ComparableText, quote: str, chooser: OccurrenceChooser) -> QuoteMatch | None:
    """Return the best exact or normalised match, or a near miss in which a number is cut or separated differently."""
    strength = measure_strength(quote)
    if not strength:
        return None
    number_counter, quote_numbers, near_miss = NumberCounter(text.text), count_numbers(quote), None
    for tier, tier_spans in ((EXACT, _find_exact(text, quote)), (NORMALISED, _find_normalised(text, quote))):
        spans = list(tier_spans)
        matching_spans = [span for span in spans if number_counter.count(*span) == quote_numbers]
        if len(matching_spans) > 1:
            uncut_spans = [span for span in matching_spans if not find_cut_negation(text.text, *span)]
            matching_spans = uncut_spans or matching_spans
        if matching_spans and (
            strength >= MIN_EXACT_STRENGTH or (matching_spans := chooser.filter_by_context(matching_spans))
        ):
            best = chooser.choose_best(matching_spans)
            others = tuple(span for span in matching_spans if span != best)
            return QuoteMatch(
                tier, *best, 1.0, other_spans=others, context_agreement=chooser.measure_context_agreement(*best)
            )
        near_miss = near_miss or (QuoteMatch(NONE, *chooser.choose_best(spans), 1.0) if spans else None)
    if strength < MIN_EXACT_STRENGTH or near_miss is None:
        return None
    return add_reason(near_miss, compare_significant_words(text, quote, near_miss))


def _choose_fragmented(matches: list[QuoteMatch], chooser: OccurrenceChooser) -> QuoteMatch | None:
    """Return the best of several places of a quote's fragments: one that keeps the meaning, and encloses no other."""
    if not matches:
        return None
    best_rank = min((match.tier == NONE, -match.score) for match in matches)
    matches_by_span = {
        (match.start, match.end): match for match in matches if (match.tier == NONE, -match.score) == best_rank
    }
    chosen_span = chooser.choose_best(list_innermost_spans(matches_by_span))
    context_agreement = chooser.measure_context_agreement(*chosen_span)
    return replace(matches_by_span[chosen_span], context_agreement=context_agreement)


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


def list_changes(segments: tuple[DiffSegment, ...]) -> tuple[DiffSegment, ...]:
    """Return the segments that differ."""
    return tuple(segment for segment in segments if segment.kind != SAME)
