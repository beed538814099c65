"""Map the characters of a page with Arabic or Hebrew lines by where they stand.

PDFium returns such a page in an order of its own, in which numbers, signs and cells often differ from the text. Their
places do not: from left to right, they are those of the visual order that was drawn.
"""

from __future__ import annotations

import ctypes
import unicodedata
from collections import defaultdict
from collections.abc import Sequence

import numpy as np
import pypdfium2 as pdfium

from ingest.typeset.bidi import arrange_line
from ingest.typeset.block_layout import PlacedLine
from ingest.typeset.line_breaking import format_drawn_text
from ingest.typeset.pagination import locate_line
from ingest.typeset.source_mapping import align_characters

_TOLERANCE_POINTS = 0.5


class PageOrigins:
    """Where the visible characters of a page begin, in points from its lower left corner."""

    def __init__(self, page: pdfium.PdfPage, raw_indexes: np.ndarray):
        self.raw_indexes = raw_indexes
        textpage, x, y = page.get_textpage(), ctypes.c_double(), ctypes.c_double()
        origins = []
        for index in raw_indexes.tolist():
            pdfium.raw.FPDFText_GetCharOrigin(textpage, index, x, y)
            origins.append((x.value, y.value))
        textpage.close()
        page.close()
        self.x, self.y = np.array(origins, dtype=float).reshape(-1, 2).T

    def find_line(self, x: float, y: float, width: float) -> np.ndarray:
        """Return the positions among the visible characters of those on a line, from left to right."""
        is_on_line = (abs(self.y - y) < _TOLERANCE_POINTS) & (self.x >= x - _TOLERANCE_POINTS)
        found = np.flatnonzero(is_on_line & (self.x < x + width))
        return found[np.argsort(self.x[found], kind="stable")]


def map_by_place(
    text: str, top: float, placed: PlacedLine, offsets: Sequence[int], origins: PageOrigins, page_text: str
) -> tuple[np.ndarray, np.ndarray]:
    """Return the offsets of a line's characters, rising, and their positions among the visible characters of the page."""
    line = arrange_line(format_drawn_text(text, placed.line), paragraph_is_rtl=bool(placed.right_edge))
    x, y = locate_line(top, placed, line.shown)
    on_page = origins.find_line(x, y, placed.face.width(line.shown))
    letters_on_page = np.array([index for index in on_page.tolist() if not is_mark(page_text[index])], dtype=np.int64)
    drawn = [index for index in line.order if is_letter(line.joined[index])]
    visible = sorted(drawn)
    letter_offsets = [offset for offset in offsets if not is_mark(text[offset])]
    in_text, in_joined = align_characters(
        "".join(map(text.__getitem__, letter_offsets)), "".join(line.joined[index] for index in visible)
    )
    in_drawn, in_page = align_characters(
        "".join(filter(is_letter, line.shown)), "".join(page_text[index] for index in letters_on_page)
    )
    positions_of_drawn: dict[int, list[int]] = defaultdict(list)  # several of a ligature, in reading order
    for left, right in zip(in_drawn.tolist(), in_page.tolist(), strict=True):
        positions_of_drawn[drawn[left]].append(int(letters_on_page[right]))
    position_of: dict[int, int] = {}
    for left, right in zip(in_text.tolist(), in_joined.tolist(), strict=True):
        if positions := positions_of_drawn.get(visible[right]):
            position_of[letter_offsets[left]] = positions.pop(0) if len(positions) > 1 else positions[0]
    _add_marks(text, offsets, position_of, [index for index in on_page.tolist() if is_mark(page_text[index])], origins)
    found = np.array(sorted(position_of.items()), dtype=np.int64).reshape(-1, 2)
    return found[:, 0], found[:, 1]


def is_mark(char: str) -> bool:
    """Return whether a character is drawn above or below another one, as vowels are."""
    return unicodedata.category(char) == "Mn"


def is_letter(char: str) -> bool:
    return not char.isspace() and not is_mark(char)


def _add_marks(
    text: str, offsets: Sequence[int], position_of: dict[int, int], marks: list[int], origins: PageOrigins
) -> None:
    """Add the position of each mark: the next mark that begins where its letter does."""
    letter_position = None
    for offset in offsets:
        if not is_mark(text[offset]):
            letter_position = position_of.get(offset)
        elif letter_position is not None:
            distances = abs(origins.x[marks] - origins.x[letter_position])
            if len(marks) and distances.min() < _TOLERANCE_POINTS:
                position_of[offset] = marks.pop(int(distances.argmin()))
