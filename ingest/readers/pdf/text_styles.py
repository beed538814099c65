"""Read how the text of a page is set: its size, its direction, the style of its fonts, and how it is painted."""

from __future__ import annotations

import re
from functools import lru_cache
from zlib import crc32

import numpy as np

from highlighter.pages import pdfium
from ingest.readers.pdf.tex_symbols import SYMBOL_FONT_NAME

VISIBLE, INVISIBLE_MODE, NEAR_WHITE, TRANSPARENT = 0, 1, 2, 3  # how a text object is painted
SLANTED = -1  # the turn of text at no right angle, such as a watermark

_BOLD_NAME = re.compile(r"bold|black(?!let)|heavy|demi|medi(?!um)|(?:cm|sf)bx|[-,]bd\b", re.IGNORECASE)
_ITALIC_NAME = re.compile(r"italic|oblique|[-,]it\b", re.IGNORECASE)

# PDF's numbers for the ways to draw text.
_STROKED, _FILLED_AND_STROKED, _NOT_DRAWN, _STROKED_AND_CLIPPED, _CLIPPED = 1, 2, 3, 5, 7
_MAX_LEVEL_DEGREES = 2.0  # by which text may be tilted that is read as if it were at a right angle
_MIN_ALPHA, _MIN_WHITE = 26, 240  # of 255


def read_styles(text_page: int, owner: np.ndarray, starts: list[int]) -> dict[str, np.ndarray]:
    """Return the styles of runs of characters: each run begins at one of `starts`, and `owner` has its text object."""
    owners = owner.tolist()
    first_by_object = dict(zip(reversed(owners), reversed(starts), strict=True))
    objects, firsts = list(first_by_object), list(first_by_object.values())
    number_by_object = {obj: number for number, obj in enumerate(objects)}
    matrix = pdfium.read_matrices(text_page, firsts)
    size = pdfium.read_font_sizes(text_page, firsts) * np.hypot(matrix[:, 2], matrix[:, 3])
    turn, angle = _compute_turns(matrix)
    styles = {"size": size.astype(np.float32), "turn": turn, "angle": angle, **_read_object_styles(objects)}
    numbers = np.array(list(map(number_by_object.__getitem__, owners)), np.intp)
    return {name: values[numbers] for name, values in styles.items()}


def _read_object_styles(objects: list[int]) -> dict[str, np.ndarray]:
    """Return the styles of text objects; 0 stands for the characters that PDFium inserted, which have none."""
    mode = pdfium.read_render_modes(objects)
    color, has_color = pdfium.read_fill_colors(objects)
    paint = np.full(len(objects), VISIBLE, np.int8)
    is_filled = has_color & (mode != _STROKED) & (mode != _STROKED_AND_CLIPPED)
    paint[is_filled & (color[:, :3].min(axis=1) >= _MIN_WHITE)] = NEAR_WHITE
    paint[is_filled & (color[:, 3] < _MIN_ALPHA)] = TRANSPARENT
    paint[(mode == _NOT_DRAWN) | (mode == _CLIPPED)] = INVISIBLE_MODE
    fonts = pdfium.read_fonts(objects)
    style_by_font = {font: _read_font_style(pdfium.read_base_font_name(font)) for font in set(fonts)}
    bold, italic, face, is_symbol = zip(*map(style_by_font.__getitem__, fonts), strict=True) if fonts else ((),) * 4
    return {
        # Programs without a bold font fill and stroke letters instead.
        "bold": np.array(bold, bool) | (mode == _FILLED_AND_STROKED),
        "italic": np.array(italic, bool),
        "face": np.array(face, np.int32),
        "is_symbol": np.array(is_symbol, bool),
        "paint": paint,
    }


@lru_cache(maxsize=1_000)
def _read_font_style(name: str) -> tuple[bool, bool, int, bool]:
    """Return whether a font is bold and italic by its name, a number for its family, and whether it is TeX's for symbols."""
    is_symbol = SYMBOL_FONT_NAME.search(name) is not None
    return bool(_BOLD_NAME.search(name)), bool(_ITALIC_NAME.search(name)), _hash_font_family(name), is_symbol


def _hash_font_family(name: str) -> int:
    """Return a number for the font family: the name without its subset tag ("ABCDEF+") and without its style."""
    family = re.split("[-,]", name.rpartition("+")[2], maxsplit=1)[0]
    return crc32(family.lower().encode()) & 0x7FFFFFFF


def _compute_turns(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the turns of text with these matrices, and the angle in degrees of what is at no right angle and not mirrored."""
    a, b, c, d = matrix[:, :4].T
    angle = np.degrees(np.arctan2(b, a)) % 360
    nearest = np.round(angle / 90) * 90
    distance = np.abs(angle - nearest)
    turn = np.where(distance <= 8, nearest % 360, SLANTED).astype(np.int16)
    return turn, np.where((distance > _MAX_LEVEL_DEGREES) & (a * d > b * c), angle, 0).astype(np.float32)
