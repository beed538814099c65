"""Letters that a program recognised on a picture, laid invisibly over it: put where the words are."""

from __future__ import annotations

import numpy as np

from highlighter.pages.turns import ASCENT, DESCENT, DOWN, LEVEL

_WITHOUT_GLYPHS = "GlyphLessFont"  # Tesseract's; its letters are all equally wide, and have no ink to measure
_INVISIBLE = 3  # way to draw text, as PDF numbers them


def spread(handle: int, text: str, box: np.ndarray, turn: np.ndarray, size: np.ndarray, words: list[tuple]) -> None:
    """Tesseract fits each word together with the space after it into the word's own box, so that the letters stand too
    close and the last one is left bare: the word alone gets the box. `words` are (text object, first, length)."""
    from highlighter.pages import pdfium

    for shown_by, first, length in words:
        letters = len(text[first : first + length].rstrip(" "))
        if not 0 < letters < length or pdfium.render_mode(shown_by) != _INVISIBLE:
            continue
        if _WITHOUT_GLYPHS in pdfium.font_name(handle, first):
            ends = pdfium.origins(handle, [first, first + length - 1])
            _share_out(box[first : first + letters], ends, length, int(turn[first]), float(size[first]))


def _share_out(box: np.ndarray, ends: np.ndarray, length: int, turn: int, size: float) -> None:
    """`ends`: where the first and the last of `length` characters begin, of which those in `box` are letters."""
    advance = (ends[1] - ends[0]) / (length - 1)
    along = int(np.argmax(np.abs(advance)))
    edges = ends[0, along] + advance[along] * length * np.linspace(0, 1, len(box) + 1)
    box[:, along], box[:, along + 2] = np.minimum(edges[:-1], edges[1:]), np.maximum(edges[:-1], edges[1:])
    across = 1 - along
    if (box[:, across + 2] <= box[:, across]).any():
        up = 1 if turn in (LEVEL, DOWN) else -1
        reach = ends[0, across] + up * size * np.array([ASCENT, -DESCENT])
        box[:, across], box[:, across + 2] = reach.min(), reach.max()
