"""The cells of tables that a span overlaps, with the rectangles of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from highlighter.models import Document, Rectangle, TableCell
from highlighter.pages.document_pages import DocumentPages

MAX_LOCATED_CELLS = 2_000  # some pages of a table: readers ask for rows


@dataclass(frozen=True, slots=True)
class LocatedCell:
    """A cell of a table with its rectangles on pages."""

    cell: TableCell
    rectangles: tuple[Rectangle, ...]
    is_in_span: bool  # else it heads a cell that the span overlaps


def locate_cells(pages: DocumentPages, document: Document, start: int, end: int) -> list[LocatedCell]:
    """Return the cells with text that a span overlaps and the cells that head them, each once, in reading order.

    Of a span with more than `MAX_LOCATED_CELLS`, the first ones.
    """
    tables = pages.load_structure(document).tables
    in_span: dict[int, TableCell] = {}
    headers: dict[int, TableCell] = {}
    positions = (
        position
        for table in tables.tables
        for position in tables.find_positions(max(start, table.start), min(end, table.end))
    )
    for position in islice(positions, MAX_LOCATED_CELLS):
        in_span[position.cell.start] = position.cell
        headers |= {header.start: header for header in (*position.column_headers, *position.row_headers)}
    cells = [cell for _, cell in sorted((headers | in_span).items())]
    rectangles = pages.find_cell_rectangles(document, [(cell.start, cell.end) for cell in cells])
    return [
        LocatedCell(cell, tuple(boxes), cell.start in in_span) for cell, boxes in zip(cells, rectangles, strict=True)
    ]


def list_pages(rectangles: Sequence[Rectangle], cells: Sequence[LocatedCell]) -> list[int]:
    """Return the pages of rectangles and cells, each once."""
    return list(dict.fromkeys(one.page for one in (*rectangles, *(box for cell in cells for box in cell.rectangles))))
