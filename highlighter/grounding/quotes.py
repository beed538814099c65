"""An answer's own quotations, held against the text they cite: verified, altered (with the difference), or not found."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from highlighter.citations.diff import ADDED, SAME, Piece
from highlighter.citations.nearly import border, occurrences
from highlighter.citations.normal import Words, normal
from highlighter.citations.quotes import (
    EXACT,
    NORMALISED,
    NOWHERE,
    PLACES_AT_MOST,
    Match,
    changes,
    closest,
    match_quote,
    trimmed,
)
from highlighter.citations.weight import EXACT_NEEDS, Counted, numbers, strength
from highlighter.locale import N_
from highlighter.sentences import split_sentences

VERIFIED, ALTERED, NOT_FOUND = "verified", "altered", "not found"

_QUOTATION = re.compile(
    r"“([^“”]+)”|\"([^\"\n]+)\"|「([^「」]+)」|『([^『』]+)』|«([^«»]+)»|(?<!\w)‘([^‘’]{12,})’(?!\w)"
)
_LEFT_OUT = re.compile(r"\[\s*+(?:\.\.\.|…)\s*+\]|\(\s*+(?:\.\.\.|…)\s*+\)|\.\.\.|…|\. \. \.")
_PUT_IN = re.compile(r"\[([^\W\d_]{1,3})\]")  # "[t]he": the case changed, and said so
# The shortest run of a quotation that can be told to have been joined to another.
RUN_NEEDS = 3


@dataclass(frozen=True, slots=True)
class Quotation:
    """What stands between quotation marks in an answer; `[start, end)` is the place of the words alone."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Compared:
    """What became of a quotation; `[start, end)` is the place in the source that it was made from."""

    state: str
    start: int = 0
    end: int = 0
    differs: tuple[Piece, ...] = ()
    why: str = ""


def quotations_of(answer: str) -> list[Quotation]:
    """Those that say enough to be looked for: a single word in quotation marks is no quotation."""
    found = []
    for match in _QUOTATION.finditer(answer):
        group = match.lastindex or 0
        if strength(match[group]) >= EXACT_NEEDS:
            found.append(Quotation(match[group], match.start(group), match.end(group)))
    return found


def check_quote(quote: str, source: str | Words) -> Compared:
    """In the words of the cited source. A difference of writing alone (case, hyphens, quotation marks) is none."""
    words = source if isinstance(source, Words) else Words(source)
    quote = _PUT_IN.sub(r"\1", trimmed(quote))
    found = closest(words, quote)
    if found and found.tier in (EXACT, NORMALISED):
        return Compared(VERIFIED, found.start, found.end)
    runs = [run for run in _LEFT_OUT.split(quote) if normal(run).text]
    if len(runs) > 1 and strength(quote) >= EXACT_NEEDS and (whole := _in_order(words, runs)):
        return Compared(VERIFIED, *whole)
    if joined := _joined(words, quote):
        return joined
    if found and (found.differs or found.why != NOWHERE):
        return Compared(ALTERED, found.start, found.end, found.differs, _why(found))
    return Compared(NOT_FOUND, why=NOWHERE)


def _in_order(words: Words, runs: Sequence[str]) -> tuple[int, int] | None:
    """Where several runs stand one after another, each word for word."""
    whole, counted, places, at = words.normal, Counted(words.text), [], 0
    for run in runs:
        wanted, said = normal(run).text, numbers(run)
        for first in islice(occurrences(whole.text, wanted, at), PLACES_AT_MOST):
            place = whole.span(first, first + len(wanted))
            if all(border(words.text, edge) for edge in place) and counted.numbers(*place) == said:
                break
        else:
            return None
        places.append(place)
        at = first + len(wanted)
    return places[0][0], places[-1][1]


def _joined(words: Words, quote: str) -> Compared | None:
    """Sentences that are all there, and not beside each other: what was left out between them is the difference."""
    parts = [span.text for span in split_sentences(quote)]
    if len(parts) < 2 or any(strength(part) < RUN_NEEDS for part in parts):
        return None
    found = []
    for part in parts:
        one = match_quote(words, part)
        if one is None or one.tier not in (EXACT, NORMALISED):
            return None
        found.append(one)
    first, last = found[0], found[-1]
    left_out = words.text[first.end : last.start].strip()
    between = (Piece(ADDED, "", left_out),) if left_out and len(parts) == 2 else ()
    pieces = (Piece(SAME, parts[0], parts[0]), *between, *(Piece(SAME, part, part) for part in parts[1:]))
    start, end = min(one.start for one in found), max(one.end for one in found)
    return Compared(ALTERED, start, end, pieces, N_("Its sentences do not stand beside each other in the source."))


def _why(found: Match) -> str:
    if found.why not in ("", NOWHERE):
        return found.why
    piece = next(iter(changes(found.differs)), None)
    if piece is None:
        return N_("It is not word for word what the source says.")
    if not piece.theirs:
        return N_(f"The quote says “{piece.ours}”, the source does not.")
    if not piece.ours:
        return N_(f"The source says “{piece.theirs}”, the quote does not.")
    return N_(f"The source says “{piece.theirs}” where the quote says “{piece.ours}”.")
