"""Find tables with drawn lines: their cells are known by their borders, so nothing is guessed."""

from __future__ import annotations

from bisect import bisect_right
from itertools import groupby, pairwise

from ingest.readers.pdf.banded_tables import find_banded_table
from ingest.readers.pdf.blocks import TABLE, BlockItem, PdfBlock, PdfLine, TableFragment, is_sentence_end
from ingest.readers.pdf.columns import group_rows, is_mostly_rtl
from ingest.readers.pdf.fragments import Fragment
from ingest.readers.pdf.region_blocks import build_region_blocks
from ingest.readers.pdf.ruled_spans import list_cell_spans
from ingest.readers.pdf.ruling_lines import (
    TOUCH_POINTS,
    RulingLine,
    RulingLines,
    find_row_ends,
    group_meeting_lines,
    merge_positions,
)
from ingest.readers.pdf.table_rows import find_columns, finish_rows, make_line, place_in_columns, split_rows

_MAX_CELL_LINES = 25  # in one cell: with more, it holds paragraphs, or the lines frame a page
_MIN_WRAPPED_LINES, _MIN_WRAPPED_CHARACTERS = 2, 24  # that go on in the next line of their cell
_MIN_HEADINGS, _MIN_HEADING_GAP_EMS = 3, 0.9  # in one cell, in bold, and the white between them
_MIN_COLUMN_GAP_EMS, _MAX_WIDE_SHARE = 1.0, 0.25  # of white between columns, and of the lines of cells that have it
_MAX_ROW_POINTS = 80.0  # of a row without a line on one side
_MAX_LABEL_LINES, _MAX_LONG_LABEL_LINES = 2, 4  # of a label beside several lines, the only row between two lines
_MAX_LETTERS_OVER_LINE = 0.25  # of their height, above or below the end of a row
_MIN_OVERHANG_POINTS = 8.0  # lines reaching so far beyond the last one across show a column or row without border

FoundTable = tuple[list[PdfBlock], list[Fragment]]


def replace_ruled_tables(fragments: list[Fragment], rules: RulingLines) -> list[Fragment]:
    """Replace the fragments of each table that has lines by one fragment that stands for the table."""
    horizontal = rules.horizontal
    if len(rules.horizontal) >= 2 and rules.vertical:
        for horizontal_group, vertical in group_meeting_lines(rules):
            found_table = _find_grid_table(fragments, horizontal_group, vertical)
            if found_table and not _is_part_of_table(horizontal_group, rules.horizontal):
                fragments = _replace_with_table(fragments, found_table)
                # The first and last line of a table may begin a table without vertical lines.
                first, last = min(horizontal_group)[0], max(horizontal_group)[0]
                used = {span for span in horizontal_group if first < span[0] - TOUCH_POINTS < last - 2 * TOUCH_POINTS}
                horizontal = [span for span in horizontal if span not in used]
    while banded_table := find_banded_table(fragments, horizontal):
        fragments = _replace_with_table(fragments, ([banded_table[0]], banded_table[1]))
    return fragments


def _replace_with_table(fragments: list[Fragment], found_table: FoundTable) -> list[Fragment]:
    blocks, inside = found_table
    inside_ids = {id(fragment) for fragment in inside}
    x0, x1 = min(block.column[0] for block in blocks), max(block.column[1] for block in blocks)
    y0, y1 = min(f.y0 for f in inside), max(f.y1 for f in inside)
    size, turn, page = inside[0].size, inside[0].turn, inside[0].page
    table_fragment = TableFragment(
        page=page,
        text=" ",
        pieces=(),
        x0=x0,
        y0=y0,
        x1=x1,
        y1=y1,
        base=y0 + size,
        size=size,
        bold=False,
        italic=False,
        turn=turn,
        blocks=blocks,
    )
    return [fragment for fragment in fragments if id(fragment) not in inside_ids] + [table_fragment]


def _is_part_of_table(group: list[RulingLine], horizontal: list[RulingLine]) -> bool:
    """Return whether the first and the last line of a grid go on beside it, above and below columns without lines between."""
    left, right = min(start for _, start, _ in group), max(stop for _, _, stop in group)
    goes_on = [
        y
        for y, start, stop in horizontal
        if abs(start - right) <= TOUCH_POINTS < stop - right or abs(stop - left) <= TOUCH_POINTS < left - start
    ]
    edges = min(group)[0], max(group)[0]
    return all(any(abs(y - edge) <= TOUCH_POINTS for y in goes_on) for edge in edges)


def _find_grid_table(
    fragments: list[Fragment], horizontal: list[RulingLine], vertical: list[RulingLine]
) -> FoundTable | None:
    ys, xs = merge_positions(horizontal), merge_positions(vertical)
    row_ends = [y for y in find_row_ends(vertical) if all(abs(y - other) > TOUCH_POINTS + 1 for other in ys)]
    ys = sorted(ys + row_ends)
    if not xs or len(ys) < 2:
        return None
    drawn_count, has_one_gutter = len(xs) + len(ys), len(xs) == 1
    left, right = min(span[1] for span in horizontal), max(span[2] for span in horizontal)
    horizontal = horizontal + [(y, left, right) for y in row_ends]
    top, bottom = min(span[1] for span in vertical), max(span[2] for span in vertical)
    xs = _add_ends(xs, left, right)
    if len(xs) < 3:
        return None
    has_two_lines, ys = len(ys) == 2, _add_ends(ys, top, bottom)
    if has_two_lines and len(ys) > 2 and not _are_rows(ys, xs, horizontal):
        return None
    has_open_side = len(xs) + len(ys) > drawn_count
    if has_open_side:  # its outer borders are not drawn: they are where the lines end
        vertical = vertical + [(x, top, bottom) for x in (xs[0], xs[-1])]
    inside = [f for f in fragments if not isinstance(f, TableFragment) and _is_inside(xs, ys, f)]
    blocks = _build_table(inside, xs, ys, horizontal, vertical, row_ends) if inside else []
    if blocks and has_open_side and not _is_filled(blocks):
        return None
    if blocks and (has_two_lines or row_ends or has_one_gutter) and _have_white_columns(blocks):
        return None
    if any(block.kind != TABLE for block in blocks) and any(
        isinstance(fragment, TableFragment) and _is_inside(xs, ys, fragment) for fragment in fragments
    ):
        return None  # a page framed around its tables
    return (blocks, inside) if blocks else None


def _are_rows(ys: list[float], xs: list[float], horizontal: list[RulingLine]) -> bool:
    """Return whether a row each is between lines drawn cell by cell, which end at lines between columns."""
    is_drawn_by_cell = any(abs(stop - x) <= TOUCH_POINTS for _, _, stop in horizontal for x in xs[1:-1])
    return is_drawn_by_cell and all(bottom - top < _MAX_ROW_POINTS for top, bottom in pairwise(ys))


def _have_white_columns(blocks: list[PdfBlock]) -> bool:
    """Return whether many lines of the cells have wide white in them: lines separate some of the columns only."""
    lines = [line for block in blocks for line in block.lines]
    wide_count = sum(
        any(b.x0 - a.x1 > _MIN_COLUMN_GAP_EMS * a.size for a, b in pairwise(line.fragments)) for line in lines
    )
    return wide_count > _MAX_WIDE_SHARE * len(lines)


def _add_ends(positions: list[float], start: float, stop: float) -> list[float]:
    """Return the positions of parallel lines, and the ends of the lines across where these reach far beyond."""
    before, after = positions[0] - start > _MIN_OVERHANG_POINTS, stop - positions[-1] > _MIN_OVERHANG_POINTS
    return [start] * before + positions + [stop] * after


def _is_filled(blocks: list[PdfBlock]) -> bool:
    """Return whether most rows have several cells: a line in the margin with lines above and below is no table."""
    items = [item for block in blocks for item in block.items]
    return 2 * sum(sum(map(bool, item)) > 1 for item in items) > len(items)


def _is_inside(xs: list[float], ys: list[float], fragment: Fragment) -> bool:
    x, y = (fragment.x0 + fragment.x1) / 2, (fragment.y0 + fragment.y1) / 2
    return xs[0] < x < xs[-1] and ys[0] < y < ys[-1]


def _build_table(
    inside: list[Fragment],
    xs: list[float],
    ys: list[float],
    horizontal: list[RulingLine],
    vertical: list[RulingLine],
    row_ends: list[float],
) -> list[PdfBlock]:
    """Return the table, or several blocks where its cells hold paragraphs, or nothing where the lines are no table's."""
    cells: dict[tuple[int, int], list[Fragment]] = {}
    owners = _map_merged_cells(xs, ys, horizontal, vertical)
    if is_mostly_rtl("".join(fragment.text for fragment in inside)):
        owners = _choose_rightmost_owners(owners)
    for fragment in inside:
        # By where it begins: the text of a cell may run a little into the next.
        x, y = min(fragment.x0 + fragment.size / 2, (fragment.x0 + fragment.x1) / 2), (fragment.y0 + fragment.y1) / 2
        if row_ends and _is_beside_rows(fragment, row_ends):
            y = fragment.y0
        column, row = max(bisect_right(xs, x) - 1, 0), max(bisect_right(ys, y) - 1, 0)
        cells.setdefault(owners[row, column], []).append(fragment)
    if sum(_is_crossed(fragment, vertical) for fragment in inside) > 0.1 * len(inside):
        return []  # boxes behind the text, not cells around it
    columns = sorted({column for _, column in cells})
    lines = {position: _make_cell_lines(fragments) for position, fragments in cells.items()}
    if len(columns) < 2 or (len({row for row, _ in cells}) < 2 and not _is_lone_row(list(lines.values()), ys)):
        return []
    bands: dict[int, list[BlockItem]] = {}
    for row in sorted({row for row, _ in cells}):
        row_fragments = [fragment for column in columns for fragment in cells.get((row, column), [])]
        is_known = ys[row] in row_ends or ys[row + 1] in row_ends
        edges = [(xs[column], _find_right_edge(xs, columns, column)) for column in columns]
        if not is_known and (split := _split_unruled_rows(row_fragments, edges)):
            bands[row] = split
        else:
            bands[row] = [[lines.get((row, column), []) for column in columns]]
    if long_rows := {row for row, band in bands.items() if len(band) == 1 and _has_paragraphs(band[0])}:
        return _read_paragraphs(cells, bands, long_rows, (xs[0], xs[-1]))
    items = finish_rows([item for band in bands.values() for item in band])
    spans = list_cell_spans(owners, bands, columns, items)
    return [PdfBlock(TABLE, items, column=(xs[0], xs[-1]), cell_spans=spans)]


def _is_lone_row(cells: list[list[PdfLine]], ys: list[float]) -> bool:
    """Return whether the cells between two lines are a label and what stands beside it."""
    label, *others = cells
    goes_on = any(line.text[:1].islower() for cell in others for line in cell[1:])
    is_label = len(label) <= _MAX_LABEL_LINES < max(map(len, others)) or (
        len(label) <= _MAX_LONG_LABEL_LINES and goes_on
    )
    return len(ys) == 2 and is_label and not _has_paragraphs(others)


def _is_beside_rows(fragment: Fragment, row_ends: list[float]) -> bool:
    """Return whether the end of a row is within the letters of a line: a label centred beside two rows."""
    margin = _MAX_LETTERS_OVER_LINE * (fragment.y1 - fragment.y0)
    return any(fragment.y0 + margin < y < fragment.y1 - margin for y in row_ends)


def _has_paragraphs(item: BlockItem) -> bool:
    return max(map(len, item)) > _MAX_CELL_LINES


def _read_paragraphs(
    cells: dict[tuple[int, int], list[Fragment]],
    bands: dict[int, list[BlockItem]],
    long_rows: set[int],
    edges: tuple[float, float],
) -> list[PdfBlock]:
    """Return the paragraphs of the cells in long rows, one cell after the other, and tables of the rows between them.

    A long cell beside which there is no other is the page that the lines frame: then nothing is returned.
    """
    if any(sum(map(bool, bands[row][0])) < 2 for row in long_rows):
        return []
    is_rtl = is_mostly_rtl("".join(fragment.text for fragments in cells.values() for fragment in fragments))
    blocks: list[PdfBlock] = []
    for is_long, rows in groupby(bands, key=long_rows.__contains__):
        if is_long:
            for row in rows:
                for position in sorted((place for place in cells if place[0] == row), reverse=is_rtl):
                    blocks += build_region_blocks(group_rows(cells[position]))
        else:
            blocks.append(PdfBlock(TABLE, finish_rows([item for row in rows for item in bands[row]]), column=edges))
    return blocks


def _make_cell_lines(fragments: list[Fragment]) -> list[PdfLine]:
    """Return the lines of a cell: headings side by side one after the other, whose columns have no lines between."""
    rows = group_rows(fragments)
    columns = find_columns(rows, _MIN_HEADING_GAP_EMS) if len(rows) > 1 and all(f.bold for f in fragments) else []
    if len(columns) < _MIN_HEADINGS:
        return [make_line(row) for row in rows]
    placed = [place_in_columns(row, columns) for row in rows]
    return [line for column in zip(*placed, strict=True) for line in column if line]


def _find_right_edge(xs: list[float], columns: list[int], column: int) -> float:
    following = [c for c in columns if c > column]
    return xs[following[0]] if following else xs[-1]


def _split_unruled_rows(fragments: list[Fragment], columns: list[tuple[float, float]]) -> list[BlockItem]:
    """Return the rows of a band in which most lines fill most columns: many rows without lines between."""
    lines = [place_in_columns(row, columns) for row in group_rows(fragments)]
    full_lines = sum(sum(map(bool, line)) > max(0.5 * len(columns), 1) for line in lines)
    if len(lines) < 4 or full_lines < 0.7 * len(lines) or any(map(_is_wrapped, zip(*lines, strict=True))):
        return []
    column_edges = [
        (x0, max((cell.x1 for line in lines if (cell := line[index])), default=x1))
        for index, (x0, x1) in enumerate(columns)
    ]
    items = split_rows(lines, column_edges)
    return items if len(items) >= 3 else []


def _is_wrapped(column: tuple[PdfLine | None, ...]) -> bool:
    """Return whether most long lines of a column go on in lower case in the next: it is text in one cell."""
    pairs = [(a, b) for a, b in pairwise(column) if a and b and len(a.text) >= _MIN_WRAPPED_CHARACTERS]
    goes_on = sum(b.text[:1].islower() and not is_sentence_end(a.text) for a, b in pairs)
    return goes_on >= _MIN_WRAPPED_LINES and 2 * goes_on >= len(pairs)


def _is_crossed(fragment: Fragment, vertical: list[RulingLine]) -> bool:
    y, margin = (fragment.y0 + fragment.y1) / 2, 1.5 * fragment.size
    if fragment.x1 - fragment.x0 <= 2 * margin:
        return False
    left, right = fragment.x0 + margin, fragment.x1 - margin
    return any(left < x < right and start < y < stop for x, start, stop in vertical)


def _map_merged_cells(
    xs: list[float], ys: list[float], horizontal: list[RulingLine], vertical: list[RulingLine]
) -> dict[tuple[int, int], tuple[int, int]]:
    """Return for each grid field the upper left field of its cell: cells may span rows and columns."""
    owner = {(row, column): (row, column) for row in range(len(ys) - 1) for column in range(len(xs) - 1)}

    def find_owner(field: tuple[int, int]) -> tuple[int, int]:
        while owner[field] != field:
            field = owner[field]
        return field

    vertical_at, horizontal_at = [_select_near(vertical, x) for x in xs], [_select_near(horizontal, y) for y in ys]
    for row, column in list(owner):
        x, y = (xs[column] + xs[column + 1]) / 2, (ys[row] + ys[row + 1]) / 2
        if column and not _is_drawn(vertical_at[column], y):
            _merge_cells(owner, find_owner((row, column - 1)), find_owner((row, column)))
        if row and not _is_drawn(horizontal_at[row], x):
            _merge_cells(owner, find_owner((row - 1, column)), find_owner((row, column)))
    return {field: find_owner(field) for field in owner}


def _choose_rightmost_owners(owners: dict[tuple[int, int], tuple[int, int]]) -> dict[tuple[int, int], tuple[int, int]]:
    """Return for each grid field the upper right field of its cell: from right to left, a cell begins there."""
    rightmost = {owner: field for field, owner in owners.items() if field[0] == owner[0]}  # the last of its first row
    return {field: rightmost[owner] for field, owner in owners.items()}


def _merge_cells(
    owner: dict[tuple[int, int], tuple[int, int]], first: tuple[int, int], second: tuple[int, int]
) -> None:
    owner[max(first, second)] = min(first, second)


def _select_near(spans: list[RulingLine], expected: float) -> list[RulingLine]:
    return [span for span in spans if abs(span[0] - expected) <= TOUCH_POINTS + 1]


def _is_drawn(spans: list[RulingLine], crossing: float) -> bool:
    return any(start - 1 <= crossing <= stop + 1 for _, start, stop in spans)
