"""Read the lines drawn on a page, and group those that meet."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from highlighter.pages import pdfium

_MAX_LINE_POINTS = 2.6  # a thicker one is a shape
_MIN_LINE_POINTS = 6.0
_MIN_BAR_POINTS = 3.0  # of the bar of a fraction
_MAX_PATHS, _MAX_LINES, _MAX_SEGMENTS = 3_000, 1_500, 400  # a page with more is a drawing, not a table
_MAX_SHADE_POINTS = 150.0  # a higher filled shape is a background, not a cell
TOUCH_POINTS = 3.0  # lines this close are meant to meet

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


def read_ruling_lines(objects: list[tuple[int, int]], shown: tuple[float, float, float, float]) -> RulingLines:
    """Return the lines among the drawn paths of a page."""
    left, bottom, right, top = shown
    rules = RulingLines(width=right - left, height=top - bottom)
    paths = [obj for obj, kind in objects if kind == 2]
    if len(paths) > _MAX_PATHS:
        return rules
    for obj, bounds in zip(paths, pdfium.read_bounds(paths), strict=True):
        if not bounds:
            continue
        x0, y0, x1, y1 = bounds[0] - left, top - bounds[3], bounds[2] - left, top - bounds[1]
        if y1 - y0 <= _MAX_LINE_POINTS or x1 - x0 <= _MAX_LINE_POINTS:
            _add_line(rules, x0, y0, x1, y1)
            continue
        filled, stroked = pdfium.read_path_paint(obj)
        if stroked or (filled and y1 - y0 <= _MAX_SHADE_POINTS and _is_shade(obj)):
            # The edges of a shaded cell are as good as lines.
            for ax, ay, bx, by in pdfium.read_path_lines(obj, _MAX_SEGMENTS):
                _add_line(rules, min(ax, bx) - left, top - max(ay, by), max(ax, bx) - left, top - min(ay, by))
        if len(rules.horizontal) + len(rules.vertical) > _MAX_LINES:
            return RulingLines()
    return rules


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


def merge_positions(spans: list[RulingLine]) -> list[float]:
    """Return the positions of lines, with nearly equal ones merged."""
    positions: list[float] = []
    for position in sorted(span[0] for span in spans):
        if not positions or position - positions[-1] > TOUCH_POINTS + 1:
            positions.append(position)
    return positions
