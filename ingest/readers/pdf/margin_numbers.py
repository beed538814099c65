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
_MIN_LONG_LINES, _MIN_LONG_CHARACTERS = 3, 40  # of a page whose text fills its numbered lines
_MIN_ALONE_SHARE = 0.25  # of the numbers, on no line with words: those of a table or a listing have words beside them


Place = tuple[int, float, int]  # of numbers: their right edge, their distance, and where a line 0 would be


def remove_margin_numbers(pages: list[list[Fragment]]) -> list[list[Fragment]]:
    """Return the fragments of the pages without the numbers of their lines.

    Where text fills all lines of a page, numbers in the same places on another page show what they are.
    """
    columns = [_find_column(fragments) for fragments in pages]
    known = {
        _locate(column)
        for column, fragments in zip(columns, pages, strict=True)
        if column and _are_often_alone(column, fragments)
    }
    return [
        _remove(column, fragments) if column and _is_numbered(column, fragments, known) else fragments
        for column, fragments in zip(columns, pages, strict=True)
    ]


def _is_numbered(column: list[Fragment], fragments: list[Fragment], known: set[Place]) -> bool:
    if _are_often_alone(column, fragments):
        return True
    long_count = sum(len(fragment.text) >= _MIN_LONG_CHARACTERS for fragment in _list_beside(column, fragments))
    return long_count >= _MIN_LONG_LINES and _locate(column) in known


def _find_column(fragments: list[Fragment]) -> list[Fragment]:
    """Return the numbers of a page that may count its lines, from top to bottom, or nothing."""
    numbers = [f for f in fragments if f.text.isdecimal() and len(f.text) <= _MAX_DIGITS and f.turn == 0]
    if len(numbers) < _MIN_NUMBERS:
        return []
    by_edge: dict[int, list[Fragment]] = defaultdict(list)
    for number in numbers:
        by_edge[round(number.x1 / _MAX_EDGE_SHIFT_POINTS)].append(number)
    longest = max(by_edge.values(), key=len)
    column = sorted(longest, key=lambda number: number.base)
    return column if len(column) >= _MIN_NUMBERS and _are_line_numbers(column, fragments) else []


def _remove(column: list[Fragment], fragments: list[Fragment]) -> list[Fragment]:
    ids = set(map(id, column))
    return [fragment for fragment in fragments if id(fragment) not in ids]


def _locate(column: list[Fragment]) -> Place:
    """Return where numbers stand, so that those of another page of the same paper are known by it."""
    first, last = column[0], column[-1]
    pitch = (last.base - first.base) / (int(last.text) - int(first.text))
    return round(first.x1), round(pitch, 1), round(first.base - int(first.text) * pitch)


def _are_line_numbers(column: list[Fragment], fragments: list[Fragment]) -> bool:
    """Return whether numbers below each other count lines at the left of the page's words."""
    steps = {int(below.text) - int(number.text) for number, below in pairwise(column)}
    pitches = [below.base - number.base for number, below in pairwise(column)]
    if len(steps) > 1 or min(steps) < 1 or max(pitches) - min(pitches) > _MAX_PITCH_DIFFERENCE_EMS * column[0].size:
        return False
    edge = max(number.x1 for number in column)
    beside = _list_beside(column, fragments)
    return len(beside) >= _MIN_WORDS_BESIDE and all(fragment.x0 >= edge for fragment in beside)


def _list_beside(column: list[Fragment], fragments: list[Fragment]) -> list[Fragment]:
    top, bottom = column[0].y0, column[-1].y1
    return [fragment for fragment in _remove(column, fragments) if top < fragment.base < bottom]


def _are_often_alone(column: list[Fragment], fragments: list[Fragment]) -> bool:
    """Return whether many numbers stand on no line with words: those of a table or a listing have words beside them."""
    beside = _list_beside(column, fragments)
    alone_count = sum(
        all(abs(number.base - fragment.base) > _MAX_LEVEL_SHIFT_EMS * number.size for fragment in beside)
        for number in column
    )
    return alone_count >= _MIN_ALONE_SHARE * len(column)
