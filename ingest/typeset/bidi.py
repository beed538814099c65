"""Convert Arabic and Hebrew between reading order and visual order: join letters, reverse runs.

The package arabic-reshaper joins the letters. The order is that of Unicode's bidirectional algorithm, without embedding
controls. The package python-bidi is not used for it: of its two implementations, the one in Rust does not mirror
brackets, and the one in Python fails on characters that Python does not know (new emoji). Marks above and below letters
stay where the font puts them.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache
from itertools import groupby

from arabic_reshaper import ArabicReshaper

from ingest.bidi_reordering import reorder_by_levels
from ingest.typeset.bidi_levels import compute_levels

RTL_LETTER = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")


def to_visual_order(text: str, *, paragraph_is_rtl: bool) -> str:
    """Return a line in the order in which its characters stand on paper from left to right."""
    return arrange_line(text, paragraph_is_rtl=paragraph_is_rtl).shown if RTL_LETTER.search(text) else text


def order_visually(text: str) -> str:
    """Return a run in the order in which its characters stand from left to right, without joining its letters."""
    if not RTL_LETTER.search(text):
        return text
    levels = compute_levels(text, 1)
    return "".join(
        _mirror_character(text[index]) if levels[index] % 2 else text[index] for index in reorder_by_levels(levels)
    )


@dataclass(frozen=True, slots=True)
class VisualLine:
    """A line as it is drawn: its letters joined, and the order in which they stand from left to right."""

    joined: str  # in reading order
    order: tuple[int, ...]  # indexes of `joined`
    shown: str  # in visual order, with mirrored brackets


def arrange_line(text: str, *, paragraph_is_rtl: bool) -> VisualLine:
    """Return a line with its letters joined and in visual order."""
    joined = _load_reshaper().reshape(text)
    levels = compute_levels(joined, 1 if paragraph_is_rtl else 0)
    order = reorder_by_levels(levels)
    shown = "".join(_mirror_character(joined[index]) if levels[index] % 2 else joined[index] for index in order)
    return VisualLine(joined, tuple(order), shown)


def is_rtl_paragraph(paragraph: str) -> bool:
    """Return whether a paragraph runs from right to left, decided by its first letter as Unicode does."""
    for char in paragraph[:200]:
        kind = unicodedata.bidirectional(char)
        if kind in ("L", "R", "AL"):
            return kind != "L"
    return False


@cache
def _load_reshaper() -> ArabicReshaper:
    # Vowel marks stay. Lam with alef is the only obligatory ligature: letters of a longer one share one rectangle.
    return ArabicReshaper({"delete_harakat": False, "ARABIC LIGATURE ALLAH": False})


def _mirror_character(char: str) -> str:
    return _MIRRORS.get(char, char)


_MIRRORS = {
    a: b
    for pair in ("()", "[]", "{}", "<>", "«»", "‹›", "≤≥", "⟨⟩")
    for a, b in ((pair[0], pair[1]), (pair[1], pair[0]))
}


# PDFium returns the letters of each Arabic or Hebrew run in reading order, but the runs of a line from left to right.

IndexedCharacter = tuple[int, str]  # PDFium's index, and the character


def to_reading_order(line: list[IndexedCharacter]) -> list[IndexedCharacter]:
    """Return the characters of a line in reading order."""
    directions = [unicodedata.bidirectional(char) for _, char in line]
    rtl_count = sum(direction in ("R", "AL") for direction in directions)
    if rtl_count <= sum(
        direction == "L" for direction in directions
    ):  # most letters run from left to right, and so does the line
        return line
    runs = [
        list(run) for _, run in groupby(zip(line, _find_directions(directions), strict=True), key=lambda pair: pair[1])
    ]
    return [char for run in reversed(runs) for char, _ in run]


def _find_directions(directions: list[str]) -> list[str]:
    """Return the direction of each character's run; a neutral between two characters of one direction takes theirs."""
    strong = ["R" if direction in ("R", "AL") else "L" if direction == "L" else "" for direction in directions]
    before, after = _find_nearest_strong(strong), _find_nearest_strong(strong[::-1])[::-1]
    return [
        own_direction or (left if left == right else "-")
        for own_direction, left, right in zip(strong, before, after, strict=True)
    ]


def _find_nearest_strong(strong: list[str]) -> list[str]:
    nearest: list[str] = []
    last = ""
    for direction in strong:
        last = direction or last
        nearest.append(last)
    return nearest
