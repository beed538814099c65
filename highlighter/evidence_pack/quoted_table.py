"""The rows of a table that a citation quotes, with their header."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from highlighter.models import Citation, CitedCell


@dataclass(frozen=True, slots=True)
class QuotedCell:
    """A cell of a quoted row."""

    text: str
    is_header: bool = False


@dataclass(frozen=True, slots=True)
class QuotedTable:
    """The quoted rows of a table; each row has a cell for each column."""

    caption: str
    header: tuple[str, ...]  # a text for each column, all empty where the table has no header
    rows: tuple[tuple[QuotedCell, ...], ...]


def build_quoted_table(citation: Citation) -> QuotedTable | None:
    """Return the rows that a citation quotes as a table; None where it quotes no table."""
    if not citation.cells:
        return None
    columns = sorted({cell.column for cell in citation.cells})
    header = tuple(_join_column_headers(citation.cells, column) for column in columns)
    rows = [_build_row(list(cells), columns) for _, cells in groupby(citation.cells, key=lambda cell: cell.row)]
    if any(label.text for label, *_ in rows):  # the rows are named by cells that are not quoted
        return QuotedTable(citation.table_caption, ("", *header), tuple(rows))
    return QuotedTable(citation.table_caption, header, tuple(row[1:] for row in rows))


def _join_column_headers(cells: tuple[CitedCell, ...], column: int) -> str:
    return next(
        (" · ".join(cell.column_headers) for cell in cells if cell.column == column and cell.column_headers), ""
    )


def _build_row(cells: list[CitedCell], columns: list[int]) -> tuple[QuotedCell, ...]:
    """Return the row with its name first, which is empty where the name is quoted itself."""
    by_column = {cell.column: QuotedCell(cell.text, cell.is_header) for cell in cells}
    quoted = {cell.text for cell in cells if cell.is_header}
    labels = dict.fromkeys(label for cell in cells for label in cell.row_headers if label not in quoted)
    name = QuotedCell(" · ".join(labels), is_header=True)
    return name, *(by_column.get(column, QuotedCell("")) for column in columns)
