"""Tables with level lines (or shaded bands) alone: lines part the rows, white parts the columns."""

from __future__ import annotations

import re
from itertools import pairwise

from ingest.readers.pdf.blocks import TABLE, PdfBlock
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

_MAX_END_DIFFERENCE_POINTS = 4.0  # points by which the ends of a table's lines may differ
_MAX_PIECE_GAP_POINTS = 8.0  # points of white between pieces of one line, drawn cell by cell
_MIN_LINE_POINTS = 40.0  # points: shorter lines are drawn in formulas
_MAX_OVERHANG_POINTS = 12.0  # points that a cell's text may reach beyond the lines
_MIN_CELL_GAP_EMS = 0.5  # font sizes between two cells of a row
_MAX_CELL_WIDTH_SHARE = 0.62  # a line that fills so much of the width alone is text, not a cell
_MAX_PITCH_EMS = 3.5  # font sizes between lines that do not belong together
_MAX_BAND_ROWS = 12  # of text between two lines before they are asked whether they are prose

_CAPTION = re.compile(r"(?:Table|Tab\.|Tabelle|Figure|Fig\.|[表圖图])\s*[\dIVX一二三四五六七八九十]")
_LETTER = re.compile(r"[^\W\d_]")

Band = list[Row]


def find_banded_table(fragments: list[Fragment], level: list[RulingLine]) -> tuple[PdfBlock, list[Fragment]] | None:
    """The first table that level lines of one length make, and what stands in it."""
    if len(level) < 3:
        return None
    for x0, x1, ys in _stack_lines(level):
        inside = [f for f in fragments if not f.table and x0 - 6 < (f.x0 + f.x1) / 2 < x1 + 6]
        bands = [group_rows([f for f in inside if top < f.base < bottom]) for top, bottom in pairwise(ys)]
        for run in _group_bands(bands, x0, x1):
            if table := _build_table(run, (x0, x1)):
                return table, [fragment for band in run for row in band for fragment in row]
    return None


def _stack_lines(level: list[RulingLine]) -> list[tuple[float, float, list[float]]]:
    """Lines of about the same length one below the other: (left, right, their places)."""
    stacks: list[tuple[float, float, list[float]]] = []
    for y, x0, x1 in _join_line_pieces(level):
        for left, right, ys in stacks:
            if abs(left - x0) <= _MAX_END_DIFFERENCE_POINTS and abs(right - x1) <= _MAX_END_DIFFERENCE_POINTS:
                if y - ys[-1] > 4:
                    ys.append(y)
                break
        else:
            stacks.append((x0, x1, [y]))
    return [stack for stack in stacks if len(stack[2]) >= 3 and stack[1] - stack[0] > _MIN_LINE_POINTS]


def _join_line_pieces(level: list[RulingLine]) -> list[RulingLine]:
    """Pieces of one line put together."""
    whole: list[RulingLine] = []
    for y, x0, x1 in sorted(level, key=lambda span: (round(span[0]), span[1])):
        if whole and abs(whole[-1][0] - y) <= 1.5 and -1 <= x0 - whole[-1][2] <= _MAX_PIECE_GAP_POINTS:
            whole[-1] = (whole[-1][0], whole[-1][1], max(x1, whole[-1][2]))
        else:
            whole.append((y, x0, x1))
    return sorted(whole)


def _group_bands(bands: list[Band], x0: float, x1: float) -> list[list[Band]]:
    """Bands that follow one another and hold cells, with the labels between them."""
    runs: list[list[Band]] = []
    run: list[Band] = []
    for band in [*bands, None]:
        if band is not None and (_has_cells(band, x0, x1) or (run and _is_label(band))):
            run.append(band)
            continue
        while run and not _has_cells(run[-1], x0, x1):
            run.pop()
        if len(run) > 1 and not _are_sections(run):
            runs.append(_trim_surroundings(run))
        run = []
    return runs


def _has_cells(band: Band, x0: float, x1: float) -> bool:
    if any(f.x0 < x0 - _MAX_OVERHANG_POINTS or f.x1 > x1 + _MAX_OVERHANG_POINTS for row in band for f in row):
        return False  # bars of fractions, underlined words: the text goes on beside them
    alone = sum(len(row) == 1 and row[0].x1 - row[0].x0 > _MAX_CELL_WIDTH_SHARE * (x1 - x0) for row in band)
    return any(b.x0 - a.x1 > _MIN_CELL_GAP_EMS * a.size for row in band for a, b in pairwise(row)) and 3 * alone < len(
        band
    )


def _is_label(band: Band) -> bool:
    return len(band) <= 2 and not any(_CAPTION.match(row[0].text) for row in band)


def _trim_surroundings(run: list[Band]) -> list[Band]:
    """Less what stands in the outer bands but far from the rows: a foot, a heading."""
    first, last = run[0], run[-1]
    start = max((at for at, (a, b) in enumerate(pairwise(first), 1) if _is_far(a, b)), default=0)
    stop = min((at for at, (a, b) in enumerate(pairwise(last), 1) if _is_far(a, b)), default=len(last))
    return [first[start:], *run[1:-1], last[:stop]]


def _is_far(above: Row, below: Row) -> bool:
    return below[0].base - above[0].base > _MAX_PITCH_EMS * below[0].size


def _are_sections(run: list[Band]) -> bool:
    """Lines drawn under headings: each band but the last ends with a line that stands out from those before it."""
    ends = [(band[-1], band[:-1]) for band in run[:-1] if len(band) > 1]
    out = sum(
        len(row) == 1 and all(row[0].size > 1.08 * other[0].size or row[0].bold > other[0].bold for other in others)
        for row, others in ends
    )
    return out > 0 and 2 * out >= len(run) - 1


def _build_table(bands: list[Band], ends: tuple[float, float]) -> PdfBlock | None:
    rows = [row for band in bands for row in band]
    columns = find_columns(rows)
    if len(columns) < 2 or sum(sum(map(bool, place_in_columns(row, columns))) > 1 for row in rows) < 2:
        return None
    if any(_is_text(band, columns) for band in bands):
        return None
    lines = [[place_in_columns(row, columns) for row in band] for band in bands if band]
    parted = [split_rows(band, columns) for band in lines]
    # Where most bands hold one row, lines part all rows; else only groups of them.
    single = 2 * sum(len(items) == 1 for items in parted) > len(parted) and len(parted) > 2
    items = []
    for band, loose in zip(lines, parted, strict=True):
        items += [merge_into_row(band)] if single and not _are_rows(band) else loose
    return PdfBlock(TABLE, finish_rows(items), column=ends)


def _are_rows(band: list[Cells]) -> bool:
    """Whether every line fills the same cells, numbers among them: each is a row, even without a rule between."""
    filled = [tuple(map(bool, line)) for line in band]
    numbers = all(any(cell and not _LETTER.search(cell.text) for cell in line) for line in band)
    return len(band) > 1 and len(set(filled)) == 1 and sum(filled[0]) > 1 and numbers


def _is_text(band: Band, columns: Columns) -> bool:
    """Whether two columns of running text stand between lines that are none of a table."""
    if len(band) <= _MAX_BAND_ROWS:
        return False
    sides = [[row for row in ([f for f in row if x0 <= f.x0 <= x1] for row in band) if row] for x0, x1 in columns]
    return sum(is_prose(side) for side in sides if len(side) > _MAX_BAND_ROWS / 2) > 0
