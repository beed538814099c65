"""Where a text says what a quote says: exactly, but for how it is written, nearly (one run of it), or nowhere.

The cheap and certain first. Words decide; the context and the place hinted at choose among places that say the same. A
number, a negation or a word like "shall" that differs is no match at all, however alike the rest: it is told apart, as a
near miss, with what differs.
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
    NumberCounter,
    count_numbers,
    count_significant_words,
    measure_strength,
)
from highlighter.quotes.word_diff import SAME, DiffSegment, diff_words, explain_changed_meaning

EXACT, NORMALISED, FUZZY, SEMANTIC, NONE = "exact", "normalised", "fuzzy", "semantic", "none"

# Characters kept of what stands before and after a quote: W3C annotations and most of their tools keep as many.
CONTEXT_CHARACTERS = 32
# How alike a run must be to be lit; short ones, where a letter is much, a little more.
MIN_FUZZY_SCORE, MIN_SHORT_FUZZY_SCORE, SHORT_QUOTE_CHARACTERS = 0.85, 0.9, 40
# How much likelier another stretch may be that says something else.
MAX_LEAD_OF_ALTERED_SPAN = 0.04
# A near miss is worth showing from here on.
MIN_NEAR_MISS_SCORE = 0.6
# A word or two are known by what stands around them, if that agrees so well.
MIN_CONTEXT_AGREEMENT = 0.8
MAX_OCCURRENCES = 1000
# Of a longer quote, it is only asked whether it stands there word for word: what is nearly it costs the square of its length.
MAX_FUZZY_QUOTE_CHARACTERS = 20_000
_LEADING_DECORATION = re.compile(r"(?:[\s\"'“”‘’„«»`…]|\.\.\.|\. \. \.|\[\.\.\.\]|\[…\])*+")
_TRAILING_DECORATION = re.compile(r"(?:[\s\"'“”‘’„«»`…]|\.\.\.|\. \. \.|\]\.\.\.\[|\]…\[)*+")  # read from the end

QUOTE_TOO_SHORT = N_("The quote is too short or too common to locate.")
QUOTE_NOT_FOUND = N_("No passage matches this quote.")


@dataclass(frozen=True, slots=True)
class QuoteMatch:
    """`[start, end)` of the text; with the tier `none` it is a near miss and `why` says what is wrong with it."""

    tier: str
    start: int
    end: int
    score: float
    differs: tuple[DiffSegment, ...] = ()
    other_spans: tuple[tuple[int, int], ...] = ()  # places that say it as well
    why: str = ""
    context_agreement: float = 0.0  # how like what stands around it is to the context given


def match_quote(
    text: str | ComparableText, quote: str, prefix: str = "", suffix: str = "", near: tuple[int, int] | None = None
) -> QuoteMatch | None:
    """The place of a quote, or None. `near` is a stretch of the text it is thought to be in: a hint."""
    found = find_closest_match(text, quote, prefix, suffix, near)
    return found if found and found.tier != NONE else None


def find_closest_match(
    text: str | ComparableText, quote: str, prefix: str = "", suffix: str = "", near: tuple[int, int] | None = None
) -> QuoteMatch | None:
    """The same, or the nearest miss."""
    check_cpu()
    words = text if isinstance(text, ComparableText) else ComparableText(text)
    quote = trim_quote(quote)
    known = measure_strength(quote)
    if not known:
        return None
    chooser = _OccurrenceChooser(words, prefix, suffix, near)
    counted, said, miss = NumberCounter(words.text), count_numbers(quote), None
    for tier, places in ((EXACT, _find_exact(words, quote)), (NORMALISED, _find_normalised(words, quote))):
        found = list(places)
        fitting = [place for place in found if counted.count(*place) == said]
        if fitting and (known >= MIN_EXACT_STRENGTH or (fitting := chooser.filter_by_context(fitting))):
            best = chooser.choose_best(fitting)
            others = tuple(place for place in fitting if place != best)
            return QuoteMatch(
                tier, *best, 1.0, other_spans=others, context_agreement=chooser.measure_context_agreement(*best)
            )
        miss = miss or (QuoteMatch(NONE, *chooser.choose_best(found), 1.0) if found else None)
    if known < MIN_EXACT_STRENGTH:
        return None
    return _find_fuzzy(words, quote, known, chooser) or (
        replace(miss, why=_explain_significant_difference(words, quote, miss)) if miss else None
    )


def trim_quote(quote: str) -> str:
    """Without what people set around a quote: spaces, quotation marks, dots that say that it goes on."""
    quote = quote[_LEADING_DECORATION.match(quote).end() :]
    return quote[: len(quote) - _TRAILING_DECORATION.match(quote[::-1]).end()]


def _find_exact(words: ComparableText, quote: str) -> Iterator[tuple[int, int]]:
    for start in islice(find_occurrences(words.text, quote), MAX_OCCURRENCES):
        if is_word_boundary(words.text, start) and is_word_boundary(words.text, start + len(quote)):
            yield start, start + len(quote)


def _find_normalised(words: ComparableText, quote: str) -> Iterator[tuple[int, int]]:
    wanted, whole = normalise_text(quote).text, words.normal_form
    for first in islice(find_occurrences(whole.text, wanted), MAX_OCCURRENCES):
        start, end = whole.original_span(first, first + len(wanted))
        if (
            not _is_ligature_cut(words, first, first + len(wanted))
            and is_word_boundary(words.text, start)
            and is_word_boundary(words.text, end)
        ):
            yield start, end


def _is_ligature_cut(words: ComparableText, first: int, last: int) -> bool:
    text, at = words.normal_form.text, words.normal_form.offsets
    before = first > 0 and text[first - 1] != " " and at[first - 1] == at[first]
    return before or (last < len(at) and text[last] != " " and at[last] == at[last - 1])


def _find_fuzzy(words: ComparableText, quote: str, strength: float, chooser: _OccurrenceChooser) -> QuoteMatch | None:
    """Of the runs that are like it the one that is most like it; none of those that say otherwise is a match."""
    if strength < MIN_FUZZY_STRENGTH or len(quote) > MAX_FUZZY_QUOTE_CHARACTERS:
        return None
    best = [
        _choose_acceptable_span(words, quote, runs)
        for runs in find_similar_spans(words, normalise_text(quote).text, MIN_NEAR_MISS_SCORE)
    ]
    if not best:
        return None
    # A stretch that may not be lit, and is likelier, bars those elsewhere: the quote was made of it, and changed.
    likest = max(match.score for match in best)
    lit = [match for match in best if match.tier == FUZZY and match.score > likest - MAX_LEAD_OF_ALTERED_SPAN]
    top = max(match.score for match in lit or best)
    equal = {(match.start, match.end): match for match in lit or best if match.score > top - 0.005}
    chosen = equal[chooser.choose_best(list(equal))]
    place = chosen.start, chosen.end
    others = tuple(other for other in equal if other != place)
    return replace(chosen, other_spans=others, context_agreement=chooser.measure_context_agreement(*place))


def _choose_acceptable_span(words: ComparableText, quote: str, runs: list[SimilarSpan]) -> QuoteMatch:
    """Of the runs of one stretch the first that may be lit; the likest, with what is wrong with it, when none may."""
    likest = _judge_span(words, quote, *runs[0])
    if likest.tier == FUZZY:
        return likest
    longer = (_judge_span(words, quote, *run) for run in runs[1:])
    return next((match for match in longer if match.tier == FUZZY), likest)


def _judge_span(words: ComparableText, quote: str, start: int, end: int, score: float) -> QuoteMatch:
    """A run as a match, or as a miss that says why it is none."""
    differs = diff_words(quote, words.text[start:end])
    match = QuoteMatch(FUZZY, start, end, score, differs)
    if count_numbers(words.text, start, end) != count_numbers(words.text[start:end]):  # it ends in the middle of one
        return replace(match, tier=NONE, why=_explain_significant_difference(words, quote, match))
    if why := explain_changed_meaning(differs):
        return replace(match, tier=NONE, why=why)
    enough = MIN_FUZZY_SCORE if len(quote) >= SHORT_QUOTE_CHARACTERS else MIN_SHORT_FUZZY_SCORE
    return match if score >= enough else replace(match, tier=NONE, why=QUOTE_NOT_FOUND)


def _explain_significant_difference(words: ComparableText, quote: str, match: QuoteMatch) -> str:
    """Which of the words that may not differ do."""
    ours, theirs = count_significant_words(quote), count_significant_words(words.text, match.start, match.end)
    more, less = (", ".join("not" if word == "¬" else word for word in some) for some in (ours - theirs, theirs - ours))
    if more and less:
        return N_(f"The text says “{less}” where the quote says “{more}”.")
    return (
        N_(f"The quote says “{more}”, the text does not.")
        if more
        else N_(f"The text says “{less}”, the quote does not.")
    )


class _OccurrenceChooser:
    """Which of several places that say the same is meant: by what stands around it, then by where it is thought to be."""

    def __init__(self, words: ComparableText, prefix: str, suffix: str, hint_span: tuple[int, int] | None):
        self.words = words
        self.prefix, self.suffix = (
            normalise_text(prefix[-4 * CONTEXT_CHARACTERS :]).text,
            normalise_text(suffix[: 4 * CONTEXT_CHARACTERS]).text,
        )
        self.hint_span = hint_span

    def choose_best(self, places: list[tuple[int, int]]) -> tuple[int, int]:
        if len(places) == 1:
            return places[0]
        return min(
            places,
            key=lambda place: (
                -round(self.measure_context_agreement(*place), 1),
                self._distance_to_hint(*place),
                place[0],
            ),
        )

    def filter_by_context(self, places: list[tuple[int, int]]) -> list[tuple[int, int]]:
        if not self.prefix and not self.suffix:
            return []
        return [place for place in places if self.measure_context_agreement(*place) >= MIN_CONTEXT_AGREEMENT]

    def measure_context_agreement(self, start: int, end: int) -> float:
        """0 to 1: how like what stands around a place is to the context given, mean of both sides."""
        sides, text = [], self.words.text
        if self.prefix:
            before = normalise_text(text[max(start - 3 * len(self.prefix) - 8, 0) : start]).text[-len(self.prefix) :]
            sides.append(Indel.normalized_similarity(self.prefix, before))
        if self.suffix:
            after = normalise_text(text[end : end + 3 * len(self.suffix) + 8]).text[: len(self.suffix)]
            sides.append(Indel.normalized_similarity(self.suffix, after))
        return sum(sides) / len(sides) if sides else 0.0

    def _distance_to_hint(self, start: int, end: int) -> int:
        if self.hint_span is None:
            return 0
        first, last = self.hint_span
        return max(first - end, start - last, 0)


def list_changes(segments: tuple[DiffSegment, ...]) -> tuple[DiffSegment, ...]:
    """Only what differs."""
    return tuple(piece for piece in segments if piece.kind != SAME)
