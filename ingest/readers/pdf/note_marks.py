"""Find what is set small and raised beside a word on a page: the marks of notes, and the endings of ordinal numbers."""

from __future__ import annotations

import re

import numpy as np

from ingest.readers.pdf.glyphs import GlyphPlaces, Glyphs

_MAX_SIZE_RATIO = 0.82  # of a mark to its neighbour
_MIN_RISE_EMS, _MAX_RISE_EMS = 0.12, 1.1  # above its neighbour's baseline
_MAX_GAP_EMS = 0.35  # between a mark and its word
_MAX_MARK_CHARACTERS, _MAX_LIST_CHARACTERS = 3, 15
NOTE_LIST = re.compile(r"\d{1,3}(?:\s?[,–-]\s?\d{1,3})+")  # marks of several notes: "2,3", "4–6"

_MARK_SIGNS = frozenset("0123456789*\u2217\u2020\u2021\u00a7\u00b6+-\u2212\u2013")  # with the signs of exponents

_ORDINAL_ENDINGS = frozenset(("st", "nd", "rd", "th"))


def find_note_marks(glyphs: Glyphs, index: np.ndarray, places: GlyphPlaces) -> list[tuple[int, int]]:
    """Return the spans [start, stop) of `index` that are raised beside a larger neighbour."""
    size = places.size
    smaller = np.flatnonzero(size[1:] <= _MAX_SIZE_RATIO * size[:-1]) + 1
    larger = np.flatnonzero(size[:-1] <= _MAX_SIZE_RATIO * size[1:])
    stop_by_start: dict[int, int] = {}
    for start in smaller.tolist():
        stop = start
        while stop < len(index) and stop - start <= _MAX_MARK_CHARACTERS and _is_sign_like(glyphs, index, start, stop):
            stop += 1
        list_stop = _find_list_end(glyphs, index, start)
        if list_stop and _is_apart(glyphs, index, start, list_stop, start - 1):
            stop_by_start[start] = list_stop
        elif _is_mark(glyphs, index, start, stop, start - 1):
            stop_by_start[start] = stop
    for last in larger.tolist():  # at the beginning of a line, where the word follows
        start = last + 1
        while start and last + 1 - start <= _MAX_MARK_CHARACTERS and _is_sign_like(glyphs, index, last, start - 1):
            start -= 1
        if start not in stop_by_start and _is_mark(glyphs, index, start, last + 1, last + 1):
            stop_by_start[start] = last + 1
    return sorted(stop_by_start.items())


def find_raised_ordinal_endings(glyphs: Glyphs, index: np.ndarray, places: GlyphPlaces) -> list[tuple[int, int]]:
    """Return the spans [start, stop) of `index` that end an ordinal number and are raised beside its last digit ("10th")."""
    size = places.size
    is_smaller = size[1:-1] <= _MAX_SIZE_RATIO * size[:-2]
    return [
        (start, start + 2)
        for start in (np.flatnonzero(is_smaller) + 1).tolist()
        if glyphs.text[index[start]] + glyphs.text[index[start + 1]] in _ORDINAL_ENDINGS
        and glyphs.text[index[start - 1]].isdigit()
        and _has_same_style(glyphs, index[start], index[start + 1])
        and _is_raised(glyphs, index, start, start - 1)
    ]


def _is_sign_like(glyphs: Glyphs, index: np.ndarray, one: int, other: int) -> bool:
    """Return whether a character can be part of a mark and has the style of another."""
    return glyphs.text[index[other]] in _MARK_SIGNS and _has_same_style(glyphs, index[one], index[other])


def _has_same_style(glyphs: Glyphs, a: int, b: int) -> bool:
    size, base = glyphs.size, glyphs.base
    return bool(abs(size[a] - size[b]) < 0.1 * size[a] and abs(base[a] - base[b]) < 0.1 * size[a])


def _is_mark(glyphs: Glyphs, index: np.ndarray, start: int, stop: int, beside: int) -> bool:
    return 0 < stop - start <= _MAX_MARK_CHARACTERS and _is_apart(glyphs, index, start, stop, beside)


def _find_list_end(glyphs: Glyphs, index: np.ndarray, start: int) -> int:
    """Return the end of the marks of several notes that begin at a character, or 0 where it begins none."""
    if not glyphs.text[index[start]].isdigit():
        return 0
    stop = start + 1
    while stop < min(len(index), start + _MAX_LIST_CHARACTERS) and _has_same_style(glyphs, index[start], index[stop]):
        stop += 1
    match = NOTE_LIST.match("".join(glyphs.text[row] for row in index[start:stop].tolist()))
    return start + match.end() if match else 0


def _is_apart(glyphs: Glyphs, index: np.ndarray, start: int, stop: int, beside: int) -> bool:
    """Return whether small characters are raised beside a larger one, and no others of their style stand beside them."""
    for edge, other in ((start, start - 1), (stop - 1, stop)):
        if other in (beside, -1, len(index)):
            continue
        if _has_same_style(glyphs, index[edge], index[other]) and _are_adjacent(glyphs, index, *sorted((edge, other))):
            return False  # "1st", or small print altogether
    return _is_raised(glyphs, index, start if beside < start else stop - 1, beside)


def _is_raised(glyphs: Glyphs, index: np.ndarray, nearest: int, beside: int) -> bool:
    """Return whether a character stands next to another and above its baseline."""
    rise = glyphs.base[index[beside]] - glyphs.base[index[nearest]]
    size = glyphs.size[index[beside]]
    return bool(_MIN_RISE_EMS * size < rise < _MAX_RISE_EMS * size) and _are_adjacent(
        glyphs, index, *sorted((nearest, beside))
    )


def _are_adjacent(glyphs: Glyphs, index: np.ndarray, a: int, b: int) -> bool:
    left, right = index[a], index[b]
    if glyphs.turn[left] != glyphs.turn[right]:
        return False
    gap = glyphs.box[right, 0] - glyphs.box[left, 2]
    return bool(abs(gap) < _MAX_GAP_EMS * max(glyphs.size[left], glyphs.size[right]))
