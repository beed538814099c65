"""One page after the other out of PDFium: nothing of a page stays open when the next is read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import pypdfium2

from highlighter.pages import pdfium
from highlighter.pages.annotation_text import FieldLine, FormFields
from ingest.readers.extracted_document import PageInfo
from ingest.readers.pdf.fragments import Fragment, build_fragments
from ingest.readers.pdf.glyphs import Glyphs, read_glyphs, to_codepoints
from ingest.readers.pdf.hidden_text import REASONS, HiddenTextDetector
from ingest.readers.pdf.ruling_lines import RulingLines, read_ruling_lines

_TEXT_OBJECT, _IMAGE_OBJECT, _FORM_OBJECT = 1, 3, 5
_MAX_OBJECTS = 20_000  # on a page; beyond that it is a drawing, and not looked through
Box = tuple[float, float, float, float]

_MAX_LABEL_CHARACTERS = 45  # characters of a line in a drawing

_SAMPLE_CHARACTERS = 300  # characters a page asked whether their font says what they are


@dataclass(slots=True)
class PageContent:
    info: PageInfo
    fragments: list[Fragment] = field(default_factory=list)
    ruling_lines: RulingLines = field(default_factory=RulingLines)
    height: float = 0.0  # of the frame in which most of its text reads level
    has_failed: bool = False
    is_picture: bool = False  # no characters but an image, or a drawing within the drawing
    was_redecoded: bool = False  # letters decoded once more than the file says: no other reader agrees
    is_unmapped: bool = False  # glyphs whose letters nobody can tell


def read_pages(document: pypdfium2.PdfDocument) -> Iterator[PageContent]:
    sight = HiddenTextDetector()
    with FormFields(document) as fields:
        for index in range(len(document)):
            try:
                page = document[index]
            except pypdfium2.PdfiumError:
                yield PageContent(PageInfo(index + 1, "", 0.0, 0.0, 0), has_failed=True)
                continue
            try:
                content = _read_page(document, page, index, sight, fields)
            except pypdfium2.PdfiumError:
                content = PageContent(PageInfo(index + 1, "", 0.0, 0.0, 0), has_failed=True)
            finally:
                page.close()
            yield content


def _read_page(document, page, index: int, sight: HiddenTextDetector, fields: FormFields) -> PageContent:
    number, label = index + 1, document.get_page_label(index) or ""
    shown = _visible_box(page)
    try:
        text_page = page.get_textpage()
    except pypdfium2.PdfiumError:
        return PageContent(PageInfo(number, label, *page.get_size(), 0), has_failed=True)
    found: list[Fragment] = []
    solid, unmapped, mended = 0, False, False
    objects = pdfium.list_page_objects(pdfium.get_handle(page), _MAX_OBJECTS)
    try:
        count = max(text_page.count_chars(), 0)
        if count:
            glyphs = read_glyphs(pdfium.get_handle(text_page), count, shown)
            solid = int(glyphs.solid.sum())
            unmapped = not glyphs.was_redecoded and _is_unmapped(pdfium.get_handle(text_page), glyphs)
            mended = glyphs.was_redecoded
            hidden = sight.find_hidden(page, objects, glyphs, shown)
            found = build_fragments(glyphs, number, hidden, REASONS)
    finally:
        text_page.close()
    filled = make_field_fragments(fields.read_lines(page, index), number, max(count, 0), shown)
    content = PageContent(PageInfo(number, label, *page.get_size(), solid + sum(len(f.text) for f in filled)))
    _mark_in_pictures(found, objects, shown)
    content.fragments = found + filled
    content.height = _reading_height(content.fragments, shown)
    content.is_unmapped, content.was_redecoded = unmapped, mended
    if solid:
        content.ruling_lines = read_ruling_lines(objects, shown)
    else:
        kinds = {kind for _, kind in objects}
        content.is_picture = _IMAGE_OBJECT in kinds or _FORM_OBJECT in kinds
        content.is_unmapped |= _TEXT_OBJECT in kinds and not count
    return content


def _mark_in_pictures(found: list[Fragment], objects: list[tuple[int, int]], shown: Box) -> None:
    """What stands in a picture or a drawing that takes up a part of the page, not all of it."""
    left, bottom, right, top = shown
    whole = max((right - left) * (top - bottom), 1.0)
    for obj, kind in objects:
        bounds = pdfium.read_object_bounds(obj) if kind in (_IMAGE_OBJECT, _FORM_OBJECT) else None
        if not bounds or not 0.01 < (bounds[2] - bounds[0]) * (bounds[3] - bounds[1]) / whole < 0.6:
            continue
        x0, y0, x1, y1 = bounds[0] - left, top - bounds[3], bounds[2] - left, top - bounds[1]
        within = [f for f in found if f.turn == 0 and x0 < (f.x0 + f.x1) / 2 < x1 and y0 < f.base < y1]
        if all(len(fragment.text) <= _MAX_LABEL_CHARACTERS for fragment in within):  # else it is a background
            for fragment in within:
                fragment.is_in_picture = True


def _visible_box(page: pypdfium2.PdfPage) -> Box:
    """The visible part of the page: what is cropped away is not shown, what lies off the sheet neither."""
    left, bottom, right, top = page.get_bbox()
    return min(left, right), min(bottom, top), max(left, right), max(bottom, top)


def _reading_height(found: list[Fragment], shown: tuple[float, float, float, float]) -> float:
    turns = Counter(fragment.turn for fragment in found)
    sideways = turns.most_common(1)[0][0] in (90, 270) if turns else False
    return shown[2] - shown[0] if sideways else shown[3] - shown[1]


def _is_unmapped(text_page: int, glyphs: Glyphs) -> bool:
    """Most of what is printed has no letters behind it: private codes, replacement marks, control characters."""
    codes = to_codepoints(glyphs.text)
    drawn = glyphs.owner != 0
    lost = (codes == 0xFFFD) | ((codes >= 0xE000) & (codes < 0xF900)) | (codes >= 0xF0000)
    lost |= (codes < 32) & ~np.isin(codes, (2, 9, 10, 13))
    total = int((drawn & (glyphs.solid | lost)).sum())
    if not total:
        return False
    if int((drawn & lost).sum()) > 0.3 * total:
        return True
    sample = np.flatnonzero(glyphs.solid & drawn)
    sample = sample[:: max(len(sample) // _SAMPLE_CHARACTERS, 1)].tolist()
    return pdfium.count_map_errors(text_page, sample) > 0.3 * len(sample) > 0


# What is filled into a form, as fragments where it stands on the page.


def make_field_fragments(
    typed: list[FieldLine], number: int, first: int, shown: tuple[float, float, float, float]
) -> list[Fragment]:
    """`first` is the raw index of the first character that was typed: the next after the page's own."""
    found = []
    for line in typed:
        found.append(_make_field_fragment(line, number, first, shown))
        first += len(line.text)
    return found


def _make_field_fragment(
    line: FieldLine, number: int, first: int, shown: tuple[float, float, float, float]
) -> Fragment:
    left, _, _, top = shown
    x0, middle, each = line.x0 - left, top - (line.y0 + line.y1) / 2, line.size
    return Fragment(
        number,
        line.text,
        ((0, len(line.text), first, len(line.text)),),
        x0,
        middle - each / 2,
        min(line.x1 - left, x0 + 0.55 * each * len(line.text)),
        middle + each / 2,
        middle + 0.25 * each,
        0.8 * each,
        False,
        False,
        0,
    )
