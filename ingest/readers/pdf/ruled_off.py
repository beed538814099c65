"""Find where a drawn vertical line stands between two words of a line: they are in two boxes, however close they are."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from ingest.readers.pdf.glyphs import GlyphPlaces
from ingest.readers.pdf.ruling_lines import RulingLines

_MIN_SPACE_EMS = 0.15  # between two characters that may be in two boxes
_MIN_HEIGHT_EMS = 0.6  # of a line's type that the drawn line stands beside
_TOUCH_POINTS = 0.5
_MIN_WORD_CHARACTERS = 3  # between two drawn lines; with fewer, the boxes hold one letter each
_MAX_LINES = 300


def find_ruled_off(places: GlyphPlaces, rules: RulingLines) -> np.ndarray:
    """Return between which neighbouring characters a vertical line is drawn."""
    size, turn = places.size[:-1], places.turn[:-1]
    is_ruled_off = np.zeros(len(size), bool)
    if not rules.vertical and not (rules.horizontal and places.turn.any()):
        return is_ruled_off
    # From left to right or from right to left, the white is between the nearer edges.
    white_start = np.minimum(places.right[:-1], places.right[1:])
    white_end = np.maximum(places.left[:-1], places.left[1:])
    is_spaced = white_end - white_start > _MIN_SPACE_EMS * size
    is_spaced &= np.abs(places.base[1:] - places.base[:-1]) < 0.3 * size
    is_spaced &= places.turn[1:] == turn
    for value in set(turn[is_spaced].tolist()):
        lines = rules.rotate(value).vertical if value >= 0 else []
        if not 0 < len(lines) <= _MAX_LINES:
            continue
        pairs = np.flatnonzero(is_spaced & (turn == value))
        left, right = white_start[pairs] - _TOUCH_POINTS, white_end[pairs] + _TOUCH_POINTS
        positions = np.sort([x for x, _, _ in lines])
        has_line = np.searchsorted(positions, left, "right") < np.searchsorted(positions, right)
        if not has_line.any():
            continue
        pairs, left, right = pairs[has_line], left[has_line], right[has_line]
        base, height = places.base[pairs], _MIN_HEIGHT_EMS * size[pairs]
        x, start, stop = np.array(lines, base.dtype).T[:, :, None]
        is_between = (left < x) & (x < right) & (start < base - height) & (base < stop)
        is_ruled_off[pairs[is_between.any(axis=0)]] = True
    found = np.flatnonzero(is_ruled_off).tolist()
    for one, other in pairwise(found):
        if other - one < _MIN_WORD_CHARACTERS:
            is_ruled_off[[one, other]] = False
    return is_ruled_off
