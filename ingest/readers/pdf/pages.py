"""Read the content of one page after the other from PDFium, so that no page stays open when the next is read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from itertools import groupby
from operator import attrgetter

import numpy as np
import pypdfium2

from highlighter.pages import pdfium
from highlighter.pages.annotation_text import FieldLine, FormFields
from highlighter.pages.drawn_checkboxes import MAX_PAGE_OBJECTS, read_drawn_checkboxes
from ingest.readers.extracted_document import HiddenText, PageInfo
from ingest.readers.pdf.accents import compose_accents
from ingest.readers.pdf.character_order import order_characters
from ingest.readers.pdf.drop_caps import place_drop_caps
from ingest.readers.pdf.fragments import Fragment, build_fragments
from ingest.readers.pdf.glyphs import Glyphs, read_glyphs, to_codepoints
from ingest.readers.pdf.hidden_text import REASONS, Box, HiddenTextDetector
from ingest.readers.pdf.marked_content import MarkedContent, read_marked_content
from ingest.readers.pdf.overprints import find_overprinted
from ingest.readers.pdf.ruby import find_readings
from ingest.readers.pdf.ruling_lines import RulingLines, read_ruling_lines
from ingest.readers.pdf.stacked_formulas import align_stacked_formulas
from ingest.readers.pdf.stamped_scans import has_only_stamps, has_scanner_text
from ingest.readers.pdf.structure_tree import PageStructure, is_tagged, number_blocks, read_structure
from ingest.readers.pdf.text_styles import SLANTED
from ingest.readers.pdf.turned_text import measure_frame_height, order_turned_text

_TEXT_OBJECT, _PATH_OBJECT, _IMAGE_OBJECT, _FORM_OBJECT = 1, 2, 3, 5
_MIN_DRAWING_PATHS = 30  # fewer are a frame or a few rules
_MAX_LABEL_CHARACTERS = 45  # of a line in a drawing
_IS_LOST = np.zeros(0x110000, bool)  # by code point: private codes, replacement or control characters
_IS_LOST[[0xFFFD, *(code for code in range(32) if code not in (2, 9, 10, 13))]] = True
_IS_LOST[0xE000:0xF900] = _IS_LOST[0xF0000:] = True
_MIN_SHARE_IN_FORMS = 0.8  # of the text of a page that is drawn in form objects
_FORM_SAMPLE_STEP = 16  # every so many characters are looked at for it
_SAMPLE_CHARACTERS = 300  # of a page, checked for whether their font maps them to letters


@dataclass(slots=True)
class PageContent:
    """The content of a page: its visible fragments, its hidden text, its ruling lines, and what is wrong with it."""

    info: PageInfo
    fragments: list[Fragment] = field(default_factory=list)
    hidden_texts: list[HiddenText] = field(default_factory=list)
    hidden_characters: int = 0
    ruling_lines: RulingLines = field(default_factory=RulingLines)
    height: float = 0.0  # in the frame in which most of its text is horizontal
    structure: PageStructure | None = None  # of a tagged document
    tagged_fragments: list[Fragment] = field(default_factory=list)  # each within one block of the structure
    has_failed: bool = False
    is_picture: bool = False  # no characters but an image or a form object
    is_stamped_scan: bool = False  # a picture as large as the page, and a few letters in its margin
    has_scanner_text: bool = False  # a picture as large as the page, and the words that a scanner recognised in it
    is_drawing: bool = False  # no characters but many lines, which may be those of letters
    has_unordered_text: bool = False  # turned text whose pieces are at many angles, as on a curve
    was_redecoded: bool = False  # decoded once more than the file says: another reader would disagree
    is_unmapped: bool = False  # its glyphs are not mapped to letters

    @property
    def found_characters(self) -> int:
        """Return how many characters the file has on the page, visible or not."""
        return self.info.characters + self.hidden_characters


def read_pages(document: pypdfium2.PdfDocument, recognised: Collection[int] = ()) -> Iterator[PageContent]:
    """Yield the content of each page; the words of `recognised` pages were written over their pictures."""
    detector = HiddenTextDetector(recognised)
    with FormFields(document) as fields:
        for index in range(len(document)):
            try:
                page = document[index]
            except pypdfium2.PdfiumError:
                yield PageContent(PageInfo(index + 1, "", 0.0, 0.0, 0), has_failed=True)
                continue
            try:
                content = _read_page(document, page, index, detector, fields)
            except pypdfium2.PdfiumError:
                content = PageContent(PageInfo(index + 1, "", 0.0, 0.0, 0), has_failed=True)
            finally:
                page.close()
            yield content


def _read_page(
    document: pypdfium2.PdfDocument,
    page: pypdfium2.PdfPage,
    index: int,
    detector: HiddenTextDetector,
    fields: FormFields,
) -> PageContent:
    shown = _visible_box(page)
    width, height = page.get_size()
    info = PageInfo(index + 1, document.get_page_label(index) or "", width, height, 0)
    try:
        text_page = page.get_textpage()
    except pypdfium2.PdfiumError:
        return PageContent(info, has_failed=True)
    content = PageContent(info, structure=read_structure(page) if is_tagged(document) else None)
    objects = pdfium.list_page_objects(pdfium.get_handle(page), MAX_PAGE_OBJECTS)
    solid_count = 0
    field_lines = fields.read_lines(page, index)
    try:
        count = max(text_page.count_chars(), 0)
        if count:
            glyphs = read_glyphs(pdfium.get_handle(text_page), count, shown)
            _read_text(content, page, text_page, glyphs, objects, shown, detector)
            solid_count = int(glyphs.solid.sum()) - content.hidden_characters
            field_lines += read_drawn_checkboxes(page, text_page, objects, field_lines)
    finally:
        text_page.close()
    _mark_in_pictures(content.fragments, objects, shown)
    field_fragments = make_field_fragments(field_lines, info.number, count, shown)
    content.fragments += field_fragments
    content.info = replace(info, characters=solid_count + sum(len(fragment.text) for fragment in field_fragments))
    content.height = _reading_height(content.fragments, shown)
    if not solid_count and not content.has_scanner_text:
        kinds = {kind for _, kind in objects}
        content.is_picture = _IMAGE_OBJECT in kinds or _FORM_OBJECT in kinds
        content.is_drawing = sum(kind == _PATH_OBJECT for _, kind in objects) >= _MIN_DRAWING_PATHS
        content.is_unmapped |= _TEXT_OBJECT in kinds and not count
    return content


def _read_text(
    content: PageContent,
    page: pypdfium2.PdfPage,
    text_page: pypdfium2.PdfTextPage,
    glyphs: Glyphs,
    objects: list[tuple[int, int]],
    shown: Box,
    detector: HiddenTextDetector,
) -> None:
    """Set the fragments of a page's visible text, those in the blocks of its structure, and what else its characters tell."""
    number, text_handle = content.info.number, pdfium.get_handle(text_page)
    marked = read_marked_content(objects)
    if glyphs.solid.any():
        content.ruling_lines = read_ruling_lines(objects, shown, in_forms=_is_in_forms(glyphs, marked))
    content.is_unmapped = not glyphs.was_redecoded and _is_unmapped(text_handle, glyphs)
    content.was_redecoded = glyphs.was_redecoded
    content.is_stamped_scan = has_only_stamps(page, text_page, objects, shown)
    content.has_scanner_text = has_scanner_text(glyphs, objects, shown)
    glyphs.omitted |= find_overprinted(glyphs) | find_readings(glyphs)
    compose_accents(glyphs)
    glyphs = order_characters(glyphs, text_handle, marked, shown)
    hidden = detector.find_hidden(page, number, objects, marked.layered, glyphs, shown)
    content.hidden_characters = int(glyphs.solid[hidden != 0].sum())
    glyphs, hidden = place_drop_caps(*order_turned_text(glyphs, hidden, text_handle, shown))
    fragments = build_fragments(glyphs, number, hidden, REASONS, content.ruling_lines)
    content.fragments, content.hidden_texts = _split_hidden(fragments)
    content.has_unordered_text = any(fragment.turn == SLANTED for fragment in content.fragments)
    align_stacked_formulas(content.fragments, content.ruling_lines)
    if content.structure and content.structure.blocks:
        numbered = number_blocks(glyphs, content.structure, marked)
        fragments = build_fragments(numbered, number, hidden, REASONS, content.ruling_lines)
        content.tagged_fragments, _ = _split_hidden(fragments)
        align_stacked_formulas(content.tagged_fragments, content.ruling_lines)


def _is_in_forms(glyphs: Glyphs, marked: MarkedContent) -> bool:
    """Return whether nearly all text of a page is in form objects: what places several pages on one draws them so."""
    if len(marked.forms) <= _MIN_SHARE_IN_FORMS * len(marked.order):
        return False
    owners = glyphs.owner[glyphs.solid][::_FORM_SAMPLE_STEP].tolist()
    return sum(owner in marked.forms for owner in owners) > _MIN_SHARE_IN_FORMS * len(owners)


def _split_hidden(fragments: list[Fragment]) -> tuple[list[Fragment], list[HiddenText]]:
    """Return the visible fragments, and the texts of the others: those hidden for the same reason are one text."""
    visible = [fragment for fragment in fragments if not fragment.hidden_reason]
    hidden = [fragment for fragment in fragments if fragment.hidden_reason]
    return visible, [
        HiddenText(" ".join(fragment.text for fragment in group), reason, hidden[0].page)
        for reason, group in groupby(hidden, key=attrgetter("hidden_reason"))
    ]


def _mark_in_pictures(fragments: list[Fragment], objects: list[tuple[int, int]], shown: Box) -> None:
    """Mark the fragments in a picture or drawing that covers a part of the page, but not all of it."""
    left, bottom, right, top = shown
    page_area = max((right - left) * (top - bottom), 1.0)
    for obj in [obj for obj, kind in objects if kind in (_IMAGE_OBJECT, _FORM_OBJECT)]:
        bounds = pdfium.read_object_bounds(obj)
        if not bounds or not 0.01 < (bounds[2] - bounds[0]) * (bounds[3] - bounds[1]) / page_area < 0.6:
            continue
        x0, y0, x1, y1 = bounds[0] - left, top - bounds[3], bounds[2] - left, top - bounds[1]
        inside = [f for f in fragments if f.turn == 0 and x0 < (f.x0 + f.x1) / 2 < x1 and y0 < f.base < y1]
        if all(len(fragment.text) <= _MAX_LABEL_CHARACTERS for fragment in inside):  # else it is a background
            for fragment in inside:
                fragment.is_in_picture = True


def _visible_box(page: pypdfium2.PdfPage) -> Box:
    """Return the part of the page that is shown: neither cropped away nor off the sheet."""
    left, bottom, right, top = page.get_bbox()
    return min(left, right), min(bottom, top), max(left, right), max(bottom, top)


def _reading_height(fragments: list[Fragment], shown: Box) -> float:
    turns = Counter(fragment.turn for fragment in fragments)
    turn = turns.most_common(1)[0][0] if turns else 0
    return measure_frame_height(turn, shown[2] - shown[0], shown[3] - shown[1])


def _is_unmapped(text_page: int, glyphs: Glyphs) -> bool:
    """Return whether most of the drawn characters have no letters: private codes, replacement or control characters."""
    is_drawn = glyphs.owner != 0
    is_lost = _IS_LOST[to_codepoints(glyphs.text)] & is_drawn
    total = np.count_nonzero(is_drawn & glyphs.solid | is_lost)
    if np.count_nonzero(is_lost) > 0.3 * total:
        return True
    sample = np.flatnonzero(glyphs.solid & is_drawn)
    sample = sample[:: max(len(sample) // _SAMPLE_CHARACTERS, 1)].tolist()
    return pdfium.count_map_errors(text_page, sample) > 0.3 * len(sample) > 0


# Text filled into form fields, as fragments.


def make_field_fragments(lines: list[FieldLine], number: int, first: int, shown: Box) -> list[Fragment]:
    """Return the fragments of form fields; `first` is the raw index after the last character of the page itself."""
    fragments = []
    for line in lines:
        fragments.append(_make_field_fragment(line, number, first, shown))
        first += len(line.text)
    return fragments


def _make_field_fragment(line: FieldLine, number: int, first: int, shown: Box) -> Fragment:
    left, _, _, top = shown
    x0, middle, size = line.x0 - left, top - (line.y0 + line.y1) / 2, line.size
    return Fragment(
        page=number,
        text=line.text,
        pieces=((0, len(line.text), first, len(line.text)),),
        x0=x0,
        y0=middle - size / 2,
        x1=min(line.x1 - left, x0 + 0.55 * size * len(line.text)),
        y1=middle + size / 2,
        base=middle + 0.25 * size,
        size=0.8 * size,
        bold=False,
        italic=False,
        turn=0,
    )
