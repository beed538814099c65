"""Tables without lines to go by: rows whose cells stand under one another."""

from __future__ import annotations

import re

from ingest.readers.pdf.blocks import TABLE, PdfBlock, PdfLine
from ingest.readers.pdf.columns import Row
from ingest.readers.pdf.table_rows import (
    Columns,
    find_columns,
    finish_rows,
    make_line,
    place_in_columns,
    sort_in_reading_order,
    split_rows,
)

_MIN_CELL_GAP_EMS = 1.5  # font sizes of white between two cells: wider than the spaces of a stretched line
_MAX_ROW_PITCH_EMS = 4.0  # font sizes between the baselines of rows that still belong together
_MAX_CELL_PITCH_EMS = 1.45  # font sizes between lines of one cell
_MIN_PARAGRAPH_CHARACTERS, _MAX_PARAGRAPH_GAP_EMS = (
    24,
    6.0,
)  # characters a line of side-by-side text has at least, font sizes between such lines
_MIN_ROWS_BESIDE = 3  # rows with text on both sides of a narrow white strip that make it part columns

LIST_MARKER = re.compile(
    r"^(?:[•◦▪▫■□●○‣⁃∙·*–—\uf0b7\uf0a7\uf0d8§oØ➢✓]"
    r"|\(?(?:\d{1,3}|[a-zA-Z]|[ivxlcIVXLC]{1,6})[.)\]:]|\(\w{1,4}\)|\d+(?:\.\d+)+\.?|第?[一二三四五六七八九十]+[、.．])$"
)


def group_cells(row: Row) -> list[PdfLine]:
    """The row's fragments, those that stand close together as one."""
    groups: list[Row] = []
    for fragment in row:
        if groups and fragment.x0 - groups[-1][-1].x1 <= _MIN_CELL_GAP_EMS * max(fragment.size, groups[-1][-1].size):
            groups[-1].append(fragment)
        else:
            groups.append([fragment])
    return [PdfLine(sort_in_reading_order(group)) for group in groups]


def split_tables(rows: list[Row]) -> list[PdfBlock | list[PdfLine]]:
    """A leaf's rows as tables and, between them, lines of text."""
    cells = [group_cells(row) for row in rows]
    parts: list[PdfBlock | list[PdfLine]] = []
    at = 0
    while at < len(rows):
        ruled = [fragment.table for fragment in rows[at] if fragment.table]
        if ruled:
            parts += ruled
            rest = [fragment for fragment in rows[at] if not fragment.table]
            parts += [[make_line(rest)]] if rest else []
            at += 1
            continue
        stop = _find_table_end(cells, at)
        if stop:
            parts += _split_side_by_side(cells[at:stop]) or [_build_table(rows[at:stop], cells[at:stop])]
            at = stop
            continue
        if not parts or isinstance(parts[-1], PdfBlock):
            parts.append([])
        parts[-1].append(make_line(rows[at]))
        at += 1
    return parts


def _split_side_by_side(cells: list[list[PdfLine]]) -> list[list[PdfLine]]:
    """Two paragraphs side by side, too short to be seen as columns of the page: both, and an end to them; or nothing."""
    if any(len(row) != 2 or min(len(cell.text) for cell in row) < _MIN_PARAGRAPH_CHARACTERS for row in cells[:-1]):
        return []
    left, right = [row[0] for row in cells], [row[1] for row in cells if len(row) > 1]
    running = any(line.text[:1].islower() for line in left[1:]) and any(line.text[:1].islower() for line in right[1:])
    gap = max(row[1].x0 - row[0].x1 for row in cells[:-1]) < _MAX_PARAGRAPH_GAP_EMS * left[0].size
    return [left, right, []] if running and gap else []


def _is_row(cells: list[PdfLine]) -> bool:
    if any(fragment.table for cell in cells for fragment in cell.fragments):
        return False
    return len(cells) > 2 or (len(cells) == 2 and not LIST_MARKER.match(cells[0].text.strip()))


def _find_table_end(cells: list[list[PdfLine]], start: int) -> int:
    """Where the table that begins at this row ends; 0 when none begins here."""
    if not _is_row(cells[start]):
        return 0
    columns = [[cell.x0, cell.x1] for cell in cells[start]]
    stop, rows = start + 1, 1
    for at in range(start + 1, len(cells)):
        pitch = cells[at][0].base - cells[at - 1][0].base
        size = cells[at][0].size
        if not 0 < pitch <= _MAX_ROW_PITCH_EMS * size:
            break
        merged = _merge_columns(columns, cells[at])
        if _is_row(cells[at]):
            if len(merged) < 2 or len(merged) < min(len(columns), len(cells[at])):
                break
            rows, stop = rows + 1, at + 1
        elif len(merged) < len(columns) or len(merged) > len(columns) or pitch > _MAX_CELL_PITCH_EMS * size:
            break  # text across the columns, beside them, or after a gap: no cell's next line
        columns = merged
        if not _is_row(cells[at]) and _is_continuation(cells[at][0], columns):
            stop = at + 1
    return stop if rows >= 2 else 0


def _is_continuation(line: PdfLine, columns: list[list[float]]) -> bool:
    return len(columns) > 1 and line.x0 >= columns[1][0] - line.size


def _merge_columns(columns: list[list[float]], cells: list[PdfLine]) -> list[list[float]]:
    """The columns widened by these cells; those that a cell joins become one."""
    spans = sorted([*map(list, columns), *([cell.x0, cell.x1] for cell in cells)])
    merged = [spans[0]]
    for x0, x1 in spans[1:]:
        if x0 <= merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], x1)
        else:
            merged.append([x0, x1])
    return merged


def _build_table(rows: list[Row], cells: list[list[PdfLine]]) -> PdfBlock:
    columns = _split_columns(rows, _find_spans(cells))
    items = split_rows([place_in_columns(row, columns) for row in rows], columns)
    return PdfBlock(TABLE, finish_rows(items), column=(columns[0][0], columns[-1][1]))


def _find_spans(cells: list[list[PdfLine]]) -> list[list[float]]:
    columns: list[list[float]] = []
    for row in cells:
        columns = _merge_columns(columns, row)
    return columns


def _split_columns(rows: list[Row], known: list[list[float]]) -> Columns:
    """The columns that wide white parts, and within them those that a narrow strip parts in many rows."""
    parted: Columns = []
    for x0, x1 in known:
        within = [row for row in ([f for f in row if x0 <= f.x0 <= x1] for row in rows) if row]
        kept: Columns = []
        for column in find_columns(within):
            if kept and not _is_gutter(within, kept[-1], column):
                kept[-1] = (kept[-1][0], column[1])
            else:
                kept.append(column)
        parted += kept
    return parted


def _is_gutter(rows: list[Row], left: tuple[float, float], right: tuple[float, float]) -> bool:
    beside = [
        (before, after)
        for row in rows
        if (before := [f for f in row if left[0] <= f.x0 < left[1]])
        and (after := [f for f in row if right[0] <= f.x0 < right[1]])
    ]
    if len(beside) < _MIN_ROWS_BESIDE:
        return False
    # A number or letter before its title is part of it.
    numbered = left[1] - left[0] < 3 * rows[0][0].size
    return not numbered or not any(any(map(str.isalpha, f.text)) for _, after in beside for f in after)
