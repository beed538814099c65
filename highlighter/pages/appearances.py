"""The text that annotations draw: stamps, signatures, buttons, and whatever says its words in its appearance alone.

PDFium gives no characters of an appearance. So a copy of the page with nothing but these annotations is flattened, which
makes their appearances its content, and is then read as any page is.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pypdfium2
import pypdfium2.raw as raw

from highlighter.pages import pdfium

_TEXT_OBJECT, _FORM_OBJECT = 1, 5
_MOST_OBJECTS = 20_000
_MOST_CHARACTERS = 20_000
_WIDE_GAP = 3.0  # times the height of a letter: what stands farther away is another line
_SMALLEST = 1.0  # points: lower text is not to be read

Line = tuple[str, float, float, float, float]  # text, x0, y0, x1, y1: as stored on the page, y upward


def draws_text(annotation) -> bool:
    """Return whether an annotation's appearance may hold text: directly, or in a form within it."""
    count = min(raw.FPDFAnnot_GetObjectCount(annotation), _MOST_OBJECTS)
    objects = (raw.FPDFAnnot_GetObject(annotation, index) for index in range(count))
    return any(obj and raw.FPDFPageObj_GetType(obj) in (_TEXT_OBJECT, _FORM_OBJECT) for obj in objects)


def drawn_lines(document: pypdfium2.PdfDocument, index: int, annotations: list[int]) -> list[Line]:
    """Return the lines that the annotations with these numbers draw on a page, except those that the page prints there.

    `index` counts pages from 0. A page that PDFium cannot copy gives no lines.
    """
    try:
        with pypdfium2.PdfDocument.new() as copy:
            copy.import_pages(document, [index])
            with closing(copy[0]) as page:
                printed = _characters(page)
                _leave_only(page, set(annotations))
            with closing(copy[0]) as page:
                return [line for line in _lines(_characters(page)) if not _is_printed(line, printed)]
    except pypdfium2.PdfiumError:
        return []


def _leave_only(page: pypdfium2.PdfPage, annotations: set[int]) -> None:
    """Make the appearances of these annotations the only content of a page."""
    for number in reversed(range(raw.FPDFPage_GetAnnotCount(page))):
        if number not in annotations:
            raw.FPDFPage_RemoveAnnot(page, number)
    for number in reversed(range(raw.FPDFPage_CountObjects(page))):
        printed = raw.FPDFPage_GetObject(page, number)
        if raw.FPDFPage_RemoveObject(page, printed):
            raw.FPDFPageObj_Destroy(printed)
    page.gen_content()
    raw.FPDFPage_Flatten(page, raw.FLAT_NORMALDISPLAY)


def _characters(page: pypdfium2.PdfPage) -> list[tuple[str, tuple[float, ...]]]:
    """Each character with its box (left, bottom, right, top)."""
    with closing(page.get_textpage()) as text_page:
        handle = pdfium.handle(text_page)
        count = min(max(text_page.count_chars(), 0), _MOST_CHARACTERS)
        text = pdfium.characters(handle, count)[:count]
        boxes = pdfium.loose_boxes(handle, count)[:, (0, 3, 2, 1)].tolist()
        return list(zip(text, map(tuple, boxes), strict=False))


def _lines(characters: list[tuple[str, tuple[float, ...]]]) -> Iterator[Line]:
    words = ""
    boxes: list[tuple[float, ...]] = []
    for character, box in [*characters, ("\n", ())]:
        height = boxes[-1][3] - boxes[-1][1] if boxes else 0.0
        away = boxes and box and character > " " and not -height < box[0] - boxes[-1][2] < _WIDE_GAP * height
        if away or character in "\r\n":
            if boxes:
                yield _line(words, boxes)
            words, boxes = "", []
        if character.isprintable():
            words += character
            if character > " " and box[3] - box[1] >= _SMALLEST:
                boxes.append(box)


def _line(words: str, boxes: list[tuple[float, ...]]) -> Line:
    left, bottom, right, top = zip(*boxes, strict=True)
    return " ".join(words.split()), min(left), min(bottom), max(right), max(top)


def _is_printed(line: Line, printed: list[tuple[str, tuple[float, ...]]]) -> bool:
    """Return whether the page itself has the same words in the same place: some programs write them twice."""
    text, x0, y0, x1, y1 = line
    there = "".join(
        character
        for character, box in printed
        if x0 - 2 < (box[0] + box[2]) / 2 < x1 + 2 and y0 - 2 < (box[1] + box[3]) / 2 < y1 + 2
    )
    return "".join(text.split()) in "".join(there.split())
