"""One page after the other out of PDFium: nothing of a page stays open when the next is read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import pypdfium2

from highlighter.pages import pdfium
from highlighter.pages.typed import Fields
from ingest.readers.pdf.fields import as_fragments
from ingest.readers.pdf.fragments import Fragment, fragments
from ingest.readers.pdf.glyphs import Glyphs, codepoints, read_glyphs
from ingest.readers.pdf.hidden import REASONS, Sight
from ingest.readers.pdf.rules import Rules, read_rules
from ingest.readers.reading import PageFacts

_TEXT_OBJECT, _IMAGE_OBJECT, _FORM_OBJECT = 1, 3, 5
_MOST_OBJECTS = 20_000  # on a page; beyond that it is a drawing, and not looked through
Box = tuple[float, float, float, float]

_LONGEST_LABEL = 45  # characters of a line in a drawing

_SAMPLE = 300  # characters a page asked whether their font says what they are


@dataclass(slots=True)
class PageContent:
    facts: PageFacts
    fragments: list[Fragment] = field(default_factory=list)
    rules: Rules = field(default_factory=Rules)
    height: float = 0.0  # of the frame in which most of its text reads level
    failed: bool = False
    picture: bool = False  # no characters but an image, or a drawing within the drawing
    mended: bool = False  # letters decoded once more than the file says: no other reader agrees
    unmapped: bool = False  # glyphs whose letters nobody can tell


def read_pages(document: pypdfium2.PdfDocument) -> Iterator[PageContent]:
    sight = Sight()
    with Fields(document) as fields:
        for index in range(len(document)):
            try:
                page = document[index]
            except pypdfium2.PdfiumError:
                yield PageContent(PageFacts(index + 1, "", 0.0, 0.0, 0), failed=True)
                continue
            try:
                content = _read_page(document, page, index, sight, fields)
            except pypdfium2.PdfiumError:
                content = PageContent(PageFacts(index + 1, "", 0.0, 0.0, 0), failed=True)
            finally:
                page.close()
            yield content


def _read_page(document, page, index: int, sight: Sight, fields: Fields) -> PageContent:
    number, label = index + 1, document.get_page_label(index) or ""
    shown = _shown(page)
    try:
        text_page = page.get_textpage()
    except pypdfium2.PdfiumError:
        return PageContent(PageFacts(number, label, *page.get_size(), 0), failed=True)
    found: list[Fragment] = []
    solid, unmapped, mended = 0, False, False
    objects = pdfium.page_objects(pdfium.handle(page), _MOST_OBJECTS)
    try:
        count = max(text_page.count_chars(), 0)
        if count:
            glyphs = read_glyphs(pdfium.handle(text_page), count, shown)
            solid = int(glyphs.solid.sum())
            unmapped = not glyphs.mended and _is_unmapped(pdfium.handle(text_page), glyphs)
            mended = glyphs.mended
            hidden = sight.hidden(page, objects, glyphs, shown)
            found = fragments(glyphs, number, hidden, REASONS)
    finally:
        text_page.close()
    filled = as_fragments(fields.on(page, index), number, max(count, 0), shown)
    content = PageContent(PageFacts(number, label, *page.get_size(), solid + sum(len(f.text) for f in filled)))
    _mark_pictured(found, objects, shown)
    content.fragments = found + filled
    content.height = _height(content.fragments, shown)
    content.unmapped, content.mended = unmapped, mended
    if solid:
        content.rules = read_rules(objects, shown)
    else:
        kinds = {kind for _, kind in objects}
        content.picture = _IMAGE_OBJECT in kinds or _FORM_OBJECT in kinds
        content.unmapped |= _TEXT_OBJECT in kinds and not count
    return content


def _mark_pictured(found: list[Fragment], objects: list[tuple[int, int]], shown: Box) -> None:
    """What stands in a picture or a drawing that takes up a part of the page, not all of it."""
    left, bottom, right, top = shown
    whole = max((right - left) * (top - bottom), 1.0)
    for obj, kind in objects:
        bounds = pdfium.object_bounds(obj) if kind in (_IMAGE_OBJECT, _FORM_OBJECT) else None
        if not bounds or not 0.01 < (bounds[2] - bounds[0]) * (bounds[3] - bounds[1]) / whole < 0.6:
            continue
        x0, y0, x1, y1 = bounds[0] - left, top - bounds[3], bounds[2] - left, top - bounds[1]
        within = [f for f in found if f.turn == 0 and x0 < (f.x0 + f.x1) / 2 < x1 and y0 < f.base < y1]
        if all(len(fragment.text) <= _LONGEST_LABEL for fragment in within):  # else it is a background
            for fragment in within:
                fragment.pictured = True


def _shown(page: pypdfium2.PdfPage) -> Box:
    """The visible part of the page: what is cropped away is not shown, what lies off the sheet neither."""
    left, bottom, right, top = page.get_bbox()
    return min(left, right), min(bottom, top), max(left, right), max(bottom, top)


def _height(found: list[Fragment], shown: tuple[float, float, float, float]) -> float:
    turns = Counter(fragment.turn for fragment in found)
    sideways = turns.most_common(1)[0][0] in (90, 270) if turns else False
    return shown[2] - shown[0] if sideways else shown[3] - shown[1]


def _is_unmapped(text_page: int, glyphs: Glyphs) -> bool:
    """Most of what is printed has no letters behind it: private codes, replacement marks, control characters."""
    codes = codepoints(glyphs.text)
    drawn = glyphs.owner != 0
    lost = (codes == 0xFFFD) | ((codes >= 0xE000) & (codes < 0xF900)) | (codes >= 0xF0000)
    lost |= (codes < 32) & ~np.isin(codes, (2, 9, 10, 13))
    total = int((drawn & (glyphs.solid | lost)).sum())
    if not total:
        return False
    if int((drawn & lost).sum()) > 0.3 * total:
        return True
    sample = np.flatnonzero(glyphs.solid & drawn)
    sample = sample[:: max(len(sample) // _SAMPLE, 1)].tolist()
    return pdfium.map_errors(text_page, sample) > 0.3 * len(sample) > 0
