"""Letters that a program recognised on a picture, laid invisibly over it: put where the words are."""

from __future__ import annotations

import numpy as np

_WITHOUT_GLYPHS = "GlyphLessFont"  # Tesseract's; its letters are all equally wide
_INVISIBLE = 3  # way to draw text, as PDF numbers them


def spread(handle: int, text: str, box: np.ndarray, owner: np.ndarray, starts: np.ndarray, lengths: np.ndarray) -> None:
    """Tesseract fits each word together with the space after it into the word's own box, so that the letters stand too
    close and the last one is left bare: the word alone gets the box."""
    from highlighter.pages import pdfium

    for first, length in zip(starts.tolist(), lengths.tolist(), strict=True):
        word = text[first : first + length].rstrip(" ")
        if not 0 < len(word) < length or pdfium.render_mode(int(owner[first])) != _INVISIBLE:
            continue
        if _WITHOUT_GLYPHS in pdfium.font_name(handle, first):
            _spread_word(box[first : first + len(word)], box[first : first + length])


def _spread_word(letters: np.ndarray, whole: np.ndarray) -> None:
    low, high = whole[:, :2].min(axis=0), whole[:, 2:].max(axis=0)
    along = int(np.argmax(np.abs(whole[-1, :2] - whole[0, :2])))
    forward = whole[-1, along] >= whole[0, along]
    factor = len(whole) / len(letters)
    begin = low[along] if forward else high[along]
    edges = letters[:, (along, along + 2)]
    letters[:, (along, along + 2)] = np.clip(begin + (edges - begin) * factor, low[along], high[along])
