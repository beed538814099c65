"""The lines drawn on a page, and which of them meet."""

from __future__ import annotations

from dataclasses import dataclass, field

from highlighter.pages import pdfium

_THIN = 2.6  # points: what is thicker is a shape
_SHORTEST = 6.0
_MOST_PATHS, _MOST_RULES, _MOST_SEGMENTS = 3_000, 1_500, 400  # pages with more are drawings, not tables
_HIGHEST_SHADE = 150.0  # points: a higher filled shape is a background, not a cell
TOUCH = 3.0  # points between lines that are meant to meet

Span = tuple[float, float, float]  # (place, from, to)


@dataclass(slots=True)
class Rules:
    """Level lines (y, x0, x1) and upright ones (x, y0, y1), y downward from the top of what is shown."""

    level: list[Span] = field(default_factory=list)
    upright: list[Span] = field(default_factory=list)
    wide: float = 0.0
    high: float = 0.0

    def turned(self, turn: int) -> Rules:
        """The same lines in the frame in which text with this turn reads level."""
        wide, high = self.wide, self.high
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
        return Rules(level, upright)


def read_rules(objects: list[tuple[int, int]], shown: tuple[float, float, float, float]) -> Rules:
    left, bottom, right, top = shown
    rules = Rules(wide=right - left, high=top - bottom)
    paths = [obj for obj, kind in objects if kind == 2]
    if len(paths) > _MOST_PATHS:
        return rules
    for obj in paths:
        bounds = pdfium.object_bounds(obj)
        if not bounds:
            continue
        x0, y0, x1, y1 = bounds[0] - left, top - bounds[3], bounds[2] - left, top - bounds[1]
        filled, stroked = pdfium.path_paints(obj)
        if y1 - y0 <= _THIN or x1 - x0 <= _THIN:
            _add(rules, x0, y0, x1, y1)
        elif stroked or (filled and y1 - y0 <= _HIGHEST_SHADE and _is_shade(obj)):
            # A shaded cell has edges that are as good as lines.
            for ax, ay, bx, by in pdfium.path_lines(obj, _MOST_SEGMENTS):
                _add(rules, min(ax, bx) - left, top - max(ay, by), max(ax, bx) - left, top - min(ay, by))
        if len(rules.level) + len(rules.upright) > _MOST_RULES:
            return Rules()
    return rules


def _is_shade(obj: int) -> bool:
    color = pdfium.fill_color(obj)
    return bool(color and min(color[:3]) < 250)


def _add(rules: Rules, x0: float, y0: float, x1: float, y1: float) -> None:
    if y1 - y0 <= _THIN and x1 - x0 >= _SHORTEST:
        rules.level.append(((y0 + y1) / 2, x0, x1))
    elif x1 - x0 <= _THIN and y1 - y0 >= _SHORTEST:
        rules.upright.append(((x0 + x1) / 2, y0, y1))


def meeting(rules: Rules) -> list[tuple[list[Span], list[Span]]]:
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
            if x0 - TOUCH <= x <= x1 + TOUCH and y0 - TOUCH <= y <= y1 + TOUCH:
                group[root(other)] = root(at)
    found: dict[int, tuple[list[Span], list[Span]]] = {}
    for at, (place, start, stop, is_level) in enumerate(lines):
        found.setdefault(root(at), ([], []))[0 if is_level else 1].append((place, start, stop))
    return list(found.values())


def places(spans: list[Span]) -> list[float]:
    """Where lines stand, those nearly in one place as one."""
    places: list[float] = []
    for place in sorted(span[0] for span in spans):
        if not places or place - places[-1] > TOUCH + 1:
            places.append(place)
    return places
