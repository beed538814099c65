"""Split a table of known extent into columns by the white between them, and into rows by where cells begin."""

from __future__ import annotations

import itertools
import re
import statistics

from ingest.readers.pdf.blocks import BlockItem, PdfLine
from ingest.readers.pdf.columns import Row, is_mostly_rtl
from ingest.readers.pdf.fragments import Fragment
from ingest.readers.pdf.line_joining import HYPHENS

_MIN_GUTTER_EMS = 0.3  # white in all rows that separates two columns
_MAX_CELL_PITCH_RATIO = 1.2  # times the tightest pitch: lines farther apart are not of one cell
_MAX_HEADING_PITCH_RATIO = 0.85  # times the usual pitch: lines of headings that leave the first column empty
_MAX_ROW_PITCH_EMS = 0.8  # between baselines: cells beside each other and closer than this are one row

_LETTER = re.compile(r"[^\W\d_]")

Columns = list[tuple[float, float]]
Cells = list[PdfLine | None]


def sort_in_reading_order(row: Row) -> Row:
    """Return the row in reading order: from right to left when most of its letters are."""
    if len(row) > 1 and is_mostly_rtl("".join(fragment.text for fragment in row)):
        return sorted(row, key=lambda fragment: -fragment.x1)
    return row


def make_line(row: Row) -> PdfLine:
    return PdfLine(sort_in_reading_order(row))


def find_columns(rows: list[Row], gutter: float = _MIN_GUTTER_EMS) -> Columns:
    """Return the columns, ignoring fragments that span several columns (a heading over them)."""
    if not rows:
        return []
    most_fragments = max(map(len, rows))
    columns = _project_columns([(f.x0, f.x1, gutter * f.size) for row in rows for f in row])
    if len(columns) >= most_fragments:
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


def _is_spanning(fragment: Fragment, row: Row, rows: list[Row]) -> bool:
    """Return whether several cells of other rows stand above or below a fragment, in too many rows for chance."""
    spanned_rows = met_rows = 0
    for other in rows:
        if other is row:
            continue
        overlapping = [f for f in other if f.x0 < fragment.x1 and f.x1 > fragment.x0]
        met_rows += bool(overlapping)
        spanned_rows += any(b.x0 - a.x1 > 0.5 * a.size for a, b in itertools.pairwise(overlapping))
    return spanned_rows > 0 and spanned_rows >= 0.2 * met_rows


def place_in_columns(row: Row, columns: Columns) -> Cells:
    """Return the row's fragments as one line for each column."""
    by_column: list[Row] = [[] for _ in columns]
    for fragment in row:
        by_column[_find_column(fragment, columns)].append(fragment)
    return [make_line(fragments) if fragments else None for fragments in by_column]


def _find_column(fragment: Fragment, columns: Columns) -> int:
    overlapping = [index for index, (x0, x1) in enumerate(columns) if x0 < fragment.x1 and x1 > fragment.x0]
    if overlapping:
        return overlapping[0]  # a fragment across columns belongs to the first of them
    middle = (fragment.x0 + fragment.x1) / 2
    return min(range(len(columns)), key=lambda index: max(columns[index][0] - middle, middle - columns[index][1]))


def merge_into_row(lines: list[Cells]) -> BlockItem:
    """Return all lines as the cells of a single row."""
    return [[line for line in column if line] for column in zip(*lines, strict=True)]


def split_rows(lines: list[Cells], columns: Columns) -> list[BlockItem]:
    """Split lines that no rule separates into rows, joining the continuation lines of each cell."""
    if len(lines) < 2:
        return [merge_into_row(lines)] if lines else []
    cell_pitch = _estimate_cell_pitch(lines)
    usual_pitch = statistics.median_low(_get_baseline(b) - _get_baseline(a) for a, b in itertools.pairwise(lines))
    groups: list[list[Cells]] = [[lines[0]]]
    for above, line in itertools.pairwise(lines):
        pitch = _get_baseline(line) - _get_baseline(above)
        is_beside = not any(a and b for a, b in zip(above, line, strict=True))
        is_heading = (
            not line[0]
            and not merge_into_row(groups[-1])[0]
            and pitch < _MAX_HEADING_PITCH_RATIO * usual_pitch
            and not _has_numbers(line)
        )
        is_same_row = is_heading or pitch < (_MAX_ROW_PITCH_EMS if is_beside else 0.5) * _get_size(line)
        if is_same_row or (
            (not cell_pitch or pitch <= cell_pitch) and _is_continuation(groups[-1], line, columns, bool(cell_pitch))
        ):
            groups[-1].append(line)
        else:
            groups.append([line])
    return [merge_into_row(group) for group in groups]


def finish_rows(items: list[BlockItem]) -> list[BlockItem]:
    """Return the rows with headings merged and empty end cells removed, in reading order."""
    items = _merge_heading_columns(items)
    if is_mostly_rtl("".join(line.text for item in items for cell in item for line in cell)):
        items = [item[::-1] for item in items]
    return [row for item in items if (row := _strip_empty_end(item))]


def _merge_heading_columns(items: list[BlockItem]) -> list[BlockItem]:
    """Merge the column of a heading that is not aligned with the cells below (centred over cells set to the left)."""
    index = 0
    while len(items) > 2 and index + 1 < max(map(len, items)):
        pair = [tuple(bool(cell) for cell in (item + [[]] * 2)[index : index + 2]) for item in items]
        if pair[0] in ((True, False), (False, True)) and all(
            not (left and pair[0][0]) and not (right and pair[0][1]) for left, right in pair[1:]
        ):
            items = [
                item[:index] + [[line for cell in item[index : index + 2] for line in cell]] + item[index + 2 :]
                for item in items
            ]
        index += 1
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
    """Return the widest pitch within a cell, where rows are visibly farther apart than their lines; else 0."""
    pitches = [_get_baseline(b) - _get_baseline(a) for a, b in itertools.pairwise(lines)]
    row_pitches = [
        pitch for pitch, line in zip(pitches, lines[1:], strict=True) if pitch >= _MAX_ROW_PITCH_EMS * _get_size(line)
    ]
    if not row_pitches:
        return 0.0
    limit = _MAX_CELL_PITCH_RATIO * min(row_pitches)
    wide_count = sum(pitch > limit for pitch in row_pitches)
    close_lines = [
        sum(map(bool, line)) < sum(map(bool, above))
        for pitch, above, line in zip(pitches, lines, lines[1:], strict=False)
        if pitch <= limit
    ]
    return limit if wide_count >= 2 and sum(close_lines) >= 0.6 * len(close_lines) else 0.0


def _has_numbers(line: Cells) -> bool:
    return any(cell.text[:1].isdigit() for cell in line if cell)


def _is_continuation(group: list[Cells], line: Cells, columns: Columns, is_spread: bool) -> bool:
    """Return whether a line holds only continuations of the cells in the row above."""
    row = merge_into_row(group)
    filled_cells = [(index, cell) for index, cell in enumerate(line) if cell]
    filled = [index for index, _ in filled_cells]
    if any(not row[index] for index in filled):
        return False
    are_wrapped = [_is_wrapped(row[index][-1], cell, columns[index]) for index, cell in filled_cells]
    if len(filled) == sum(map(bool, row)):
        return is_spread and all(are_wrapped) and filled_cells[0][1].text[:1].islower()
    if is_spread or all(are_wrapped):
        return True
    return not line[0] and not _has_numbers(line) and not all(map(_is_number, row))


def _is_number(cell: list[PdfLine]) -> bool:
    """Return whether a cell is a number, such as those beside an axis, below which stands what they measure."""
    text = "".join(line.text for line in cell)
    return any(map(str.isdigit, text)) and not _LETTER.search(text)


def _is_wrapped(above: PdfLine, line: PdfLine, column: tuple[float, float]) -> bool:
    """Return whether a cell's line continues in the next line, whose first word would not have fitted."""
    if not _LETTER.search(above.text) or len(above.text) < 6:
        return False  # numbers below numbers are rows of their own
    if line.text[:1].islower():
        return True
    if above.text[-1:] in HYPHENS:
        return True
    character_width = (line.x1 - line.x0) / max(len(line.text), 1)
    word = line.text.split(" ", 1)[0]
    return above.x1 + (len(word) + 1) * character_width > column[1]
