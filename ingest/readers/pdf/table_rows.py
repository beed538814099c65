"""A table whose extent is known: its columns by the white between them, its rows by where cells begin anew."""

from __future__ import annotations

import itertools
import re
import statistics

from ingest.readers.pdf.blocks import BlockItem, PdfLine
from ingest.readers.pdf.columns import Row, is_mostly_rtl
from ingest.readers.pdf.line_joining import HYPHENS

_MIN_GUTTER_EMS = 0.3  # font sizes of white in all rows that part two columns
_MAX_CELL_PITCH_RATIO = 1.2  # times the tightest pitch: lines farther apart than this are not of one cell
_MAX_HEADING_PITCH_RATIO = 0.85  # times the usual pitch: lines of headings that the first column has no part in
_MAX_ROW_PITCH_EMS = 0.8  # font sizes between baselines under which cells beside each other are of one row

_LETTER = re.compile(r"[^\W\d_]")

Columns = list[tuple[float, float]]
Cells = list[PdfLine | None]


def sort_in_reading_order(row: Row) -> Row:
    """As read: from right to left when most of it is written that way."""
    if len(row) > 1 and is_mostly_rtl("".join(fragment.text for fragment in row)):
        return sorted(row, key=lambda fragment: -fragment.x1)
    return row


def make_line(row: Row) -> PdfLine:
    return PdfLine(sort_in_reading_order(row))


def find_columns(rows: list[Row], gutter: float = _MIN_GUTTER_EMS) -> Columns:
    """Where text stands one below the other. What runs across several columns (a heading over them) does not count."""
    if not rows:
        return []
    fullest = max(map(len, rows))
    columns = _project_columns([(f.x0, f.x1, gutter * f.size) for row in rows for f in row])
    if len(columns) >= fullest:
        return columns
    narrow = [f for row in rows for f in row if not _is_spanning(f, row, rows)]
    return _project_columns([(f.x0, f.x1, gutter * f.size) for f in narrow]) if narrow else columns


def _project_columns(spans: list[tuple[float, float, float]]) -> Columns:
    columns: list[tuple[float, float]] = []
    for x0, x1, gap in sorted(spans):
        if columns and x0 < columns[-1][1] + gap:
            columns[-1] = (columns[-1][0], max(columns[-1][1], x1))
        else:
            columns.append((x0, x1))
    return columns


def _is_spanning(fragment, row: Row, rows: list[Row]) -> bool:
    """Whether several cells of other rows stand above or below it, in more rows than can be chance."""
    across = below = 0
    for other in rows:
        if other is row:
            continue
        met = [f for f in other if f.x0 < fragment.x1 and f.x1 > fragment.x0]
        below += bool(met)
        across += any(b.x0 - a.x1 > 0.5 * a.size for a, b in itertools.pairwise(met))
    return across > 0 and across >= 0.2 * below


def place_in_columns(row: Row, columns: Columns) -> Cells:
    """The row's fragments as one line for each column."""
    parts: list[Row] = [[] for _ in columns]
    for fragment in row:
        parts[_find_column(fragment, columns)].append(fragment)
    return [make_line(part) if part else None for part in parts]


def _find_column(fragment, columns: Columns) -> int:
    met = [k for k, (x0, x1) in enumerate(columns) if x0 < fragment.x1 and x1 > fragment.x0]
    if met:
        return met[0]  # what runs across columns stands in the first of them
    middle = (fragment.x0 + fragment.x1) / 2
    return min(range(len(columns)), key=lambda k: max(columns[k][0] - middle, middle - columns[k][1]))


def merge_into_row(lines: list[Cells]) -> BlockItem:
    """All lines as the cells of a single row."""
    return [[line for line in column if line] for column in zip(*lines, strict=True)]


def split_rows(lines: list[Cells], columns: Columns) -> list[BlockItem]:
    """Lines that no rule parts, as rows: a cell's next lines are joined with its first."""
    if len(lines) < 2:
        return [merge_into_row(lines)] if lines else []
    tight = _estimate_cell_pitch(lines)
    usual = statistics.median_low(_get_baseline(b) - _get_baseline(a) for a, b in itertools.pairwise(lines))
    groups: list[list[Cells]] = [[lines[0]]]
    for above, line in itertools.pairwise(lines):
        pitch = _get_baseline(line) - _get_baseline(above)
        beside = not any(a and b for a, b in zip(above, line, strict=True))
        heads = (
            not line[0]
            and not merge_into_row(groups[-1])[0]
            and pitch < _MAX_HEADING_PITCH_RATIO * usual
            and not _has_numbers(line)
        )
        level = heads or pitch < (_MAX_ROW_PITCH_EMS if beside else 0.5) * _get_size(line)
        if level or ((not tight or pitch <= tight) and _is_continuation(groups[-1], line, columns, bool(tight))):
            groups[-1].append(line)
        else:
            groups.append([line])
    return [merge_into_row(group) for group in groups]


def finish_rows(items: list[BlockItem]) -> list[BlockItem]:
    """Right to left where the table is written so, without empty cells at the ends of rows."""
    items = _merge_heading_columns(items)
    if is_mostly_rtl("".join(line.text for item in items for cell in item for line in cell)):
        items = [item[::-1] for item in items]
    return [kept for item in items if (kept := _strip_empty_end(item))]


def _merge_heading_columns(items: list[BlockItem]) -> list[BlockItem]:
    """A heading set apart from what it heads (centred over cells that begin at the left) makes a column of its own."""
    at = 0
    while len(items) > 2 and at + 1 < max(map(len, items)):
        pair = [tuple(bool(cell) for cell in (item + [[]] * 2)[at : at + 2]) for item in items]
        if pair[0] in ((True, False), (False, True)) and all(
            not (own and pair[0][0]) and not (other and pair[0][1]) for own, other in pair[1:]
        ):
            items = [
                item[:at] + [[line for cell in item[at : at + 2] for line in cell]] + item[at + 2 :] for item in items
            ]
        at += 1
    return items


def _strip_empty_end(item: BlockItem) -> BlockItem:
    while item and not item[-1]:
        item = item[:-1]
    return item


def _get_baseline(cells: Cells) -> float:
    return next(cell.base for cell in cells if cell)


def _get_size(cells: Cells) -> float:
    return next(cell.size for cell in cells if cell)


def _estimate_cell_pitch(lines: list[Cells]) -> float:
    """The widest pitch within a cell, where rows stand visibly farther apart than their lines; else 0."""
    pitches = [_get_baseline(b) - _get_baseline(a) for a, b in itertools.pairwise(lines)]
    solid = [
        pitch for pitch, line in zip(pitches, lines[1:], strict=True) if pitch >= _MAX_ROW_PITCH_EMS * _get_size(line)
    ]
    if not solid:
        return 0.0
    limit = _MAX_CELL_PITCH_RATIO * min(solid)
    wide = sum(pitch > limit for pitch in solid)
    close = [
        sum(map(bool, line)) < sum(map(bool, above))
        for pitch, above, line in zip(pitches, lines, lines[1:], strict=False)
        if pitch <= limit
    ]
    return limit if wide >= 2 and sum(close) >= 0.6 * len(close) else 0.0


def _has_numbers(line: Cells) -> bool:
    return any(cell.text[:1].isdigit() for cell in line if cell)


def _is_continuation(group: list[Cells], line: Cells, columns: Columns, is_spread: bool) -> bool:
    """Whether a line holds only next lines of the cells of the row above."""
    row = merge_into_row(group)
    filled = [k for k, cell in enumerate(line) if cell]
    if any(not row[k] for k in filled):
        return False
    wraps = [_is_wrapped(row[k][-1], line[k], columns[k]) for k in filled]
    if len(filled) == sum(map(bool, row)):
        return is_spread and all(wraps) and line[filled[0]].text[:1].islower()
    if is_spread or all(wraps):
        return True
    return not line[0] and not _has_numbers(line)


def _is_wrapped(above: PdfLine, line: PdfLine, column: tuple[float, float]) -> bool:
    """Whether a cell's line goes on in the next: its first word would have found no room."""
    if not _LETTER.search(above.text) or len(above.text) < 6:
        return False  # numbers stand below numbers, each in its own row
    if line.text[:1].islower():
        return True
    if above.text[-1:] in HYPHENS:
        return True
    each = (line.x1 - line.x0) / max(len(line.text), 1)
    word = line.text.split(" ", 1)[0]
    return above.x1 + (len(word) + 1) * each > column[1]
