"""Bring a line that was drawn from left to right into reading order: the reverse of Unicode's bidirectional algorithm."""

from __future__ import annotations

import unicodedata

from ingest.bidi_reordering import reorder_by_levels

MIRRORED = dict(zip("()[]{}<>«»‹›", ")(][}{><»«›‹", strict=True))
_OPENING, _CLOSING = "([{", ")]}"
_NUMBERS = ("EN", "AN")


def order_visual_line(texts: list[str], is_rtl: bool) -> tuple[list[int], list[bool]]:
    """Return the reading order of units that stand from left to right, and which of them run from right to left."""
    levels = _compute_levels(texts, 1 if is_rtl else 0)
    return reorder_by_levels(levels), [level % 2 == 1 for level in levels]


def _compute_levels(texts: list[str], base: int) -> list[int]:
    kinds = [_classify_unit(text) for text in texts]
    has_arabic = "AL" in kinds
    _join_numbers(kinds, has_arabic)
    level_by_kind = {"R": 1, "AL": 1, "L": 2 * base, "EN": 2, "AN": 2}
    levels = [level_by_kind.get(kind) for kind in kinds]
    _join_numbers_to_words(kinds, levels, base)
    return _resolve_neutrals(kinds, levels, base)


def _classify_unit(text: str) -> str:
    """Return the direction of a unit: that of its first character with one."""
    kinds = [unicodedata.bidirectional(character) for character in text]
    strong = next((kind for kind in kinds if kind in ("L", "R", "AL", "EN", "AN")), "")
    return strong or (kinds[0] if kinds else "ON")


def _join_numbers(kinds: list[str], has_arabic: bool) -> None:
    """Make separators within numbers, and signs beside them, parts of the numbers."""
    for index in range(1, len(kinds) - 1):
        if kinds[index] in ("CS", "ES") and kinds[index - 1] in _NUMBERS and kinds[index + 1] in _NUMBERS:
            kinds[index] = kinds[index - 1]
    if has_arabic:  # digits after Arabic letters do not bind percent signs and currencies
        return
    for indexes in (range(1, len(kinds)), range(len(kinds) - 2, -1, -1)):
        for index in indexes:
            before = index - 1 if indexes.step > 0 else index + 1
            if kinds[index] == "ET" and kinds[before] == "EN":
                kinds[index] = "EN"


def _join_numbers_to_words(kinds: list[str], levels: list[int | None], base: int) -> None:
    """Give numbers to the right of words that run to the right the direction of these words."""
    last = "R" if base else "L"
    for index, kind in enumerate(kinds):
        if kind in ("L", "R", "AL"):
            last = kind
        elif kind == "EN" and last == "L":
            kinds[index], levels[index] = "L", 2 * base


def _resolve_neutrals(kinds: list[str], levels: list[int | None], base: int) -> list[int]:
    """Give spaces and punctuation the direction on both sides, or that of the line when the sides differ."""
    sides = ["R" if kind in ("R", "AL", *_NUMBERS) else "L" if kind == "L" else "" for kind in kinds]
    before, after = _carry_forward(sides), _carry_forward(sides[::-1])[::-1]
    resolved = []
    for level, left, right in zip(levels, before, after, strict=True):
        if level is None:
            level = base if left != right or not left else (1 if left == "R" else 2 * base)
        resolved.append(level)
    return resolved


def _carry_forward(sides: list[str]) -> list[str]:
    carried, last = [], ""
    for side in sides:
        last = side or last
        carried.append(last)
    return carried


def count_matched_brackets(text: str) -> int:
    """Return how many brackets of a text have a partner, less those that have none."""
    balance, open_brackets = 0, []
    for character in text:
        if character in _OPENING:
            open_brackets.append(character)
        elif character in _CLOSING:
            if open_brackets and MIRRORED[open_brackets[-1]] == character:
                open_brackets.pop()
                balance += 2
            else:
                balance -= 1
    return balance - len(open_brackets)
