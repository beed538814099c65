"""The pages of a document with their highlights, for the page template. Boxes are in points of the page as shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from highlighter.errors import AlteredContent, UnrenderablePage
from highlighter.evidence.strength import STRONG
from highlighter.models import Chunk, Document, Rectangle
from highlighter.pages.display_coordinates import DisplayBox, to_display_box
from highlighter.pages.document_pages import DocumentPages
from highlighter.pages.outlines import find_outlines
from highlighter.pages.pdf_highlights import FIND_STRENGTH, PdfHighlight
from highlighter.web.highlighted_text import (
    DoubtfulMark,
    DoubtfulSpan,
    FindMark,
    FindSpan,
    HighlightMark,
    HighlightSpan,
    InstructionMark,
    InstructionSpan,
)

_DEFAULT_PAGE_SIZE_POINTS = 595.0, 842.0  # for a page that could not be opened
_PRELOADED_PAGES_AROUND = 1  # pages before and after the highlighted ones that are shown without a script
# Pages before and after the preloaded ones that are in the HTML, without their images; a script adds the others.
_INCLUDED_PAGES_AROUND = 10


@dataclass(frozen=True, slots=True)
class OverlayBox:
    """A rectangle on a page, where a part of a highlight is drawn."""

    rectangle: DisplayBox
    underline: tuple[float, float, float, float]  # the line below the text, as a reader sees it: x1, y1, x2, y2
    is_on_dark_paper: bool  # light letters on a dark background


AnyMark = HighlightMark | FindMark | InstructionMark | DoubtfulMark


@dataclass(frozen=True, slots=True)
class PageOverlay:
    """The boxes of one highlight, find or instruction on one page."""

    mark: AnyMark
    is_first: bool  # the first page of the mark
    boxes: tuple[OverlayBox, ...]
    outlines: tuple[OverlayBox, ...] = ()  # around its row of a table and the header row, or its figure


@dataclass(frozen=True, slots=True)
class OverlaidPage:
    """A page with its highlights, finds, instructions to software and words that may be misread."""

    number: int
    label: str  # as printed on the page, where that differs from the number
    width: float
    height: float
    is_preloaded: bool  # shown without a script
    highlights: tuple[PageOverlay, ...] = ()
    finds: tuple[PageOverlay, ...] = ()
    instructions: tuple[PageOverlay, ...] = ()
    doubtful: tuple[PageOverlay, ...] = ()


@dataclass(frozen=True, slots=True)
class OverlaidPages:
    """The pages of a document with their highlights and finds, as far as they are near what is shown first."""

    pages: tuple[OverlaidPage, ...]
    page_sizes: tuple[tuple[float, float], ...]  # (width, height) of every page of the document
    opening_page: int  # where the view opens; 0 where it opens at a highlight or a find
    unplaced_marks: tuple[AnyMark, ...] = ()  # highlighted, but on no page
    problem: str = ""

    def sum_ratios(self, first: int, last: int) -> float:
        """Return the height of a run of pages, in widths of a page."""
        return sum(height / width for width, height in self.page_sizes[first - 1 : last])


@dataclass(frozen=True, slots=True)
class OverlayRequest:
    """A document's pages, and what is to be drawn on them for one chunk."""

    document: Document
    chunk: Chunk
    page_facts: Sequence[Sequence[Any]]  # (label, width, height, ...) of each page
    highlights: Sequence[HighlightSpan]
    finds: Sequence[FindSpan] = ()
    instructions: Sequence[InstructionSpan] = ()
    doubtful: Sequence[DoubtfulSpan] = ()
    requested_page: int = 0  # the page that the reader asked for; 0 for none
    opening_page: int = 0  # opened when neither a highlight nor the current find can be drawn on any page


@dataclass(slots=True)
class _PlacedOverlays:
    overlays_by_page: dict[int, list[PageOverlay]] = field(default_factory=dict)
    first_pages: dict[int, int] = field(default_factory=dict)  # by the number of the mark
    unplaced_marks: list[AnyMark] = field(default_factory=list)
    problem: str = ""


def build_overlaid_pages(renderer: DocumentPages, request: OverlayRequest) -> OverlaidPages:
    """Return the pages of a document with what is highlighted and found on them."""
    document = replace(request.document, pipeline=request.chunk.pipeline)
    highlights = _place_overlays(document, request.highlights, renderer)
    finds = _place_overlays(document, request.finds, renderer)
    instructions = _place_overlays(document, request.instructions, renderer)
    doubtful = _place_overlays(document, request.doubtful, renderer)
    current_marks = [mark for _, _, mark in request.finds if mark.is_current]
    current_pages = {finds.first_pages[mark.number] for mark in current_marks if mark.number in finds.first_pages}
    preloaded = _list_surrounding_pages(request) | set(highlights.first_pages.values()) | current_pages
    overlaid: set[int] = set().union(
        *(placed.overlays_by_page for placed in (highlights, finds, instructions, doubtful))
    )
    sizes = tuple(_usable_page_size(width, height) for _, width, height, *_ in request.page_facts)
    pages = tuple(
        OverlaidPage(
            number,
            get_differing_page_label(document, number),
            *sizes[number - 1],
            number in preloaded,
            tuple(highlights.overlays_by_page.get(number, ())),
            tuple(finds.overlays_by_page.get(number, ())),
            tuple(instructions.overlays_by_page.get(number, ())),
            tuple(doubtful.overlays_by_page.get(number, ())),
        )
        for number in sorted(_widen(preloaded, len(sizes)) | overlaid)
    )
    has_target = bool(highlights.first_pages or current_pages)
    opening_page = 0 if has_target else request.requested_page or request.opening_page or request.chunk.first_page
    unplaced_finds = [mark for mark in finds.unplaced_marks if mark in current_marks]  # the others are not reported
    return OverlaidPages(
        pages, sizes, opening_page, (*highlights.unplaced_marks, *unplaced_finds), highlights.problem or finds.problem
    )


def _list_surrounding_pages(request: OverlayRequest) -> set[int]:
    """Return the numbers of the requested page, or of the chunk's pages, and of those around them."""
    chunk, page = request.chunk, request.requested_page
    first, last = (page, page) if page else (chunk.first_page, chunk.last_page)
    return set(range(first - _PRELOADED_PAGES_AROUND, last + _PRELOADED_PAGES_AROUND + 1))


def _widen(preloaded: set[int], page_count: int) -> set[int]:
    """Return the preloaded pages of a document with those around them."""
    around = range(-_INCLUDED_PAGES_AROUND, _INCLUDED_PAGES_AROUND + 1)
    return {page + by for page in preloaded for by in around if 1 <= page + by <= page_count}


def _place_overlays(
    document: Document,
    spans: Sequence[HighlightSpan | FindSpan | InstructionSpan | DoubtfulSpan],
    renderer: DocumentPages,
) -> _PlacedOverlays:
    placed = _PlacedOverlays()
    for start, end, mark in spans:
        try:
            rectangles = renderer.find_rectangles(document, start, end)
            outlines = find_outlines(renderer, document, start, end) if isinstance(mark, HighlightMark) else []
        except (AlteredContent, UnrenderablePage) as err:
            rectangles, outlines, placed.problem = [], [], err.detail
        if not rectangles:
            placed.unplaced_marks.append(mark)
            continue
        first_page = placed.first_pages[mark.number] = rectangles[0].page
        numbers = _list_page_numbers([*rectangles, *outlines])
        characters = renderer.read_characters(document, numbers)
        for number in numbers:
            boxes, outline_boxes = (
                tuple(
                    _make_overlay_box(rectangle, to_display_box(rectangle, page_characters))
                    for rectangle in group
                    if rectangle.page == number and (page_characters := characters[number])
                )
                for group in (rectangles, outlines)
            )
            overlay = PageOverlay(mark, number == first_page, boxes, outline_boxes)
            placed.overlays_by_page.setdefault(number, []).append(overlay)
    return placed


# Annotations for PDF files. `skipped_pages` counts the pages that the file leaves out at its beginning.


@dataclass(frozen=True, slots=True)
class _SpanAnnotation:
    """A span of a document, and how a PDF annotates it."""

    document: Document
    start: int
    end: int
    strength: int
    contents: str  # the words of the annotation
    name: str


def build_highlight_annotations(
    document: Document,
    chunk: Chunk,
    highlights: Sequence[HighlightSpan],
    question: str,
    renderer: DocumentPages,
    skipped_pages: int = 0,
) -> list[PdfHighlight]:
    """Return the highlights of a chunk as annotations for a PDF."""
    document = replace(document, pipeline=chunk.pipeline)
    annotations: list[PdfHighlight] = []
    for start, end, mark in highlights:
        contents = f"Highlighted for: {question}\nScore {mark.score:.2f}, similarity {mark.similarity:.2f}"
        span = _SpanAnnotation(document, start, end, mark.strength, contents, str(mark.sentence_index))
        annotations += _annotate_span(span, renderer, skipped_pages)
    return annotations


def build_span_annotations(
    document: Document, start: int, end: int, is_find: bool, renderer: DocumentPages, skipped_pages: int = 0
) -> list[PdfHighlight]:
    """Return a quoted span, or a find, as annotations for a PDF: one for each of its pages."""
    contents, strength = ("Found here", FIND_STRENGTH) if is_find else ("Quoted from here", STRONG)
    span = _SpanAnnotation(document, start, end, strength, contents, f"{start}-{end}")
    return _annotate_span(span, renderer, skipped_pages)


def _annotate_span(span: _SpanAnnotation, renderer: DocumentPages, skipped_pages: int) -> list[PdfHighlight]:
    document = span.document
    rectangles = renderer.find_rectangles(document, span.start, span.end)
    outlines = find_outlines(renderer, document, span.start, span.end) if span.strength != FIND_STRENGTH else []
    annotations = []
    for number in _list_page_numbers(rectangles):
        characters = renderer.read_page_characters(document, number)
        boxes, outlines_on_page = (
            tuple(rectangle for rectangle in group if rectangle.page == number) for group in (rectangles, outlines)
        )
        origin = (characters.left, characters.bottom)
        name = f"{document.id}-{document.pipeline}-{span.name}-{number}"
        annotations.append(
            PdfHighlight(
                number - skipped_pages, boxes, origin, span.strength, span.contents, name, outlines=outlines_on_page
            )
        )
    return annotations


def _list_page_numbers(rectangles: Sequence[Rectangle]) -> list[int]:
    """Return the pages of some rectangles, each once, in reading order."""
    return list(dict.fromkeys(rectangle.page for rectangle in rectangles))


def _make_overlay_box(rectangle: Rectangle, shown: DisplayBox) -> OverlayBox:
    x, y, width, height, turn = shown
    left, top, right, bottom = round(x, 2), round(y, 2), round(x + width, 2), round(y + height, 2)
    match turn:
        case 90:
            underline = right, top, right, bottom
        case 180:
            underline = left, top, right, top
        case 270:
            underline = left, top, left, bottom
        case _:
            underline = left, bottom, right, bottom
    return OverlayBox(shown, underline, rectangle.dark)


def _usable_page_size(width: float, height: float) -> tuple[float, float]:
    return (width, height) if width > 0 and height > 0 else _DEFAULT_PAGE_SIZE_POINTS


def get_differing_page_label(document: Document, number: int) -> str:
    """Return what is printed on a page as its number, or "" where that is the page's number."""
    label = document.labels[number - 1] if len(document.labels) >= number else ""
    return label if label != str(number) else ""
