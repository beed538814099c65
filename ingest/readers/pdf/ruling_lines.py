"""The lines drawn on a page, and which of them meet."""

from __future__ import annotations

from dataclasses import dataclass, field

from highlighter.pages import pdfium

_MAX_LINE_POINTS = 2.6  # points: what is thicker is a shape
_MIN_LINE_POINTS = 6.0
_MAX_PATHS, _MAX_LINES, _MAX_SEGMENTS = 3_000, 1_500, 400  # pages with more are drawings, not tables
_MAX_SHADE_POINTS = 150.0  # points: a higher filled shape is a background, not a cell
TOUCH_POINTS = 3.0  # points between lines that are meant to meet

RulingLine = tuple[float, float, float]  # (place, from, to)


@dataclass(slots=True)
class RulingLines:
    """Level lines (y, x0, x1) and upright ones (x, y0, y1), y downward from the top of what is shown."""

    level: list[RulingLine] = field(default_factory=list)
    upright: list[RulingLine] = field(default_factory=list)
    width: float = 0.0
    height: float = 0.0

    def rotate(self, turn: int) -> RulingLines:
        """The same lines in the frame in which text with this turn reads level."""
        wide, high = self.width, self.height
        if turn == 90:
            level = [(x, high - y1, high - y0) for x, y0, y1 in self.upright]
            upright = [(high - y, x0, x1) for y, x0, x1 in self.level]
        elif turn == 180:
            level = [(high - y, wide - x1, wide - x0) for y, x0, x1 in self.level]
            upright = [(wide - x, high - y1, high - y0) for x, y0, y1 in self.upright]
        elif turn == 270:
            level = [(wide - x, y0, y1) for x, y0, y1 in self.upright]
            upright = [(y, wide - x1, wide - x0) for y, x0, x1 in self.level]
        else:
            return self
        return RulingLines(level, upright)


def read_ruling_lines(objects: list[tuple[int, int]], shown: tuple[float, float, float, float]) -> RulingLines:
    left, bottom, right, top = shown
    rules = RulingLines(width=right - left, height=top - bottom)
    paths = [obj for obj, kind in objects if kind == 2]
    if len(paths) > _MAX_PATHS:
        return rules
    for obj in paths:
        bounds = pdfium.read_object_bounds(obj)
        if not bounds:
            continue
        x0, y0, x1, y1 = bounds[0] - left, top - bounds[3], bounds[2] - left, top - bounds[1]
        filled, stroked = pdfium.read_path_paint(obj)
        if y1 - y0 <= _MAX_LINE_POINTS or x1 - x0 <= _MAX_LINE_POINTS:
            _add_line(rules, x0, y0, x1, y1)
        elif stroked or (filled and y1 - y0 <= _MAX_SHADE_POINTS and _is_shade(obj)):
            # A shaded cell has edges that are as good as lines.
            for ax, ay, bx, by in pdfium.read_path_lines(obj, _MAX_SEGMENTS):
                _add_line(rules, min(ax, bx) - left, top - max(ay, by), max(ax, bx) - left, top - min(ay, by))
        if len(rules.level) + len(rules.upright) > _MAX_LINES:
            return RulingLines()
    return rules


def _is_shade(obj: int) -> bool:
    color = pdfium.read_fill_color(obj)
    return bool(color and min(color[:3]) < 250)


def _add_line(rules: RulingLines, x0: float, y0: float, x1: float, y1: float) -> None:
    if y1 - y0 <= _MAX_LINE_POINTS and x1 - x0 >= _MIN_LINE_POINTS:
        rules.level.append(((y0 + y1) / 2, x0, x1))
    elif x1 - x0 <= _MAX_LINE_POINTS and y1 - y0 >= _MIN_LINE_POINTS:
        rules.upright.append(((x0 + x1) / 2, y0, y1))


def group_meeting_lines(rules: RulingLines) -> list[tuple[list[RulingLine], list[RulingLine]]]:
    """Lines that meet belong together."""
    lines = [(y, x0, x1, True) for y, x0, x1 in rules.level] + [(x, y0, y1, False) for x, y0, y1 in rules.upright]
    group = list(range(len(lines)))

    def root(at: int) -> int:
        while group[at] != at:
            group[at] = group[group[at]]
            at = group[at]
        return at

    levels = [at for at, line in enumerate(lines) if line[3]]
    for at, (x, y0, y1, is_level) in enumerate(lines):
        if is_level:
            continue
        for other in levels:
            y, x0, x1, _ = lines[other]
            if x0 - TOUCH_POINTS <= x <= x1 + TOUCH_POINTS and y0 - TOUCH_POINTS <= y <= y1 + TOUCH_POINTS:
                group[root(other)] = root(at)
    found: dict[int, tuple[list[RulingLine], list[RulingLine]]] = {}
    for at, (place, start, stop, is_level) in enumerate(lines):
        found.setdefault(root(at), ([], []))[0 if is_level else 1].append((place, start, stop))
    return list(found.values())


def merge_positions(spans: list[RulingLine]) -> list[float]:
    """Where lines stand, those nearly in one place as one."""
    places: list[float] = []
    for place in sorted(span[0] for span in spans):
        if not places or place - places[-1] > TOUCH_POINTS + 1:
            places.append(place)
    return places
