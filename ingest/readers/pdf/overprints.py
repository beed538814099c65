"""Find characters that repeat another one in its place."""

from __future__ import annotations

import numpy as np

from ingest.readers.pdf.glyphs import Glyphs, to_codepoints

_MAX_LIGATURE_CHARACTERS = 8
_MAX_SHIFT_EMS = 0.12  # of a character printed again
_PLACES_PER_POINT = 16
_TURN_DISTANCE = 1e6  # between the heights of lines with different turns, in points


def find_overprinted(glyphs: Glyphs) -> np.ndarray:
    """Return which characters repeat another a hair beside: some programs make bold so, without a bold font."""
    is_overprinted = np.zeros(len(glyphs.text), bool)
    index = np.flatnonzero(glyphs.solid)
    base, left, size = glyphs.base[index], glyphs.box[index, 0], np.maximum(glyphs.size[index], 1)
    if not can_meet(base, left, _MAX_SHIFT_EMS * size, glyphs.turn[index]):
        return is_overprinted
    codes = to_codepoints(glyphs.text)[index].astype(np.int64)
    turn = glyphs.turn[index].astype(np.int64) & 511
    sign = (codes * 512 + turn) * 8_192
    place = np.clip(np.nan_to_num(left) * _PLACES_PER_POINT + 16_000, 0, 131_071).astype(np.int64)
    height = np.nan_to_num(base) / 3 + 1_000
    max_size = float(size.max())
    for shift in (0, 0.5):  # twice, so that no pair is missed at the border of two buckets
        level = np.clip(height + shift, 0, 8_191).astype(np.int64)
        key = (sign + level) * 131_072 + place
        if not _has_near_places(key, max_size):
            continue
        order = np.argsort(key, kind="stable")
        a, b = order[:-1], order[1:]
        is_same = key[a] >> 17 == key[b] >> 17
        is_near = (np.abs(left[b] - left[a]) < _MAX_SHIFT_EMS * size[a]) & (
            np.abs(base[a] - base[b]) < _MAX_SHIFT_EMS * size[a]
        )
        # Neighbours in the stream in one position are combining marks, and all in the same box are parts of a ligature.
        is_ligature = (np.abs(a - b) < _MAX_LIGATURE_CHARACTERS) & (glyphs.owner[index[a]] == glyphs.owner[index[b]])
        is_ligature &= (glyphs.box[index[a]] == glyphs.box[index[b]]).all(axis=1)
        is_apart = (np.abs(a - b) > 1) & ~is_ligature
        is_overprinted[index[np.maximum(a, b)[is_same & is_near & is_apart]]] = True
    return is_overprinted


def _has_near_places(key: np.ndarray, max_size: float) -> bool:
    """Return whether two equal characters stand near enough on a line. Most pages have none, and need no more work."""
    ordered = np.sort(key)
    near = np.flatnonzero(ordered[1:] - ordered[:-1] <= _MAX_SHIFT_EMS * max_size * _PLACES_PER_POINT + 1)
    return bool((ordered[near + 1] >> 17 == ordered[near] >> 17).any())


def can_meet(base: np.ndarray, left: np.ndarray, reach: np.ndarray, turn: np.ndarray) -> bool:
    """Return whether any of these characters may be near another but its neighbours.

    On most pages all lines run from left to right and keep apart: then only whole lines have to be compared.
    """
    if len(base) < 3:
        return len(base) == 2
    if not (np.isfinite(base).all() and np.isfinite(left).all()):
        return True
    is_end = (base[1:] != base[:-1]) | (turn[1:] != turn[:-1]) | (left[1:] < left[:-1])
    is_within_line = ~(is_end[1:] | is_end[:-1])
    if (is_within_line & (left[2:] - left[:-2] <= np.maximum(reach[2:], reach[:-2]))).any():
        return True
    end = np.flatnonzero(is_end)
    first, last = np.concatenate(([0], end + 1)), np.concatenate((end, [len(base) - 1]))
    reach = np.maximum.reduceat(reach, first)
    y = base[first] + turn[first] * _TURN_DISTANCE
    rows = _number_groups(y - reach, y + reach)
    distance = float(left.max() - left.min() + 2 * reach.max() + 1)  # puts each row beside the others
    groups = _number_groups(left[first] - reach + rows * distance, left[last] + reach + rows * distance)
    return bool(groups.max() + 1 < len(groups))


def _number_groups(start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Return a number for each interval, the same for those that meet."""
    order = np.argsort(start)
    farthest = np.maximum.accumulate(end[order])
    numbers = np.zeros(len(order), int)
    numbers[order[1:]] = np.cumsum(start[order[1:]] > farthest[:-1])
    return numbers
