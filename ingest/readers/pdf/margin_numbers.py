"""Remove the numbers that count the lines of a page in its left margin, as on the paper of court filings."""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise

from ingest.readers.pdf.fragments import Fragment

_MIN_NUMBERS, _MAX_DIGITS = 12, 4
_MAX_EDGE_SHIFT_POINTS = 2.0  # between the ends of two numbers
_MAX_PITCH_DIFFERENCE_EMS = 0.15  # between two distances of numbers
_MAX_LEVEL_SHIFT_EMS = 0.1  # of words that stand on one line with a number
_MIN_WORDS_BESIDE = 3  # fragments beside the column: with none, the numbers are what the page shows
_MIN_ALONE_SHARE = 0.25  # of the numbers, on no line with words: those of a table or a listing have words beside them


def remove_margin_numbers(fragments: list[Fragment]) -> list[Fragment]:
    """Return the fragments of a page without the numbers of its lines."""
    numbers = [f for f in fragments if f.text.isdecimal() and len(f.text) <= _MAX_DIGITS and f.turn == 0]
    if len(numbers) < _MIN_NUMBERS:
        return fragments
    by_edge: dict[int, list[Fragment]] = defaultdict(list)
    for number in numbers:
        by_edge[round(number.x1 / _MAX_EDGE_SHIFT_POINTS)].append(number)
    column = max(by_edge.values(), key=len)
    if len(column) < _MIN_NUMBERS:
        return fragments
    ids = set(map(id, column))
    rest = [fragment for fragment in fragments if id(fragment) not in ids]
    return rest if _are_line_numbers(column, rest) else fragments


def _are_line_numbers(column: list[Fragment], rest: list[Fragment]) -> bool:
    """Return whether numbers below each other count lines, whether or not there are words on these."""
    column = sorted(column, key=lambda number: number.base)
    steps = {int(below.text) - int(number.text) for number, below in pairwise(column)}
    pitches = [below.base - number.base for number, below in pairwise(column)]
    size = column[0].size
    if len(steps) > 1 or min(steps) < 1 or max(pitches) - min(pitches) > _MAX_PITCH_DIFFERENCE_EMS * size:
        return False
    top, bottom, edge = column[0].y0, column[-1].y1, max(number.x1 for number in column)
    beside = [fragment for fragment in rest if top < fragment.base < bottom]
    if len(beside) < _MIN_WORDS_BESIDE or any(fragment.x0 < edge for fragment in beside):
        return False
    alone_count = sum(
        all(abs(number.base - fragment.base) > _MAX_LEVEL_SHIFT_EMS * size for fragment in beside) for number in column
    )
    return alone_count >= _MIN_ALONE_SHARE * len(column)
