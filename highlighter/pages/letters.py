"""Where each character of a page stands. Read by PDFium, in a child process: the file is not to be trusted."""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from highlighter.pages.turns import ASCENT, DESCENT, DOWN, LEVEL, OVER, SLANTED, UP

_LIGHT = 0.72  # letters as bright as this, of 1, are there to be read on dark paper: grey ones stand on white, too
_FILLED = (0, 2, 4, 6)  # of the ways to draw text, as PDF numbers them; what OCR lays under a picture is not drawn


@dataclass(frozen=True, slots=True)
class Letters:
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
    def shown_size(self) -> tuple[float, float]:
        return (self.height, self.width) if self.rotation in (90, 270) else (self.width, self.height)

    def to_bytes(self) -> bytes:
        text = self.text.encode("utf-8", "surrogatepass")
        head = [self.width, self.height, self.left, self.bottom, self.rotation, len(text)]
        parts = [json.dumps(head).encode(), b"\n", text, self.box.tobytes(), self.turn.tobytes(), self.light.tobytes()]
        return zlib.compress(b"".join(parts), 1)

    @classmethod
    def from_bytes(cls, data: bytes) -> Letters:
        head, _, rest = zlib.decompress(data).partition(b"\n")
        *frame, length = json.loads(head)
        text = rest[:length].decode("utf-8", "surrogatepass")
        box = np.frombuffer(rest, np.float32, 4 * len(text), length).reshape(-1, 4)
        turn = np.frombuffer(rest, np.int16, len(text), length + box.nbytes)
        light = np.frombuffer(rest, np.bool_, len(text), length + box.nbytes + turn.nbytes)
        return cls(*frame, text, box, turn, light)


def read_letters(path: Path, pages: list[int]) -> list[Letters | None]:
    """Of each of these pages, counted from 1; None for one that PDFium cannot open."""
    # Heavy, and wanted in the child alone.
    import pypdfium2

    from highlighter.pages.typed import Fields

    with pypdfium2.PdfDocument(path) as document, Fields(document) as fields:
        return [_page(document, number, fields) for number in pages]


def _page(document, number: int, fields) -> Letters | None:
    import pypdfium2

    try:
        page = document[number - 1]
        text_page = page.get_textpage()
    except (pypdfium2.PdfiumError, IndexError):
        return None
    try:
        left, bottom, right, top = page.get_bbox()
        left, right, bottom, top = min(left, right), max(left, right), min(bottom, top), max(bottom, top)
        text, box, turn, light = _characters(text_page)
        for line in fields.on(page, number - 1):
            text += line.text
            box = np.concatenate([box, np.tile(np.float32([line.x0, line.y0, line.x1, line.y1]), (len(line.text), 1))])
            turn = np.concatenate([turn, np.zeros(len(line.text), np.int16)])
            light = np.concatenate([light, np.zeros(len(line.text), bool)])
    finally:
        text_page.close()
        rotation = page.get_rotation()
        page.close()
    box -= np.float32([left, bottom, left, bottom])
    return Letters(right - left, top - bottom, left, bottom, rotation, text, box, turn, light)


def _characters(text_page) -> tuple[str, np.ndarray, np.ndarray, np.ndarray]:
    from highlighter.pages import pdfium
    from highlighter.pages.recognised import spread

    count, handle = max(text_page.count_chars(), 0), pdfium.handle(text_page)
    if not count:
        return "", np.zeros((0, 4), np.float32), np.zeros(0, np.int16), np.zeros(0, bool)
    text = pdfium.characters(handle, count)
    box = pdfium.loose_boxes(handle, count)[:, (0, 3, 2, 1)]
    box = np.ascontiguousarray(box)
    # Characters of one text object share matrix and size: asked for once for each stretch of them.
    owner = pdfium.text_objects(handle, count)
    starts = np.flatnonzero(np.diff(owner, prepend=~owner[:1]))
    lengths = np.diff(starts, append=count)
    matrix = pdfium.matrices(handle, starts.tolist())
    size = np.repeat(pdfium.font_sizes(handle, starts.tolist()) * np.hypot(matrix[:, 2], matrix[:, 3]), lengths)
    turn = np.repeat(_turns(matrix), lengths)
    _mend(handle, box, turn, size)
    spread(
        handle, text, box, turn, size, list(zip(owner[starts].tolist(), starts.tolist(), lengths.tolist(), strict=True))
    )
    _note_columns(text, box, turn, size)
    return text, box, turn, np.repeat([_is_light(obj) for obj in owner[starts].tolist()], lengths)


def _is_light(text_object: int) -> bool:
    """By the colour it is filled with, as the eye weighs red, green and blue; what cannot be told is taken for ink."""
    from highlighter.pages import pdfium

    colour = pdfium.fill_color(text_object)
    if colour is None or colour[3] == 0 or pdfium.render_mode(text_object) not in _FILLED:
        return False
    red, green, blue, _ = colour
    return 0.299 * red + 0.587 * green + 0.114 * blue >= 255 * _LIGHT


def _turns(matrix: np.ndarray) -> np.ndarray:
    angle = np.degrees(np.arctan2(matrix[:, 1], matrix[:, 0])) % 360
    nearest = np.round(angle / 90) * 90
    return np.where(np.abs(angle - nearest) <= 8, nearest % 360, SLANTED).astype(np.int16)


def _mend(handle: int, box: np.ndarray, turn: np.ndarray, size: np.ndarray) -> None:
    """PDFium's cells are right for level text only, and only as good as the font's metrics. Elsewhere: the ink's extent
    along the line, and the height that the font's size gives it."""
    from highlighter.pages import pdfium

    height = box[:, 3] - box[:, 1]
    poor = (turn != LEVEL) | (height < 0.3 * size) | (height > 3 * size) | (box[:, 2] <= box[:, 0])
    index = np.flatnonzero(poor)
    if not len(index):
        return
    ink = pdfium.tight_boxes(handle, index.tolist())
    box[index] = ink[:, (0, 2, 1, 3)]
    origin = pdfium.origins(handle, index.tolist())
    up, down = ASCENT * size[index], DESCENT * size[index]
    drawn = (ink[:, 1] > ink[:, 0]) & (ink[:, 3] > ink[:, 2])
    for value, axis, sign in ((LEVEL, 1, 1), (UP, 0, -1), (OVER, 1, -1), (DOWN, 0, 1)):
        at = (turn[index] == value) & drawn
        edges = np.stack([origin[at, axis] + sign * up[at], origin[at, axis] - sign * down[at]])
        box[index[at], axis], box[index[at], axis + 2] = edges.min(axis=0), edges.max(axis=0)


def _note_columns(text: str, box: np.ndarray, turn: np.ndarray, size: np.ndarray) -> None:
    """Chinese and Japanese set from top to bottom reads as text that is turned to read downward does."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    index = np.flatnonzero((turn == LEVEL) & (codes >= 0x2E80) & (codes < 0xFF00) & (box[:, 2] > box[:, 0]))
    if len(index) < 8:
        return
    a, b = index[:-1], index[1:]
    beside = np.abs(box[a, 0] + box[a, 2] - box[b, 0] - box[b, 2]) / 2 < 0.35 * size[a]
    step = (box[a, 1] - box[b, 1]) / np.maximum(size[a], 0.1)
    down = beside & (step > 0.6) & (step < 2.2)
    if 2 * down.sum() > len(down):
        turn[a[down]] = turn[b[down]] = DOWN
