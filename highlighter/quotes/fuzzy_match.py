"""Locate a quote by similarity: the most similar span that keeps its meaning, or the closest near miss with the reason."""

from __future__ import annotations

from dataclasses import replace

from highlighter.quotes.fuzzy_search import SimilarSpan, find_similar_spans
from highlighter.quotes.match import FUZZY, NONE, NOT_FOUND, QUOTE_NOT_FOUND, QuoteMatch
from highlighter.quotes.normal_form import ComparableText, normalise_text
from highlighter.quotes.numeral_search import measure_similarity_with_numbers_alike
from highlighter.quotes.occurrence_chooser import OccurrenceChooser
from highlighter.quotes.significance import (
    MIN_FUZZY_STRENGTH,
    NEGATION_SIGN,
    count_numbers,
    count_significant_words,
    measure_strength,
)
from highlighter.quotes.word_diff import (
    CHANGED,
    DiffSegment,
    MeaningChange,
    describe_change,
    diff_words,
    find_changed_ending,
    find_meaning_change,
    find_number_conflict,
    is_shortened,
    merge_numbers,
)
from highlighter.text.numerals import find_quantities

# How similar a span must be to match; a short quote, in which one letter weighs more, needs a little more.
MIN_FUZZY_SCORE, MIN_SHORT_FUZZY_SCORE, SHORT_QUOTE_CHARACTERS = 0.85, 0.9, 40
# A span may be less similar where the quote only leaves out or exchanges a few of its words.
MIN_SHORTENED_SCORE = 0.7
# How much more similar a span with an altered meaning may be before it rules out a match elsewhere.
MAX_LEAD_OF_ALTERED_SPAN = 0.04
# From this similarity on, a near miss is worth showing.
MIN_NEAR_MISS_SCORE = 0.6
# A longer quote is not searched by similarity, which costs the square of the quote's length.
MAX_FUZZY_QUOTE_CHARACTERS = 20_000


def find_fuzzy_match(text: ComparableText, quote: str, chooser: OccurrenceChooser) -> QuoteMatch | None:
    """Return the most similar span that keeps the quote's meaning, or the closest near miss."""
    if measure_strength(quote) < MIN_FUZZY_STRENGTH or len(quote) > MAX_FUZZY_QUOTE_CHARACTERS:
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
    match = QuoteMatch(FUZZY, start, end, score, merge_numbers(differs))
    if count_numbers(text.text, start, end) != count_numbers(text.text[start:end]):  # the span cuts a number
        return add_reason(match, compare_significant_words(text, quote, match))
    if change := _find_change(quote, text.text[start:end], differs):
        return add_reason(match, change)
    min_score = MIN_FUZZY_SCORE if len(quote) >= SHORT_QUOTE_CHARACTERS else MIN_SHORT_FUZZY_SCORE
    if score >= min_score or (score >= MIN_SHORTENED_SCORE and is_shortened(differs)):
        return match
    if score >= MIN_SHORTENED_SCORE:
        score = measure_similarity_with_numbers_alike(quote, text.text[start:end])
    if score >= min_score:
        return replace(match, score=score)
    return replace(match, tier=NONE, why=QUOTE_NOT_FOUND, reason=NOT_FOUND)


def _find_change(quote: str, words: str, differs: tuple[DiffSegment, ...]) -> MeaningChange | None:
    """Return what changes the meaning: neither the form of a number, nor an error in a word beside it."""
    change = find_meaning_change(differs)
    if any(find_quantities(quote)):
        differs_in_numbers = diff_words(quote, words, are_numbers_whole=True)
        if conflict := find_number_conflict(differs_in_numbers):
            return conflict
        change = change if change and find_meaning_change(differs_in_numbers) else None
    return change or find_changed_ending(quote, words, differs)


def add_reason(match: QuoteMatch, change: MeaningChange) -> QuoteMatch:
    """Return a match as a near miss that differs in its meaning."""
    return replace(match, tier=NONE, why=change.why, reason=change.reason)


def compare_significant_words(text: ComparableText, quote: str, match: QuoteMatch) -> MeaningChange:
    """Return which of the significant words differ."""
    quote_words, text_words = count_significant_words(quote), count_significant_words(text.text, match.start, match.end)
    only_in_quote, only_in_text = (
        ", ".join("not" if word == NEGATION_SIGN else word for word in counter)
        for counter in (quote_words - text_words, text_words - quote_words)
    )
    return describe_change(DiffSegment(CHANGED, only_in_quote, only_in_text))
