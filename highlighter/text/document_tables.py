"""The cells of a document's tables, found by the lines and tabs of its text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import islice, takewhile
from typing import Any

from highlighter.models import CitedCell, DocumentTable, TableCell

MAX_CITED_CELLS = 200  # a row of a sheet can have thousands


def serialize_table(table: DocumentTable) -> dict[str, Any]:
    """Return a table as it is stored, without fields that say nothing."""
    lists = {"merged": table.merged, "gaps": table.gaps}
    fields = {**asdict(table), **{name: [list(one) for one in value] for name, value in lists.items()}}
    fields |= {"caption": list(table.caption or ()), "repeated_headers": list(table.repeated_headers)}
    return {name: value for name, value in fields.items() if value or name == "start"}


def load_table(fields: Mapping[str, Any]) -> DocumentTable:
    """Return a stored table."""
    merged = tuple((row, column, rows, columns) for row, column, rows, columns in fields.get("merged", ()))
    gaps = tuple((start, end) for start, end in fields.get("gaps", ()))
    caption = tuple(fields["caption"]) if fields.get("caption") else None
    repeated = tuple(fields.get("repeated_headers", ()))
    return DocumentTable(**{**fields, "merged": merged, "caption": caption, "gaps": gaps, "repeated_headers": repeated})


@dataclass(frozen=True, slots=True)
class TablePosition:
    """A cell that a span overlaps, with the header cells above it and at its left."""

    table: DocumentTable
    cell: TableCell
    column_headers: tuple[TableCell, ...]
    row_headers: tuple[TableCell, ...]


@dataclass(frozen=True, slots=True)
class TableRows:
    """The spans of rows of a table, with those of the header rows above them, and of those that say the header again."""

    spans: tuple[tuple[int, int], ...]
    tall_cells: tuple[tuple[int, int], ...]  # cells of the rows that also span rows below them
    header_spans: tuple[tuple[int, int], ...]
    repeated_header_spans: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class DocumentTables:
    """Tables with the text that they lie in, which begins at an offset of the document's text."""

    tables: tuple[DocumentTable, ...] = ()
    text: str = ""
    offset: int = 0

    def clip(self, start: int) -> DocumentTables:
        """Return the tables that begin at an offset or after it; others would show text from before it."""
        return replace(self, tables=tuple(table for table in self.tables if table.start >= start))

    def get_text(self, start: int, end: int) -> str:
        return self.text[start - self.offset : end - self.offset]

    def table_at(self, start: int, end: int) -> DocumentTable | None:
        """Return the first table that a span overlaps."""
        return next((table for table in self.tables if _is_overlapping(table, start, end)), None)

    def rows(self, table: DocumentTable, start: int, end: int) -> Iterator[list[TableCell]]:
        """Yield the rows of a table that a span overlaps, without the places that merged cells cover."""
        for part_start, part_end, number in self._number_parts(table):
            if part_start < end and start < part_end:
                span = max(start, part_start), min(end, part_end, self.offset + len(self.text))
                yield from self._rows_of_part(table, part_start, number, span)

    def _number_parts(self, table: DocumentTable) -> Iterator[tuple[int, int, int]]:
        """Yield the span of each part of a table with the number of its first row."""
        number = 0
        for start, end in table.parts:
            yield start, end, number
            number += self.text.count("\n", start - self.offset, end - self.offset) + 1

    def _rows_of_part(
        self, table: DocumentTable, part_start: int, number: int, span: tuple[int, int]
    ) -> Iterator[list[TableCell]]:
        """Yield the rows of a part of a table that a span overlaps; `number` is that of the part's first row."""
        text, first = self.text, part_start - self.offset
        start, end = span
        line_start = max(text.rfind("\n", first, max(start - self.offset, first)) + 1, first)
        number += text.count("\n", first, line_start)
        merged = {(row, column): (rows, columns) for row, column, rows, columns in table.merged}
        covered = _find_covered_places(table)
        for line in text[line_start : end - self.offset].split("\n"):
            offset, cells = line_start + self.offset, []
            for column, cell in enumerate(line.split("\t")):
                if cell or (number, column) not in covered:  # merged cells that overlap hide no text
                    spanned = merged.get((number, column), (1, 1))
                    cells.append(_make_cell(table, (number, column), (offset, offset + len(cell)), spanned))
                offset += len(cell) + 1
            yield cells
            line_start += len(line) + 1
            number += 1

    def measure(self, table: DocumentTable) -> tuple[int, int]:
        """Return how many rows and columns a table has."""
        lines = [line for start, end in table.parts for line in self.get_text(start, end).split("\n")]
        return len(lines), max(line.count("\t") + 1 for line in lines)

    def split_at_cells(self, start: int, end: int) -> list[tuple[int, int]]:
        """Return a span as spans within one cell each, and spans outside of tables."""
        spans: list[tuple[int, int]] = []
        for table in self.tables:
            for part_start, part_end in table.parts:
                if part_start >= end or part_end <= start:
                    continue
                spans.append((start, part_start))
                cells = (cell for row in self.rows(table, max(start, part_start), min(end, part_end)) for cell in row)
                spans += ((max(start, cell.start), min(end, cell.end)) for cell in cells)
                start = part_end
        return [span for span in [*spans, (start, end)] if span[0] < span[1]]

    def find_rows(self, start: int, end: int) -> Iterator[TableRows]:
        """Yield the spans of the rows of each table that a span overlaps, with those of the header rows above them."""
        for table in self.tables:
            rows = list(self.rows(table, start, end))
            if rows:
                header = [row for row in self.header_rows(table) if row[0].row < rows[0][0].row]
                repeated = [row for row in self.repeated_header_rows(table) if row[0].row < rows[0][0].row]
                yield TableRows(
                    _list_row_spans(rows),
                    tuple((c.start, c.end) for row in rows for c in row if c.row + c.rows > rows[-1][0].row + 1),
                    _list_row_spans(header),
                    _list_row_spans(repeated),
                )

    def header_rows(self, table: DocumentTable) -> list[list[TableCell]]:
        """Return the header rows at the top of a table."""
        if not table.header_rows:
            return []
        return list(islice(self.rows(table, table.start, table.end), table.header_rows))

    def repeated_header_rows(self, table: DocumentTable) -> list[list[TableCell]]:
        """Return the rows that say the header rows again, at the top of a page."""
        repeated = frozenset(table.repeated_headers)
        return [
            row
            for start, end, number in self._number_parts(table)
            if number in repeated
            for row in takewhile(
                lambda row: row[0].row in repeated, self._rows_of_part(table, start, number, (start, end))
            )
        ]

    def header_spans(self, table: DocumentTable) -> list[tuple[int, int]]:
        """Return the spans of a table's header rows, also of repeated ones; none where it has nothing else."""
        rows = self.header_rows(table)
        if not rows or rows[-1][-1].end >= table.end:
            return []
        repeated = self.repeated_header_rows(table)
        return [(table.start, rows[-1][-1].end), *((row[0].start, row[-1].end) for row in repeated)]

    def find_positions(self, start: int, end: int) -> Iterator[TablePosition]:
        """Yield the cells with text that a span overlaps, in reading order."""
        table = self.table_at(start, end)
        if table is None:
            return
        head = [cell for row in self.header_rows(table) for cell in row if cell.start < cell.end]
        for row in self.rows(table, max(start, table.start), self._find_row_end(table, end)):
            for cell in row:
                if max(cell.start, start) < min(cell.end, end):
                    above = () if cell.is_column_header else tuple(h for h in head if _is_above(h, cell))
                    yield TablePosition(table, cell, above, self._find_row_headers(table, row, cell))

    def find_cited_cells(self, start: int, end: int) -> tuple[CitedCell, ...]:
        """Return the cells that a span overlaps with their headers, as texts; at most `MAX_CITED_CELLS`."""
        return tuple(
            CitedCell(
                position.cell.row,
                position.cell.column,
                self.get_text(position.cell.start, position.cell.end),
                position.cell.is_header,
                tuple(self.get_text(header.start, header.end) for header in position.column_headers),
                tuple(self.get_text(header.start, header.end) for header in position.row_headers),
                position.cell.start,
                position.cell.end,
            )
            for position in islice(self.find_positions(start, end), MAX_CITED_CELLS)
        )

    def read_row(self, start: int, end: int) -> str:
        """Return the cells of a span, each after its column's headers: "Pier: North, Fee: 7"; "" where there are none.

        A row says nothing by itself to a model that reads it: what its numbers mean stands in the header row.
        """
        positions = list(self.find_positions(start, end))
        if not any(position.column_headers for position in positions):
            return ""
        merged = [header for header in positions[0].row_headers if header.end <= start]  # with rows above this one
        return format_row(
            [
                *(("", self.get_text(header.start, header.end)) for header in merged),
                *(self._read_cell(position, start, end) for position in positions),
            ]
        )

    def _read_cell(self, position: TablePosition, start: int, end: int) -> tuple[str, str]:
        headers = " ".join(self.get_text(header.start, header.end) for header in position.column_headers)
        return headers, self.get_text(max(position.cell.start, start), min(position.cell.end, end))

    def find_caption(self, start: int, end: int) -> str:
        """Return the caption of the table in which a span lies."""
        table = self.table_at(start, end)
        return self.get_text(*table.caption) if table and table.caption else ""

    def _find_row_headers(
        self, table: DocumentTable, row: Sequence[TableCell], cell: TableCell
    ) -> tuple[TableCell, ...]:
        """Return the header cells at the left of a cell, also those merged with rows above."""
        headers = [other for other in row if other.is_row_header]
        if not headers and not cell.is_column_header and _is_beside_merged_cell(table, cell):
            above = (other for cells in self.rows(table, table.start, row[0].start) for other in cells)
            headers = [other for other in above if other.column == 0 and other.row < cell.row < other.row + other.rows]
        return tuple(header for header in headers if header.start < header.end and header.start != cell.start)

    def _find_row_end(self, table: DocumentTable, end: int) -> int:
        found = self.text.find("\n", end - self.offset, table.end - self.offset)
        return table.end if found < 0 else found + self.offset


def format_row(cells: Iterable[tuple[str, str]]) -> str:
    """Return the (header, text) of the cells of a row as models read them."""
    return ", ".join(f"{header}: {text}" if header else text for header, text in cells)


def _list_row_spans(rows: Iterable[Sequence[TableCell]]) -> tuple[tuple[int, int], ...]:
    return tuple((row[0].start, row[-1].end) for row in rows)


def _is_overlapping(table: DocumentTable, start: int, end: int) -> bool:
    return table.start < end and start < table.end and any(a < end and start < b for a, b in table.parts)


def _is_beside_merged_cell(table: DocumentTable, cell: TableCell) -> bool:
    """Return whether the first cell of a cell's row began in a row above."""
    return any(column == 0 and row < cell.row < row + rows for row, column, rows, _ in table.merged)


def _find_covered_places(table: DocumentTable) -> set[tuple[int, int]]:
    return {
        (row + down, column + right)
        for row, column, rows, columns in table.merged
        for down in range(rows)
        for right in range(columns)
        if down or right
    }


def _make_cell(
    table: DocumentTable, place: tuple[int, int], span: tuple[int, int], spanned: tuple[int, int]
) -> TableCell:
    is_column_header = place[0] < table.header_rows or place[0] in table.repeated_headers
    is_row_header = not is_column_header and place[1] < table.header_columns
    return TableCell(*place, *span, *spanned, is_column_header, is_row_header)


def _is_above(header: TableCell, cell: TableCell) -> bool:
    return header.column < cell.column + cell.columns and cell.column < header.column + header.columns
