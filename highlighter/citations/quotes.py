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

from highlighter.citations.diff import SAME, Piece, pieces, says_otherwise
from highlighter.citations.nearly import Run, border, nearly, occurrences
from highlighter.citations.normal import Words, normal
from highlighter.citations.weight import EXACT_NEEDS, FUZZY_NEEDS, Counted, numbers, strength, weight
from highlighter.cpu_budget import check_cpu
from highlighter.locale import N_

EXACT, NORMALISED, FUZZY, SEMANTIC, NONE = "exact", "normalised", "fuzzy", "semantic", "none"

# Characters kept of what stands before and after a quote: W3C annotations and most of their tools keep as many.
CONTEXT = 32
# How alike a run must be to be lit; short ones, where a letter is much, a little more.
ENOUGH, ENOUGH_WHEN_SHORT, SHORT = 0.85, 0.9, 40
# How much likelier another stretch may be that says something else.
BARRED = 0.04
# A near miss is worth showing from here on.
NEAR = 0.6
# A word or two are known by what stands around them, if that agrees so well.
CONTEXT_AGREES = 0.8
PLACES_AT_MOST = 1000
# Of a longer quote, it is only asked whether it stands there word for word: what is nearly it costs the square of its length.
NEARLY_AT_MOST = 20_000
_SET_BEFORE = re.compile(r"(?:[\s\"'“”‘’„«»`…]|\.\.\.|\. \. \.|\[\.\.\.\]|\[…\])*+")
_SET_AFTER = re.compile(r"(?:[\s\"'“”‘’„«»`…]|\.\.\.|\. \. \.|\]\.\.\.\[|\]…\[)*+")  # read from the end

TOO_LITTLE = N_("The quote is too short, or of too common words, to tell a place by.")
NOWHERE = N_("No passage says this, or nearly this.")


@dataclass(frozen=True, slots=True)
class Match:
    """`[start, end)` of the text; with the tier `none` it is a near miss and `why` says what is wrong with it."""

    tier: str
    start: int
    end: int
    score: float
    differs: tuple[Piece, ...] = ()
    others: tuple[tuple[int, int], ...] = ()  # places that say it as well
    why: str = ""
    context: float = 0.0  # how like what stands around it is to the context given


def match_quote(
    text: str | Words, quote: str, prefix: str = "", suffix: str = "", near: tuple[int, int] | None = None
) -> Match | None:
    """The place of a quote, or None. `near` is a stretch of the text it is thought to be in: a hint."""
    found = closest(text, quote, prefix, suffix, near)
    return found if found and found.tier != NONE else None


def closest(
    text: str | Words, quote: str, prefix: str = "", suffix: str = "", near: tuple[int, int] | None = None
) -> Match | None:
    """The same, or the nearest miss."""
    check_cpu()
    words = text if isinstance(text, Words) else Words(text)
    quote = trimmed(quote)
    known = strength(quote)
    if not known:
        return None
    chooser = _Chooser(words, prefix, suffix, near)
    counted, said, miss = Counted(words.text), numbers(quote), None
    for tier, places in ((EXACT, _exactly(words, quote)), (NORMALISED, _but_for_writing(words, quote))):
        found = list(places)
        fitting = [place for place in found if counted.numbers(*place) == said]
        if fitting and (known >= EXACT_NEEDS or (fitting := chooser.agreeing(fitting))):
            best = chooser.best(fitting)
            others = tuple(place for place in fitting if place != best)
            return Match(tier, *best, 1.0, others=others, context=chooser.agreement(*best))
        miss = miss or (Match(NONE, *chooser.best(found), 1.0) if found else None)
    if known < EXACT_NEEDS:
        return None
    return _nearest(words, quote, known, chooser) or (replace(miss, why=_weighs(words, quote, miss)) if miss else None)


def trimmed(quote: str) -> str:
    """Without what people set around a quote: spaces, quotation marks, dots that say that it goes on."""
    quote = quote[_SET_BEFORE.match(quote).end() :]
    return quote[: len(quote) - _SET_AFTER.match(quote[::-1]).end()]


def _exactly(words: Words, quote: str) -> Iterator[tuple[int, int]]:
    for start in islice(occurrences(words.text, quote), PLACES_AT_MOST):
        if border(words.text, start) and border(words.text, start + len(quote)):
            yield start, start + len(quote)


def _but_for_writing(words: Words, quote: str) -> Iterator[tuple[int, int]]:
    wanted, whole = normal(quote).text, words.normal
    for first in islice(occurrences(whole.text, wanted), PLACES_AT_MOST):
        start, end = whole.span(first, first + len(wanted))
        if (
            not _cuts_a_ligature(words, first, first + len(wanted))
            and border(words.text, start)
            and border(words.text, end)
        ):
            yield start, end


def _cuts_a_ligature(words: Words, first: int, last: int) -> bool:
    text, at = words.normal.text, words.normal.at
    before = first > 0 and text[first - 1] != " " and at[first - 1] == at[first]
    return before or (last < len(at) and text[last] != " " and at[last] == at[last - 1])


def _nearest(words: Words, quote: str, known: float, chooser: _Chooser) -> Match | None:
    """Of the runs that are like it the one that is most like it; none of those that say otherwise is a match."""
    if known < FUZZY_NEEDS or len(quote) > NEARLY_AT_MOST:
        return None
    best = [_first_lit(words, quote, runs) for runs in nearly(words, normal(quote).text, NEAR)]
    if not best:
        return None
    # A stretch that may not be lit, and is likelier, bars those elsewhere: the quote was made of it, and changed.
    likest = max(match.score for match in best)
    lit = [match for match in best if match.tier == FUZZY and match.score > likest - BARRED]
    top = max(match.score for match in lit or best)
    equal = {(match.start, match.end): match for match in lit or best if match.score > top - 0.005}
    chosen = equal[chooser.best(list(equal))]
    place = chosen.start, chosen.end
    others = tuple(other for other in equal if other != place)
    return replace(chosen, others=others, context=chooser.agreement(*place))


def _first_lit(words: Words, quote: str, runs: list[Run]) -> Match:
    """Of the runs of one stretch the first that may be lit; the likest, with what is wrong with it, when none may."""
    likest = _judged(words, quote, *runs[0])
    if likest.tier == FUZZY:
        return likest
    longer = (_judged(words, quote, *run) for run in runs[1:])
    return next((match for match in longer if match.tier == FUZZY), likest)


def _judged(words: Words, quote: str, start: int, end: int, score: float) -> Match:
    """A run as a match, or as a miss that says why it is none."""
    differs = pieces(quote, words.text[start:end])
    match = Match(FUZZY, start, end, score, differs)
    if numbers(words.text, start, end) != numbers(words.text[start:end]):  # it ends in the middle of one
        return replace(match, tier=NONE, why=_weighs(words, quote, match))
    if why := says_otherwise(differs):
        return replace(match, tier=NONE, why=why)
    enough = ENOUGH if len(quote) >= SHORT else ENOUGH_WHEN_SHORT
    return match if score >= enough else replace(match, tier=NONE, why=NOWHERE)


def _weighs(words: Words, quote: str, match: Match) -> str:
    """Which of the words that may not differ do."""
    ours, theirs = weight(quote), weight(words.text, match.start, match.end)
    more, less = (", ".join("not" if word == "¬" else word for word in some) for some in (ours - theirs, theirs - ours))
    if more and less:
        return N_(f"The text says “{less}” where the quote says “{more}”.")
    return (
        N_(f"The quote says “{more}”, the text does not.")
        if more
        else N_(f"The text says “{less}”, the quote does not.")
    )


class _Chooser:
    """Which of several places that say the same is meant: by what stands around it, then by where it is thought to be."""

    def __init__(self, words: Words, prefix: str, suffix: str, near: tuple[int, int] | None):
        self.words = words
        self.prefix, self.suffix = normal(prefix[-4 * CONTEXT :]).text, normal(suffix[: 4 * CONTEXT]).text
        self.near = near

    def best(self, places: list[tuple[int, int]]) -> tuple[int, int]:
        if len(places) == 1:
            return places[0]
        return min(places, key=lambda place: (-round(self.agreement(*place), 1), self._away(*place), place[0]))

    def agreeing(self, places: list[tuple[int, int]]) -> list[tuple[int, int]]:
        if not self.prefix and not self.suffix:
            return []
        return [place for place in places if self.agreement(*place) >= CONTEXT_AGREES]

    def agreement(self, start: int, end: int) -> float:
        """0 to 1: how like what stands around a place is to the context given, mean of both sides."""
        sides, text = [], self.words.text
        if self.prefix:
            before = normal(text[max(start - 3 * len(self.prefix) - 8, 0) : start]).text[-len(self.prefix) :]
            sides.append(Indel.normalized_similarity(self.prefix, before))
        if self.suffix:
            after = normal(text[end : end + 3 * len(self.suffix) + 8]).text[: len(self.suffix)]
            sides.append(Indel.normalized_similarity(self.suffix, after))
        return sum(sides) / len(sides) if sides else 0.0

    def _away(self, start: int, end: int) -> int:
        if self.near is None:
            return 0
        first, last = self.near
        return max(first - end, start - last, 0)


def changes(differs: tuple[Piece, ...]) -> tuple[Piece, ...]:
    """Only what differs."""
    return tuple(piece for piece in differs if piece.kind != SAME)
