"""Highlights written into a copy of a PDF as standard annotations, by pypdf in a child process."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from highlighter.errors import UnreadableFile
from highlighter.models import DAMAGED, Rectangle
from highlighter.pages.page_characters import DOWNWARD, UPSIDE_DOWN, UPWARD

if TYPE_CHECKING:
    from pypdf import PdfWriter
    from pypdf.annotations import Highlight
    from pypdf.generic import DictionaryObject

log = logging.getLogger(__name__)

ANNOTATION_AUTHOR = "Highlighter"
FIND_STRENGTH = 0  # the strength of text that a user searched for, which is no evidence
# Strong, medium, weak, searched: as in the viewer. Multiplied with the page, so that the words stay black ...
HIGHLIGHT_COLOURS = {
    3: (1.0, 0.886, 0.478),
    2: (1.0, 0.914, 0.62),
    1: (1.0, 0.945, 0.75),
    FIND_STRENGTH: (0.82, 0.93, 0.92),
}
# ... and added to a dark page like light, so that the words stay white.
DARK_PAGE_COLOURS = {
    3: (0.4, 0.318, 0.031),
    2: (0.294, 0.239, 0.059),
    1: (0.208, 0.18, 0.09),
    FIND_STRENGTH: (0.04, 0.3, 0.29),
}
# Of the parts of a question, as .tint-1 to .tint-6 of static/highlighter.css: weak, medium, strong, on white and dark pages.
TINT_COLOURS = {
    1: (("fff3c4", "ffec9f", "ffe27a"), ("352e17", "4b3d0f", "665108")),
    2: (("e6f2ff", "cfe5ff", "b0d5ff"), ("12293f", "163a5c", "1c4a75")),
    3: (("e7f6e4", "d0edca", "b2e2aa"), ("173319", "1d4521", "255a2a")),
    4: (("ffecf4", "ffd8e8", "ffbfda"), ("3a1728", "521c38", "6b2347")),
    5: (("f2ebff", "e5d9ff", "d5c3ff"), ("2a1e4a", "3a2768", "4a2f86")),
    6: (("ffeedf", "ffddbf", "ffc998"), ("3b2410", "552f0e", "6e3a0c")),
}
# Around rows and figures, and around searched text, by whether the page is dark.
_OUTLINE_COLOURS = {False: (0.49, 0.349, 0.0), True: (0.949, 0.773, 0.322)}
_FRAME_COLOURS = {False: (0.043, 0.361, 0.361), True: (0.498, 0.784, 0.765)}
_PRINT_FLAG = 4  # of an annotation that is printed with the page


@dataclass(frozen=True, slots=True)
class NoteStyle:
    """How a reader's note looks in a PDF: its colour on white and on dark pages, and its author."""

    colour: tuple[float, float, float]
    dark_page_colour: tuple[float, float, float]
    author: str = ""


@dataclass(frozen=True, slots=True)
class PdfHighlight:
    """A highlighted sentence on one page of a PDF: its boxes, its strength and its comment."""

    page: int  # of the file that is written to, from 1
    boxes: tuple[Rectangle, ...]
    origin: tuple[float, float]  # of the crop box in the page's own coordinates
    strength: int  # 1, 2, 3, or FIND_STRENGTH
    contents: str
    name: str
    note: NoteStyle | None = None  # of a reader's note, which is no evidence
    tint: int = 0  # the colour of the part of a question that it answers, of TINT_COLOURS; 0: the usual colour
    outlines: tuple[Rectangle, ...] = ()  # around its row of a table and the header row, or its figure


def write_highlights(source: Path, highlights: Sequence[PdfHighlight], out: Path) -> None:
    """Write a PDF with its highlights to `out`; `source` is only read."""
    try:
        return _append_highlights(source, highlights, out)
    except Exception as err:  # a damaged file can make pypdf raise anything
        log.info("pypdf cannot append to %s (%r); it is written anew", source.name, err)
    try:
        _rewrite_with_highlights(source, highlights, out)
    except Exception as err:
        raise UnreadableFile(DAMAGED, "The PDF is damaged, so highlights cannot be added to it.") from err


def _append_highlights(source: Path, highlights: Sequence[PdfHighlight], out: Path) -> None:
    """Append the highlights to the file's unchanged bytes, so that signatures, forms and outlines stay valid."""
    from pypdf import PdfReader, PdfWriter

    with source.open("rb") as file:
        reader = PdfReader(file)
        if reader.is_encrypted:
            raise ValueError("encrypted files are not appended to")
        _write_annotations(PdfWriter(reader, incremental=True), highlights, out)


def _rewrite_with_highlights(source: Path, highlights: Sequence[PdfHighlight], out: Path) -> None:
    """Write the file anew through PDFium, which repairs more files than pypdf and removes an empty password."""
    import io

    import pypdfium2
    import pypdfium2.raw as raw
    from pypdf import PdfReader, PdfWriter
    from pypdf.generic import ArrayObject, ByteStringObject

    repaired = io.BytesIO()
    with pypdfium2.PdfDocument(source) as document:
        document.save(repaired, flags=raw.FPDF_REMOVE_SECURITY)
    repaired.seek(0)
    writer = PdfWriter(clone_from=PdfReader(repaired))
    # PDFium writes a random ID each time, but the same highlights must give the same bytes.
    file_id = hashlib.sha256(source.read_bytes() + repr(highlights).encode()).digest()[:16]
    writer._ID = ArrayObject([ByteStringObject(file_id)] * 2)
    _write_annotations(writer, highlights, out)


def _write_annotations(writer: PdfWriter, highlights: Sequence[PdfHighlight], out: Path) -> None:
    for highlight in highlights:
        writer.add_annotation(highlight.page - 1, _build_annotation(writer, highlight))
    with out.open("wb") as file:
        writer.write(file)


def _build_annotation(writer: PdfWriter, highlight: PdfHighlight) -> Highlight:
    from pypdf.annotations import Highlight
    from pypdf.generic import ArrayObject, FloatObject, NameObject, NumberObject, TextStringObject

    quads = [corner for box in highlight.boxes for corner in _compute_quad_points(box, highlight.origin)]
    corners = [
        *quads,
        *(corner for box in highlight.outlines for corner in _compute_quad_points(box, highlight.origin)),
    ]
    frame_width = 1 if highlight.strength == FIND_STRENGTH or highlight.outlines else 0  # for the frame
    rect = (
        min(corners[0::2]) - frame_width,
        min(corners[1::2]) - frame_width,
        max(corners[0::2]) + frame_width,
        max(corners[1::2]) + frame_width,
    )
    colour = _choose_colour(highlight, is_dark=False)
    annotation = Highlight(
        rect=rect,
        quad_points=ArrayObject([FloatObject(value) for value in quads]),
        highlight_color="".join(f"{round(channel * 255):02x}" for channel in colour),
        title_bar=(highlight.note.author if highlight.note else "") or ANNOTATION_AUTHOR,
    )
    annotation[NameObject("/F")] = NumberObject(_PRINT_FLAG)
    annotation[NameObject("/Contents")] = TextStringObject(highlight.contents)
    annotation[NameObject("/NM")] = TextStringObject(highlight.name)
    annotation[NameObject("/AP")] = _build_appearance(writer, highlight, rect)
    return annotation


def _choose_colour(highlight: PdfHighlight, is_dark: bool) -> tuple[float, float, float]:
    if highlight.note:
        return highlight.note.dark_page_colour if is_dark else highlight.note.colour
    if highlight.tint and highlight.strength != FIND_STRENGTH:
        return _parse_colour(TINT_COLOURS[highlight.tint][is_dark][highlight.strength - 1])
    return (DARK_PAGE_COLOURS if is_dark else HIGHLIGHT_COLOURS)[highlight.strength]


def _parse_colour(digits: str) -> tuple[float, float, float]:
    red, green, blue = (round(channel / 255, 3) for channel in bytes.fromhex(digits))
    return red, green, blue


def _compute_quad_points(box: Rectangle, origin: tuple[float, float]) -> tuple[float, ...]:
    """Return a box as QuadPoints: upper left, upper right, lower left, lower right, as the text reads.

    Viewers expect this order, although the standard has another.
    """
    x0, x1 = round(box.x0 + origin[0], 2), round(box.x1 + origin[0], 2)
    y0, y1 = round(box.y0 + origin[1], 2), round(box.y1 + origin[1], 2)
    quad_points_of_turn = {
        UPWARD: (x0, y0, x0, y1, x1, y0, x1, y1),
        UPSIDE_DOWN: (x1, y0, x0, y0, x1, y1, x0, y1),
        DOWNWARD: (x1, y1, x1, y0, x0, y1, x0, y0),
    }
    return quad_points_of_turn.get(box.turn, (x0, y1, x1, y1, x0, y0, x1, y0))


# The names occur in PDFs only.
_BLEND_MODES = {"/Lit": "/Multiply", "/LitDark": "/Screen", "/Frame": "/Normal"}


def _paint_box(box: Rectangle, highlight: PdfHighlight) -> Iterator[str]:
    """Yield the operators of a content stream that draw a box."""
    path = _draw_path(box, highlight.origin)
    red, green, blue = _choose_colour(highlight, box.dark)
    yield f"{'/LitDark' if box.dark else '/Lit'} gs {red} {green} {blue} rg {path} f"
    if highlight.strength == FIND_STRENGTH:
        red, green, blue = _FRAME_COLOURS[box.dark]
        yield f"/Frame gs {red} {green} {blue} RG 1 w {path} S"


def _paint_outline(box: Rectangle, origin: tuple[float, float]) -> str:
    """Return the operators of a content stream that draw a thin line around a row or a figure."""
    red, green, blue = _OUTLINE_COLOURS[box.dark]
    return f"/Frame gs {red} {green} {blue} RG 0.7 w {_draw_path(box, origin)} S"


def _draw_path(box: Rectangle, origin: tuple[float, float]) -> str:
    x, y = box.x0 + origin[0], box.y0 + origin[1]
    return f"{x:.2f} {y:.2f} {box.x1 - box.x0:.2f} {box.y1 - box.y0:.2f} re"


def _build_blend_state(mode: str) -> DictionaryObject:
    from pypdf.generic import DictionaryObject, NameObject

    return DictionaryObject({NameObject("/BM"): NameObject(mode), NameObject("/Type"): NameObject("/ExtGState")})


def _build_appearance(writer: PdfWriter, highlight: PdfHighlight, rect: tuple[float, ...]) -> DictionaryObject:
    """Return the appearance of a highlight for all viewers: blended boxes, with frames around searched text."""
    from pypdf.generic import ArrayObject, DictionaryObject, FloatObject, NameObject, StreamObject

    operators = [operator for box in highlight.boxes for operator in _paint_box(box, highlight)]
    operators += [_paint_outline(box, highlight.origin) for box in highlight.outlines]
    states = DictionaryObject({NameObject(name): _build_blend_state(mode) for name, mode in _BLEND_MODES.items()})
    form = StreamObject()
    form.set_data("\n".join(operators).encode("ascii"))
    form.update(
        {
            NameObject("/Type"): NameObject("/XObject"),
            NameObject("/Subtype"): NameObject("/Form"),
            NameObject("/BBox"): ArrayObject([FloatObject(value) for value in rect]),
            NameObject("/Resources"): DictionaryObject({NameObject("/ExtGState"): states}),
        }
    )
    return DictionaryObject({NameObject("/N"): writer._add_object(form)})
