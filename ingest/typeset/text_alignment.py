"""Two long texts that mostly say the same, paired character by character, moved paragraphs included."""

from __future__ import annotations

import unicodedata
from bisect import bisect_left
from itertools import pairwise

import numpy as np
from rapidfuzz import fuzz
from rapidfuzz.distance import Levenshtein

_SEED_CHARACTERS = 20  # characters that stand only once in the pages: long enough to be no accident
_MAX_GAP_PRODUCT = 4_000_000_000  # product of both lengths; some tenths of a second
_MAX_CLUTTER_CHARACTERS = 3  # a few letters far from all others are an accident
_MAX_CLUTTER_DISTANCE = 12
_MIN_UNIT_SHARE = 0.6  # of a unit; with less it was not found there
_MIN_SIMILARITY_PERCENT = 80.0  # of 100, for a unit that moved and changed
_MIN_TOTAL_SHARE = 0.5  # of the whole; with less found in order, these are no pages of that text
_MAX_OCCURRENCES = 100  # among which the nearest is taken
_MIN_MOVED_CHARACTERS = 3  # shorter units are not looked for elsewhere: they are everywhere


class _PlainTable(dict):
    """For `str.translate`: as in `align`, and letter case and the many shapes of bullets made one."""

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
    """The text made plain, and for each of its characters the index of the one it came from."""
    parts = [char.translate(_PLAIN_TABLE) for char in text]
    return "".join(parts), np.repeat(np.arange(len(text)), [len(part) for part in parts])


class TextAlignment:
    """`partner[i]`: the index in `right` of the character `left[i]`, or -1. `units`: stretches found whole or not at all."""

    def __init__(self, left: str, right: str, units: list[tuple[int, int]]):
        self._left, self._right, self._units = left, right, units
        self.partner = np.full(len(left), -1, dtype=np.int64)
        self._match_in_order()
        self._remove_clutter()
        self._extend_matches()
        self._match_moved()

    @property
    def unit_shares(self) -> list[float]:
        """Of each unit, how much was found."""
        return [self._measure_share(start, end) for start, end in self._units]

    @property
    def unit_letters(self) -> list[int]:
        return [sum(map(str.isalnum, self._left[start:end])) for start, end in self._units]

    @property
    def total_share(self) -> float:
        return self._measure_share(0, len(self._left))

    def _measure_share(self, start: int, end: int) -> float:
        """Of letters and digits; stops and brackets are drawn in many ways."""
        told = [at for at in range(start, end) if self._left[at].isalnum()]
        return float((self.partner[told] >= 0).mean()) if told else 1.0

    def _match_in_order(self) -> None:
        """What stands once on the pages holds the rest in its place, and between two such seeds little is left to tell."""
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
                at = right + step.dest_start
                self.partner[left + step.src_start : left + step.src_end] = np.arange(
                    at, at + step.src_end - step.src_start
                )

    def _remove_clutter(self) -> None:
        """Takes back letters that met by accident, and units of which too little was found."""
        found = np.flatnonzero(self.partner >= 0)
        if not len(found):
            return
        breaks = np.flatnonzero((np.diff(found) > 1) | (np.diff(self.partner[found]) > 1)) + 1
        pieces = np.split(found, breaks)
        for number, piece in enumerate(pieces):
            before = (
                self.partner[piece[0]] - self.partner[pieces[number - 1][-1]] if number else _MAX_CLUTTER_DISTANCE + 1
            )
            after = (
                self.partner[pieces[number + 1][0]] - self.partner[piece[-1]]
                if number + 1 < len(pieces)
                else _MAX_CLUTTER_DISTANCE + 1
            )
            if (
                len(piece) <= _MAX_CLUTTER_CHARACTERS
                and before > _MAX_CLUTTER_DISTANCE
                and after > _MAX_CLUTTER_DISTANCE
                and not self._is_unit(piece)
            ):
                self.partner[piece] = -1
        for start, end in self._units:
            if self._measure_share(start, end) < _MIN_UNIT_SHARE:
                self.partner[start:end] = -1

    def _is_unit(self, piece: np.ndarray) -> bool:
        at = bisect_left(self._units, (int(piece[0]), 0))
        return at < len(self._units) and self._units[at] == (int(piece[0]), int(piece[-1]) + 1)

    def _extend_matches(self) -> None:
        """Letters beside what was found that stand so on the page too: their like was taken for them and taken back."""
        free = np.ones(len(self._right), dtype=bool)
        free[self.partner[self.partner >= 0]] = False
        lost = np.flatnonzero(self.partner < 0).tolist()
        for step, order in ((1, lost), (-1, lost[::-1])):
            for at in order:
                beside = at - step
                if self.partner[at] >= 0 or not 0 <= beside < len(self._left) or self.partner[beside] < 0:
                    continue
                place = int(self.partner[beside]) + step
                if 0 <= place < len(self._right) and free[place] and self._right[place] == self._left[at]:
                    self.partner[at], free[place] = place, False

    def _match_moved(self) -> None:
        """Notes and boxes stand in another place than in our text, and so does the rest of a cell that runs over a page:
        looked for in what is left of the pages."""
        if self.total_share < _MIN_TOTAL_SHARE:
            return
        rest, rest_at = self._collect_rest()
        for start, end in self._units:
            missing = (
                [(start, end)] if self._measure_share(start, end) < _MIN_UNIT_SHARE else self._find_holes(start, end)
            )
            for one in missing:
                if one[1] - one[0] >= _MIN_MOVED_CHARACTERS and self._search_rest(*one, rest, rest_at):
                    rest, rest_at = self._collect_rest()

    def _find_holes(self, start: int, end: int) -> list[tuple[int, int]]:
        lost = np.flatnonzero(self.partner[start:end] < 0) + start
        pieces = np.split(lost, np.flatnonzero(np.diff(lost) > 1) + 1) if len(lost) else []
        return [(int(piece[0]), int(piece[-1]) + 1) for piece in pieces]

    def _collect_rest(self) -> tuple[str, np.ndarray]:
        """What nobody has claimed of the pages, its pieces parted, and where each character of it stands."""
        free = np.ones(len(self._right), dtype=bool)
        free[self.partner[self.partner >= 0]] = False
        begins = free & ~np.concatenate([[False], free[:-1]])
        at = np.repeat(np.arange(len(self._right)), free + begins.astype(int))
        parts = ("\n" + self._right[index] if begins[index] else self._right[index] for index in np.flatnonzero(free))
        return "".join(parts), at

    def _search_rest(self, start: int, end: int, rest: str, rest_at: np.ndarray) -> bool:
        unit = self._left[start:end]
        if places := _find_occurrences(unit, rest):
            before = self.partner[:start][self.partner[:start] >= 0]
            beside = int(before[-1]) if len(before) else 0
            at = min(places, key=lambda place: abs(int(rest_at[place]) - beside))
            self.partner[start:end] = rest_at[at : at + len(unit)]
            return True
        # The shorter of the two is looked for in the longer one, and that must be our unit.
        near = fuzz.partial_ratio_alignment(unit, rest.ljust(len(unit), "\n"), score_cutoff=_MIN_SIMILARITY_PERCENT)
        if near is None:
            return False
        for step in Levenshtein.opcodes(unit, rest[near.dest_start : near.dest_end]):
            if step.tag == "equal":
                places = rest_at[near.dest_start + step.dest_start : near.dest_start + step.dest_end]
                self.partner[start + step.src_start : start + step.src_end] = places
        if self._measure_share(start, end) >= _MIN_UNIT_SHARE:
            return True
        self.partner[start:end] = -1
        return False


def _find_occurrences(unit: str, rest: str) -> list[int]:
    """Where it stands, as often as it does."""
    places = []
    at = rest.find(unit)
    while at >= 0 and len(places) < _MAX_OCCURRENCES:
        places.append(at)
        at = rest.find(unit, at + 1)
    return places


def _find_seeds(left: str, right: str) -> list[tuple[int, int]]:
    """Places of stretches of the left text that stand exactly once in the right one."""
    wanted = {
        left[at : at + _SEED_CHARACTERS]: at for at in range(0, len(left) - _SEED_CHARACTERS + 1, _SEED_CHARACTERS)
    }
    once: dict[int, int] = {}
    for at in range(len(right) - _SEED_CHARACTERS + 1):
        place = wanted.get(right[at : at + _SEED_CHARACTERS])
        if place is not None:
            once[place] = -1 if place in once else at
    return [(place, at) for place, at in sorted(once.items()) if at >= 0]


def _find_longest_rising(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest row of pairs that rises on both sides by a seed's length at least."""
    ends: list[int] = []  # the smallest right side on which a row of each length can end
    at_end: list[int] = []
    before = [-1] * len(pairs)
    for number, (_, right) in enumerate(pairs):
        length = bisect_left(ends, right - _SEED_CHARACTERS + 1)
        before[number] = at_end[length - 1] if length else -1
        if length == len(ends):
            ends.append(right)
            at_end.append(number)
        elif right < ends[length]:
            ends[length], at_end[length] = right, number
    row, number = [], at_end[-1] if at_end else -1
    while number >= 0:
        row.append(pairs[number])
        number = before[number]
    return row[::-1]
