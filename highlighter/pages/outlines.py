"""The outlines of what a highlighted span is part of: its rows of a table with the header row, and the figure of a caption."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from highlighter.models import Document, Rectangle
from highlighter.pages.captioned_figures import assign_figures
from highlighter.pages.document_pages import DocumentPages
from highlighter.pages.page_characters import PageCharacters

_MAX_OUTLINED_ROWS = 50  # a longer quote is not outlined: it shows by itself where it is
_PADDING_POINTS = 1.5  # between the words of a row and its outline
_ENCLOSING_PASSES = 2  # a word in the middle of two rows is enclosed, and then those of the other row


def find_outlines(pages: DocumentPages, document: Document, start: int, end: int) -> list[Rectangle]:
    """Return the outlines around the rows of tables that a span overlaps, their header rows, and the figures it names."""
    structure = pages.load_structure(document)
    outlines: list[Rectangle] = []
    for rows in structure.tables.find_rows(start, end):
        if len(rows.spans) > _MAX_OUTLINED_ROWS:
            continue
        tall = _find_rectangles(pages, document, rows.tall_cells)
        of_rows = _leave_out_cells_below(_find_rectangles(pages, document, rows.spans), tall)
        headers = _find_rectangles(pages, document, rows.header_spans)
        repeated = _find_rectangles(pages, document, rows.repeated_header_spans)
        on_pages = {rectangle.page for rectangle in of_rows}
        near = [rectangle for rectangle in (*headers, *repeated) if rectangle.page in on_pages]
        outlines += (*_enclose_by_page(of_rows), *_enclose_by_page(near or headers))
    characters = pages.read_characters(document, dict.fromkeys(outline.page for outline in outlines))
    for _ in range(_ENCLOSING_PASSES):
        outlines = [_avoid_words(outline, characters[outline.page]) for outline in outlines]
    return outlines + find_figures(pages, document, start, end)


def find_figures(pages: DocumentPages, document: Document, start: int, end: int) -> list[Rectangle]:
    """Return the boxes of the figures whose captions a span overlaps, as far as their pages show them."""
    captions = pages.load_structure(document).list_captions(start, end)
    return [figure for caption in captions if (figure := find_figure(pages, document, caption))]


def find_figure(pages: DocumentPages, document: Document, caption: tuple[int, int]) -> Rectangle | None:
    """Return the box of the figure that a caption belongs to; None where the page shows none near it."""
    page = pages.page_at(document, caption[0])
    boxes = pages.read_figure_boxes(document, page)
    if not boxes.pictures and not boxes.drawings:
        return None
    on_page = {
        start: box
        for start, end in pages.load_structure(document).figure_captions
        if pages.page_at(document, start) == page
        for box in _enclose_by_page(pages.find_rectangles(document, start, end), padding=0)
        if box.page == page
    }
    figure = assign_figures(on_page, boxes).get(caption[0])
    return Rectangle(page, *figure, dark=on_page[caption[0]].dark) if figure else None


def _find_rectangles(pages: DocumentPages, document: Document, spans: Iterable[tuple[int, int]]) -> list[Rectangle]:
    return [rectangle for span in spans for rectangle in pages.find_rectangles(document, *span)]


def _leave_out_cells_below(of_rows: list[Rectangle], tall: list[Rectangle]) -> list[Rectangle]:
    """Return the rectangles of rows without those of cells that also span rows below them, where these stand lower."""
    others = [rectangle for rectangle in of_rows if rectangle not in tall]
    return [
        rectangle
        for rectangle in of_rows
        if not others or rectangle not in tall or any(_is_level(rectangle, other) for other in others)
    ]


def _is_level(rectangle: Rectangle, other: Rectangle) -> bool:
    """Return whether the middle of a rectangle is at the height of another one with text in the same direction."""
    if (rectangle.page, rectangle.turn) != (other.page, other.turn):
        return False
    if rectangle.turn in (90, 270):
        return other.x0 < (rectangle.x0 + rectangle.x1) / 2 < other.x1
    return other.y0 < (rectangle.y0 + rectangle.y1) / 2 < other.y1


def _avoid_words(outline: Rectangle, characters: PageCharacters | None) -> Rectangle:
    """Return an outline that encloses the words which its lower and upper lines would strike through.

    A header that spans columns, above the names of the columns, may be no cell of the row.
    """
    if characters is None or not len(characters.box):
        return outline
    x0, y0, x1, y1 = characters.box.T
    middle, quarter = (x0 + x1) / 2, (y1 - y0) / 4
    is_across = (middle > outline.x0) & (middle < outline.x1) & (x1 > x0)
    edges = []
    for edge in (outline.y0, outline.y1):
        struck = is_across & (y0 + quarter < edge) & (edge < y1 - quarter)
        edges.append((y0[struck], y1[struck]))
    bottom = min([outline.y0, *(edges[0][0] - _PADDING_POINTS).tolist()])
    top = max([outline.y1, *(edges[1][1] + _PADDING_POINTS).tolist()])
    return replace(outline, y0=round(bottom, 2), y1=round(top, 2))


def _enclose_by_page(rectangles: Iterable[Rectangle], padding: float = _PADDING_POINTS) -> Iterator[Rectangle]:
    """Yield the box around the rectangles of each page."""
    by_page: dict[int, list[Rectangle]] = {}
    for rectangle in rectangles:
        by_page.setdefault(rectangle.page, []).append(rectangle)
    for group in by_page.values():
        yield replace(
            group[0],
            x0=round(min(one.x0 for one in group) - padding, 2),
            y0=round(min(one.y0 for one in group) - padding, 2),
            x1=round(max(one.x1 for one in group) + padding, 2),
            y1=round(max(one.y1 for one in group) + padding, 2),
        )
