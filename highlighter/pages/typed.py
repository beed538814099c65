"""What is filled into a form, typed or stamped onto a page: words that people see there though its own text lacks them.

They count as raw characters too, after those of the page: so the source map can speak of them.
"""

from __future__ import annotations

import ctypes
from typing import NamedTuple

import pypdfium2
import pypdfium2.raw as raw

from highlighter.pages.appearances import drawn_lines, draws_text

_TYPED = {raw.FPDF_FORMFIELD_TEXTFIELD, raw.FPDF_FORMFIELD_COMBOBOX, raw.FPDF_FORMFIELD_LISTBOX}
_TICKED = {raw.FPDF_FORMFIELD_CHECKBOX, raw.FPDF_FORMFIELD_RADIOBUTTON}
_DRAWN_FIELDS = {raw.FPDF_FORMFIELD_PUSHBUTTON, raw.FPDF_FORMFIELD_SIGNATURE}
_DRAWN = {
    raw.FPDF_ANNOT_FREETEXT, raw.FPDF_ANNOT_STAMP, raw.FPDF_ANNOT_WATERMARK, raw.FPDF_ANNOT_LINE, raw.FPDF_ANNOT_SQUARE,
    raw.FPDF_ANNOT_CIRCLE, raw.FPDF_ANNOT_POLYGON, raw.FPDF_ANNOT_POLYLINE, raw.FPDF_ANNOT_WIDGET,
}  # fmt: skip
_PASSWORD = 1 << 13  # field flag: its value is never shown
_UNSEEN = raw.FPDF_ANNOT_FLAG_HIDDEN | raw.FPDF_ANNOT_FLAG_NOVIEW | raw.FPDF_ANNOT_FLAG_INVISIBLE
_MOST = 3_000  # annotations a page
_LONGEST = 20_000  # characters of one value


class Typed(NamedTuple):
    """One line of a value, in the box that a reader sees it in (as stored on the page, y upward)."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    size: float


class Fields:
    """The form fields of a document, for as long as it is open. Enter before its first page is opened."""

    def __init__(self, document: pypdfium2.PdfDocument):
        self._document = document
        self._form = None

    def __enter__(self) -> Fields:
        if self._document.get_formtype() != raw.FORMTYPE_NONE:
            # Must come before the first page is opened, or PDFium knows of no fields on it.
            self._document.init_forms()
            self._form = self._document.formenv
        return self

    def __exit__(self, *_) -> None:
        if self._form is not None:
            self._document.close_forms()

    def on(self, page: pypdfium2.PdfPage, page_index: int) -> list[Typed]:
        """The lines of every value, in the order of the page's annotations, and after them the lines that others draw.

        `page_index` counts from 0.
        """
        found: list[Typed] = []
        drawing: list[int] = []
        for index in range(min(raw.FPDFPage_GetAnnotCount(page), _MOST)):
            annotation = raw.FPDFPage_GetAnnot(page, index)
            if not annotation:
                continue
            try:
                value = self._value(annotation)
                if value:
                    found += _lines(annotation, value)
                elif self._is_text_drawn_by(annotation):
                    drawing.append(index)
            finally:
                raw.FPDFPage_CloseAnnot(annotation)
        if drawing:
            lines = drawn_lines(self._document, page_index, drawing)
            found += [Typed(*line, size=line[4] - line[2]) for line in lines]
        return found

    def _is_text_drawn_by(self, annotation) -> bool:
        flags, kind = raw.FPDFAnnot_GetFlags(annotation), raw.FPDFAnnot_GetSubtype(annotation)
        if flags & _UNSEEN:
            return False
        if kind == raw.FPDF_ANNOT_WIDGET and self._form is not None:
            kind = raw.FPDFAnnot_GetFormFieldType(self._form, annotation)
            is_control = kind == raw.FPDF_FORMFIELD_PUSHBUTTON and not flags & raw.FPDF_ANNOT_FLAG_PRINT
            if kind not in _DRAWN_FIELDS or is_control:  # a button that is not printed is no part of the document
                return False
        elif kind not in _DRAWN:
            return False
        return draws_text(annotation)

    def _value(self, annotation) -> str:
        if raw.FPDFAnnot_GetFlags(annotation) & _UNSEEN:
            return ""
        kind = raw.FPDFAnnot_GetSubtype(annotation)
        if kind == raw.FPDF_ANNOT_FREETEXT:
            return _string(raw.FPDFAnnot_GetStringValue, annotation, b"Contents")
        if kind != raw.FPDF_ANNOT_WIDGET or self._form is None:
            return ""
        kind = raw.FPDFAnnot_GetFormFieldType(self._form, annotation)
        if kind in _TICKED:
            return "\u2612" if raw.FPDFAnnot_IsChecked(self._form, annotation) else ""
        if kind not in _TYPED or raw.FPDFAnnot_GetFormFieldFlags(self._form, annotation) & _PASSWORD:
            return ""
        return _string(raw.FPDFAnnot_GetFormFieldValue, self._form, annotation)


def _string(function, *arguments) -> str:
    length = function(*arguments, None, 0)
    if length <= 2:
        return ""
    buffer = ctypes.create_string_buffer(length)
    function(*arguments, ctypes.cast(buffer, ctypes.POINTER(raw.FPDF_WCHAR)), length)
    return buffer.raw[: length - 2].decode("utf-16-le", "replace")[:_LONGEST]


def _lines(annotation, value: str) -> list[Typed]:
    """A single line fills its box; several stand below each other from its top."""
    rectangle = raw.FS_RECTF()
    if not raw.FPDFAnnot_GetRect(annotation, rectangle):
        return []
    lines = [" ".join(line.replace("\x00", "").split()) for line in value.splitlines()]
    lines = [line for line in lines if line]
    x0, x1 = sorted((rectangle.left, rectangle.right))
    y0, y1 = sorted((rectangle.bottom, rectangle.top))
    each = min(max((y1 - y0) / max(len(lines), 1), 4.0), 14.0)
    if len(lines) == 1:
        return [Typed(lines[0], x0, y0, x1, y1, each)]
    return [Typed(line, x0, y1 - (at + 1) * each, x1, y1 - at * each, each) for at, line in enumerate(lines)]
