"""How text can stand on a page: which way it reads, and how far letters reach above and below their line."""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np

UPRIGHT, UPWARD, UPSIDE_DOWN, DOWNWARD = (
    0,
    90,
    180,
    270,
)  # how text reads on the page as stored; any other turn is SLANTED
SLANTED = -1
ASCENT_RATIO, DESCENT_RATIO = 0.8, 0.22  # of the font's size, where the font's own measures cannot be used


# Where each character of a page stands. Read by PDFium, in a child process: the file is not to be trusted.


_MIN_LIGHT_LUMINANCE = (
    0.72  # letters as bright as this, of 1, are there to be read on dark paper: grey ones stand on white, too
)
_FILLED_RENDER_MODES = (
    0,
    2,
    4,
    6,
)  # of the ways to draw text, as PDF numbers them; what OCR lays under a picture is not drawn


@dataclass(frozen=True, slots=True)
class PageCharacters:
    """Row `i` of `box`, `turn` and `light` is raw character `i`: PDFium's, and after them what was typed into fields.

    Boxes are (x0, y0, x1, y1) in points from the bottom left of the page's crop box, page unrotated.
    """

    width: float  # of the crop box
    height: float
    left: float  # where the crop box begins in the page's own space
    bottom: float
    rotation: int  # how far the page is shown turned, clockwise
    text: str
    box: np.ndarray  # float32 (n, 4)
    turn: np.ndarray  # int16 (n)
    light: np.ndarray  # bool (n): drawn in a light colour

    @property
    def display_size(self) -> tuple[float, float]:
        return (self.height, self.width) if self.rotation in (90, 270) else (self.width, self.height)

    def to_bytes(self) -> bytes:
        text = self.text.encode("utf-8", "surrogatepass")
        head = [self.width, self.height, self.left, self.bottom, self.rotation, len(text)]
        parts = [json.dumps(head).encode(), b"\n", text, self.box.tobytes(), self.turn.tobytes(), self.light.tobytes()]
        return zlib.compress(b"".join(parts), 1)

    @classmethod
    def from_bytes(cls, data: bytes) -> PageCharacters:
        head, _, rest = zlib.decompress(data).partition(b"\n")
        *frame, length = json.loads(head)
        text = rest[:length].decode("utf-8", "surrogatepass")
        box = np.frombuffer(rest, np.float32, 4 * len(text), length).reshape(-1, 4)
        turn = np.frombuffer(rest, np.int16, len(text), length + box.nbytes)
        light = np.frombuffer(rest, np.bool_, len(text), length + box.nbytes + turn.nbytes)
        return cls(*frame, text, box, turn, light)


def read_page_characters(path: Path, pages: list[int]) -> list[PageCharacters | None]:
    """Of each of these pages, counted from 1; None for one that PDFium cannot open."""
    # Heavy, and wanted in the child alone.
    import pypdfium2

    from highlighter.pages.annotation_text import FormFields

    with pypdfium2.PdfDocument(path) as document, FormFields(document) as fields:
        return [_read_page(document, number, fields) for number in pages]


def _read_page(document, number: int, fields) -> PageCharacters | None:
    import pypdfium2

    try:
        page = document[number - 1]
        text_page = page.get_textpage()
    except (pypdfium2.PdfiumError, IndexError):
        return None
    try:
        left, bottom, right, top = page.get_bbox()
        left, right, bottom, top = min(left, right), max(left, right), min(bottom, top), max(bottom, top)
        text, box, turn, light = _read_characters(text_page)
        for line in fields.read_lines(page, number - 1):
            text += line.text
            box = np.concatenate([box, np.tile(np.float32([line.x0, line.y0, line.x1, line.y1]), (len(line.text), 1))])
            turn = np.concatenate([turn, np.zeros(len(line.text), np.int16)])
            light = np.concatenate([light, np.zeros(len(line.text), bool)])
    finally:
        text_page.close()
        rotation = page.get_rotation()
        page.close()
    box -= np.float32([left, bottom, left, bottom])
    return PageCharacters(right - left, top - bottom, left, bottom, rotation, text, box, turn, light)


def _read_characters(text_page) -> tuple[str, np.ndarray, np.ndarray, np.ndarray]:
    from highlighter.pages import pdfium
    from highlighter.pages.page_characters import spread_recognised_words

    count, handle = max(text_page.count_chars(), 0), pdfium.get_handle(text_page)
    if not count:
        return "", np.zeros((0, 4), np.float32), np.zeros(0, np.int16), np.zeros(0, bool)
    text = pdfium.read_characters(handle, count)
    box = pdfium.read_loose_boxes(handle, count)[:, (0, 3, 2, 1)]
    box = np.ascontiguousarray(box)
    # Characters of one text object share matrix and size: asked for once for each stretch of them.
    owner = pdfium.read_text_objects(handle, count)
    starts = np.flatnonzero(np.diff(owner, prepend=~owner[:1]))
    lengths = np.diff(starts, append=count)
    matrix = pdfium.read_matrices(handle, starts.tolist())
    size = np.repeat(pdfium.read_font_sizes(handle, starts.tolist()) * np.hypot(matrix[:, 2], matrix[:, 3]), lengths)
    turn = np.repeat(_compute_turns(matrix), lengths)
    _repair_boxes(handle, box, turn, size)
    spread_recognised_words(
        handle, text, box, turn, size, list(zip(owner[starts].tolist(), starts.tolist(), lengths.tolist(), strict=True))
    )
    _mark_vertical_columns(text, box, turn, size)
    return text, box, turn, np.repeat([_is_light(obj) for obj in owner[starts].tolist()], lengths)


def _is_light(text_object: int) -> bool:
    """By the colour it is filled with, as the eye weighs red, green and blue; what cannot be told is taken for ink."""
    from highlighter.pages import pdfium

    colour = pdfium.read_fill_color(text_object)
    if colour is None or colour[3] == 0 or pdfium.read_render_mode(text_object) not in _FILLED_RENDER_MODES:
        return False
    red, green, blue, _ = colour
    return 0.299 * red + 0.587 * green + 0.114 * blue >= 255 * _MIN_LIGHT_LUMINANCE


def _compute_turns(matrix: np.ndarray) -> np.ndarray:
    angle = np.degrees(np.arctan2(matrix[:, 1], matrix[:, 0])) % 360
    nearest = np.round(angle / 90) * 90
    return np.where(np.abs(angle - nearest) <= 8, nearest % 360, SLANTED).astype(np.int16)


def _repair_boxes(handle: int, box: np.ndarray, turn: np.ndarray, size: np.ndarray) -> None:
    """PDFium's cells are right for level text only, and only as good as the font's metrics. Elsewhere: the ink's extent
    along the line, and the height that the font's size gives it."""
    from highlighter.pages import pdfium

    height = box[:, 3] - box[:, 1]
    poor = (turn != UPRIGHT) | (height < 0.3 * size) | (height > 3 * size) | (box[:, 2] <= box[:, 0])
    index = np.flatnonzero(poor)
    if not len(index):
        return
    ink = pdfium.read_tight_boxes(handle, index.tolist())
    box[index] = ink[:, (0, 2, 1, 3)]
    origin = pdfium.read_origins(handle, index.tolist())
    up, down = ASCENT_RATIO * size[index], DESCENT_RATIO * size[index]
    drawn = (ink[:, 1] > ink[:, 0]) & (ink[:, 3] > ink[:, 2])
    for value, axis, sign in ((UPRIGHT, 1, 1), (UPWARD, 0, -1), (UPSIDE_DOWN, 1, -1), (DOWNWARD, 0, 1)):
        at = (turn[index] == value) & drawn
        edges = np.stack([origin[at, axis] + sign * up[at], origin[at, axis] - sign * down[at]])
        box[index[at], axis], box[index[at], axis + 2] = edges.min(axis=0), edges.max(axis=0)


def _mark_vertical_columns(text: str, box: np.ndarray, turn: np.ndarray, size: np.ndarray) -> None:
    """Chinese and Japanese set from top to bottom reads as text that is turned to read downward does."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    index = np.flatnonzero((turn == UPRIGHT) & (codes >= 0x2E80) & (codes < 0xFF00) & (box[:, 2] > box[:, 0]))
    if len(index) < 8:
        return
    a, b = index[:-1], index[1:]
    beside = np.abs(box[a, 0] + box[a, 2] - box[b, 0] - box[b, 2]) / 2 < 0.35 * size[a]
    step = (box[a, 1] - box[b, 1]) / np.maximum(size[a], 0.1)
    down = beside & (step > 0.6) & (step < 2.2)
    if 2 * down.sum() > len(down):
        turn[a[down]] = turn[b[down]] = DOWNWARD


# Letters that a program recognised on a picture, laid invisibly over it: put where the words are.


_GLYPHLESS_FONT = "GlyphLessFont"  # Tesseract's; its letters are all equally wide, and have no ink to measure
_INVISIBLE_RENDER_MODE = 3  # way to draw text, as PDF numbers them


def spread_recognised_words(
    handle: int, text: str, box: np.ndarray, turn: np.ndarray, size: np.ndarray, words: list[tuple]
) -> None:
    """Tesseract fits each word together with the space after it into the word's own box, so that the letters stand too
    close and the last one is left bare: the word alone gets the box. `words` are (text object, first, length)."""
    from highlighter.pages import pdfium

    for shown_by, first, length in words:
        letters = len(text[first : first + length].rstrip(" "))
        if not 0 < letters < length or pdfium.read_render_mode(shown_by) != _INVISIBLE_RENDER_MODE:
            continue
        if _GLYPHLESS_FONT in pdfium.read_font_name(handle, first):
            ends = pdfium.read_origins(handle, [first, first + length - 1])
            _spread_letters(box[first : first + letters], ends, length, int(turn[first]), float(size[first]))


def _spread_letters(box: np.ndarray, ends: np.ndarray, length: int, turn: int, size: float) -> None:
    """`ends`: where the first and the last of `length` characters begin, of which those in `box` are letters."""
    advance = (ends[1] - ends[0]) / (length - 1)
    along = int(np.argmax(np.abs(advance)))
    edges = ends[0, along] + advance[along] * length * np.linspace(0, 1, len(box) + 1)
    box[:, along], box[:, along + 2] = np.minimum(edges[:-1], edges[1:]), np.maximum(edges[:-1], edges[1:])
    across = 1 - along
    if (box[:, across + 2] <= box[:, across]).any():
        up = 1 if turn in (UPRIGHT, DOWNWARD) else -1
        reach = ends[0, across] + up * size * np.array([ASCENT_RATIO, -DESCENT_RATIO])
        box[:, across], box[:, across + 2] = reach.min(), reach.max()
