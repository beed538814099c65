"""Lines that run from right to left, put in the order in which they are read.

PDFium gives the letters of each Arabic or Hebrew stretch in reading order, but the stretches of a line from left to right.
"""

from __future__ import annotations

import unicodedata
from itertools import groupby

Char = tuple[int, str]  # PDFium's index, and the character


def in_reading_order(line: list[Char]) -> list[Char]:
    ways = [unicodedata.bidirectional(char) for _, char in line]
    backward = sum(way in ("R", "AL") for way in ways)
    if backward <= sum(way == "L" for way in ways):  # the other letters run on in their own way, and set the line's
        return line
    stretches = [list(stretch) for _, stretch in groupby(zip(line, _sides(ways), strict=True), key=lambda one: one[1])]
    return [char for stretch in reversed(stretches) for char, _ in stretch]


def _sides(ways: list[str]) -> list[str]:
    """Of each character: which way its stretch runs; what stands between two of one way is theirs, else its own."""
    strong = ["R" if way in ("R", "AL") else "L" if way == "L" else "" for way in ways]
    before, after = _nearest(strong), _nearest(strong[::-1])[::-1]
    return [one or (left if left == right else "-") for one, left, right in zip(strong, before, after, strict=True)]


def _nearest(strong: list[str]) -> list[str]:
    found, last = [], ""
    for one in strong:
        last = one or last
        found.append(last)
    return found
