"""Restore the brackets and large operators of TeX's fonts for these, whose glyphs have names that no list of letters knows.

PDFium then returns the codes of the glyphs: "X" for a sum, "Z" for an integral, "!" for a large bracket.
"""

from __future__ import annotations

import re

import numpy as np

SYMBOL_FONT_NAME = re.compile(r"(?:cmex|lmex|txex|pxex)\d*\b|MathExtension", re.IGNORECASE)

_BRACKETS = "()[]⌊⌋⌈⌉{}⟨⟩"
_SYMBOLS = (
    _BRACKETS + "|‖/\\()" + _BRACKETS + "/\\" + _BRACKETS + "/\\/\\"  # to code 47
    "⎛⎞⎡⎤⎣⎦⎢⎥⎧⎫⎩⎭⎨⎬⎪|⎝⎠⎜⎟⟨⟩⨆⨆∮∮⨀⨀⨁⨁⨂⨂∑∏∫⋃⋂⨄⋀⋁∑∏∫⋃⋂⨄⋀⋁∐∐^^^~~~[]⌊⌋⌈⌉{}√√√√√"
)
_SYMBOL_OF_CODE = dict(enumerate(_SYMBOLS))


def restore_symbols(text: str, is_symbol: np.ndarray) -> str:
    """Return the characters of a page with the symbols that those of TeX's symbol fonts stand for."""
    places = np.flatnonzero(is_symbol).tolist()
    if not places:
        return text  # nearly all pages
    characters = list(text)
    for place in places:
        characters[place] = _SYMBOL_OF_CODE.get(ord(characters[place]), characters[place])
    return "".join(characters)
