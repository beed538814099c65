"""What the marks in a tagged PDF say of a character: text, or furniture of the page."""

from __future__ import annotations

import ctypes

import pypdfium2 as pdfium

_FURNITURE = "Artifact"  # heads, feet and rows repeated on each page, by the PDF standard
_LONGEST_NAME = 64


def is_furniture(textpage: pdfium.PdfTextPage, index: int, known: dict[int, bool]) -> bool:
    """`known`: what was found out about the objects of this page before; neighbours mostly share theirs."""
    drawn = pdfium.raw.FPDFText_GetTextObject(textpage, index)
    if not drawn:
        return False
    key = ctypes.addressof(drawn.contents)
    if key not in known:
        known[key] = _FURNITURE in _mark_names(drawn)
    return known[key]


def _mark_names(drawn) -> list[str]:
    names = []
    for number in range(pdfium.raw.FPDFPageObj_CountMarks(drawn)):
        mark = pdfium.raw.FPDFPageObj_GetMark(drawn, number)
        letters, length = (ctypes.c_ushort * _LONGEST_NAME)(), ctypes.c_ulong()
        if pdfium.raw.FPDFPageObjMark_GetName(mark, letters, 2 * _LONGEST_NAME, length):
            names.append(bytes(letters)[: max(length.value - 2, 0)].decode("utf-16-le", "replace"))
    return names
