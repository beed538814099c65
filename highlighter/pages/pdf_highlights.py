"""Highlights written into a copy of a PDF as standard annotations, by pypdf in a child process."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from highlighter.errors import UnreadableFile
from highlighter.models import DAMAGED, Rectangle
from highlighter.pages.page_characters import DOWNWARD, UPSIDE_DOWN, UPWARD

log = logging.getLogger(__name__)

ANNOTATION_AUTHOR = "Highlighter"
FIND_STRENGTH = 0  # a strength: what somebody looked for, and no evidence
# Strong, middling, weak, found: as in the reader. Multiplied with the paper, so that the words stay black ...
HIGHLIGHT_COLOURS = {
    3: (1.0, 0.886, 0.478),
    2: (1.0, 0.914, 0.62),
    1: (1.0, 0.945, 0.75),
    FIND_STRENGTH: (0.82, 0.93, 0.92),
}
# ... and laid over dark paper as light is, so that the words stay white.
DARK_PAGE_COLOURS = {
    3: (0.4, 0.318, 0.031),
    2: (0.294, 0.239, 0.059),
    1: (0.208, 0.18, 0.09),
    FIND_STRENGTH: (0.04, 0.3, 0.29),
}
_FRAME_COLOURS = {
    False: (0.043, 0.361, 0.361),
    True: (0.498, 0.784, 0.765),
}  # around what was found, on light and dark paper
_PRINT_FLAG = 4  # annotation flag


@dataclass(frozen=True, slots=True)
class PdfHighlight:
    """One lit sentence on one page of the file: where, how strongly, and what is said of it."""

    page: int  # of the file that is written to, from 1
    boxes: tuple[Rectangle, ...]
    origin: tuple[float, float]  # where the crop box begins in the page's own space
    strength: int  # 1, 2, 3, or FOUND
    contents: str
    name: str


def write_highlights(source: Path, notes: Sequence[PdfHighlight], out: Path) -> None:
    """Writes the file with its highlights to `out`; `source` is only read."""
    try:
        return _append_highlights(source, notes, out)
    except Exception as err:  # whatever a damaged file makes pypdf raise
        log.info("pypdf cannot append to %s (%r); it is written anew", source.name, err)
    try:
        _rewrite_with_highlights(source, notes, out)
    except Exception as err:
        raise UnreadableFile(DAMAGED, "The PDF is damaged, so highlights cannot be added to it.") from err


def _append_highlights(source: Path, notes: Sequence[PdfHighlight], out: Path) -> None:
    """What was there stays byte for byte, and the highlights come after: signatures, forms and outlines are untouched."""
    from pypdf import PdfReader, PdfWriter

    with source.open("rb") as file:
        reader = PdfReader(file)
        if reader.is_encrypted:
            raise ValueError("encrypted files are not appended to")
        _write_annotations(PdfWriter(reader, incremental=True), notes, out)


def _rewrite_with_highlights(source: Path, notes: Sequence[PdfHighlight], out: Path) -> None:
    """Through PDFium, which opens and mends more than pypdf does, and takes an empty password off."""
    import io

    import pypdfium2
    import pypdfium2.raw as raw
    from pypdf import PdfReader, PdfWriter
    from pypdf.generic import ArrayObject, ByteStringObject

    mended = io.BytesIO()
    with pypdfium2.PdfDocument(source) as document:
        document.save(mended, flags=raw.FPDF_REMOVE_SECURITY)
    mended.seek(0)
    writer = PdfWriter(clone_from=PdfReader(mended))
    # PDFium makes one up each time, and the same highlights are to make the same bytes.
    made_of = hashlib.sha256(source.read_bytes() + repr(notes).encode()).digest()[:16]
    writer._ID = ArrayObject([ByteStringObject(made_of)] * 2)
    _write_annotations(writer, notes, out)


def _write_annotations(writer, notes: Sequence[PdfHighlight], out: Path) -> None:
    for note in notes:
        writer.add_annotation(note.page - 1, _build_annotation(writer, note))
    with out.open("wb") as file:
        writer.write(file)


def _build_annotation(writer, note: PdfHighlight):
    from pypdf.annotations import Highlight
    from pypdf.generic import ArrayObject, FloatObject, NameObject, NumberObject, TextStringObject

    quads = [corner for box in note.boxes for corner in _compute_quad_points(box, note.origin)]
    room = 1 if note.strength == FIND_STRENGTH else 0  # for the frame
    rect = min(quads[0::2]) - room, min(quads[1::2]) - room, max(quads[0::2]) + room, max(quads[1::2]) + room
    colour = HIGHLIGHT_COLOURS[note.strength]
    annotation = Highlight(
        rect=rect,
        quad_points=ArrayObject([FloatObject(value) for value in quads]),
        highlight_color="".join(f"{round(part * 255):02x}" for part in colour),
        title_bar=ANNOTATION_AUTHOR,
    )
    annotation[NameObject("/F")] = NumberObject(_PRINT_FLAG)
    annotation[NameObject("/Contents")] = TextStringObject(note.contents)
    annotation[NameObject("/NM")] = TextStringObject(note.name)
    annotation[NameObject("/AP")] = _build_appearance(writer, note, rect)
    return annotation


def _compute_quad_points(box: Rectangle, origin: tuple[float, float]) -> tuple[float, ...]:
    """Upper left, upper right, lower left, lower right, as the text reads: what viewers expect, whatever the standard."""
    x0, x1 = round(box.x0 + origin[0], 2), round(box.x1 + origin[0], 2)
    y0, y1 = round(box.y0 + origin[1], 2), round(box.y1 + origin[1], 2)
    turned = {
        UPWARD: (x0, y0, x0, y1, x1, y0, x1, y1),
        UPSIDE_DOWN: (x1, y0, x0, y0, x1, y1, x0, y1),
        DOWNWARD: (x1, y1, x1, y0, x0, y1, x0, y0),
    }
    return turned.get(box.turn, (x0, y1, x1, y1, x0, y0, x1, y0))


_BLEND_MODES = {"/Lit": "/Multiply", "/LitDark": "/Screen", "/Frame": "/Normal"}


def _paint_box(box: Rectangle, note: PdfHighlight) -> Iterator[str]:
    x, y = box.x0 + note.origin[0], box.y0 + note.origin[1]
    place = f"{x:.2f} {y:.2f} {box.x1 - box.x0:.2f} {box.y1 - box.y0:.2f} re"
    red, green, blue = (DARK_PAGE_COLOURS if box.dark else HIGHLIGHT_COLOURS)[note.strength]
    yield f"{'/LitDark' if box.dark else '/Lit'} gs {red} {green} {blue} rg {place} f"
    if note.strength == FIND_STRENGTH:
        red, green, blue = _FRAME_COLOURS[box.dark]
        yield f"/Frame gs {red} {green} {blue} RG 1 w {place} S"


def _build_blend_state(mode: str):
    from pypdf.generic import DictionaryObject, NameObject

    return DictionaryObject({NameObject("/BM"): NameObject(mode), NameObject("/Type"): NameObject("/ExtGState")})


def _build_appearance(writer, note: PdfHighlight, rect: tuple[float, ...]):
    """How it looks, so that every viewer shows the same: boxes blended with their paper, those of finds framed."""
    from pypdf.generic import ArrayObject, DictionaryObject, FloatObject, NameObject, StreamObject

    steps = [step for box in note.boxes for step in _paint_box(box, note)]
    states = DictionaryObject({NameObject(name): _build_blend_state(mode) for name, mode in _BLEND_MODES.items()})
    form = StreamObject()
    form.set_data("\n".join(steps).encode("ascii"))
    form.update(
        {
            NameObject("/Type"): NameObject("/XObject"),
            NameObject("/Subtype"): NameObject("/Form"),
            NameObject("/BBox"): ArrayObject([FloatObject(value) for value in rect]),
            NameObject("/Resources"): DictionaryObject({NameObject("/ExtGState"): states}),
        }
    )
    return DictionaryObject({NameObject("/N"): writer._add_object(form)})
