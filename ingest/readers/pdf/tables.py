"""Tables without lines to go by: rows whose cells stand under one another."""

from __future__ import annotations

import re

from .blocks import TABLE, Block, Item, Line
from .columns import Row, is_rtl

_CELL_GAP = 1.5  # font sizes of white between two cells: wider than the spaces of a stretched line
_ROW_PITCH = 4.0  # font sizes between the baselines of rows that still belong together
_TIGHT = 1.45  # font sizes between lines of one cell

MARKER = re.compile(
    r"^(?:[•◦▪▫■□●○‣⁃∙·*–—\uf0b7\uf0a7\uf0d8§oØ➢✓]"
    r"|\(?(?:\d{1,3}|[a-zA-Z]|[ivxlcIVXLC]{1,6})[.)\]:]|\(\w{1,4}\)|\d+(?:\.\d+)+\.?|第?[一二三四五六七八九十]+[、.．])$"
)


def cells_of(row: Row) -> list[Line]:
    """The row's fragments, those that stand close together as one."""
    groups: list[Row] = []
    for fragment in row:
        if groups and fragment.x0 - groups[-1][-1].x1 <= _CELL_GAP * max(fragment.size, groups[-1][-1].size):
            groups[-1].append(fragment)
        else:
            groups.append([fragment])
    return [Line(in_order(group)) for group in groups]


def in_order(row: Row) -> Row:
    """As read: from right to left when most of it is written that way."""
    if len(row) > 1 and is_rtl("".join(fragment.text for fragment in row)):
        return sorted(row, key=lambda fragment: -fragment.x1)
    return row


def line_of(row: Row) -> Line:
    return Line(in_order(row))


def part_tables(rows: list[Row]) -> list[Block | list[Line]]:
    """A leaf's rows as tables and, between them, lines of text."""
    cells = [cells_of(row) for row in rows]
    parts: list[Block | list[Line]] = []
    at = 0
    while at < len(rows):
        ruled = [fragment.table for fragment in rows[at] if fragment.table]
        if ruled:
            parts += ruled
            rest = [fragment for fragment in rows[at] if not fragment.table]
            parts += [[line_of(rest)]] if rest else []
            at += 1
            continue
        stop, columns = _table_from(cells, at)
        if stop:
            parts.append(_table(cells[at:stop], columns))
            at = stop
            continue
        if not parts or isinstance(parts[-1], Block):
            parts.append([])
        parts[-1].append(line_of(rows[at]))
        at += 1
    return parts


def _is_row(cells: list[Line]) -> bool:
    if any(fragment.table for cell in cells for fragment in cell.fragments):
        return False
    return len(cells) > 2 or (len(cells) == 2 and not MARKER.match(cells[0].text.strip()))


def _table_from(cells: list[list[Line]], start: int) -> tuple[int, list[list[float]]]:
    """Where the table that begins at this row ends, and its columns; 0 when none begins here."""
    if not _is_row(cells[start]):
        return 0, []
    columns = [[cell.x0, cell.x1] for cell in cells[start]]
    stop, rows = start + 1, 1
    for at in range(start + 1, len(cells)):
        pitch = cells[at][0].base - cells[at - 1][0].base
        size = cells[at][0].size
        if not 0 < pitch <= _ROW_PITCH * size:
            break
        merged = _merged(columns, cells[at])
        if _is_row(cells[at]):
            if len(merged) < 2 or len(merged) < min(len(columns), len(cells[at])):
                break
            rows, stop = rows + 1, at + 1
        elif len(merged) < len(columns) or len(merged) > len(columns) or pitch > _TIGHT * size:
            break  # text across the columns, beside them, or after a gap: no cell's next line
        columns = merged
        if not _is_row(cells[at]) and _continues(cells[at][0], columns):
            stop = at + 1
    return (stop, columns) if rows >= 2 else (0, [])


def _continues(line: Line, columns: list[list[float]]) -> bool:
    return len(columns) > 1 and line.x0 >= columns[1][0] - line.size


def _merged(columns: list[list[float]], cells: list[Line]) -> list[list[float]]:
    """The columns widened by these cells; those that a cell joins become one."""
    spans = sorted([list(span) for span in columns] + [[cell.x0, cell.x1] for cell in cells])
    merged = [spans[0]]
    for x0, x1 in spans[1:]:
        if x0 <= merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], x1)
        else:
            merged.append([x0, x1])
    return merged


def _table(rows: list[list[Line]], columns: list[list[float]]) -> Block:
    items: list[Item] = []
    base = None
    for cells in rows:
        placed: Item = [[] for _ in columns]
        for cell in cells:
            middle = (cell.x0 + cell.x1) / 2
            nearest = min(range(len(columns)), key=lambda k: max(columns[k][0] - middle, middle - columns[k][1]))
            placed[nearest].append(cell)
        tight = base is not None and cells[0].base - base <= _TIGHT * cells[0].size
        base = cells[0].base
        if items and tight and _goes_on(items[-1], placed):
            for cell, more in zip(items[-1], placed, strict=True):
                cell.extend(more)
        else:
            items.append(placed)
    if is_rtl("".join(line.text for row in rows for line in row)):
        items = [item[::-1] for item in items]
    kept = [filled for item in items if (filled := _without_empty_end(item))]
    return Block(TABLE, kept, column=(columns[0][0], columns[-1][1]))


def _goes_on(above: Item, placed: Item) -> bool:
    """Whether a row of lines is the next line of the cells above rather than a row of its own."""
    texts = [cell[0].text for cell in placed if cell]
    if any(text[:1].isdigit() for text in texts) or any(
        cell and not over for cell, over in zip(placed, above, strict=True)
    ):
        return False
    return not placed[0] or texts[0][:1].islower()


def _without_empty_end(item: Item) -> Item:
    while item and not item[-1]:
        item = item[:-1]
    return item
