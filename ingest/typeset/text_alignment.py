"""Align two long texts that mostly agree, character by character, including paragraphs that moved."""

from __future__ import annotations

import unicodedata
from bisect import bisect_left
from itertools import pairwise

import numpy as np
from rapidfuzz import fuzz
from rapidfuzz.distance import Levenshtein

_SEED_CHARACTERS = 20  # of a seed that occurs only once on the pages: too long for chance
_MAX_GAP_PRODUCT = 4_000_000_000  # product of both lengths; takes some tenths of a second
_MAX_CLUTTER_CHARACTERS = 3  # a few letters far from all others match by chance
_MAX_CLUTTER_DISTANCE = 12
_MIN_UNIT_SHARE = 0.6  # of a unit; with less it was not found
_MIN_SIMILARITY_PERCENT = 80.0  # for a unit that moved and changed
_MIN_TOTAL_SHARE = 0.5  # found in order; with less, these are not pages of the text
_MAX_OCCURRENCES = 100  # the nearest of them is taken
_MIN_MOVED_CHARACTERS = 3  # shorter units are not searched elsewhere: they are everywhere


class _PlainTable(dict[int, str]):
    """A table for `str.translate` that folds compatibility forms, case, hyphens and the shapes of bullets."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        if 0xE000 <= code <= 0xF8FF:
            self[code] = "•"
        else:
            self[code] = (unicodedata.normalize("NFKC", char) or char).lower()
        return self[code]


_PLAIN_TABLE = _PlainTable(
    dict.fromkeys((0x02, 0xFFFE, 0x2010, 0x2011, 0xAD), "-") | dict.fromkeys(map(ord, "◦▪▫■□●○➢✓❖·"), "•")
)


def fold_with_offsets(text: str) -> tuple[str, np.ndarray]:
    """Return the folded text, and for each of its characters the index of the original character."""
    parts = [char.translate(_PLAIN_TABLE) for char in text]
    return "".join(parts), np.repeat(np.arange(len(text)), [len(part) for part in parts])


class TextAlignment:
    """An alignment of two texts: `partner[i]` is the index in `right` of the character `left[i]`, or -1.

    `units` are spans that must be found as a whole or not at all.
    """

    def __init__(self, left: str, right: str, units: list[tuple[int, int]]):
        self._left, self._right, self._units = left, right, units
        self.partner = np.full(len(left), -1, dtype=np.int64)
        self._match_in_order()
        self._remove_clutter()
        self._extend_matches()
        self._match_moved()

    @property
    def unit_shares(self) -> list[float]:
        """The share of each unit that was found."""
        return [self._measure_share(start, end) for start, end in self._units]

    @property
    def unit_letters(self) -> list[int]:
        return [sum(map(str.isalnum, self._left[start:end])) for start, end in self._units]

    @property
    def total_share(self) -> float:
        return self._measure_share(0, len(self._left))

    def _measure_share(self, start: int, end: int) -> float:
        """Return the share of letters and digits found; punctuation is drawn in many ways."""
        letters = [index for index in range(start, end) if self._left[index].isalnum()]
        return float((self.partner[letters] >= 0).mean()) if letters else 1.0

    def _match_in_order(self) -> None:
        """Match seeds, which occur once on the pages, and then the little text between two seeds."""
        seeds = [
            (-_SEED_CHARACTERS, -_SEED_CHARACTERS),
            *_find_longest_rising(_find_seeds(self._left, self._right)),
            (len(self._left), len(self._right)),
        ]
        for (left, right), (next_left, next_right) in pairwise(seeds):
            if left >= 0:
                self.partner[left : left + _SEED_CHARACTERS] = np.arange(right, right + _SEED_CHARACTERS)
            self._match_between(
                max(left + _SEED_CHARACTERS, 0), next_left, max(right + _SEED_CHARACTERS, 0), next_right
            )

    def _match_between(self, left: int, left_end: int, right: int, right_end: int) -> None:
        if (left_end - left) * (right_end - right) > _MAX_GAP_PRODUCT:
            return
        for step in Levenshtein.opcodes(self._left[left:left_end], self._right[right:right_end]):
            if step.tag == "equal":
                dest = right + step.dest_start
                self.partner[left + step.src_start : left + step.src_end] = np.arange(
                    dest, dest + step.src_end - step.src_start
                )

    def _remove_clutter(self) -> None:
        """Remove letters that match by chance, and units of which too little was found."""
        matched = np.flatnonzero(self.partner >= 0)
        if not len(matched):
            return
        breaks = np.flatnonzero((np.diff(matched) > 1) | (np.diff(self.partner[matched]) > 1)) + 1
        runs = np.split(matched, breaks)
        for number, run in enumerate(runs):
            distance_before = (
                self.partner[run[0]] - self.partner[runs[number - 1][-1]] if number else _MAX_CLUTTER_DISTANCE + 1
            )
            distance_after = (
                self.partner[runs[number + 1][0]] - self.partner[run[-1]]
                if number + 1 < len(runs)
                else _MAX_CLUTTER_DISTANCE + 1
            )
            if (
                len(run) <= _MAX_CLUTTER_CHARACTERS
                and distance_before > _MAX_CLUTTER_DISTANCE
                and distance_after > _MAX_CLUTTER_DISTANCE
                and not self._is_unit(run)
            ):
                self.partner[run] = -1
        for start, end in self._units:
            if self._measure_share(start, end) < _MIN_UNIT_SHARE:
                self.partner[start:end] = -1

    def _is_unit(self, run: np.ndarray) -> bool:
        position = bisect_left(self._units, (int(run[0]), 0))
        return position < len(self._units) and self._units[position] == (int(run[0]), int(run[-1]) + 1)

    def _extend_matches(self) -> None:
        """Match letters beside matched ones: their counterparts may have been lost as clutter."""
        is_free = np.ones(len(self._right), dtype=bool)
        is_free[self.partner[self.partner >= 0]] = False
        unmatched = np.flatnonzero(self.partner < 0).tolist()
        for step, order in ((1, unmatched), (-1, unmatched[::-1])):
            for index in order:
                neighbour = index - step
                if self.partner[index] >= 0 or not 0 <= neighbour < len(self._left) or self.partner[neighbour] < 0:
                    continue
                candidate = int(self.partner[neighbour]) + step
                if (
                    0 <= candidate < len(self._right)
                    and is_free[candidate]
                    and self._right[candidate] == self._left[index]
                ):
                    self.partner[index], is_free[candidate] = candidate, False

    def _match_moved(self) -> None:
        """Search unmatched units in the rest of the pages: notes and boxes move, and cells run over a page."""
        if self.total_share < _MIN_TOTAL_SHARE:
            return
        rest, rest_origins = self._collect_rest()
        for start, end in self._units:
            missing = (
                [(start, end)] if self._measure_share(start, end) < _MIN_UNIT_SHARE else self._find_holes(start, end)
            )
            for span in missing:
                if span[1] - span[0] >= _MIN_MOVED_CHARACTERS and self._search_rest(*span, rest, rest_origins):
                    rest, rest_origins = self._collect_rest()

    def _find_holes(self, start: int, end: int) -> list[tuple[int, int]]:
        unmatched = np.flatnonzero(self.partner[start:end] < 0) + start
        runs = np.split(unmatched, np.flatnonzero(np.diff(unmatched) > 1) + 1) if len(unmatched) else []
        return [(int(run[0]), int(run[-1]) + 1) for run in runs]

    def _collect_rest(self) -> tuple[str, np.ndarray]:
        """Return the unmatched text of the pages, its parts on separate lines, and the origin of each character."""
        is_free = np.ones(len(self._right), dtype=bool)
        is_free[self.partner[self.partner >= 0]] = False
        is_start = is_free & ~np.concatenate([[False], is_free[:-1]])
        origins = np.repeat(np.arange(len(self._right)), is_free + is_start.astype(int))
        parts = (
            "\n" + self._right[index] if is_start[index] else self._right[index] for index in np.flatnonzero(is_free)
        )
        return "".join(parts), origins

    def _search_rest(self, start: int, end: int, rest: str, rest_origins: np.ndarray) -> bool:
        unit = self._left[start:end]
        if occurrences := _find_occurrences(unit, rest):
            matched_before = self.partner[:start][self.partner[:start] >= 0]
            expected = int(matched_before[-1]) if len(matched_before) else 0
            nearest = min(occurrences, key=lambda occurrence: abs(int(rest_origins[occurrence]) - expected))
            self.partner[start:end] = rest_origins[nearest : nearest + len(unit)]
            return True
        # The shorter text is searched in the longer one, so the rest is padded to at least the unit's length.
        similar = fuzz.partial_ratio_alignment(unit, rest.ljust(len(unit), "\n"), score_cutoff=_MIN_SIMILARITY_PERCENT)
        if similar is None:
            return False
        for step in Levenshtein.opcodes(unit, rest[similar.dest_start : similar.dest_end]):
            if step.tag == "equal":
                origins = rest_origins[similar.dest_start + step.dest_start : similar.dest_start + step.dest_end]
                self.partner[start + step.src_start : start + step.src_end] = origins
        if self._measure_share(start, end) >= _MIN_UNIT_SHARE:
            return True
        self.partner[start:end] = -1
        return False


def _find_occurrences(unit: str, rest: str) -> list[int]:
    """Return the offsets at which a unit occurs."""
    offsets: list[int] = []
    offset = rest.find(unit)
    while offset >= 0 and len(offsets) < _MAX_OCCURRENCES:
        offsets.append(offset)
        offset = rest.find(unit, offset + 1)
    return offsets


def _find_seeds(left: str, right: str) -> list[tuple[int, int]]:
    """Return the positions of spans of the left text that occur exactly once in the right text."""
    left_by_text = {
        left[index : index + _SEED_CHARACTERS]: index
        for index in range(0, len(left) - _SEED_CHARACTERS + 1, _SEED_CHARACTERS)
    }
    right_by_left: dict[int, int] = {}
    for index in range(len(right) - _SEED_CHARACTERS + 1):
        left_start = left_by_text.get(right[index : index + _SEED_CHARACTERS])
        if left_start is not None:
            right_by_left[left_start] = -1 if left_start in right_by_left else index
    return [(left_start, index) for left_start, index in sorted(right_by_left.items()) if index >= 0]


def _find_longest_rising(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the longest sequence of pairs that rises on both sides by at least a seed's length."""
    ends: list[int] = []  # the smallest right side on which a row of each length can end
    last_numbers: list[int] = []
    previous = [-1] * len(pairs)
    for number, (_, right) in enumerate(pairs):
        length = bisect_left(ends, right - _SEED_CHARACTERS + 1)
        previous[number] = last_numbers[length - 1] if length else -1
        if length == len(ends):
            ends.append(right)
            last_numbers.append(number)
        elif right < ends[length]:
            ends[length], last_numbers[length] = right, number
    sequence, number = [], last_numbers[-1] if last_numbers else -1
    while number >= 0:
        sequence.append(pairs[number])
        number = previous[number]
    return sequence[::-1]
