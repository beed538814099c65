"""Drawn lines, and the tables they make: cells are known by their borders, so nothing has to be guessed."""

from __future__ import annotations

from dataclasses import dataclass, field

from . import pdfium
from .blocks import TABLE, Block, Item
from .columns import rows_of
from .fragments import Fragment
from .tables import line_of

_THIN = 2.6  # points: what is thicker is a shape
_SHORTEST = 6.0
_MOST_PATHS, _MOST_RULES, _MOST_SEGMENTS = 3_000, 1_500, 400  # pages with more are drawings, not tables
_HIGHEST_SHADE = 150.0  # points: a higher filled shape is a background, not a cell
_TOUCH = 3.0  # points between lines that are meant to meet
_MOST_LINES = 25  # of text in one cell: more is a framed page, not a table

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


def with_tables(fragments: list[Fragment], rules: Rules) -> list[Fragment]:
    """Fragments in the cells of a ruled table are replaced by one that stands for the table."""
    if len(rules.level) < 2 or len(rules.upright) < 2:
        return fragments
    for level, upright in _groups(rules):
        ys, xs = _places(level), _places(upright)
        if len(xs) < 3 or len(ys) < 3:
            continue
        inside = [f for f in fragments if _holds(xs, ys, f)]
        table = _table(inside, xs, ys, level, upright) if inside else None
        if table:
            taken = {id(fragment) for fragment in inside}
            fragments = [fragment for fragment in fragments if id(fragment) not in taken]
            size = inside[0].size
            fragments.append(
                Fragment(
                    inside[0].page,
                    " ",
                    (),
                    xs[0],
                    ys[0],
                    xs[-1],
                    ys[-1],
                    ys[0] + size,
                    size,
                    False,
                    False,
                    inside[0].turn,
                    table=table,
                )
            )
    return fragments


def _groups(rules: Rules) -> list[tuple[list[Span], list[Span]]]:
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
            if x0 - _TOUCH <= x <= x1 + _TOUCH and y0 - _TOUCH <= y <= y1 + _TOUCH:
                group[root(other)] = root(at)
    found: dict[int, tuple[list[Span], list[Span]]] = {}
    for at, (place, start, stop, is_level) in enumerate(lines):
        found.setdefault(root(at), ([], []))[0 if is_level else 1].append((place, start, stop))
    return list(found.values())


def _places(spans: list[Span]) -> list[float]:
    """Where lines stand, those nearly in one place as one."""
    places: list[float] = []
    for place in sorted(span[0] for span in spans):
        if not places or place - places[-1] > _TOUCH + 1:
            places.append(place)
    return places


def _holds(xs: list[float], ys: list[float], fragment: Fragment) -> bool:
    x, y = (fragment.x0 + fragment.x1) / 2, (fragment.y0 + fragment.y1) / 2
    return xs[0] < x < xs[-1] and ys[0] < y < ys[-1]


def _table(inside: list[Fragment], xs, ys, level: list[Span], upright: list[Span]) -> Block | None:
    cells: dict[tuple[int, int], list[Fragment]] = {}
    owner = _merged(xs, ys, level, upright)
    for fragment in inside:
        # By its beginning: a cell's text may run a little into the next.
        x, y = min(fragment.x0 + fragment.size / 2, (fragment.x0 + fragment.x1) / 2), (fragment.y0 + fragment.y1) / 2
        column = max(sum(place <= x for place in xs) - 1, 0)
        row = max(sum(place <= y for place in ys) - 1, 0)
        cells.setdefault(owner[row, column], []).append(fragment)
    if sum(_crosses(fragment, upright) for fragment in inside) > 0.1 * len(inside):
        return None  # boxes behind the text, not around it
    columns = sorted({column for _, column in cells})
    lines = {place: [line_of(row) for row in rows_of(found)] for place, found in cells.items()}
    if len(columns) < 2 or len({row for row, _ in cells}) < 2 or max(map(len, lines.values())) > _MOST_LINES:
        return None
    items: list[Item] = []
    for row in sorted({row for row, _ in cells}):
        item = [lines.get((row, column), []) for column in columns]
        while item and not item[-1]:
            item.pop()
        items.append(item)
    return Block(TABLE, items, column=(xs[0], xs[-1]))


def _crosses(fragment: Fragment, upright: list[Span]) -> bool:
    y, room = (fragment.y0 + fragment.y1) / 2, 1.5 * fragment.size
    return any(start < y < stop and fragment.x0 + room < x < fragment.x1 - room for x, start, stop in upright)


def _merged(
    xs: list[float], ys: list[float], level: list[Span], upright: list[Span]
) -> dict[tuple[int, int], tuple[int, int]]:
    """For each field of the grid the upper left field of the cell it is part of: cells may span rows and columns."""
    owner = {(row, column): (row, column) for row in range(len(ys) - 1) for column in range(len(xs) - 1)}

    def first(place: tuple[int, int]) -> tuple[int, int]:
        while owner[place] != place:
            place = owner[place]
        return place

    for row, column in list(owner):
        x, y = (xs[column] + xs[column + 1]) / 2, (ys[row] + ys[row + 1]) / 2
        if column and not _drawn(upright, xs[column], y):
            _unite(owner, first((row, column - 1)), first((row, column)))
        if row and not _drawn(level, ys[row], x):
            _unite(owner, first((row - 1, column)), first((row, column)))
    return {place: first(place) for place in owner}


def _unite(owner: dict, one: tuple[int, int], other: tuple[int, int]) -> None:
    owner[max(one, other)] = min(one, other)


def _drawn(spans: list[Span], place: float, across: float) -> bool:
    return any(abs(at - place) <= _TOUCH + 1 and start - 1 <= across <= stop + 1 for at, start, stop in spans)
