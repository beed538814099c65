"""Find tables that have only horizontal lines (or shaded bands): lines separate the rows, white the columns."""

from __future__ import annotations

import re
import statistics
from collections.abc import Iterator
from itertools import pairwise, takewhile

from ingest.readers.pdf.blocks import TABLE, BlockItem, PdfBlock, TableFragment
from ingest.readers.pdf.columns import Row, group_rows, is_prose
from ingest.readers.pdf.fragments import Fragment
from ingest.readers.pdf.ruling_lines import RulingLine
from ingest.readers.pdf.table_rows import (
    Cells,
    Columns,
    find_columns,
    finish_rows,
    merge_into_row,
    place_in_columns,
    split_rows,
)
from ingest.readers.table_structure import SourceCell, SourceRow, build_table

_MAX_ROW_POINTS = 80.0  # of a first row above all lines, or a last row below them
_MAX_ROW_LINE_PITCH_EMS = 1.45  # between the lines of such a row
_MAX_GAP_DIFFERENCE_EMS = 0.4  # by which the white between it and its line may differ from that of other rows
_MAX_END_DIFFERENCE_POINTS = 4.0  # by which the ends of a table's lines may differ
_MAX_PIECE_GAP_POINTS = 8.0  # between the parts of one line that is drawn cell by cell
_MIN_LINE_POINTS = 40.0  # shorter lines are drawn in formulas
_MAX_OVERHANG_POINTS = 12.0  # by which a cell's text may reach beyond the lines
_MIN_CELL_GAP_EMS = 0.5  # between two cells of a row
_MAX_CELL_WIDTH_SHARE = 0.62  # a single fragment wider than this is text, not a cell
_MIN_TEXT_WIDTH_SHARE = 0.85  # of the lines, which such a line above the rows is as wide as
_MAX_START_DIFFERENCE_POINTS = 2.0  # of the lines of one cell
_MAX_LABEL_PITCH_EMS = 0.8  # between the baselines of a centred label and of a line beside it
_MAX_LINE_PITCH_EMS = 1.5  # of two lines of text
_MAX_PITCH_EMS = 3.5  # lines farther apart do not belong together
_MAX_BAND_ROWS = 12  # between two lines; with more, a band may be prose

_CAPTION = re.compile(r"(?:Table|Tab\.|Tabelle|Figure|Fig\.|[表圖图])\s*(?:[A-Z]\.)?[\dIVX一二三四五六七八九十]")
_LETTER = re.compile(r"[^\W\d_]")

Band = list[Row]


def find_banded_table(
    fragments: list[Fragment], horizontal: list[RulingLine]
) -> tuple[PdfBlock, list[Fragment]] | None:
    """Return the first table that horizontal lines of one length make, and the fragments in it."""
    if len(horizontal) < 3:
        return None
    for x0, x1, ys in _stack_lines(horizontal):
        inside = [f for f in fragments if not isinstance(f, TableFragment) and x0 - 6 < (f.x0 + f.x1) / 2 < x1 + 6]
        edges = pairwise([ys[0] - _MAX_ROW_POINTS, *ys, ys[-1] + _MAX_ROW_POINTS])
        bands = [group_rows([f for f in inside if top < f.base < bottom]) for top, bottom in edges]
        for run in _group_bands(_complete_bands(bands, ys), x0, x1):
            if table := _build_table(run, (x0, x1)):
                return table, [fragment for band in run for row in band for fragment in row]
    return None


def _stack_lines(horizontal: list[RulingLine]) -> list[tuple[float, float, list[float]]]:
    """Return lines of about the same length below each other, as (left, right, their heights)."""
    stacks: list[tuple[float, float, list[float]]] = []
    for y, x0, x1 in _join_line_pieces(horizontal):
        for left, right, ys in stacks:
            if abs(left - x0) <= _MAX_END_DIFFERENCE_POINTS and abs(right - x1) <= _MAX_END_DIFFERENCE_POINTS:
                if y - ys[-1] > 4:
                    ys.append(y)
                break
        else:
            stacks.append((x0, x1, [y]))
    return [stack for stack in stacks if len(stack[2]) >= 3 and stack[1] - stack[0] > _MIN_LINE_POINTS]


def _join_line_pieces(horizontal: list[RulingLine]) -> list[RulingLine]:
    """Return the lines with the parts of one line joined."""
    joined: list[RulingLine] = []
    for y, x0, x1 in sorted(horizontal, key=lambda span: (round(span[0]), span[1])):
        if joined and abs(joined[-1][0] - y) <= 1.5 and -1 <= x0 - joined[-1][2] <= _MAX_PIECE_GAP_POINTS:
            joined[-1] = (joined[-1][0], joined[-1][1], max(x1, joined[-1][2]))
        else:
            joined.append((y, x0, x1))
    return sorted(joined)


def _complete_bands(bands: list[Band], ys: list[float]) -> list[Band | None]:
    """Return the bands between lines, with the rows that have a line on one side only: a first row, a last row.

    A header row without a line above it begins a table also within a band: what stands above it there (a heading, notes of
    another table) is a band of its own, and None after it ends a table.
    """
    between = bands[1:-1]
    usual_gap = _get_usual_gap([y - band[-1][0].base for band, y in zip(between, ys[1:], strict=True) if band])
    completed: list[Band | None] = []  # from below
    table: list[Band] = []  # the bands with cells below the present one
    for band, y in zip(reversed(between), reversed(ys[1:]), strict=True):
        above, header = _split_off_last_lines(band)
        is_start = bool(above) and not any(map(_is_divided, above)) and _is_at_line(header[-1:], y, usual_gap)
        if is_start and _is_header(header, table):
            completed += [header, None, above]
            table = []
        else:
            completed.append(band)
            table = [band, *table] if any(map(_is_divided, band)) else []
    above, header = _split_off_last_lines(bands[0])
    is_start = not any(map(_is_divided, above[-1:])) and _is_at_line(header[-1:], ys[0], usual_gap)
    if is_start and len(table) > 1 and _fits_rows(header, table) and not _is_header(table[0], table[1:]):
        completed.append(header)
    completed.reverse()
    last_row, _ = _split_off_first_lines(bands[-1])
    table = list(takewhile(lambda band: any(map(_is_divided, band)), (band or [] for band in reversed(completed))))
    usual_gap = _get_usual_gap([band[0][0].base - y for band, y in zip(between, ys, strict=False) if band])
    if len(table) > 1 and _is_at_line(last_row[:1], ys[-1], -usual_gap) and _fits_rows(last_row, table):
        completed.append(last_row)
    return completed


def _get_usual_gap(gaps: list[float]) -> float:
    return statistics.median_low(gaps) if gaps else 0.0


def _is_at_line(rows: list[Row], y: float, usual_gap: float) -> bool:
    """Return whether a row is as far from a line as other rows are."""
    return any(abs(y - row[0].base - usual_gap) < _MAX_GAP_DIFFERENCE_EMS * row[0].size for row in rows)


def _split_off_first_lines(band: Band) -> tuple[Band, Band]:
    """Return the first lines of a band, which stand close together, and the others."""
    pitches = [(b[0].base - a[0].base) / b[0].size for a, b in pairwise(band)]
    stop = next((n for n, pitch in enumerate(pitches, 1) if pitch > _MAX_ROW_LINE_PITCH_EMS), len(band))
    return band[:stop], band[stop:]


def _split_off_last_lines(band: Band) -> tuple[Band, Band]:
    """Return a band without its last lines that stand close together, and these."""
    above, last = list[Row](), band
    while last and (parts := _split_off_first_lines(last))[1]:
        above, last = above + parts[0], parts[1]
    return above, last


def _is_divided(row: Row) -> bool:
    return any(b.x0 - a.x1 > _MIN_CELL_GAP_EMS * a.size for a, b in pairwise(row))


def _fits_rows(lines: Band, bands: list[Band]) -> bool:
    """Return whether lines have a cell in each column of some bands, but for one, and none across two."""
    columns = find_columns([row for band in bands for row in band])
    if len(columns) < 2:
        return False
    spanned = [
        [index for index, (x0, x1) in enumerate(columns) if x0 < f.x1 and x1 > f.x0] for row in lines for f in row
    ]
    filled = {index for row in lines for index, cell in enumerate(place_in_columns(row, columns)) if cell}
    return all(len(indexes) < 2 for indexes in spanned) and len(filled) >= max(2, len(columns) - 1)


def _is_header(header: Band, bands: list[Band]) -> bool:
    """Return whether lines name the columns of the bands below: by their words above numbers, or in bold."""
    if not header or not _fits_rows(header, bands):
        return False
    columns = find_columns([row for band in bands for row in band])
    items = [merge_into_row([place_in_columns(row, columns) for row in band]) for band in (header, *bands)]
    return build_table([SourceRow(tuple(_make_source_cells(item))) for item in items], 0).header_rows == 1


def _make_source_cells(item: BlockItem) -> Iterator[SourceCell]:
    for column, cell in enumerate(item):
        text, is_bold = " ".join(line.text for line in cell), bool(cell) and all(line.bold for line in cell)
        yield SourceCell(column, text, is_bold=is_bold)


def _group_bands(bands: list[Band | None], x0: float, x1: float) -> list[list[Band]]:
    """Return the runs of consecutive bands that hold cells, with the labels between them."""
    runs: list[list[Band]] = []
    run: list[Band] = []
    for band in [*bands, None]:
        if band is not None and (_has_cells(band, x0, x1) or (run and _is_label(band, run[-1]))):
            run.append(band)
            continue
        while run and not _has_cells(run[-1], x0, x1):
            run.pop()
        if len(run) > 1 and not _are_sections(run):
            runs.append(_trim_surroundings(run, x1 - x0))
        run = []
    return runs


def _has_cells(band: Band, x0: float, x1: float) -> bool:
    if any(f.x0 < x0 - _MAX_OVERHANG_POINTS or f.x1 > x1 + _MAX_OVERHANG_POINTS for row in band for f in row):
        return False  # fraction bars and underlined words: the text continues beside them
    beside = [max(a[0].x0, b[0].x0) for a, b in pairwise(band) if _is_label_beside(a, b)]
    cell_starts = beside + [fragment.x0 for row in band for fragment in row[1:]]
    wide_rows = sum(
        len(row) == 1
        and row[0].x1 - row[0].x0 > _MAX_CELL_WIDTH_SHARE * (x1 - x0)
        and not any(abs(row[0].x0 - start) < _MAX_START_DIFFERENCE_POINTS for start in cell_starts)
        for row in band
    )
    return (any(map(_is_divided, band)) or bool(beside)) and 3 * wide_rows < len(band)


def _is_label_beside(above: Row, below: Row) -> bool:
    """Return whether one of two lines is a label that stands beside its cell, between two lines of it."""
    is_close = below[0].base - above[0].base < _MAX_LABEL_PITCH_EMS * below[0].size
    return is_close and (below[-1].x1 < above[0].x0 or above[-1].x1 < below[0].x0)


def _is_label(band: Band, above: Band) -> bool:
    """Return whether a band is a label among rows: not a caption, nor the text between two listings in frames."""
    is_between_listings = _is_in_listing(above) and not _is_in_listing(band)
    return len(band) <= 2 and not is_between_listings and not any(_CAPTION.match(row[0].text) for row in band)


def _is_in_listing(band: Band) -> bool:
    return bool(band) and all(fragment.is_listing for row in band for fragment in row)


def _trim_surroundings(run: list[Band], width: float) -> list[Band]:
    """Remove from the outer bands what is not of the table: a page footer, a heading, text, a caption above the rows."""
    first, last = run[0], run[-1]
    start = max((index for index, (a, b) in enumerate(pairwise(first), 1) if _is_far(a, b)), default=0)
    above = max((index for index, row in enumerate(first[:-1], 1) if _is_above_table(row, width)), default=0)
    while 0 < above < len(first) - 1 and _is_last_line(first[above - 1], first[above]):
        above += 1
    start = max(start, above)
    stop = min((index for index, (a, b) in enumerate(pairwise(last), 1) if _is_far(a, b)), default=len(last))
    return [first[start:], *run[1:-1], last[:stop]]


def _is_above_table(row: Row, width: float) -> bool:
    """Return whether a row between the first two lines is a caption, or a line of text as wide as the lines."""
    is_wide = len(row) == 1 and row[0].x1 - row[0].x0 > _MIN_TEXT_WIDTH_SHARE * width
    return is_wide or _CAPTION.match(row[0].text) is not None


def _is_last_line(above: Row, below: Row) -> bool:
    """Return whether a row goes on with the text of a row above it: it begins below it, in one piece."""
    is_close = below[0].base - above[0].base < _MAX_LINE_PITCH_EMS * below[0].size
    return len(below) == 1 and is_close and abs(below[0].x0 - above[0].x0) < _MAX_START_DIFFERENCE_POINTS


def _is_far(above: Row, below: Row) -> bool:
    return below[0].base - above[0].base > _MAX_PITCH_EMS * below[0].size


def _are_sections(run: list[Band]) -> bool:
    """Return whether the lines are drawn under headings: most bands end with a line more prominent than the others."""
    last_rows = [(band[-1], band[:-1]) for band in run[:-1] if len(band) > 1]
    prominent_count = sum(
        len(row) == 1 and all(row[0].size > 1.08 * other[0].size or row[0].bold > other[0].bold for other in others)
        for row, others in last_rows
    )
    return prominent_count > 0 and 2 * prominent_count >= len(run) - 1


def _build_table(bands: list[Band], ends: tuple[float, float]) -> PdfBlock | None:
    rows = [row for band in bands for row in band]
    columns = find_columns(rows)
    if len(columns) < 2 or sum(sum(map(bool, place_in_columns(row, columns))) > 1 for row in rows) < 2:
        return None
    if any(_is_text(band, columns) for band in bands):
        return None
    lines = [[place_in_columns(row, columns) for row in band] for band in bands if band]
    split = [split_rows(band, columns) for band in lines]
    # Where most bands hold one row, lines separate all rows; else they separate groups of rows.
    is_row_per_band = 2 * sum(len(rows_of_cells) == 1 for rows_of_cells in split) > len(split) and len(split) > 2
    rows_of_cells = []
    for band, band_rows in zip(lines, split, strict=True):
        is_row = (is_row_per_band and not _are_rows(band)) or _has_centred_label(band)
        if _are_labelled(band):
            band_rows = [merge_into_row([line]) for line in band]
        rows_of_cells += [merge_into_row(band)] if is_row else band_rows
    return PdfBlock(TABLE, finish_rows(rows_of_cells), column=ends)


def _has_centred_label(band: list[Cells]) -> bool:
    """Return whether the only cell in the first column stands below the first line of the one cell beside it."""
    is_one_cell = all(sum(map(bool, line[1:])) < 2 for line in band)
    return is_one_cell and not band[0][0] and sum(bool(line[0]) for line in band) == 1


def _are_rows(band: list[Cells]) -> bool:
    """Return whether each line is a row, without a rule between them: the lines have labels, or the same cells with numbers."""
    if len(band) < 2:
        return False
    filled = [tuple(map(bool, line)) for line in band]
    has_numbers = all(any(cell and not _LETTER.search(cell.text) for cell in line) for line in band)
    return _are_labelled(band) or (len(set(filled)) == 1 and sum(filled[0]) > 1 and has_numbers)


def _are_labelled(band: list[Cells]) -> bool:
    """Return whether the values of a form stand beside labels with a colon, several in a band."""
    labels = [line[0] for line in band if any(line[1:])]
    has_colons = all(label is not None and label.text.endswith(":") for label in labels)
    return len(labels) > 1 and has_colons and all(line[0] and not line[0].text[:1].islower() for line in band)


def _is_text(band: Band, columns: Columns) -> bool:
    """Return whether two columns of running text stand between lines that belong to no table."""
    if len(band) <= _MAX_BAND_ROWS:
        return False
    sides = [[row for row in ([f for f in row if x0 <= f.x0 <= x1] for row in band) if row] for x0, x1 in columns]
    return sum(is_prose(side) for side in sides if len(side) > _MAX_BAND_ROWS / 2) > 0
