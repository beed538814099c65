"""From characters of a page to clean boxes: one a line, as high as its font, over no other, its spaces filled."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

import numpy as np

from highlighter.models import Rectangle
from highlighter.pages.letters import Letters
from highlighter.pages.turns import DOWN, SLANTED, UP

_SAME_LINE = 0.5  # of the lower one's height that two characters share
_SPACE = 0.9  # in line heights: a gap as wide as this is one between words
_WIDE_SPACE = 4.0  # ... and as this, if nothing else stands in it
_LIKE = (0.8, 1.25)  # heights of characters that say how high a line is, against the median
_LOOKED_BACK = 200  # lines: those of a page, and no book of them
_MOST_CUT = 0.3  # of a box's height that another line may take away
_HYPHENS = frozenset("\x02\ufffe-\u2010\u00ad")


@dataclass(slots=True)
class _Line:
    """Characters side by side; `along` the line they read, `across` it they are high."""

    turn: int
    members: list[int]
    along: list[float]
    across: list[float]
    boxes: list[tuple[float, float]] = field(default_factory=list)  # across, of each member

    @property
    def height(self) -> float:
        return self.across[1] - self.across[0]


def rectangles_on(page: int, letters: Letters, spans: Iterable[tuple[int, int]]) -> list[Rectangle]:
    """Those of raw characters `[start, end)`, in the order they are read."""
    members = _with_hyphens(letters, _members(letters, spans))
    chosen = np.zeros(len(letters.text), bool)
    chosen[members] = True
    lines = _joined(_lines(letters, members, chosen))
    for line in lines:
        _settle_height(line)
        _keep_clear(line, letters, chosen)
    _part(lines)
    found = [_rectangle(page, line, letters) for line in lines]
    return [r for r in found if r.x1 - r.x0 > 0.1 and r.y1 - r.y0 > 0.1]


def lines_of(letters: Letters) -> list[tuple[int, list[int]]]:
    """(turn, raw indexes) of every line of a page, as PDFium reads it."""
    members = _members(letters, [(0, len(letters.text))])
    return [(line.turn, line.members) for line in _lines(letters, members, np.ones(len(letters.text), bool))]


def _members(letters: Letters, spans: Iterable[tuple[int, int]]) -> list[int]:
    """The characters that are seen: spaces are filled from what stands beside them."""
    drawn, most = _drawn(letters.box), len(letters.text)
    return [
        at
        for start, end in spans
        for at in range(max(start, 0), min(end, most))
        if drawn[at] and not letters.text[at].isspace()
    ]


def _with_hyphens(letters: Letters, members: list[int]) -> list[int]:
    """The hyphen that broke a word is no part of the text, but between two lit halves it is lit as well."""
    found = []
    for at, following in zip_longest(members, members[1:], fillvalue=-1):
        found.append(at)
        if 0 <= following != at + 1 < len(letters.text) and letters.text[at + 1] in _HYPHENS:
            rest = letters.text[at + 2 : following] if following > at else ""
            if not rest.strip() and _drawn(letters.box[at + 1]):
                found.append(at + 1)
    return found


def _drawn(box: np.ndarray) -> np.ndarray:
    """Of a box, or of each of many."""
    return (box[..., 2] > box[..., 0]) & (box[..., 3] > box[..., 1])


def _axes(turn: int) -> tuple[int, int]:
    return (1, 0) if turn in (UP, DOWN) else (0, 1)


def _lines(letters: Letters, members: Sequence[int], chosen: np.ndarray) -> list[_Line]:
    lines: list[_Line] = []
    boxes, turns = letters.box[list(members)].tolist(), letters.turn[list(members)].tolist()
    for at, box, turn in zip(members, boxes, turns, strict=True):
        along, across = _axes(turn)
        a0, a1, c0, c1 = box[along], box[along + 2], box[across], box[across + 2]
        line = lines[-1] if lines else None
        if line and line.turn == turn and _continues(line, a0, a1, c0, c1, letters, chosen):
            line.members.append(at)
            line.along = [min(line.along[0], a0), max(line.along[1], a1)]
            if c1 - c0 > line.height:
                line.across = [c0, c1]
            line.boxes.append((c0, c1))
        else:
            lines.append(_Line(turn, [at], [a0, a1], [c0, c1], [(c0, c1)]))
    return lines


def _continues(line: _Line, a0: float, a1: float, c0: float, c1: float, letters: Letters, chosen: np.ndarray) -> bool:
    if line.turn == SLANTED:
        return False
    shared = min(line.across[1], c1) - max(line.across[0], c0)
    if shared < _SAME_LINE * min(line.height, c1 - c0):
        return False
    low, high = min(line.along[1], a1), max(line.along[0], a0)  # of the gap between, if low < high
    high_of_line = max(line.height, c1 - c0)
    if high - low <= _SPACE * high_of_line:
        return True
    return high - low <= _WIDE_SPACE * high_of_line and not _stands_between(line, low, high, letters, chosen)


def _stands_between(line: _Line, low: float, high: float, letters: Letters, chosen: np.ndarray) -> bool:
    along, across = _axes(line.turn)
    middle = (letters.box[:, along] + letters.box[:, along + 2]) / 2
    level = (letters.box[:, across] + letters.box[:, across + 2]) / 2
    inside = (middle > low) & (middle < high) & (level > line.across[0]) & (level < line.across[1])
    return any(letters.text[at].strip() for at in np.flatnonzero(inside & ~chosen).tolist())


def _joined(lines: list[_Line]) -> list[_Line]:
    """Pieces of one line that were read at different times (a raised mark, a letter out of turn) are one box."""
    found: list[_Line] = []
    for line in lines:
        whole = next((other for other in found[-_LOOKED_BACK:] if _touch(other, line)), None)
        if whole is None:
            found.append(line)
            continue
        whole.along = [min(whole.along[0], line.along[0]), max(whole.along[1], line.along[1])]
        if line.height > whole.height:
            whole.across = line.across
        whole.members += line.members
        whole.boxes += line.boxes
    return found


def _touch(one: _Line, other: _Line) -> bool:
    if one.turn != other.turn or one.turn == SLANTED:
        return False
    shared = min(one.across[1], other.across[1]) - max(one.across[0], other.across[0])
    gap = max(one.along[0], other.along[0]) - min(one.along[1], other.along[1])
    return shared >= _SAME_LINE * min(one.height, other.height) and gap <= 0.3 * max(one.height, other.height)


def _settle_height(line: _Line) -> None:
    """As high as most of its characters; a raised mark or a big bracket does not make the whole line higher."""
    boxes = np.array(line.boxes)
    heights = boxes[:, 1] - boxes[:, 0]
    usual = np.quantile(heights, 0.5, method="higher")  # one that is there
    plain = boxes[(heights >= _LIKE[0] * usual) & (heights <= _LIKE[1] * usual)]
    middles = boxes.mean(axis=1)
    line.across = [
        float(min(plain[:, 0].min(), middles.min())),
        float(max(plain[:, 1].max(), middles.max())),
    ]


def _keep_clear(line: _Line, letters: Letters, chosen: np.ndarray) -> None:
    """Where lines stand closer than their fonts are high, an unlit neighbour keeps half of what they share."""
    along, across = _axes(line.turn)
    box = letters.box
    near = (box[:, along] < line.along[1]) & (box[:, along + 2] > line.along[0]) & ~chosen
    near &= (box[:, across + 2] > box[:, across]) & (letters.turn == line.turn)
    low, high, middle = box[:, across], box[:, across + 2], (box[:, across] + box[:, across + 2]) / 2
    bottom, top = line.across
    most = _MOST_CUT * (top - bottom)
    above = near & (middle >= top) & (low < top)
    below = near & (middle <= bottom) & (high > bottom)
    if above.any():
        line.across[1] = max((top + float(low[above].min())) / 2, top - most)
    if below.any():
        line.across[0] = min((bottom + float(high[below].max())) / 2, bottom + most)


def _part(lines: list[_Line]) -> None:
    """Lit neighbours that overlap meet in the middle: no strip is painted twice."""
    ordered = sorted((line for line in lines if line.turn != SLANTED), key=lambda line: (line.turn, line.across[0]))
    for at, lower in enumerate(ordered):
        for upper in ordered[at + 1 :]:
            shared = lower.across[1] - upper.across[0]
            if upper.turn != lower.turn or shared <= 0:
                break
            beside = min(lower.along[1], upper.along[1]) - max(lower.along[0], upper.along[0])
            if beside > 0 and shared < 0.6 * min(lower.height, upper.height):
                lower.across[1] = upper.across[0] = upper.across[0] + shared / 2


def _rectangle(page: int, line: _Line, letters: Letters) -> Rectangle:
    along, across = _axes(line.turn)
    box = [0.0] * 4
    box[along], box[along + 2] = line.along
    box[across], box[across + 2] = line.across
    x0, x1 = (round(min(max(x, 0.0), letters.width), 2) for x in (box[0], box[2]))
    y0, y1 = (round(min(max(y, 0.0), letters.height), 2) for y in (box[1], box[3]))
    return Rectangle(page, x0, y0, x1, y1, line.turn, bool(2 * letters.light[line.members].sum() > len(line.members)))
