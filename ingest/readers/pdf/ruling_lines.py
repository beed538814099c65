"""Read the lines drawn on a page, and group those that meet."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from highlighter.pages import pdfium
from ingest.readers.pdf.text_styles import SLANTED

_MAX_LINE_POINTS = 2.6  # a thicker one is a shape
_MIN_LINE_POINTS = 6.0
_MIN_BAR_POINTS = 3.0  # of the bar of a fraction
_MAX_PATHS, _MAX_LINES, _MAX_SEGMENTS = 3_000, 1_500, 400  # a page with more is a drawing, not a table
_MAX_SHADE_POINTS = 150.0  # a higher filled shape is a background, not a cell
_MIN_LINES_TO_END_ROW = 2  # between columns
TOUCH_POINTS = 3.0  # lines this close are meant to meet

_PATH_OBJECT, _FORM_OBJECT = 2, 5
_MAX_FORM_DEPTH, _MAX_FORM_OBJECTS = 4, 20_000  # of forms within forms, and in one

Matrix = tuple[float, float, float, float, float, float]
_IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)

RulingLine = tuple[float, float, float]  # (position, start, end)


@dataclass(slots=True)
class RulingLines:
    """The horizontal lines (y, x0, x1) and vertical lines (x, y0, y1) of a page, y downward from the visible top."""

    horizontal: list[RulingLine] = field(default_factory=list)
    vertical: list[RulingLine] = field(default_factory=list)
    short: list[RulingLine] = field(default_factory=list)  # horizontal, too short for a line: bars of fractions
    width: float = 0.0
    height: float = 0.0

    def rotate(self, turn: int) -> RulingLines:
        """Return the lines in the frame in which text with this turn is horizontal."""
        width, height = self.width, self.height
        if turn < SLANTED:
            return RulingLines()
        if turn == 90:
            horizontal = [(x, height - y1, height - y0) for x, y0, y1 in self.vertical]
            vertical = [(height - y, x0, x1) for y, x0, x1 in self.horizontal]
        elif turn == 180:
            horizontal = [(height - y, width - x1, width - x0) for y, x0, x1 in self.horizontal]
            vertical = [(width - x, height - y1, height - y0) for x, y0, y1 in self.vertical]
        elif turn == 270:
            horizontal = [(width - x, y0, y1) for x, y0, y1 in self.vertical]
            vertical = [(y, width - x1, width - x0) for y, x0, x1 in self.horizontal]
        else:
            return self
        return RulingLines(horizontal, vertical)


def read_ruling_lines(
    objects: list[tuple[int, int]], shown: tuple[float, float, float, float], *, in_forms: bool = False
) -> RulingLines:
    """Return the lines among the drawn paths of a page, with those of its form objects where the page is drawn in these."""
    left, bottom, right, top = shown
    rules = RulingLines(width=right - left, height=top - bottom)
    layers = list(_iterate_layers(objects, _IDENTITY, _MAX_FORM_DEPTH if in_forms else 0))
    if sum(len(paths) for paths, _ in layers) > _MAX_PATHS:
        return rules
    for paths, matrix in layers:
        for obj, bounds in zip(paths, pdfium.read_bounds(paths), strict=True):
            if not bounds:
                continue
            px0, py0, px1, py1 = bounds if matrix is _IDENTITY else _place_box(bounds, matrix)
            x0, y0, x1, y1 = px0 - left, top - py1, px1 - left, top - py0
            if y1 - y0 <= _MAX_LINE_POINTS or x1 - x0 <= _MAX_LINE_POINTS:
                _add_line(rules, x0, y0, x1, y1)
                continue
            filled, stroked = pdfium.read_path_paint(obj)
            if stroked or (filled and y1 - y0 <= _MAX_SHADE_POINTS and _is_shade(obj)):
                # The edges of a shaded cell are as good as lines.
                for line in pdfium.read_path_lines(obj, _MAX_SEGMENTS):
                    ax, ay, bx, by = _place_box(line, matrix)
                    _add_line(rules, ax - left, top - by, bx - left, top - ay)
            if len(rules.horizontal) + len(rules.vertical) > _MAX_LINES:
                return RulingLines()
    return rules


def _iterate_layers(objects: list[tuple[int, int]], matrix: Matrix, depth: int) -> Iterator[tuple[list[int], Matrix]]:
    """Yield the paths of a page, then those of its forms up to a depth, each with the matrix that places them."""
    yield [obj for obj, kind in objects if kind == _PATH_OBJECT], matrix
    for form in [obj for obj, kind in objects if kind == _FORM_OBJECT] if depth else []:
        inner = _multiply(pdfium.read_object_matrix(form), matrix)
        yield from _iterate_layers(pdfium.list_form_objects(form, _MAX_FORM_OBJECTS), inner, depth - 1)


def _multiply(inner: Matrix, outer: Matrix) -> Matrix:
    a, b, c, d, e, f = inner
    p, q, r, s, t, u = outer
    return a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s, e * p + f * r + t, e * q + f * s + u


def _place_box(box: tuple[float, float, float, float], matrix: Matrix) -> tuple[float, float, float, float]:
    """Return (left, bottom, right, top) of a box or line on the page."""
    x0, y0, x1, y1 = box
    a, b, c, d, e, f = matrix
    x0, y0, x1, y1 = a * x0 + c * y0 + e, b * x0 + d * y0 + f, a * x1 + c * y1 + e, b * x1 + d * y1 + f
    return min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)


def _is_shade(obj: int) -> bool:
    color = pdfium.read_fill_color(obj)
    return bool(color and min(color[:3]) < 250)


def _add_line(rules: RulingLines, x0: float, y0: float, x1: float, y1: float) -> None:
    if y1 - y0 <= _MAX_LINE_POINTS and x1 - x0 >= _MIN_LINE_POINTS:
        rules.horizontal.append(((y0 + y1) / 2, x0, x1))
    elif y1 - y0 <= _MAX_LINE_POINTS and x1 - x0 >= _MIN_BAR_POINTS:
        rules.short.append(((y0 + y1) / 2, x0, x1))
    elif x1 - x0 <= _MAX_LINE_POINTS and y1 - y0 >= _MIN_LINE_POINTS:
        rules.vertical.append(((x0 + x1) / 2, y0, y1))


def group_meeting_lines(rules: RulingLines) -> list[tuple[list[RulingLine], list[RulingLine]]]:
    """Return the (horizontal, vertical) lines of each group of lines that meet."""
    lines = [(y, x0, x1, True) for y, x0, x1 in rules.horizontal] + [(x, y0, y1, False) for x, y0, y1 in rules.vertical]
    group = list(range(len(lines)))

    def root(index: int) -> int:
        while group[index] != index:
            group[index] = group[group[index]]
            index = group[index]
        return index

    for index, other in _find_meetings(rules):
        group[root(other)] = root(len(rules.horizontal) + index)
    for index, other in _find_pieces(rules.vertical):
        group[root(len(rules.horizontal) + other)] = root(len(rules.horizontal) + index)
    groups: dict[int, tuple[list[RulingLine], list[RulingLine]]] = {}
    for index, (position, start, stop, is_horizontal) in enumerate(lines):
        groups.setdefault(root(index), ([], []))[0 if is_horizontal else 1].append((position, start, stop))
    return list(groups.values())


def _find_meetings(rules: RulingLines) -> list[list[int]]:
    """Return the numbers of each vertical line and horizontal line that meet."""
    y, x0, x1 = np.array(rules.horizontal).reshape(-1, 3).T
    x, y0, y1 = (column[:, None] for column in np.array(rules.vertical).reshape(-1, 3).T)
    meets = (x0 - TOUCH_POINTS <= x) & (x <= x1 + TOUCH_POINTS) & (y0 - TOUCH_POINTS <= y) & (y <= y1 + TOUCH_POINTS)
    pairs: list[list[int]] = np.argwhere(meets).tolist()
    return pairs


def _find_pieces(vertical: list[RulingLine]) -> Iterator[tuple[int, int]]:
    """Yield the numbers of two vertical lines that are one below the other, each drawn for a row of a table."""
    order = sorted(range(len(vertical)), key=lambda index: (round(vertical[index][0]), vertical[index][1]))
    for above, below in pairwise(order):
        (x, _, stop), (other_x, start, _) = vertical[above], vertical[below]
        if abs(x - other_x) <= 1 and abs(start - stop) <= TOUCH_POINTS:
            yield above, below


def find_row_ends(vertical: list[RulingLine]) -> list[float]:
    """Return the heights at which all vertical lines end and go on below: a row ends there, without a line of its own."""
    xs_by_height: dict[int, set[int]] = {}
    for above, below in _find_pieces(vertical):
        xs_by_height.setdefault(round(vertical[below][1]), set()).add(round(vertical[above][0]))
    return [
        float(y)
        for y, xs in sorted(xs_by_height.items())
        if len(xs) >= _MIN_LINES_TO_END_ROW
        and not any(start + TOUCH_POINTS < y < stop - TOUCH_POINTS for _, start, stop in vertical)
    ]


def merge_positions(spans: list[RulingLine]) -> list[float]:
    """Return the positions of lines, with nearly equal ones merged."""
    positions: list[float] = []
    for position in sorted(span[0] for span in spans):
        if not positions or position - positions[-1] > TOUCH_POINTS + 1:
            positions.append(position)
    return positions
