"""Find the header cells and merged cells of a table: those that the file declares, else those that its cells show."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace

from highlighter.models import DocumentTable

_MAX_TITLE_ROWS = 3  # rows of one cell above the header row
_MAX_HEADING_ROWS = 3  # that name the columns together
_MAX_HEADER_CHARACTERS = 120  # in one cell
# A number with its sign, currency, percent or a short unit; a year alone may be a column's header.
_NUMBER = re.compile(r"[^\w\n]{0,3}(?:[A-Z]{3} ?)?\d[\d.,'’\s]*[^\w\n]{0,3}(?:[^\W\d_]{1,3}[²³]?)?[^\w\n]{0,2}")
_YEAR = re.compile(r"(?:FY ?)?(?:19|20)\d\d ?(?:年度?|\(\W{1,3}[a-z]{0,2}\)|[€£$¥][a-z]{1,2})?")
_LETTER = re.compile(r"[^\W\d_]")


@dataclass(frozen=True, slots=True)
class SourceCell:
    """A cell as the file has it."""

    column: int
    text: str
    rows: int = 1  # that it spans, with those that have no text
    columns: int = 1
    is_header: bool = False  # the file says so
    is_bold: bool = False  # in all of its text


@dataclass(frozen=True, slots=True)
class SourceRow:
    """A row as the file has it."""

    cells: tuple[SourceCell, ...]
    is_stored: bool = True  # rows without text are no rows of the canonical text
    is_header: bool = False  # the file says so


def build_table(rows: Sequence[SourceRow], length: int) -> DocumentTable:
    """Return the structure of a table whose text has `length` characters; its span begins at 0."""
    stored = [(number, row) for number, row in enumerate(rows) if row.is_stored]
    numbers = [number for number, _ in stored]
    merged = tuple(
        (index, cell.column, row_count, cell.columns)
        for index, (number, row) in enumerate(stored)
        for cell in row.cells
        if (row_count := bisect_left(numbers, number + cell.rows) - index) > 1 or cell.columns > 1
    )
    stored_rows = [row for _, row in stored]
    header_rows = _count_header_rows(stored_rows)
    return DocumentTable(0, length, header_rows, _count_header_columns(stored_rows[header_rows:]), merged)


def can_name_columns(texts: Sequence[str]) -> bool:
    """Return whether the first row of a file that has no other sign of it is a header: different words, or years."""
    names = [text for text in texts if text]
    are_words = all(_YEAR.fullmatch(name) or (_LETTER.search(name) and not _is_number(name)) for name in names)
    return are_words and len(set(names)) == len(names) > 1 and max(map(len, names)) <= _MAX_HEADER_CHARACTERS


def shift_table(table: DocumentTable, offset: int) -> DocumentTable:
    """Return a table whose span, with that of its caption, begins `offset` characters later."""
    caption = (table.caption[0] + offset, table.caption[1] + offset) if table.caption else None
    return replace(table, start=table.start + offset, end=table.end + offset, caption=caption)


def _count_header_rows(rows: list[SourceRow]) -> int:
    """Return how many rows at the top are headers; a table of headers only has none."""
    count = next((index for index, row in enumerate(rows) if not _is_declared_header(row)), 0)
    if count:
        return count
    titles = next((index for index, row in enumerate(rows) if sum(bool(cell.text) for cell in row.cells) > 1), 0)
    depth = _count_heading_rows(rows[titles:]) if titles <= _MAX_TITLE_ROWS else 0
    return titles + depth if depth else 0


def _count_heading_rows(rows: list[SourceRow]) -> int:
    """Return how many rows name the columns: several where cells of the first span columns that the next row names."""
    depth = 1
    while depth < min(_MAX_HEADING_ROWS, len(rows) - 1) and _names_spanned_columns(rows[depth], rows[depth - 1]):
        depth += 1
    heads = ((count, _join_header(rows[:count]) if count > 1 else rows[0]) for count in range(depth, 0, -1))
    return next((count for count, head in heads if _looks_like_header([head, *rows[count:]])), 0)


def _names_spanned_columns(row: SourceRow, above: SourceRow) -> bool:
    """Return whether a row names several columns below each cell that spans columns, and no others that have a name."""
    spanning = [cell for cell in above.cells if cell.text and cell.columns > 1]
    named = [[cell for cell in row.cells if cell.text and _is_below(cell, head)] for head in spanning]
    below = {cell.column for cells in named for cell in cells}
    others = [cell for cell in row.cells if cell.text and cell.column not in below]
    heads = [cell for cell in above.cells if cell.text]
    return (
        bool(spanning)
        and not any(_is_plain_number(cell.text) for cell in row.cells)
        and all(len(cells) > 1 for cells in named)
        and all(cell.is_bold or not any(_is_below(cell, head) for head in heads) for cell in others)
    )


def _is_below(cell: SourceCell, head: SourceCell) -> bool:
    return head.column <= cell.column < head.column + head.columns


def _join_header(rows: list[SourceRow]) -> SourceRow:
    """Return the rows of a header as one, in which each column has its name and those above it ("Day of 2024")."""
    cells = [cell for row in rows for cell in row.cells if cell.text]
    joined = []
    for column in range(max(cell.column for cell in cells) + 1):
        names = [cell for cell in cells if cell.column <= column < cell.column + cell.columns]
        if names and names[-1].column == column:
            is_bold = all(cell.is_bold for cell in names)
            joined.append(SourceCell(column, " of ".join(cell.text for cell in reversed(names)), is_bold=is_bold))
    return SourceRow(tuple(joined))


def _is_declared_header(row: SourceRow) -> bool:
    return row.is_header or (len(row.cells) > 1 and all(cell.is_header or not cell.text for cell in row.cells))


def _count_header_columns(rows: list[SourceRow]) -> int:
    """Return 1 where the file declares the first cell of all rows with several cells a header; else 0."""
    rows = [row for row in rows if sum(bool(cell.text) for cell in row.cells) > 1 and not _is_declared_header(row)]
    first_cells = [row.cells[0] for row in rows]
    has_headers = any(cell.is_header and cell.text for cell in first_cells)
    return int(has_headers and all(cell.is_header or not cell.text or cell.column > 0 for cell in first_cells))


def _looks_like_header(rows: list[SourceRow]) -> bool:
    """Return whether the first row names columns: in bold alone, or words above numbers."""
    if len(rows) < 2:
        return False
    head, body = [cell for cell in rows[0].cells if cell.text], rows[1:]
    texts = [cell.text for cell in head]
    width = max(len(row.cells) for row in body)
    if len(texts) < 2 or len(texts) < width - 1 or len(set(texts)) < len(texts):
        return False
    is_bold = all(cell.is_bold for cell in head)
    numbers = [cell for cell in head if _is_plain_number(cell.text)]
    if max(map(len, texts)) > _MAX_HEADER_CHARACTERS or any(not is_bold or _is_value(cell, body) for cell in numbers):
        return False
    if is_bold:
        return not all(cell.is_bold for row in body for cell in row.cells if cell.text)
    return any(_is_number_column(body, cell.column) for cell in head)


def _is_value(cell: SourceCell, rows: list[SourceRow]) -> bool:
    """Return whether a number in bold is one of those below it, in their unit: "7 m", and not the name "1回量" above "5mg"."""
    unit = _LETTER.findall(cell.text)
    below = [other.text for row in rows for other in row.cells if other.column == cell.column]
    return not unit or any(_LETTER.findall(text) == unit for text in below)


def _is_number_column(rows: list[SourceRow], column: int) -> bool:
    texts = [cell.text for row in rows for cell in row.cells if cell.column == column and cell.text]
    return len(texts) > 1 and all(map(_is_number, texts))


def _is_plain_number(text: str) -> bool:
    return _is_number(text) and not _YEAR.fullmatch(text)


def _is_number(text: str) -> bool:
    return bool(_NUMBER.fullmatch(text))
