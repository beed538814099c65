"""Tables that drawn lines make: cells are known by their borders, so nothing has to be guessed."""

from __future__ import annotations

from ingest.readers.pdf.banded_tables import find_banded_table
from ingest.readers.pdf.blocks import TABLE, BlockItem, PdfBlock
from ingest.readers.pdf.columns import group_rows
from ingest.readers.pdf.fragments import Fragment
from ingest.readers.pdf.ruling_lines import TOUCH_POINTS, RulingLine, RulingLines, group_meeting_lines, merge_positions
from ingest.readers.pdf.table_rows import finish_rows, make_line, place_in_columns, split_rows

_MAX_CELL_LINES = 25  # of text in one cell: more is a framed page, not a table
_MIN_OVERHANG_POINTS = (
    8.0  # points that level lines reach beyond the last upright one: there is a column without a border
)

FoundTable = tuple[PdfBlock, list[Fragment]]


def replace_ruled_tables(fragments: list[Fragment], rules: RulingLines) -> list[Fragment]:
    """Fragments in the cells of a table with lines are replaced by one that stands for the table."""
    level = rules.level
    if len(rules.level) >= 2 and rules.upright:
        for level_group, upright in group_meeting_lines(rules):
            if found := _find_grid_table(fragments, level_group, upright):
                fragments = _replace_with_table(fragments, found)
                # Its uppermost and lowest line may begin a table without upright lines.
                used = {
                    span
                    for span in level_group
                    if min(level_group)[0] < span[0] - TOUCH_POINTS < max(level_group)[0] - 2 * TOUCH_POINTS
                }
                level = [span for span in level if span not in used]
    while found := find_banded_table(fragments, level):
        fragments = _replace_with_table(fragments, found)
    return fragments


def _replace_with_table(fragments: list[Fragment], found: FoundTable) -> list[Fragment]:
    table, inside = found
    taken = {id(fragment) for fragment in inside}
    x0, x1 = table.column
    y0, y1 = min(f.y0 for f in inside), max(f.y1 for f in inside)
    size, turn, page = inside[0].size, inside[0].turn, inside[0].page
    stand_in = Fragment(page, " ", (), x0, y0, x1, y1, y0 + size, size, False, False, turn, table=table)
    return [fragment for fragment in fragments if id(fragment) not in taken] + [stand_in]


def _find_grid_table(
    fragments: list[Fragment], level: list[RulingLine], upright: list[RulingLine]
) -> FoundTable | None:
    ys, xs = merge_positions(level), merge_positions(upright)
    if not xs or len(ys) < 3:
        return None
    left, right = min(span[1] for span in level), max(span[2] for span in level)
    inner = len(xs)
    xs = [left] * (xs[0] - left > _MIN_OVERHANG_POINTS) + xs + [right] * (right - xs[-1] > _MIN_OVERHANG_POINTS)
    if len(xs) < 3:
        return None
    if len(xs) > inner:  # borders that are not drawn: the table's ends are
        top, bottom = min(span[1] for span in upright), max(span[2] for span in upright)
        upright = upright + [(x, top, bottom) for x in (xs[0], xs[-1])]
    inside = [f for f in fragments if not f.table and _is_inside(xs, ys, f)]
    table = _build_table(inside, xs, ys, level, upright) if inside else None
    if table and len(xs) > inner and not _is_filled(table):
        return None
    return (table, inside) if table else None


def _is_filled(table: PdfBlock) -> bool:
    """Whether most rows have several cells: a line in the margin with others above and below makes no table."""
    return 2 * sum(sum(map(bool, item)) > 1 for item in table.items) > len(table.items)


def _is_inside(xs: list[float], ys: list[float], fragment: Fragment) -> bool:
    x, y = (fragment.x0 + fragment.x1) / 2, (fragment.y0 + fragment.y1) / 2
    return xs[0] < x < xs[-1] and ys[0] < y < ys[-1]


def _build_table(inside: list[Fragment], xs, ys, level: list[RulingLine], upright: list[RulingLine]) -> PdfBlock | None:
    cells: dict[tuple[int, int], list[Fragment]] = {}
    owner = _map_merged_cells(xs, ys, level, upright)
    for fragment in inside:
        # By its beginning: a cell's text may run a little into the next.
        x, y = min(fragment.x0 + fragment.size / 2, (fragment.x0 + fragment.x1) / 2), (fragment.y0 + fragment.y1) / 2
        column = max(sum(place <= x for place in xs) - 1, 0)
        row = max(sum(place <= y for place in ys) - 1, 0)
        cells.setdefault(owner[row, column], []).append(fragment)
    if sum(_is_crossed(fragment, upright) for fragment in inside) > 0.1 * len(inside):
        return None  # boxes behind the text, not around it
    columns = sorted({column for _, column in cells})
    lines = {place: [make_line(row) for row in group_rows(found)] for place, found in cells.items()}
    if len(columns) < 2 or len({row for row, _ in cells}) < 2:
        return None
    items: list[BlockItem] = []
    for row in sorted({row for row, _ in cells}):
        within = [fragment for column in columns for fragment in cells.get((row, column), [])]
        if loose := _split_unruled_rows(within, [(xs[c], _find_right_edge(xs, columns, c)) for c in columns]):
            items += loose
        elif max(len(lines.get((row, column), [])) for column in columns) > _MAX_CELL_LINES:
            return None
        else:
            items.append([lines.get((row, column), []) for column in columns])
    return PdfBlock(TABLE, finish_rows(items), column=(xs[0], xs[-1]))


def _find_right_edge(xs: list[float], columns: list[int], column: int) -> float:
    following = [c for c in columns if c > column]
    return xs[following[0]] if following else xs[-1]


def _split_unruled_rows(within: list[Fragment], columns: list[tuple[float, float]]) -> list[BlockItem]:
    """A band in which most lines fill most columns holds many rows, parted by nothing but their place."""
    lines = [place_in_columns(row, columns) for row in group_rows(within)]
    full = sum(sum(map(bool, line)) > max(0.5 * len(columns), 1) for line in lines)
    if len(lines) < 4 or full < 0.7 * len(lines):
        return []
    edges = [(x0, max((line[k].x1 for line in lines if line[k]), default=x1)) for k, (x0, x1) in enumerate(columns)]
    items = split_rows(lines, edges)
    return items if len(items) >= 3 else []


def _is_crossed(fragment: Fragment, upright: list[RulingLine]) -> bool:
    y, room = (fragment.y0 + fragment.y1) / 2, 1.5 * fragment.size
    return any(start < y < stop and fragment.x0 + room < x < fragment.x1 - room for x, start, stop in upright)


def _map_merged_cells(
    xs: list[float], ys: list[float], level: list[RulingLine], upright: list[RulingLine]
) -> dict[tuple[int, int], tuple[int, int]]:
    """For each field of the grid the upper left field of the cell it is part of: cells may span rows and columns."""
    owner = {(row, column): (row, column) for row in range(len(ys) - 1) for column in range(len(xs) - 1)}

    def first(place: tuple[int, int]) -> tuple[int, int]:
        while owner[place] != place:
            place = owner[place]
        return place

    for row, column in list(owner):
        x, y = (xs[column] + xs[column + 1]) / 2, (ys[row] + ys[row + 1]) / 2
        if column and not _is_drawn(upright, xs[column], y):
            _merge_cells(owner, first((row, column - 1)), first((row, column)))
        if row and not _is_drawn(level, ys[row], x):
            _merge_cells(owner, first((row - 1, column)), first((row, column)))
    return {place: first(place) for place in owner}


def _merge_cells(owner: dict, one: tuple[int, int], other: tuple[int, int]) -> None:
    owner[max(one, other)] = min(one, other)


def _is_drawn(spans: list[RulingLine], place: float, across: float) -> bool:
    return any(abs(at - place) <= TOUCH_POINTS + 1 and start - 1 <= across <= stop + 1 for at, start, stop in spans)
