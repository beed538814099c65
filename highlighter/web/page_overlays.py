"""A document's pages with what is lit on them: what the page template loops over. Boxes are in points, as shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from highlighter.errors import AlteredContent, UnrenderablePage
from highlighter.models import Chunk, Document, Rectangle
from highlighter.pages.display_coordinates import DisplayBox, to_display_box
from highlighter.pages.document_pages import DocumentPages
from highlighter.pages.pdf_highlights import FIND_STRENGTH, PdfHighlight
from highlighter.web.highlighted_text import STRENGTH_STRONG, FindMark, FindSpan, HighlightMark, HighlightSpan

_DEFAULT_PAGE_SIZE_POINTS = 595.0, 842.0  # of a page that could not be opened
_PRELOADED_PAGES_AROUND = 1  # pages before and after those lit that are drawn without script, too


@dataclass(frozen=True, slots=True)
class OverlayBox:
    shown: DisplayBox
    under: tuple[float, float, float, float]  # the line below its text, as a reader sees it: x1, y1, x2, y2
    dark: bool  # the paper there is, and its letters light


@dataclass(frozen=True, slots=True)
class PageOverlay:
    """What of one lit sentence, or of one find, stands on one page."""

    mark: HighlightMark | FindMark
    first: bool
    boxes: tuple[OverlayBox, ...]


@dataclass(frozen=True, slots=True)
class OverlaidPage:
    number: int
    label: str  # as printed on it, where that differs
    width: float
    height: float
    near: bool
    lit: tuple[PageOverlay, ...] = ()
    hits: tuple[PageOverlay, ...] = ()


@dataclass(frozen=True, slots=True)
class OverlaidPages:
    leaves: tuple[OverlaidPage, ...]
    opening_page: int  # where a reader begins; 0 where there is a highlight or a find to begin at
    placeless: tuple[HighlightMark | FindMark, ...] = ()  # lit, but standing nowhere on paper
    problem: str = ""


@dataclass(slots=True)
class _PlacedOverlays:
    overlays_by_page: dict[int, list[PageOverlay]] = field(default_factory=dict)  # by page
    first_pages: dict[int, int] = field(default_factory=dict)  # the page, by the number of what is drawn
    unplaced_marks: list[HighlightMark | FindMark] = field(default_factory=list)
    problem: str = ""


def build_overlaid_pages(
    document: Document,
    page_facts: Sequence[Sequence],
    chunk: Chunk,
    highlights: Sequence[HighlightSpan],
    paper: DocumentPages,
    page: int,
    finds: Sequence[FindSpan] = (),
    opening_page: int = 0,
) -> OverlaidPages:
    """Return the pages of a document with what is highlighted and found on them.

    `facts` are (label, width, height, ...) of each page. `page` is the one that was asked for, or 0; `opening_page` is
    where the page view opens when neither a highlight nor the current find can be drawn on any page.
    """
    read = replace(document, pipeline=chunk.pipeline)
    drawn, found = _place_overlays(read, highlights, paper), _place_overlays(read, finds, paper)
    first, last = (page, page) if page else (chunk.first_page, chunk.last_page)
    near = set(range(first - _PRELOADED_PAGES_AROUND, last + _PRELOADED_PAGES_AROUND + 1)) | set(
        drawn.first_pages.values()
    )
    shown = {found.first_pages[hit.number] for _, _, hit in finds if hit.current and hit.number in found.first_pages}
    near |= shown
    made = tuple(
        OverlaidPage(
            number, _differing_page_label(document, number), *_usable_page_size(width, height), number in near,
            tuple(drawn.overlays_by_page.get(number, ())), tuple(found.overlays_by_page.get(number, ())),
        )
        for number, (_, width, height, *_) in enumerate(page_facts, 1)
    )  # fmt: skip
    missed = [hit for hit in found.unplaced_marks if hit.current]  # of the others nobody asks
    opening_page = 0 if drawn.first_pages or shown else page or opening_page or chunk.first_page
    return OverlaidPages(made, opening_page, (*drawn.unplaced_marks, *missed), drawn.problem or found.problem)


def _place_overlays(
    document: Document, spans: Sequence[HighlightSpan | FindSpan], paper: DocumentPages
) -> _PlacedOverlays:
    made = _PlacedOverlays()
    for start, end, mark in spans:
        try:
            places = paper.find_rectangles(document, start, end)
        except (AlteredContent, UnrenderablePage) as err:
            places, made.problem = [], err.detail
        if not places:
            made.unplaced_marks.append(mark)
            continue
        made.first_pages[mark.number] = places[0].page
        letters = paper.read_characters(document, _list_page_numbers(places))
        for number in _list_page_numbers(places):
            boxes = tuple(
                _make_overlay_box(one, to_display_box(one, letters[number])) for one in places if one.page == number
            )
            made.overlays_by_page.setdefault(number, []).append(PageOverlay(mark, number == places[0].page, boxes))
    return made


def build_highlight_annotations(
    document: Document,
    chunk: Chunk,
    highlights: Sequence[HighlightSpan],
    question: str,
    paper: DocumentPages,
    skipped_pages: int = 0,
) -> list[PdfHighlight]:
    """The same as highlights for a PDF whose first `skipped` pages are left out."""
    read = replace(document, pipeline=chunk.pipeline)
    found: list[PdfHighlight] = []
    for start, end, mark in highlights:
        said = f"Highlighted for: {question}\nScore {mark.score:.2f}, similarity {mark.similarity:.2f}"
        found += _build_annotations(
            read, start, end, mark.strength, said, str(mark.sentence_index), paper, skipped_pages
        )
    return found


def build_span_annotations(
    document: Document, start: int, end: int, is_find: bool, paper: DocumentPages, skipped_pages: int = 0
) -> list[PdfHighlight]:
    """A quoted span, or a find, as a highlight for a PDF: one for each of its pages."""
    said, strength = ("Found here", FIND_STRENGTH) if is_find else ("Quoted from here", STRENGTH_STRONG)
    return _build_annotations(document, start, end, strength, said, f"{start}-{end}", paper, skipped_pages)


def _build_annotations(
    document: Document,
    start: int,
    end: int,
    strength: int,
    contents: str,
    name: str,
    paper: DocumentPages,
    skipped_pages: int = 0,
) -> list[PdfHighlight]:
    places = paper.find_rectangles(document, start, end)
    found = []
    for number in _list_page_numbers(places):
        letters = paper.read_page_characters(document, number)
        boxes = tuple(place for place in places if place.page == number)
        origin = (letters.left, letters.bottom)
        tag = f"{document.id}-{document.pipeline}-{name}-{number}"
        found.append(PdfHighlight(number - skipped_pages, boxes, origin, strength, contents, tag))
    return found


def _list_page_numbers(places: Sequence[Rectangle]) -> list[int]:
    return list(dict.fromkeys(place.page for place in places))


def _make_overlay_box(place: Rectangle, shown: DisplayBox) -> OverlayBox:
    x, y, width, height, turn = shown
    match turn:
        case 90:
            under = x + width, y, x + width, y + height
        case 180:
            under = x, y, x + width, y
        case 270:
            under = x, y, x, y + height
        case _:
            under = x, y + height, x + width, y + height
    return OverlayBox(shown, tuple(round(value, 2) for value in under), place.dark)


def _usable_page_size(width: float, height: float) -> tuple[float, float]:
    return (width, height) if width > 0 and height > 0 else _DEFAULT_PAGE_SIZE_POINTS


def _differing_page_label(document: Document, number: int) -> str:
    label = document.labels[number - 1] if len(document.labels) >= number else ""
    return label if label != str(number) else ""
