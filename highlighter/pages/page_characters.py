"""The characters of a page: where each is, which way it reads, and whether it is drawn in a light colour."""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from highlighter.pages.vertical_columns import find_vertical_characters

if TYPE_CHECKING:
    import pypdfium2

    from highlighter.pages.annotation_text import FormFields

# The direction of text on the page as stored; any other turn is SLANTED.
UPRIGHT, UPWARD, UPSIDE_DOWN, DOWNWARD = 0, 90, 180, 270
SLANTED = -1
ASCENT_RATIO, DESCENT_RATIO = 0.8, 0.22  # of the font's size, where the font's own metrics cannot be used

# Characters as bright as this, of 1, are meant for a dark page; grey ones occur on white pages, too.
_MIN_LIGHT_LUMINANCE = 0.72
# PDF's numbers for the ways to draw text that fill it; text that OCR lays under a picture is not drawn.
_FILLED_RENDER_MODES = (0, 2, 4, 6)
_MIN_HEIGHT_EMS = 0.85  # of a letter's box from ascent to descent, in scripts with signs around their letters
_GLYPHLESS_FONT = "GlyphLessFont"  # Tesseract's; its letters are all equally wide, and have no ink to measure
_INVISIBLE_RENDER_MODE = 3  # PDF's number for text that is not drawn


@dataclass(frozen=True, slots=True)
class PageCharacters:
    """The characters of a page. Row `i` of `box`, `turn` and `light` is raw character `i`.

    Raw characters are PDFium's, and after them those of form fields and annotations. Boxes are (x0, y0, x1, y1) in
    points from the bottom left of the page's crop box, page unrotated.
    """

    width: float  # of the crop box
    height: float
    left: float  # of the crop box in the page's own coordinates
    bottom: float
    rotation: int  # degrees by which the displayed page is rotated clockwise
    text: str
    box: np.ndarray  # float32 (n, 4)
    turn: np.ndarray  # int16 (n)
    light: np.ndarray  # bool (n): drawn in a light colour

    @property
    def display_size(self) -> tuple[float, float]:
        """Return the width and height of the displayed page."""
        return (self.height, self.width) if self.rotation in (90, 270) else (self.width, self.height)

    def to_bytes(self) -> bytes:
        """Return the characters in a form that `from_bytes` reads."""
        text = self.text.encode("utf-8", "surrogatepass")
        head = [self.width, self.height, self.left, self.bottom, self.rotation, len(text)]
        parts = [json.dumps(head).encode(), b"\n", text, self.box.tobytes(), self.turn.tobytes(), self.light.tobytes()]
        return zlib.compress(b"".join(parts), 1)

    @classmethod
    def from_bytes(cls, data: bytes) -> PageCharacters:
        """Return the characters that `to_bytes` wrote."""
        head, _, rest = zlib.decompress(data).partition(b"\n")
        width, height, left, bottom, rotation, length = json.loads(head)
        text = rest[:length].decode("utf-8", "surrogatepass")
        box = np.frombuffer(rest, np.float32, 4 * len(text), length).reshape(-1, 4)
        turn = np.frombuffer(rest, np.int16, len(text), length + box.nbytes)
        light = np.frombuffer(rest, np.bool_, len(text), length + box.nbytes + turn.nbytes)
        return cls(width, height, left, bottom, rotation, text, box, turn, light)


def read_page_characters(path: Path, pages: list[int]) -> list[PageCharacters | None]:
    """Return the characters of each of these pages, counted from 1; None for a page that PDFium cannot open."""
    # Slow to import, and needed only in child processes.
    import pypdfium2

    from highlighter.pages.annotation_text import FormFields

    with pypdfium2.PdfDocument(path) as document, FormFields(document) as fields:
        return [_read_page(document, number, fields) for number in pages]


def read_serialized_characters(path: Path, pages: list[int]) -> list[bytes | None]:
    """Return what `read_page_characters` does, each page as `from_bytes` reads it: as a child process sends it."""
    return [page.to_bytes() if page else None for page in read_page_characters(path, pages)]


def _read_page(document: pypdfium2.PdfDocument, number: int, fields: FormFields) -> PageCharacters | None:
    import pypdfium2

    from highlighter.pages import pdfium
    from highlighter.pages.drawn_checkboxes import MAX_PAGE_OBJECTS, read_drawn_checkboxes

    try:
        page = document[number - 1]
        text_page = page.get_textpage()
    except (pypdfium2.PdfiumError, IndexError):
        return None
    try:
        left, bottom, right, top = page.get_bbox()
        left, right, bottom, top = min(left, right), max(left, right), min(bottom, top), max(bottom, top)
        text, box, turn, light = _read_characters(text_page)
        lines = fields.read_lines(page, number - 1)
        objects = pdfium.list_page_objects(pdfium.get_handle(page), MAX_PAGE_OBJECTS)
        lines += read_drawn_checkboxes(page, text_page, objects, lines)
        for line in lines:
            text += line.text
            line_box = np.array([line.x0, line.y0, line.x1, line.y1], np.float32)
            box = np.concatenate([box, np.tile(line_box, (len(line.text), 1))])
            turn = np.concatenate([turn, np.zeros(len(line.text), np.int16)])
            light = np.concatenate([light, np.zeros(len(line.text), bool)])
    finally:
        text_page.close()
        rotation = page.get_rotation()
        page.close()
    box -= np.array([left, bottom, left, bottom], np.float32)
    return PageCharacters(right - left, top - bottom, left, bottom, rotation, text, box, turn, light)


def _read_characters(text_page: pypdfium2.PdfTextPage) -> tuple[str, np.ndarray, np.ndarray, np.ndarray]:
    """Return the text, boxes, turns and lightness of PDFium's characters of a page."""
    from highlighter.pages import pdfium

    count, handle = max(text_page.count_chars(), 0), pdfium.get_handle(text_page)
    if not count:
        return "", np.zeros((0, 4), np.float32), np.zeros(0, np.int16), np.zeros(0, bool)
    text = pdfium.read_characters(handle, count)
    box = pdfium.read_loose_boxes(handle, count)[:, (0, 3, 2, 1)]
    box = np.ascontiguousarray(box)
    # Characters of a text object share its matrix and size, which are read once for each run of them.
    owner = pdfium.read_text_objects(handle, count)
    starts = np.flatnonzero(np.diff(owner, prepend=~owner[:1]))
    lengths = np.diff(starts, append=count)
    matrix = pdfium.read_matrices(handle, starts.tolist())
    size = np.repeat(pdfium.read_font_sizes(handle, starts.tolist()) * np.hypot(matrix[:, 2], matrix[:, 3]), lengths)
    turn = np.repeat(_compute_turns(matrix), lengths)
    _repair_boxes(handle, text, box, turn, size)
    runs = list(zip(owner[starts].tolist(), starts.tolist(), lengths.tolist(), strict=True))
    _spread_recognised_words(handle, text, box, turn, size, runs)
    _mark_vertical_columns(text, box, turn, size)
    return text, box, turn, np.repeat([_is_light(obj) for obj in owner[starts].tolist()], lengths)


def _is_light(text_object: int) -> bool:
    """Return whether text is filled with a light colour, as the eye weighs red, green and blue; dark when unknown."""
    from highlighter.pages import pdfium

    colour = pdfium.read_fill_color(text_object)
    if colour is None or colour[3] == 0 or pdfium.read_render_mode(text_object) not in _FILLED_RENDER_MODES:
        return False
    red, green, blue, _ = colour
    return 0.299 * red + 0.587 * green + 0.114 * blue >= 255 * _MIN_LIGHT_LUMINANCE


def _compute_turns(matrix: np.ndarray) -> np.ndarray:
    """Return the direction in which text with these matrices reads."""
    angle = np.degrees(np.arctan2(matrix[:, 1], matrix[:, 0])) % 360
    nearest = np.round(angle / 90) * 90
    return np.where(np.abs(angle - nearest) <= 8, nearest % 360, SLANTED).astype(np.int16)


def _repair_boxes(handle: int, text: str, box: np.ndarray, turn: np.ndarray, size: np.ndarray) -> None:
    """Replace the boxes that PDFium computes badly.

    PDFium's cells are right for level text only, and only as good as the font's metrics. The others get the ink's
    extent along the line, and across it the height that the font's size gives them.
    """
    from highlighter.pages import pdfium

    height = box[:, 3] - box[:, 1]
    is_unreliable = (turn != UPRIGHT) | (height < 0.3 * size) | (height > 3 * size) | (box[:, 2] <= box[:, 0])
    # Letters that an ActualText spells have the box of the ink of one of its glyphs.
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    is_unreliable |= (codes >= 0x590) & (codes < 0x1B00) & (height < _MIN_HEIGHT_EMS * size) & (height > 0)
    index = np.flatnonzero(is_unreliable)
    if not len(index):
        return
    ink = pdfium.read_tight_boxes(handle, index.tolist())
    box[index] = ink[:, (0, 2, 1, 3)]
    origin = pdfium.read_origins(handle, index.tolist())
    ascent, descent = ASCENT_RATIO * size[index], DESCENT_RATIO * size[index]
    has_ink = (ink[:, 1] > ink[:, 0]) & (ink[:, 3] > ink[:, 2])
    for direction, axis, sign in ((UPRIGHT, 1, 1), (UPWARD, 0, -1), (UPSIDE_DOWN, 1, -1), (DOWNWARD, 0, 1)):
        selected = (turn[index] == direction) & has_ink
        edges = np.stack(
            [origin[selected, axis] + sign * ascent[selected], origin[selected, axis] - sign * descent[selected]]
        )
        box[index[selected], axis], box[index[selected], axis + 2] = edges.min(axis=0), edges.max(axis=0)


def _mark_vertical_columns(text: str, box: np.ndarray, turn: np.ndarray, size: np.ndarray) -> None:
    """Mark Chinese and Japanese text set from top to bottom as text that reads downward."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    is_candidate = (turn == UPRIGHT) & (box[:, 2] > box[:, 0])
    turn[find_vertical_characters(codes, is_candidate, box, size)] = DOWNWARD


def _spread_recognised_words(
    handle: int, text: str, box: np.ndarray, turn: np.ndarray, size: np.ndarray, words: list[tuple[int, int, int]]
) -> None:
    """Spread the letters of words that Tesseract recognised over the words' boxes.

    Tesseract fits each word together with the space after it into the word's own box, so that the letters are too close
    and the last one is left out: the word alone gets the box. `words` are (text object, first character, length).
    """
    from highlighter.pages import pdfium

    for text_object, first, length in words:
        letters = len(text[first : first + length].rstrip(" "))
        if not 0 < letters < length or pdfium.read_render_mode(text_object) != _INVISIBLE_RENDER_MODE:
            continue
        if _GLYPHLESS_FONT in pdfium.read_font_name(handle, first):
            ends = pdfium.read_origins(handle, [first, first + length - 1])
            _spread_letters(box[first : first + letters], ends, length, int(turn[first]), float(size[first]))


def _spread_letters(box: np.ndarray, ends: np.ndarray, length: int, turn: int, size: float) -> None:
    """Spread letters evenly over a word's width.

    `ends` is where the first and the last of `length` characters begin, of which those in `box` are letters.
    """
    advance = (ends[1] - ends[0]) / (length - 1)
    along = int(np.argmax(np.abs(advance)))
    edges = ends[0, along] + advance[along] * length * np.linspace(0, 1, len(box) + 1)
    box[:, along], box[:, along + 2] = np.minimum(edges[:-1], edges[1:]), np.maximum(edges[:-1], edges[1:])
    across = 1 - along
    if (box[:, across + 2] <= box[:, across]).any():
        direction = 1 if turn in (UPRIGHT, DOWNWARD) else -1
        extent = ends[0, across] + direction * size * np.array([ASCENT_RATIO, -DESCENT_RATIO])
        box[:, across], box[:, across + 2] = extent.min(), extent.max()
