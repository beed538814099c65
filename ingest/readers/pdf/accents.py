"""Compose letters with the accents that a font of TeX draws over them as characters of their own: "Poincar´e"."""

from __future__ import annotations

import re
import unicodedata

from ingest.readers.pdf.glyphs import Glyphs

_COMBINING = dict(
    zip("`´¨ˆ˜¯˘˙˚ˇ¸˝", "\u0300\u0301\u0308\u0302\u0303\u0304\u0306\u0307\u030a\u030c\u0327\u030b", strict=True)
)
_ACCENT = re.compile(f"[{''.join(_COMBINING)}]")
# PDFium may conclude a space or a break between an accent and the letter under it.
_LETTER_AFTER, _LETTER_BEFORE = re.compile(r"[ \r\n]{0,2}([A-Za-zı])"), re.compile(r"([A-Za-zı])[ \r\n]{0,2}$")
_MAX_SHIFT, _MAX_SHIFT_EMS = 0.4, 0.15  # of a letter's width, and in ems: from its middle to that of its accent
_MAX_RISE_EMS = 0.5  # by which an accent is raised over a capital letter
_UNDOTTED = {"ı": "i"}


def compose_accents(glyphs: Glyphs) -> None:
    """Replace each letter that has an accent drawn over it by the accented letter, and omit the accent."""
    composed: dict[int, str] = {}
    for match in _ACCENT.finditer(glyphs.text):
        accent = match.start()
        for letter in _find_letters_beside(glyphs.text, accent):
            base = _UNDOTTED.get(glyphs.text[letter], glyphs.text[letter])
            character = unicodedata.normalize("NFC", base + _COMBINING[match[0]])
            if len(character) == 1 and _is_over(glyphs, accent, letter):
                composed[letter] = character
                glyphs.omitted[accent] = True
                break
    if composed:
        characters = list(glyphs.text)
        for row, character in composed.items():
            characters[row] = character
        glyphs.text = "".join(characters)


def _find_letters_beside(text: str, accent: int) -> list[int]:
    start = max(accent - 3, 0)
    after, before = _LETTER_AFTER.match(text, accent + 1), _LETTER_BEFORE.search(text[start:accent])
    return ([after.start(1)] if after else []) + ([start + before.start(1)] if before else [])


def _is_over(glyphs: Glyphs, accent: int, letter: int) -> bool:
    """Return whether an accent stands over (or under) a letter and not before it."""
    if glyphs.turn[accent] != glyphs.turn[letter] or not glyphs.owner[accent]:
        return False
    x0, _, x1, _ = glyphs.box[letter].tolist()
    size = float(glyphs.size[letter])
    shift = abs(float(glyphs.box[accent, 0] + glyphs.box[accent, 2]) - (x0 + x1)) / 2
    is_level = abs(float(glyphs.base[accent] - glyphs.base[letter])) < _MAX_RISE_EMS * size
    return is_level and shift < max(_MAX_SHIFT * (x1 - x0), _MAX_SHIFT_EMS * size)
