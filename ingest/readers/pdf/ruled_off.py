"""Find where a drawn vertical line stands between two words of a line: they are in two boxes, however close they are."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from ingest.readers.pdf.glyphs import Glyphs
from ingest.readers.pdf.ruling_lines import RulingLines

_MIN_SPACE_EMS = 0.15  # between two characters that may be in two boxes
_MIN_HEIGHT_EMS = 0.6  # of a line's type that the drawn line stands beside
_TOUCH_POINTS = 0.5
_MIN_WORD_CHARACTERS = 3  # between two drawn lines; with fewer, the boxes hold one letter each
_MAX_LINES = 300


def find_ruled_off(glyphs: Glyphs, index: np.ndarray, rules: RulingLines) -> np.ndarray:
    """Return between which neighbours of the characters `index` a vertical line is drawn."""
    first, second = index[:-1], index[1:]
    is_ruled_off = np.zeros(len(first), bool)
    if not rules.vertical and not rules.horizontal:
        return is_ruled_off
    size = glyphs.size[first]
    is_spaced = glyphs.box[second, 0] - glyphs.box[first, 2] > _MIN_SPACE_EMS * size
    is_spaced &= np.abs(glyphs.base[second] - glyphs.base[first]) < 0.3 * size
    is_spaced &= glyphs.turn[first] == glyphs.turn[second]
    for turn in set(glyphs.turn[first[is_spaced]].tolist()):
        lines = rules.rotate(turn).vertical if turn >= 0 else []
        if not 0 < len(lines) <= _MAX_LINES:
            continue
        pairs = np.flatnonzero(is_spaced & (glyphs.turn[first] == turn))
        left, right = glyphs.box[first[pairs], 2] - _TOUCH_POINTS, glyphs.box[second[pairs], 0] + _TOUCH_POINTS
        places = np.sort([x for x, _, _ in lines])
        has_line = np.searchsorted(places, left, "right") < np.searchsorted(places, right)
        pairs, left, right = pairs[has_line], left[has_line], right[has_line]
        if not len(pairs):
            continue
        base, height = glyphs.base[first[pairs]], _MIN_HEIGHT_EMS * size[pairs]
        for x, start, stop in set(lines):
            is_ruled_off[pairs[(left < x) & (x < right) & (start < base - height) & (base < stop)]] = True
    found = np.flatnonzero(is_ruled_off).tolist()
    for one, other in pairwise(found):
        if other - one < _MIN_WORD_CHARACTERS:
            is_ruled_off[[one, other]] = False
    return is_ruled_off
