"""Find tables without lines: rows whose cells stand below one another."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise

from ingest.list_markers import LONE_MARKER
from ingest.readers.pdf.blocks import TABLE, PdfBlock, PdfLine, TableFragment, is_sentence_end
from ingest.readers.pdf.columns import Row
from ingest.readers.pdf.fragments import Fragment
from ingest.readers.pdf.lone_rows import is_next_line, split_lone_row
from ingest.readers.pdf.table_rows import (
    Columns,
    find_columns,
    finish_rows,
    make_line,
    place_in_columns,
    split_rows,
)

_MIN_CELL_GAP_EMS = 1.5  # white between two cells: wider than the spaces of a justified line
_NAMED_VALUE = re.compile(r"[^\W\d_][\w .]{0,23}: ?\S")  # "Age: 52"
_MIN_ALIGNED_GAP_EMS, _MIN_ALIGNED_ROWS = 0.25, 3  # white before a cell that begins where those of other rows do
_MAX_ROW_PITCH_EMS = 4.0  # between the baselines of rows that belong together
_MAX_CELL_PITCH_EMS = 1.45  # between lines of one cell
_MAX_SIZE_DIFFERENCE, _MIN_SPACES = 0.12, 3  # of two lines of one cell, and in a line of text
_MIN_PARAGRAPH_CHARACTERS, _MAX_PARAGRAPH_GAP_EMS = 24, 6.0  # of lines of side-by-side text, and between them
_MIN_JUSTIFIED_LINES = 3  # that end at one edge: text is then set to both margins
_MAX_EDGE_SHIFT_POINTS, _MAX_SPACE_DIFFERENCE = 1.5, 0.15  # by which ends, and the spaces of one line, may differ
_BRACKETED_KEY = re.compile(r"\[[^\[\]]+\]")  # of a reference
_MAX_UNEVEN_GAP_EMS = 2.0  # between the parts of a justified line that hold several words
_MAX_EDGE_DIFFERENCE_POINTS, _MIN_LOWER_SHARE = 1.5, 0.7  # of justified lines, and of their words
_MIN_SENTENCE_CHARACTERS = 30  # of a line of a cell, if it is part of a sentence that goes on below the table
_MIN_REPEATED_CELLS = 3  # in rows far apart whose cells begin alike
_MIN_ROWS_BESIDE = 3  # with text on both sides of a narrow white strip, so that it separates columns

CellStarts = tuple[int, ...]


def _group_fragments(row: Row) -> list[Row]:
    groups: list[Row] = []
    for fragment in row:
        if groups and _is_near(groups[-1][-1], fragment):
            groups[-1].append(fragment)
        else:
            groups.append([fragment])
    return groups


def _is_near(left: Fragment, right: Fragment) -> bool:
    """Return whether two fragments are of one cell; the mark in a drawn checkbox is of the cell of its words."""
    is_apart = right.is_ruled_off and any(map(str.isalnum, left.text))
    are_fields = _NAMED_VALUE.match(left.text) and _NAMED_VALUE.match(right.text)
    return not (is_apart or are_fields) and right.x0 - left.x1 <= _MIN_CELL_GAP_EMS * max(right.size, left.size)


def _group_into_cells(rows: list[Row]) -> list[list[PdfLine]]:
    """Return the cells of each row; a justified line is one cell, however wide its spaces are."""
    groups = _split_at_aligned_starts([_group_fragments(row) for row in rows])
    edge = _find_right_edge([row for row, parts in zip(rows, groups, strict=True) if len(parts) == 1])
    return [
        [make_line(part) for part in ([row] if _is_justified(row, edge) else parts)]
        for row, parts in zip(rows, groups, strict=True)
    ]


def _split_at_aligned_starts(groups: list[list[Row]]) -> list[list[Row]]:
    """Return the cells of rows, with those split that reach close to where the next cell begins in other rows."""
    counts = Counter(round(part[0].x0) for parts in groups for part in parts[1:])
    starts = {x for x, count in counts.items() if count >= _MIN_ALIGNED_ROWS}
    if not starts:
        return groups
    return [[cell for part in parts for cell in _split_at(part, starts)] for parts in groups]


def _split_at(part: Row, starts: set[int]) -> list[Row]:
    """Return a cell, split before the fragments that begin at one of the starts."""
    cells = [part[:1]]
    for left, right in pairwise(part):
        if round(right.x0) in starts and right.x0 - left.x1 > _MIN_ALIGNED_GAP_EMS * right.size:
            cells.append([right])
        else:
            cells[-1].append(right)
    return cells


def _find_right_edge(rows: list[Row]) -> float | None:
    """Return the edge at which lines without wide spaces end, or None when the text is not justified."""
    ends = Counter(round(row[-1].x1) for row in rows)
    edge, count = ends.most_common(1)[0] if ends else (0, 0)
    return edge if count >= _MIN_JUSTIFIED_LINES else None


def _is_justified(row: Row, edge: float | None) -> bool:
    """Return whether a row ends at the edge of the text, with spaces of one width and no number for its last word."""
    if edge is None or len(row) < 2 or abs(row[-1].x1 - edge) > _MAX_EDGE_SHIFT_POINTS:
        return False
    gaps = [b.x0 - a.x1 for a, b in pairwise(row)]
    is_even = max(gaps) - min(gaps) <= _MAX_SPACE_DIFFERENCE * max(gaps)
    has_words = any(" " in fragment.text for fragment in row)  # whose spaces are narrower
    is_label_beside = (
        has_words and max(gaps) > _MAX_UNEVEN_GAP_EMS * row[0].size and not _BRACKETED_KEY.fullmatch(row[0].text)
    )
    return (
        is_even
        and not is_label_beside
        and any(map(str.islower, row[-1].text))
        and not any(isinstance(fragment, TableFragment) for fragment in row)
    )


def split_tables(rows: list[Row]) -> list[PdfBlock | list[PdfLine]]:
    """Split a region's rows into tables and the lines of text between them."""
    cells = _group_into_cells(rows)
    repeated_starts = _find_repeated_starts(cells)
    parts: list[PdfBlock | list[PdfLine]] = []
    text: list[PdfLine] | None = None  # the lines of text at the end of `parts`
    index = 0
    while index < len(rows):
        ruled_tables = [fragment for fragment in rows[index] if isinstance(fragment, TableFragment)]
        if ruled_tables:
            text = None
            parts += [block for table in ruled_tables for block in table.blocks]
            rest = [fragment for fragment in rows[index] if not isinstance(fragment, TableFragment)]
            if rest:
                text = [make_line(rest)]
                parts.append(text)
            index += 1
            continue
        stop = _find_table_end(cells, index, repeated_starts)
        if stop and not (text and _is_justified_text(text[-1], cells[index:stop])):
            if columns := _split_side_by_side(cells[index:stop]):
                parts += columns
                text = columns[-1]
            else:
                table = _build_table(rows[index:stop], cells[index:stop])
                stop += _add_run_on_lines(table, rows, cells, stop)
                parts.append(table)
                text = None
            index = stop
            continue
        if text is None:
            text = []
            parts.append(text)
        boxes = _split_boxes(cells, index, text[-1] if text else None)
        if len(boxes) > 1:
            stop = _add_next_lines(boxes, cells, index + 1)
            text.append(boxes[0][0])
            parts += boxes[1:]
            text, index = None, stop
            continue
        text += boxes[0]
        index += 1
    return parts


def _split_boxes(cells: list[list[PdfLine]], index: int, above: PdfLine | None) -> list[list[PdfLine]]:
    """Return each box of a row as its first line; a row of text is one box."""
    if len(cells[index]) == 1:
        return [cells[index]]
    below = cells[index + 1][0] if index + 1 < len(cells) else None
    boxes = split_lone_row(cells[index], above, below)
    return [[make_line([fragment for cell in box for fragment in cell.fragments])] for box in boxes]


def _add_next_lines(boxes: list[list[PdfLine]], cells: list[list[PdfLine]], start: int) -> int:
    """Add the lines below a row of boxes to the box that they continue, and return the index of the first other row."""
    index = start
    while index < len(cells) and len(cells[index]) == 1:
        box = next((box for box in boxes[1:] if is_next_line(cells[index][0], box)), None)
        if box is None:
            break
        box.append(cells[index][0])
        index += 1
    return index


def _add_run_on_lines(table: PdfBlock, rows: list[Row], cells: list[list[PdfLine]], start: int) -> int:
    """Add the lines below a table that continue its last cell, a sentence up to the edge; return how many there are."""
    edge = max(row[-1].x1 for row in rows)
    index = start
    while index < len(cells) and len(cells[index]) == 1 and table.items:
        above, line = table.items[-1][-1][-1], cells[index][0]
        is_full = len(above.text) >= _MIN_SENTENCE_CHARACTERS and above.x1 > edge - 2 * above.size
        is_close = 0 < line.base - above.base <= _MAX_CELL_PITCH_EMS * line.size
        if not (line.text[:1].islower() and is_full and is_close) or is_sentence_end(above.text):
            break
        table.items[-1][-1].append(line)
        index += 1
    return index - start


def _is_justified_text(previous: PdfLine, cells: list[list[PdfLine]]) -> bool:
    """Return whether rows are lines of a narrow justified column, whose words stand far apart: a sentence runs on."""
    words = [cell for row in cells for cell in row]
    left, right = (
        [row[0].x0 for row in cells],
        [previous.x1, *(row[-1].x1 for row in cells)],
    )  # the first may be indented
    is_justified = all(max(edges) - min(edges) < _MAX_EDGE_DIFFERENCE_POINTS for edges in (left, right))
    lower_count = sum(word.text[:1].islower() for word in words)
    return is_justified and not is_sentence_end(previous.text) and lower_count >= _MIN_LOWER_SHARE * len(words)


def _split_side_by_side(cells: list[list[PdfLine]]) -> list[list[PdfLine]]:
    """Return two paragraphs or lists side by side, too short to be columns of the page, and an empty end; else nothing."""
    if len(cells) < 2:
        return []
    if _are_lists(cells):
        edge = cells[0][1].x0
        lines = [line for row in cells for line in row]
        return [
            [line for line in lines if line.x0 < edge - line.size],
            [line for line in lines if line.x0 >= edge - line.size],
            [],
        ]
    if any(len(row) != 2 or min(len(cell.text) for cell in row) < _MIN_PARAGRAPH_CHARACTERS for row in cells[:-1]):
        return []
    left, right = [row[0] for row in cells], [row[1] for row in cells if len(row) > 1]
    is_running = any(line.text[:1].islower() for line in left[1:]) and any(
        line.text[:1].islower() for line in right[1:]
    )
    is_close = max(row[1].x0 - row[0].x1 for row in cells[:-1]) < _MAX_PARAGRAPH_GAP_EMS * left[0].size
    return [left, right, []] if is_running and is_close else []


def _are_lists(cells: list[list[PdfLine]]) -> bool:
    """Return whether, in rows of two cells, each side goes on in lower case where the other begins anew, as in a form."""
    if any(len(row) > 2 for row in cells) or len(cells[0]) < 2:
        return False
    pairs = [(above, row) for above, row in pairwise(cells) if len(above) == len(row) == 2]
    return all(
        any(_goes_on(above, row, side) and row[1 - side].text[:1].isupper() for above, row in pairs) for side in (0, 1)
    )


def _goes_on(above: list[PdfLine], row: list[PdfLine], side: int) -> bool:
    return row[side].text[:1].islower() and not is_sentence_end(above[side].text)


def _is_row(cells: list[PdfLine]) -> bool:
    if any(isinstance(fragment, TableFragment) for cell in cells for fragment in cell.fragments):
        return False
    return len(cells) > 2 or (len(cells) == 2 and not LONE_MARKER.match(cells[0].text.strip()))


def _find_repeated_starts(cells: list[list[PdfLine]]) -> set[CellStarts]:
    """Return where the cells of several rows begin alike, however far apart these rows are: those of a table's columns."""
    counts = Counter(_get_starts(row) for row in cells if len(row) >= _MIN_REPEATED_CELLS or _has_description(row))
    return {
        starts
        for starts, count in counts.items()
        if count >= _MIN_ALIGNED_ROWS or (count > 1 and len(starts) >= _MIN_REPEATED_CELLS)
    }


def _has_description(row: list[PdfLine]) -> bool:
    """Return whether a row says in lower case what something is: "octave file", "run commands in file"."""
    return len(row) == 2 and row[1].text[:1].islower()


def _get_starts(row: list[PdfLine]) -> CellStarts:
    return tuple(round(cell.x0) for cell in row)


def _find_table_end(cells: list[list[PdfLine]], start: int, repeated_starts: set[CellStarts]) -> int:
    """Return the end of the table that begins at a row; 0 when none begins there.

    A single row is a table where `repeated_starts` say that its cells begin as those of another row, or its last cell
    goes on below.
    """
    if not _is_row(cells[start]):
        return 0
    columns = [[cell.x0, cell.x1] for cell in cells[start]]
    stop, row_count = start + 1, 1
    for index in range(start + 1, len(cells)):
        pitch = cells[index][0].base - cells[index - 1][0].base
        size = cells[index][0].size
        if not 0 < pitch <= _MAX_ROW_PITCH_EMS * size:
            break
        merged = _merge_columns(columns, cells[index])
        if _is_row(cells[index]):
            if len(merged) < 2 or len(merged) < min(len(columns), len(cells[index])):
                break
            row_count, stop = row_count + 1, index + 1
        elif (
            len(merged) != len(columns)
            or pitch > _MAX_CELL_PITCH_EMS * size
            or _has_other_size(cells[index][0], cells[index - 1])
        ):
            break  # across the columns, beside them, after a gap, or in another size: not the next line of a cell
        columns = merged
        if not _is_row(cells[index]) and (
            _is_continuation(cells[index][0], columns) or _is_wrapped_below(cells[index - 1], cells[index][0])
        ):
            stop = index + 1
    is_table = row_count >= 2 or _get_starts(cells[start]) in repeated_starts or _has_hanging_cell(cells, start)
    return stop if is_table else 0


def _has_other_size(line: PdfLine, above: list[PdfLine]) -> bool:
    """Return whether a line of some words is set in another size than all cells above it, and is no remark below one.

    A remark is smaller, and begins where its cell does.
    """
    is_other = all(abs(cell.size - line.size) > _MAX_SIZE_DIFFERENCE * line.size for cell in above)
    is_remark = any(line.size < cell.size and abs(cell.x0 - line.x0) <= _MAX_EDGE_SHIFT_POINTS for cell in above)
    return is_other and not is_remark and line.text.count(" ") >= _MIN_SPACES


def _has_hanging_cell(cells: list[list[PdfLine]], start: int) -> bool:
    """Return whether the last of three cells or more goes on in the next line, exactly below where it begins."""
    if len(cells[start]) < _MIN_REPEATED_CELLS or start + 1 == len(cells) or len(cells[start + 1]) > 1:
        return False
    last, following = cells[start][-1], cells[start + 1][0]
    is_close = 0 < following.base - last.base <= _MAX_CELL_PITCH_EMS * following.size
    return is_close and abs(following.x0 - last.x0) < 1 and following.size == last.size and following.bold == last.bold


def _is_continuation(line: PdfLine, columns: list[list[float]]) -> bool:
    return len(columns) > 1 and line.x0 >= columns[1][0] - line.size


def _is_wrapped_below(above: list[PdfLine], line: PdfLine) -> bool:
    """Return whether a line in lower case stands exactly below a cell that ends no sentence."""
    return line.text[:1].islower() and any(
        abs(cell.x0 - line.x0) < 0.3 * line.size and cell.size == line.size and not is_sentence_end(cell.text)
        for cell in above
    )


def _merge_columns(columns: list[list[float]], cells: list[PdfLine]) -> list[list[float]]:
    """Return the columns widened by a row's cells; columns that a cell connects become one."""
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


def _split_columns(rows: list[Row], spans: list[list[float]]) -> Columns:
    """Return the columns that wide white separates, split where a narrow strip separates text in many rows."""
    columns: Columns = []
    for x0, x1 in spans:
        row_parts = [row for row in ([f for f in row if x0 <= f.x0 <= x1] for row in rows) if row]
        merged: Columns = []
        for column in find_columns(row_parts):
            if merged and not _is_gutter(row_parts, merged[-1], column):
                merged[-1] = (merged[-1][0], column[1])
            else:
                merged.append(column)
        columns += merged
    return columns


def _is_gutter(rows: list[Row], left: tuple[float, float], right: tuple[float, float]) -> bool:
    pairs = [
        (before, after)
        for row in rows
        if (before := [f for f in row if left[0] <= f.x0 < left[1]])
        and (after := [f for f in row if right[0] <= f.x0 < right[1]])
    ]
    if len(pairs) < _MIN_ROWS_BESIDE:
        return False
    # A number or letter before a title is part of it.
    is_narrow = left[1] - left[0] < 3 * rows[0][0].size
    return not is_narrow or not any(any(map(str.isalpha, f.text)) for _, after in pairs for f in after)
