"""Arabic and Hebrew made ready to be drawn from left to right: letters joined, runs turned round.

The part of Unicode's rules that running text needs, without embedding controls. Marks above and below letters stay
where the font puts them.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from itertools import groupby

RTL_LETTER = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_LAM_LETTER, _ALEF_LETTERS = "\u0644", "\u0622\u0623\u0625\u0627"  # the one pair that is always written as one shape
_FORM_INDEXES = {"<isolated>": 0, "<final>": 1, "<initial>": 2, "<medial>": 3}


def to_visual_order(text: str, *, paragraph_is_rtl: bool) -> str:
    """One line in the order in which it stands on paper from left to right."""
    if not RTL_LETTER.search(text):
        return text
    shaped = _join_letters(text)
    levels = _compute_levels(shaped, 1 if paragraph_is_rtl else 0)
    order = list(range(len(shaped)))
    for level in range(max(levels), 0, -1):
        order = _reverse_runs(order, levels, level)
    return "".join(_mirror_character(shaped[at]) if levels[at] % 2 else shaped[at] for at in order)


def is_rtl_paragraph(paragraph: str) -> bool:
    """By its first letter, as Unicode decides it."""
    for char in paragraph[:200]:
        kind = unicodedata.bidirectional(char)
        if kind in ("L", "R", "AL"):
            return kind != "L"
    return False


@cache
def _load_letter_forms() -> dict[str, list[str]]:
    """For each letter or lam-alef pair its isolated, final, initial and medial shapes, from Unicode's own tables."""
    forms: dict[str, list[str]] = {}
    for code in (*range(0xFB50, 0xFDFC), *range(0xFE80, 0xFEFD)):
        kind, *letters = unicodedata.decomposition(chr(code)).split() or [""]
        if kind in _FORM_INDEXES and (len(letters) == 1 or letters[0] == "0644"):
            base = "".join(chr(int(letter, 16)) for letter in letters)
            shapes = forms.setdefault(base, [""] * 4)
            shapes[_FORM_INDEXES[kind]] = shapes[_FORM_INDEXES[kind]] or chr(code)
    return forms


def _join_letters(text: str) -> str:
    forms = _load_letter_forms()
    out: list[str] = []
    joins = False  # does the letter before reach out to the next one?
    at = 0
    while at < len(text):
        pair = text[at : at + 2]
        letter = pair if len(pair) == 2 and pair[0] == _LAM_LETTER and pair[1] in _ALEF_LETTERS else text[at]
        at += len(letter)
        if unicodedata.combining(letter[0]):
            out.append(letter)
            continue
        shapes = forms.get(letter)
        if shapes is None:
            out.append(letter)
            joins = letter == "\u0640"  # the stroke that only lengthens
            continue
        following = next((char for char in text[at:] if not unicodedata.combining(char)), "")
        reaches = bool(shapes[2]) and (following == "\u0640" or bool(forms.get(following, [""] * 4)[1]))
        held = joins and bool(shapes[1])
        out.append(shapes[(3 if reaches else 1) if held else (2 if reaches else 0)] or letter)
        joins = reaches
    return "".join(out)


def _compute_levels(text: str, base: int) -> list[int]:
    """Even levels run to the right, odd ones to the left; numbers within Arabic run to the right."""
    levels: list[int | None] = []
    strong = base
    for char in text:
        kind = unicodedata.bidirectional(char)
        if kind in ("R", "AL"):
            strong = 1
            levels.append(1)
        elif kind == "L":
            strong = 0
            levels.append(2 if base else 0)
        elif kind in ("EN", "AN"):
            levels.append(2 if strong or base else 0)
        elif kind == "NSM" and levels:
            levels.append(levels[-1])
        else:
            levels.append(None)
    return _resolve_neutrals(levels, base)


def _resolve_neutrals(levels: list[int | None], base: int) -> list[int]:
    """Spaces and stops take the direction on both their sides, or that of the paragraph when the sides differ."""
    out: list[int] = []
    for at, level in enumerate(levels):
        if level is None:
            before = out[-1] if out else base
            after = next((one for one in levels[at:] if one is not None), base)
            level = before if before % 2 == after % 2 and before == after else base
        out.append(level)
    return out


def _reverse_runs(order: list[int], levels: list[int], level: int) -> list[int]:
    out: list[int] = []
    run: list[int] = []
    for at in order:
        if levels[at] >= level:
            run.append(at)
        else:
            out += [*reversed(run), at]
            run = []
    return out + run[::-1]


def _mirror_character(char: str) -> str:
    return _MIRRORS.get(char, char)


_MIRRORS = {a: b for pair in ("()", "[]", "{}", "<>", "«»", "‹›") for a, b in (pair, pair[::-1])}


# Lines that run from right to left, put in the order in which they are read.
#
# PDFium gives the letters of each Arabic or Hebrew stretch in reading order, but the stretches of a line from left to right.


IndexedCharacter = tuple[int, str]  # PDFium's index, and the character


def to_reading_order(line: list[IndexedCharacter]) -> list[IndexedCharacter]:
    ways = [unicodedata.bidirectional(char) for _, char in line]
    backward = sum(way in ("R", "AL") for way in ways)
    if backward <= sum(way == "L" for way in ways):  # the other letters run on in their own way, and set the line's
        return line
    stretches = [
        list(stretch) for _, stretch in groupby(zip(line, _find_directions(ways), strict=True), key=lambda one: one[1])
    ]
    return [char for stretch in reversed(stretches) for char, _ in stretch]


def _find_directions(ways: list[str]) -> list[str]:
    """Of each character: which way its stretch runs; what stands between two of one way is theirs, else its own."""
    strong = ["R" if way in ("R", "AL") else "L" if way == "L" else "" for way in ways]
    before, after = _find_nearest_strong(strong), _find_nearest_strong(strong[::-1])[::-1]
    return [one or (left if left == right else "-") for one, left, right in zip(strong, before, after, strict=True)]


def _find_nearest_strong(strong: list[str]) -> list[str]:
    found, last = [], ""
    for one in strong:
        last = one or last
        found.append(last)
    return found
