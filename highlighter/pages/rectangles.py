"""From characters of a page to clean boxes: one a line, as high as its font, over no other, its spaces filled."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

import numpy as np

from highlighter.models import Rectangle
from highlighter.pages.page_characters import DOWNWARD, SLANTED, UPWARD, PageCharacters

_MIN_SHARED_HEIGHT_RATIO = 0.5  # of the lower one's height that two characters share
_MAX_SPACE_HEIGHTS = 0.9  # in line heights: a gap as wide as this is one between words
_MAX_WIDE_SPACE_HEIGHTS = 4.0  # ... and as this, if nothing else stands in it
_USUAL_HEIGHT_RATIOS = (0.8, 1.25)  # heights of characters that say how high a line is, against the median
_MAX_LINES_LOOKED_BACK = 200  # lines: those of a page, and no book of them
_MAX_CUT_RATIO = 0.3  # of a box's height that another line may take away
_HYPHENS = frozenset("\x02\ufffe-\u2010\u00ad")


@dataclass(slots=True)
class _CharacterLine:
    """Characters side by side; `along` the line they read, `across` it they are high."""

    turn: int
    members: list[int]
    along: list[float]
    across: list[float]
    boxes: list[tuple[float, float]] = field(default_factory=list)  # across, of each member

    @property
    def height(self) -> float:
        return self.across[1] - self.across[0]


def compute_rectangles(page: int, letters: PageCharacters, spans: Iterable[tuple[int, int]]) -> list[Rectangle]:
    """Those of raw characters `[start, end)`, in the order they are read."""
    members = _add_hyphens(letters, _list_visible_characters(letters, spans))
    chosen = np.zeros(len(letters.text), bool)
    chosen[members] = True
    lines = _join_lines(_group_lines(letters, members, chosen))
    for line in lines:
        _settle_height(line)
        _avoid_neighbours(line, letters, chosen)
    _separate_lines(lines)
    found = [_build_rectangle(page, line, letters) for line in lines]
    return [r for r in found if r.x1 - r.x0 > 0.1 and r.y1 - r.y0 > 0.1]


def group_page_lines(letters: PageCharacters) -> list[tuple[int, list[int]]]:
    """(turn, raw indexes) of every line of a page, as PDFium reads it."""
    members = _list_visible_characters(letters, [(0, len(letters.text))])
    return [(line.turn, line.members) for line in _group_lines(letters, members, np.ones(len(letters.text), bool))]


def _list_visible_characters(letters: PageCharacters, spans: Iterable[tuple[int, int]]) -> list[int]:
    """The characters that are seen: spaces are filled from what stands beside them."""
    drawn, most = _has_area(letters.box), len(letters.text)
    return [
        at
        for start, end in spans
        for at in range(max(start, 0), min(end, most))
        if drawn[at] and not letters.text[at].isspace()
    ]


def _add_hyphens(letters: PageCharacters, members: list[int]) -> list[int]:
    """The hyphen that broke a word is no part of the text, but between two lit halves it is lit as well."""
    found = []
    for at, following in zip_longest(members, members[1:], fillvalue=-1):
        found.append(at)
        if 0 <= following != at + 1 < len(letters.text) and letters.text[at + 1] in _HYPHENS:
            rest = letters.text[at + 2 : following] if following > at else ""
            if not rest.strip() and _has_area(letters.box[at + 1]):
                found.append(at + 1)
    return found


def _has_area(box: np.ndarray) -> np.ndarray:
    """Of a box, or of each of many."""
    return (box[..., 2] > box[..., 0]) & (box[..., 3] > box[..., 1])


def _choose_axes(turn: int) -> tuple[int, int]:
    return (1, 0) if turn in (UPWARD, DOWNWARD) else (0, 1)


def _group_lines(letters: PageCharacters, members: Sequence[int], chosen: np.ndarray) -> list[_CharacterLine]:
    lines: list[_CharacterLine] = []
    boxes, turns = letters.box[list(members)].tolist(), letters.turn[list(members)].tolist()
    for at, box, turn in zip(members, boxes, turns, strict=True):
        along, across = _choose_axes(turn)
        a0, a1, c0, c1 = box[along], box[along + 2], box[across], box[across + 2]
        line = lines[-1] if lines else None
        if line and line.turn == turn and _is_same_line(line, a0, a1, c0, c1, letters, chosen):
            line.members.append(at)
            line.along = [min(line.along[0], a0), max(line.along[1], a1)]
            if c1 - c0 > line.height:
                line.across = [c0, c1]
            line.boxes.append((c0, c1))
        else:
            lines.append(_CharacterLine(turn, [at], [a0, a1], [c0, c1], [(c0, c1)]))
    return lines


def _is_same_line(
    line: _CharacterLine, a0: float, a1: float, c0: float, c1: float, letters: PageCharacters, chosen: np.ndarray
) -> bool:
    if line.turn == SLANTED:
        return False
    shared = min(line.across[1], c1) - max(line.across[0], c0)
    if shared < _MIN_SHARED_HEIGHT_RATIO * min(line.height, c1 - c0):
        return False
    low, high = min(line.along[1], a1), max(line.along[0], a0)  # of the gap between, if low < high
    high_of_line = max(line.height, c1 - c0)
    if high - low <= _MAX_SPACE_HEIGHTS * high_of_line:
        return True
    return high - low <= _MAX_WIDE_SPACE_HEIGHTS * high_of_line and not _has_text_between(
        line, low, high, letters, chosen
    )


def _has_text_between(
    line: _CharacterLine, low: float, high: float, letters: PageCharacters, chosen: np.ndarray
) -> bool:
    along, across = _choose_axes(line.turn)
    middle = (letters.box[:, along] + letters.box[:, along + 2]) / 2
    level = (letters.box[:, across] + letters.box[:, across + 2]) / 2
    inside = (middle > low) & (middle < high) & (level > line.across[0]) & (level < line.across[1])
    return any(letters.text[at].strip() for at in np.flatnonzero(inside & ~chosen).tolist())


def _join_lines(lines: list[_CharacterLine]) -> list[_CharacterLine]:
    """Pieces of one line that were read at different times (a raised mark, a letter out of turn) are one box."""
    found: list[_CharacterLine] = []
    for line in lines:
        whole = next((other for other in found[-_MAX_LINES_LOOKED_BACK:] if _is_touching(other, line)), None)
        if whole is None:
            found.append(line)
            continue
        whole.along = [min(whole.along[0], line.along[0]), max(whole.along[1], line.along[1])]
        if line.height > whole.height:
            whole.across = line.across
        whole.members += line.members
        whole.boxes += line.boxes
    return found


def _is_touching(one: _CharacterLine, other: _CharacterLine) -> bool:
    if one.turn != other.turn or one.turn == SLANTED:
        return False
    shared = min(one.across[1], other.across[1]) - max(one.across[0], other.across[0])
    gap = max(one.along[0], other.along[0]) - min(one.along[1], other.along[1])
    return shared >= _MIN_SHARED_HEIGHT_RATIO * min(one.height, other.height) and gap <= 0.3 * max(
        one.height, other.height
    )


def _settle_height(line: _CharacterLine) -> None:
    """As high as most of its characters; a raised mark or a big bracket does not make the whole line higher."""
    boxes = np.array(line.boxes)
    heights = boxes[:, 1] - boxes[:, 0]
    usual = np.quantile(heights, 0.5, method="higher")  # one that is there
    plain = boxes[(heights >= _USUAL_HEIGHT_RATIOS[0] * usual) & (heights <= _USUAL_HEIGHT_RATIOS[1] * usual)]
    middles = boxes.mean(axis=1)
    line.across = [
        float(min(plain[:, 0].min(), middles.min())),
        float(max(plain[:, 1].max(), middles.max())),
    ]


def _avoid_neighbours(line: _CharacterLine, letters: PageCharacters, chosen: np.ndarray) -> None:
    """Where lines stand closer than their fonts are high, an unlit neighbour keeps half of what they share."""
    along, across = _choose_axes(line.turn)
    box = letters.box
    near = (box[:, along] < line.along[1]) & (box[:, along + 2] > line.along[0]) & ~chosen
    near &= (box[:, across + 2] > box[:, across]) & (letters.turn == line.turn)
    low, high, middle = box[:, across], box[:, across + 2], (box[:, across] + box[:, across + 2]) / 2
    bottom, top = line.across
    most = _MAX_CUT_RATIO * (top - bottom)
    above = near & (middle >= top) & (low < top)
    below = near & (middle <= bottom) & (high > bottom)
    if above.any():
        line.across[1] = max((top + float(low[above].min())) / 2, top - most)
    if below.any():
        line.across[0] = min((bottom + float(high[below].max())) / 2, bottom + most)


def _separate_lines(lines: list[_CharacterLine]) -> None:
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


def _build_rectangle(page: int, line: _CharacterLine, letters: PageCharacters) -> Rectangle:
    along, across = _choose_axes(line.turn)
    box = [0.0] * 4
    box[along], box[along + 2] = line.along
    box[across], box[across + 2] = line.across
    x0, x1 = (round(min(max(x, 0.0), letters.width), 2) for x in (box[0], box[2]))
    y0, y1 = (round(min(max(y, 0.0), letters.height), 2) for y in (box[1], box[3]))
    return Rectangle(page, x0, y0, x1, y1, line.turn, bool(2 * letters.light[line.members].sum() > len(line.members)))
