"""The rows of a chunk's tables for a template: cells of segments, headers with their scope, the header of a cut table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from highlighter.models import DocumentTable, TableCell
from highlighter.text.document_tables import DocumentTables

Segment = TypeVar("Segment")
CutSegments = Callable[[int, int], tuple[Segment, ...]]  # of a span of the chunk's text


@dataclass(frozen=True, slots=True)
class ShownCell(Generic[Segment]):
    """A cell of a table on a page."""

    segments: tuple[Segment, ...]
    scope: str = ""  # of a header: "col", "colgroup", "row", "rowgroup"
    rows: int = 1  # that it spans
    columns: int = 1
    is_context: bool = False  # a header of a highlighted cell, without being highlighted itself
    repeated_text: str = ""  # a header above a table that the chunk cuts: its text is not the chunk's


ShownRow = tuple[ShownCell[Segment], ...]


def build_plain_rows(lines: Iterable[Sequence[tuple[Segment, ...]]]) -> tuple[ShownRow[Segment], ...]:
    """Return the rows of a table whose structure is not known; the last cell of a short row fills it."""
    lines = list(lines)
    width = max(map(len, lines))
    return tuple(
        tuple(
            ShownCell(segments, columns=width - number if number == len(line) - 1 else 1)
            for number, segments in enumerate(line)
        )
        for line in lines
    )


def build_table_rows(
    tables: DocumentTables,
    table: DocumentTable,
    span: tuple[int, int],
    cut_segments: CutSegments[Segment],
    highlighted: Sequence[tuple[int, int]],
) -> tuple[ShownRow[Segment], ...]:
    """Return the rows of a table within a span of the chunk, after the header rows that the chunk cuts off."""
    start, end = max(span[0], table.start), min(span[1], table.end)
    context = _find_header_starts(tables, highlighted)
    rows = list(tables.rows(table, start, end))
    is_repeated = rows[0][0].row in table.repeated_headers
    above = [row for row in tables.header_rows(table) if row[0].row < rows[0][0].row and not is_repeated]
    width = max(row[-1].column + row[-1].columns for row in [*above, *rows])

    def show(cell: TableCell, columns: int) -> ShownCell[Segment]:
        is_above = cell.row < rows[0][0].row
        last_row = (above if is_above else rows)[-1][0].row
        cell_start, cell_end = max(cell.start, start), min(cell.end, end)
        return ShownCell(
            cut_segments(cell_start, cell_end) if cell_start < cell_end and not is_above else (),
            _choose_scope(cell),
            min(cell.rows, last_row - cell.row + 1),
            columns,
            cell.start in context,
            tables.get_text(cell.start, cell.end) if is_above else "",
        )

    covered: set[tuple[int, int]] = set()  # places under the merged cells that are shown
    return tuple(_lay_out_row(row, width, covered, show) for row in [*above, *rows])


def _lay_out_row(
    row: Sequence[TableCell],
    width: int,
    covered: set[tuple[int, int]],
    show: Callable[[TableCell, int], ShownCell[Segment]],
) -> ShownRow[Segment]:
    """Return a row with an empty cell at each place without one; the only cell of a row fills it."""
    number, by_column = row[0].row, {cell.column: cell for cell in row}
    shown: list[ShownCell[Segment]] = []
    column = 0
    while column < width:
        cell = by_column.get(column)
        if cell is None:
            shown += [] if (number, column) in covered else [ShownCell(())]
            column += 1
            continue
        is_alone = len(row) == 1 and not any((number, other) in covered for other in range(column, width))
        columns = width - column if is_alone else cell.columns
        shown.append(show(cell, columns))
        covered.update(
            (number + down, column + right) for down in range(shown[-1].rows) for right in range(columns) if down
        )
        column += columns
    return tuple(shown)


def _find_header_starts(tables: DocumentTables, highlighted: Sequence[tuple[int, int]]) -> set[int]:
    """Return where the headers of highlighted cells begin, without those that are highlighted themselves."""
    positions = [position for start, end in highlighted for position in tables.find_positions(start, end)]
    headers = {header.start for position in positions for header in (*position.column_headers, *position.row_headers)}
    return headers - {position.cell.start for position in positions}


def _choose_scope(cell: TableCell) -> str:
    if cell.start == cell.end:
        return ""  # an empty corner is no header
    if cell.is_column_header:
        return "colgroup" if cell.columns > 1 else "col"
    return ("rowgroup" if cell.rows > 1 else "row") if cell.is_row_header else ""
