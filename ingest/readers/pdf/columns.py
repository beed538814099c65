"""Split a page into regions (columns and bands) in reading order, each with its rows from top to bottom."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from operator import attrgetter

import numpy as np

from ingest.readers.pdf.fragments import Fragment
from ingest.readers.pdf.ruling_lines import RulingLine

Row = list[Fragment]

_BIN_POINTS = 3.0  # a finer grid finds no more gutters
_MIN_ROWS = 3  # a gutter beside fewer rows is likely chance
_MIN_COLUMN_WIDTH_EMS, _MIN_BOX_WIDTH_EMS = 8.0, 5.0
_MAX_ALIGNED_SHARE = 0.35  # of the lines of two columns: with more on one baseline, they are rows of a table
# Of lines beside each other, whose baselines are apart as in most rows, up to so much: with more, they are cells.
_MAX_EVEN_SHARE, _MAX_BASELINE_SHIFT_EMS = 0.5, 0.12
_MIN_WORDED_SHARE = 0.75  # of the lines of boxes side by side
_MIN_COLUMN_WORDED_SHARE = 0.5  # of the lines of columns: with fewer, they are numbers or a formula
_MIN_NUMBERED_SHARE, _MIN_LEADER_SHARE = 0.5, 0.3  # of the rows of an index, some of which go on below
_MIN_FULL_SHARE = 0.5  # of a column's width: what goes on in lower case below a shorter line is another cell
_MAX_GAP_BETWEEN_LINES_EMS = 3.0
_MAX_RULES_ACROSS = 40  # of a region; more are a pattern
_WORD = re.compile(r"[^\W\d_]{3,}|[\u3040-\u30ff\u3400-\u9fff]{2,}")
_PAGE_NUMBERS = re.compile(r"\d{1,4}(?:[–-]\d{1,4})?(?:, ?\d{1,4}(?:[–-]\d{1,4})?)*")
_RTL_LETTER = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")


def is_mostly_rtl(text: str) -> bool:
    """Return whether most letters are written from right to left."""
    if text.isascii():
        return False
    rtl_count = len(_RTL_LETTER.findall(text))
    return rtl_count > 0 and rtl_count * 2 > sum(map(str.isalpha, text))


def split_regions(fragments: list[Fragment], horizontal_rules: Sequence[RulingLine] = ()) -> list[list[Row]]:
    """Return the regions in reading order: columns one after the other, between bands of full width.

    Columns also end at a rule that crosses the gutter, such as the rule below the title of a newspaper.
    """
    if not fragments:
        return []
    rows = group_rows(fragments)
    rtl = is_mostly_rtl("".join(fragment.text for fragment in fragments))
    return [region for region in _split_rows(rows, rtl, horizontal_rules) if region]


def group_main_rows(fragments: list[Fragment]) -> list[Row]:
    """Return the rows of a page's text with the turn that most of its fragments have."""
    turns = Counter(fragment.turn for fragment in fragments)
    if len(turns) < 2:
        return group_rows(fragments)
    main_turn = turns.most_common(1)[0][0]
    return group_rows([fragment for fragment in fragments if fragment.turn == main_turn])


def group_rows(fragments: list[Fragment]) -> list[Row]:
    """Return the rows of fragments on about the same baseline, top to bottom, each from left to right."""
    rows: list[Row] = []
    base = size = 0.0
    for fragment in sorted(fragments, key=attrgetter("base", "x0")):
        if rows and fragment.base - base <= 0.5 * min(size, fragment.size):
            rows[-1].append(fragment)
            if fragment.size > size:
                base, size = fragment.base, fragment.size
        else:
            rows.append([fragment])
            base, size = fragment.base, fragment.size
    for row in rows:
        if len(row) > 1:
            row.sort(key=attrgetter("x0"))
    return rows


def _split_rows(rows: list[Row], rtl: bool, rules: Sequence[RulingLine], depth: int = 0) -> list[list[Row]]:
    gutter = _find_gutter(rows) if depth < 12 else None
    if gutter is None:
        return [rows]
    top, gutter_end, x = gutter
    bottom = _find_end_at_rule(rows, top, gutter_end, x, rules)
    beside = [fragment for row in rows[top:bottom] for fragment in row]
    # Grouped anew: a line of one column may stand between two baselines of the other.
    left = group_rows([fragment for fragment in beside if _middle_x(fragment) < x])
    right = group_rows([fragment for fragment in beside if _middle_x(fragment) >= x])
    first, second = (right, left) if rtl else (left, right)
    regions = [
        region for part in (rows[:top], first, second) if part for region in _split_rows(part, rtl, rules, depth + 1)
    ]
    if bottom == len(rows):
        return regions
    return regions + _split_rows(rows[bottom:], rtl, rules, depth + (bottom == gutter_end))


def _find_end_at_rule(rows: list[Row], top: int, bottom: int, x: float, rules: Sequence[RulingLine]) -> int:
    """Return before which row columns end: at the first rule that is as wide as both of them, or at their bottom.

    Below the rule there must be text enough on both sides of x to judge whether it stands in columns.
    """
    beside = rows[top:bottom]
    size = _find_usual_size(beside)
    left_edge = min(row[0].x0 for row in beside) + size
    right_edge = max(fragment.x1 for row in beside for fragment in row) - size
    across = [y for y, start, stop in rules if start < left_edge and stop > right_edge]
    ends = {top + sum(row[0].base < y for row in beside) for y in across} - {top, bottom}
    if not ends or len(ends) > _MAX_RULES_ACROSS:
        return bottom
    below = rows[min(ends) :]
    is_enough = min(sum(row[0].x0 < x for row in below), sum(row[-1].x1 > x for row in below)) >= _MIN_ROWS
    return min(ends) if is_enough else bottom


def _middle_x(fragment: Fragment) -> float:
    return (fragment.x0 + fragment.x1) / 2


def _find_gutter(rows: list[Row]) -> tuple[int, int, float] | None:
    """Return the white strip (first row, end row, x) that separates the most rows of running text on both sides."""
    if len(rows) < _MIN_ROWS:
        return None
    left_edge = min(row[0].x0 for row in rows)
    right_edge = max(fragment.x1 for row in rows for fragment in row)
    bins = int((right_edge - left_edge) / _BIN_POINTS) + 1
    if bins < 8 or bins > 4000:
        return None
    # Two cheap first tests: a strip counts only with text on both sides in several rows.
    first_ends = sorted(row[0].x1 if len(row) == 1 else min(fragment.x1 for fragment in row) for row in rows)
    last_starts = sorted(row[-1].x0 for row in rows)
    if _find_end_bin(first_ends[_MIN_ROWS - 1] - left_edge) >= _find_start_bin(last_starts[-_MIN_ROWS] - left_edge):
        return None
    covered, left, right = _measure_coverage(rows, left_edge, bins)
    free = ~covered
    candidates = ((free & left).sum(0) >= _MIN_ROWS) & ((free & right).sum(0) >= _MIN_ROWS)
    if not candidates.any():
        return None
    best, best_score = None, 0.0
    tried = set()
    ends = np.array([fragment.x1 for row in rows for fragment in row])
    row_starts = np.cumsum([0, *map(len, rows)])
    columns = np.flatnonzero(candidates).tolist()
    gaps = _find_gaps(rows)
    for column, top, bottom, sides in _find_runs(free[:, columns], left[:, columns], right[:, columns], gaps):
        if sides <= best_score:
            continue
        x = left_edge + (columns[column] + 0.5) * _BIN_POINTS
        split = (top, bottom, int((ends[row_starts[top] : row_starts[bottom]] < x).sum()))
        if split in tried:
            continue
        tried.add(split)
        if _are_columns(rows[top:bottom], x):
            best, best_score = (top, bottom, x), sides
    return best


def _find_gaps(rows: list[Row]) -> list[int]:
    """Return before which rows there is so much white that text beside text can hardly go on below it."""
    gaps, bottom = [], rows[0][0].y1
    for index, row in enumerate(rows):
        if min(fragment.y0 for fragment in row) - bottom > _MAX_GAP_BETWEEN_LINES_EMS * row[0].size:
            gaps.append(index)
        bottom = max(bottom, *(fragment.y1 for fragment in row))
    return gaps


def _find_start_bin(x: float) -> int:
    return int(x / _BIN_POINTS)


def _find_end_bin(x: float) -> int:
    """Return the first bin that is free beside text up to x."""
    return int((x - 0.5) / _BIN_POINTS) + 1


def _measure_coverage(rows: list[Row], left_edge: float, bins: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return for each row and strip whether text covers the strip, stands to its left, and stands to its right."""
    covered = np.zeros((len(rows), bins), bool)
    for number, row in enumerate(rows):
        for fragment in row:
            covered[number, _find_start_bin(fragment.x0 - left_edge) : _find_end_bin(fragment.x1 - left_edge)] = True
    left = np.logical_or.accumulate(covered, axis=1)
    right = np.logical_or.accumulate(covered[:, ::-1], axis=1)[:, ::-1]
    return covered, left, right


def _find_runs(free: np.ndarray, left: np.ndarray, right: np.ndarray, gaps: list[int]) -> list[list[int]]:
    """Return (column, first row, end row, rows with text on the side that has fewer) of each run of free rows.

    Runs with text in too few rows are left out.
    """
    edge = np.zeros((1, free.shape[1]), np.int8)
    steps = np.diff(np.concatenate((edge, free, edge)), axis=0).T
    columns, starts = np.nonzero(steps == 1)
    stops = np.nonzero(steps == -1)[1]
    if gaps:
        columns, starts, stops = _cut_at_gaps(np.column_stack((columns, starts, stops)), gaps).T
    counts = [np.concatenate((edge, np.cumsum(flags, axis=0))) for flags in (left, right)]
    sides = np.minimum(*(count[stops, columns] - count[starts, columns] for count in counts))
    runs: list[list[int]] = np.column_stack((columns, starts, stops, sides))[sides >= _MIN_ROWS].tolist()
    return runs


def _cut_at_gaps(runs: np.ndarray, gaps: list[int]) -> np.ndarray:
    """Return the runs (column, first row, end row) and, of those in which there are gaps, the parts between them."""
    parts = []
    for column, top, bottom in runs.tolist():
        cuts = [top, *(gap for gap in gaps if top < gap < bottom), bottom]
        parts += [(column, *part) for part in pairwise(cuts)] if len(cuts) > 2 else []
    if not parts:
        return runs
    both = np.concatenate((runs, parts))
    return both[np.argsort(both[:, 0], kind="stable")]


def _are_columns(rows: list[Row], x: float) -> bool:
    """Return whether both sides are running text, and not the cells of a table, which are read row by row."""
    left = [part for row in rows if (part := [f for f in row if f.x1 <= x + _BIN_POINTS])]
    right = [part for row in rows if (part := [f for f in row if f.x0 >= x - _BIN_POINTS])]
    if len(left) < _MIN_ROWS or len(right) < _MIN_ROWS:
        return False
    size = _find_usual_size(rows)  # not that of a title above them
    gap = min(p[0].x0 for p in right) - max(p[-1].x1 for p in left)
    if gap < 0.6 * size:
        return False
    if not (_is_wide(left, _MIN_BOX_WIDTH_EMS) and _is_wide(right, _MIN_BOX_WIDTH_EMS)):
        return False
    if _measure_beside(left, right) < 0.5:
        return False
    # The cells of a table's row are on one line; the lines of columns only sometimes are.
    shorter = min(len(left), len(right))
    aligned = [row for row in rows if row[0].x1 <= x and row[-1].x0 >= x]
    is_text = len(aligned) < _MAX_ALIGNED_SHARE * shorter or (is_prose(left) and is_prose(right))
    is_text |= _have_leaders(left) and _have_leaders(right)
    if max(_measure_worded(left), _measure_worded(right)) < _MIN_COLUMN_WORDED_SHARE:
        return False
    if is_text and _is_wide(left) and _is_wide(right):
        return True
    return _count_aligned(aligned, x) < _MAX_EVEN_SHARE * shorter and _are_boxes(left, right)


def _are_boxes(left: list[Row], right: list[Row]) -> bool:
    """Return whether both sides are words in lines that follow closely, such as addresses side by side."""
    if _find_gaps(sorted([*left, *right], key=lambda row: row[0].y0)):
        return False
    return _measure_worded(left) >= _MIN_WORDED_SHARE and _measure_worded(right) >= _MIN_WORDED_SHARE


def _have_leaders(rows: list[Row]) -> bool:
    """Return whether rows are entries, and to the page numbers of many of them dots lead: the columns of an index."""
    numbered = [row[-1] for row in rows if _PAGE_NUMBERS.fullmatch(row[-1].text)]
    with_leader = sum(number.has_leader for number in numbered)
    return len(numbered) > _MIN_NUMBERED_SHARE * len(rows) and with_leader > _MIN_LEADER_SHARE * len(rows)


def _measure_worded(rows: list[Row]) -> float:
    """Return the share of rows that hold a word."""
    return sum(any(_WORD.search(fragment.text) for fragment in row) for row in rows) / len(rows)


def _count_aligned(rows: list[Row], x: float) -> int:
    """Return how many rows have text on both sides of a strip, at the distance of baselines that most of them have.

    Cells of one row stand so, also in two typefaces; boxes side by side have lines of their own.
    """
    shifts = sorted([f for f in row if f.x1 <= x][-1].base - next(f for f in row if f.x0 >= x).base for row in rows)
    if not shifts:
        return 0
    usual, size = shifts[len(shifts) // 2], _find_usual_size(rows)
    return sum(abs(shift - usual) < _MAX_BASELINE_SHIFT_EMS * size for shift in shifts)


def _measure_beside(left: list[Row], right: list[Row]) -> float:
    """Return the share of the shorter side's lines that have a line of the other side next to them."""
    shorter, longer = sorted((left, right), key=len)
    (top, bottom), (y0, y1) = (np.array([(row[0].y0, row[0].y1) for row in side]).T for side in (shorter, longer))
    shared = np.minimum(y1, bottom[:, None]) - np.maximum(y0, top[:, None])
    is_beside = shared.max(axis=1) > 0.25 * (bottom - top)
    return int(is_beside.sum()) / len(shorter)


def _is_wide(rows: list[Row], min_ems: float = _MIN_COLUMN_WIDTH_EMS) -> bool:
    """Return whether the rows are wide enough, with enough text in each line, to be a column of text."""
    width = max(row[-1].x1 for row in rows) - min(row[0].x0 for row in rows)
    size = _find_usual_size(rows)
    letters = sum(len(fragment.text) for row in rows for fragment in row) / len(rows)
    return width > min_ems * size and letters > 5.5


def _find_usual_size(rows: list[Row]) -> float:
    return sorted(row[0].size for row in rows)[len(rows) // 2]


def is_prose(rows: list[Row]) -> bool:
    """Return whether the rows are running text.

    Its lines continue in mid-sentence or, in a script without lower case, fill their column.
    """
    width = max(row[-1].x1 for row in rows) - min(row[0].x0 for row in rows)
    texts = [" ".join(fragment.text for fragment in row) for row in rows]
    if 2 * sum(map(str.isalpha, "".join(texts))) < sum(map(len, texts)):
        return False  # numbers or formulas
    filled_share = sum((row[-1].x1 - row[0].x0) > 0.8 * width for row in rows) / len(rows)
    goes_on = [True, *((row[-1].x1 - row[0].x0) > _MIN_FULL_SHARE * width for row in rows[:-1])]
    running_count = sum(text[0].islower() and is_after for text, is_after in zip(texts, goes_on, strict=True))
    running_share = running_count / len(rows)
    cased_share = sum(any(map(str.islower, text)) for text in texts) / len(rows)
    if cased_share > 0.5:
        return running_share >= 0.2 and (filled_share >= 0.3 or running_share >= 0.45)
    return filled_share >= 0.6 and sum(map(len, texts)) > 12 * len(rows)
