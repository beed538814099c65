"""The text of form fields and annotations, which people see on a page although its own text lacks it.

PDFium gives no characters of an annotation's appearance. So a copy of the page with nothing but these annotations is
flattened, which makes their appearances its content, and is then read like any page.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any, NamedTuple, TypeAlias

import pypdfium2
import pypdfium2.raw as raw

from highlighter.pages import pdfium

_TEXT_OBJECT, _FORM_OBJECT = 1, 5
_MAX_OBJECTS = 20_000
_MAX_CHARACTERS = 20_000
_WIDE_GAP_HEIGHTS = 3.0  # times the height of a character: text beyond a wider gap is another line
_MIN_HEIGHT_POINTS = 1.0  # lower text is not meant to be read

Annotation: TypeAlias = Any  # PDFium's FPDF_ANNOTATION, a pointer
Character = tuple[str, tuple[float, ...]]  # with its box (left, bottom, right, top)
DrawnLine = tuple[str, float, float, float, float]  # text, x0, y0, x1, y1: as stored on the page, y upward


def can_draw_text(annotation: Annotation) -> bool:
    """Return whether an annotation's appearance may hold text: directly, or in a form within it."""
    count = min(raw.FPDFAnnot_GetObjectCount(annotation), _MAX_OBJECTS)
    objects = (raw.FPDFAnnot_GetObject(annotation, index) for index in range(count))
    return any(obj and raw.FPDFPageObj_GetType(obj) in (_TEXT_OBJECT, _FORM_OBJECT) for obj in objects)


def read_drawn_lines(document: pypdfium2.PdfDocument, index: int, annotations: list[int]) -> list[DrawnLine]:
    """Return the lines that these annotations draw on a page, except lines that the page itself prints there.

    `index` counts pages from 0, `annotations` are numbers of annotations. A page that PDFium cannot copy gives no
    lines.
    """
    try:
        with pypdfium2.PdfDocument.new() as copy:
            copy.import_pages(document, [index])
            with closing(copy[0]) as page:
                printed = _read_characters(page)
                _isolate_annotations(page, set(annotations))
            with closing(copy[0]) as page:
                return [line for line in _group_drawn_lines(_read_characters(page)) if not _is_printed(line, printed)]
    except pypdfium2.PdfiumError:
        return []


def _isolate_annotations(page: pypdfium2.PdfPage, annotations: set[int]) -> None:
    """Make the appearances of these annotations the only content of a page."""
    for number in reversed(range(raw.FPDFPage_GetAnnotCount(page))):
        if number not in annotations:
            raw.FPDFPage_RemoveAnnot(page, number)
    for number in reversed(range(raw.FPDFPage_CountObjects(page))):
        page_object = raw.FPDFPage_GetObject(page, number)
        if raw.FPDFPage_RemoveObject(page, page_object):
            raw.FPDFPageObj_Destroy(page_object)
    page.gen_content()
    raw.FPDFPage_Flatten(page, raw.FLAT_NORMALDISPLAY)


def _read_characters(page: pypdfium2.PdfPage) -> list[Character]:
    """Return the characters of a page with their boxes."""
    with closing(page.get_textpage()) as text_page:
        handle = pdfium.get_handle(text_page)
        count = min(max(text_page.count_chars(), 0), _MAX_CHARACTERS)
        text = pdfium.read_characters(handle, count)[:count]
        boxes = pdfium.read_loose_boxes(handle, count)[:, (0, 3, 2, 1)].tolist()
        return list(zip(text, map(tuple, boxes), strict=False))


def _group_drawn_lines(characters: list[Character]) -> Iterator[DrawnLine]:
    words = ""
    boxes: list[tuple[float, ...]] = []
    for character, box in [*characters, ("\n", ())]:
        height = boxes[-1][3] - boxes[-1][1] if boxes else 0.0
        is_distant = (
            boxes and box and character > " " and not -height < box[0] - boxes[-1][2] < _WIDE_GAP_HEIGHTS * height
        )
        if is_distant or character in "\r\n":
            if boxes:
                yield _build_drawn_line(words, boxes)
            words, boxes = "", []
        if character.isprintable():
            words += character
            if character > " " and box[3] - box[1] >= _MIN_HEIGHT_POINTS:
                boxes.append(box)


def _build_drawn_line(words: str, boxes: list[tuple[float, ...]]) -> DrawnLine:
    left, bottom, right, top = zip(*boxes, strict=True)
    return " ".join(words.split()), min(left), min(bottom), max(right), max(top)


def _is_printed(line: DrawnLine, printed: list[Character]) -> bool:
    """Return whether the page itself has the same words in the same place: some programs write them twice."""
    text, x0, y0, x1, y1 = line
    printed_there = "".join(
        character
        for character, box in printed
        if x0 - 2 < (box[0] + box[2]) / 2 < x1 + 2 and y0 - 2 < (box[1] + box[3]) / 2 < y1 + 2
    )
    return "".join(text.split()) in "".join(printed_there.split())


# Lines of form fields and annotations count as raw characters after those of the page, so that the source map can refer
# to them.

_CHOICE_FIELDS = {raw.FPDF_FORMFIELD_COMBOBOX, raw.FPDF_FORMFIELD_LISTBOX}
_TEXT_FIELDS = {raw.FPDF_FORMFIELD_TEXTFIELD, *_CHOICE_FIELDS}
_CHECK_FIELDS = {raw.FPDF_FORMFIELD_CHECKBOX, raw.FPDF_FORMFIELD_RADIOBUTTON}
_DRAWN_FIELDS = {raw.FPDF_FORMFIELD_PUSHBUTTON, raw.FPDF_FORMFIELD_SIGNATURE}
_DRAWN_ANNOTATIONS = {
    raw.FPDF_ANNOT_FREETEXT, raw.FPDF_ANNOT_STAMP, raw.FPDF_ANNOT_WATERMARK, raw.FPDF_ANNOT_LINE, raw.FPDF_ANNOT_SQUARE,
    raw.FPDF_ANNOT_CIRCLE, raw.FPDF_ANNOT_POLYGON, raw.FPDF_ANNOT_POLYLINE, raw.FPDF_ANNOT_WIDGET,
}  # fmt: skip
_PASSWORD_FLAG = 1 << 13  # field flag: its value is never shown
_HIDDEN_FLAGS = raw.FPDF_ANNOT_FLAG_HIDDEN | raw.FPDF_ANNOT_FLAG_NOVIEW | raw.FPDF_ANNOT_FLAG_INVISIBLE
_MAX_ANNOTATIONS = 3_000  # of a page
_MAX_VALUE_CHARACTERS = 20_000  # of one field
_MAX_OPTIONS = 1_000  # of one field


class FieldLine(NamedTuple):
    """A line of a field's value or of an annotation, in the box where readers see it (as stored, y upward)."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    size: float


class FormFields:
    """The form fields of an open document. Must be entered before the document's first page is opened."""

    def __init__(self, document: pypdfium2.PdfDocument):
        self._document = document
        self._form: Any = None  # PDFium's form environment

    def __enter__(self) -> FormFields:
        if self._document.get_formtype() != raw.FORMTYPE_NONE:
            # Before the first page is opened, or PDFium finds no fields on it.
            self._document.init_forms()
            self._form = self._document.formenv
        return self

    def __exit__(self, *_: object) -> None:
        if self._form is not None:
            self._document.close_forms()

    def read_lines(self, page: pypdfium2.PdfPage, page_index: int) -> list[FieldLine]:
        """Return the lines of all values in the order of the page's annotations, and then the lines that annotations
        draw.

        `page_index` counts from 0.
        """
        lines: list[FieldLine] = []
        drawn_annotations: list[int] = []
        for index in range(min(raw.FPDFPage_GetAnnotCount(page), _MAX_ANNOTATIONS)):
            annotation = raw.FPDFPage_GetAnnot(page, index)
            if not annotation:
                continue
            try:
                if raw.FPDFAnnot_GetSubtype(annotation) not in _DRAWN_ANNOTATIONS:
                    continue  # nearly all are links
                value = self._read_value(annotation)
                if value:
                    lines += _lay_out_value(annotation, value)
                elif self._can_draw_text(annotation):
                    drawn_annotations.append(index)
            finally:
                raw.FPDFPage_CloseAnnot(annotation)
        if drawn_annotations:
            drawn_lines = read_drawn_lines(self._document, page_index, drawn_annotations)
            lines += [FieldLine(*line, size=line[4] - line[2]) for line in drawn_lines]
        return lines

    def _can_draw_text(self, annotation: Annotation) -> bool:
        flags, kind = raw.FPDFAnnot_GetFlags(annotation), raw.FPDFAnnot_GetSubtype(annotation)
        if flags & _HIDDEN_FLAGS:
            return False
        if kind == raw.FPDF_ANNOT_WIDGET and self._form is not None:
            kind = raw.FPDFAnnot_GetFormFieldType(self._form, annotation)
            is_control = kind == raw.FPDF_FORMFIELD_PUSHBUTTON and not flags & raw.FPDF_ANNOT_FLAG_PRINT
            if kind not in _DRAWN_FIELDS or is_control:  # a button that is not printed does not belong to the document
                return False
        elif kind not in _DRAWN_ANNOTATIONS:
            return False
        return can_draw_text(annotation)

    def _read_value(self, annotation: Annotation) -> str:
        if raw.FPDFAnnot_GetFlags(annotation) & _HIDDEN_FLAGS:
            return ""
        kind = raw.FPDFAnnot_GetSubtype(annotation)
        if kind == raw.FPDF_ANNOT_FREETEXT:
            return _read_string(raw.FPDFAnnot_GetStringValue, annotation, b"Contents")
        if kind != raw.FPDF_ANNOT_WIDGET or self._form is None:
            return ""
        kind = raw.FPDFAnnot_GetFormFieldType(self._form, annotation)
        if kind in _CHECK_FIELDS:
            return "\u2612" if raw.FPDFAnnot_IsChecked(self._form, annotation) else ""
        if kind not in _TEXT_FIELDS or raw.FPDFAnnot_GetFormFieldFlags(self._form, annotation) & _PASSWORD_FLAG:
            return ""
        value = _read_string(raw.FPDFAnnot_GetFormFieldValue, self._form, annotation)
        # The value of a choice is for programs, and only the first of several. Readers see the options' labels.
        return (self._read_selected_labels(annotation) if kind in _CHOICE_FIELDS else "") or value

    def _read_selected_labels(self, annotation: Annotation) -> str:
        """Return the labels of a field's selected options; "" where none is selected."""
        count = min(raw.FPDFAnnot_GetOptionCount(self._form, annotation), _MAX_OPTIONS)
        labels = (
            _read_string(raw.FPDFAnnot_GetOptionLabel, self._form, annotation, index).strip()
            for index in range(count)
            if raw.FPDFAnnot_IsOptionSelected(self._form, annotation, index)
        )
        return ", ".join(filter(None, labels))[:_MAX_VALUE_CHARACTERS]


def _read_string(function: Callable[..., int], *arguments: Any) -> str:
    """Return the string that a function of PDFium writes into a buffer."""
    length = function(*arguments, None, 0)
    if length <= 2:
        return ""
    buffer = ctypes.create_string_buffer(length)
    function(*arguments, ctypes.cast(buffer, ctypes.POINTER(raw.FPDF_WCHAR)), length)
    return buffer.raw[: length - 2].decode("utf-16-le", "replace")[:_MAX_VALUE_CHARACTERS]


def _lay_out_value(annotation: Annotation, value: str) -> list[FieldLine]:
    """Return the lines of a value: one line fills its box, several are laid out below each other from its top."""
    rectangle = raw.FS_RECTF()
    if not raw.FPDFAnnot_GetRect(annotation, rectangle):
        return []
    lines = [" ".join(line.replace("\x00", "").split()) for line in value.splitlines()]
    lines = [line for line in lines if line]
    x0, x1 = sorted((rectangle.left, rectangle.right))
    y0, y1 = sorted((rectangle.bottom, rectangle.top))
    line_height = min(max((y1 - y0) / max(len(lines), 1), 4.0), 14.0)
    if len(lines) == 1:
        return [FieldLine(lines[0], x0, y0, x1, y1, line_height)]
    return [
        FieldLine(line, x0, y1 - (number + 1) * line_height, x1, y1 - number * line_height, line_height)
        for number, line in enumerate(lines)
    ]
