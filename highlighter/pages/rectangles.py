"""Rectangles of spans on a page: one for each line, as high as its font, without overlaps, with spaces filled."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest

import numpy as np

from highlighter.models import Rectangle
from highlighter.pages.page_characters import DOWNWARD, SLANTED, UPWARD, PageCharacters

_MIN_SHARED_HEIGHT_RATIO = 0.5  # of the smaller height: characters that share as much are on one line
_MAX_SPACE_HEIGHTS = 0.9  # in line heights: a gap of this width is a space between words
_MAX_WIDE_SPACE_HEIGHTS = 4.0  # ... and so is a gap of this width when no other text is in it
_MIN_DROP_CAP_RATIO = 1.8  # of the height of a capital that begins a paragraph to that of the lines beside it
_USUAL_HEIGHT_RATIOS = (0.8, 1.25)  # to the median height: only such characters decide how high a line is
_MAX_LINES_LOOKED_BACK = 200  # enough for a page
_MAX_CUT_RATIO = 0.3  # of a box's height that a neighbouring line may take away
_HYPHENS = frozenset("\x02\ufffe-\u2010\u00ad")


@dataclass(slots=True)
class _CharacterLine:
    """Characters side by side on one line."""

    turn: int
    members: list[int]  # indexes of raw characters
    along: list[float]  # its extent in the direction of reading
    across: list[float]  # its extent at right angles to that: its height
    extents: list[tuple[float, float]]  # across, of each member

    @property
    def height(self) -> float:
        return self.across[1] - self.across[0]

    def absorb(self, other: _CharacterLine) -> None:
        """Extend this line by another line's characters."""
        self.along = [min(self.along[0], other.along[0]), max(self.along[1], other.along[1])]
        if other.height > self.height:
            self.across = other.across
        self.members += other.members
        self.extents += other.extents


def compute_rectangles(page: int, characters: PageCharacters, spans: Iterable[tuple[int, int]]) -> list[Rectangle]:
    """Return the rectangles of spans `[start, end)` of a page's raw characters, in reading order."""
    members = _add_hyphens(characters, _list_visible_characters(characters, spans))
    chosen = np.zeros(len(characters.text), bool)
    chosen[members] = True
    lines = _join_lines(_group_lines(characters, members, chosen), characters)
    for line in lines:
        _settle_height(line)
        _avoid_neighbours(line, characters, chosen)
    _separate_lines(lines)
    rectangles = [_build_rectangle(page, line, characters) for line in lines]
    return [r for r in rectangles if r.x1 - r.x0 > 0.1 and r.y1 - r.y0 > 0.1]


def group_page_lines(characters: PageCharacters) -> list[tuple[int, list[int]]]:
    """Return (turn, indexes of raw characters) of every line of a page, in PDFium's reading order."""
    members = _list_visible_characters(characters, [(0, len(characters.text))])
    return [
        (line.turn, line.members) for line in _group_lines(characters, members, np.ones(len(characters.text), bool))
    ]


def _list_visible_characters(characters: PageCharacters, spans: Iterable[tuple[int, int]]) -> list[int]:
    """Return the indexes of the visible characters of some spans, without spaces: lines cover them anyway."""
    has_area, count = _has_area(characters.box), len(characters.text)
    return [
        index
        for start, end in spans
        for index in range(max(start, 0), min(end, count))
        if has_area[index] and not characters.text[index].isspace()
    ]


def _add_hyphens(characters: PageCharacters, members: list[int]) -> list[int]:
    """Add the hyphens between two highlighted halves of a word, which are no part of the text."""
    with_hyphens = []
    for index, following in zip_longest(members, members[1:], fillvalue=-1):
        with_hyphens.append(index)
        if 0 <= following != index + 1 < len(characters.text) and characters.text[index + 1] in _HYPHENS:
            skipped_text = characters.text[index + 2 : following] if following > index else ""
            if not skipped_text.strip() and _has_area(characters.box[index + 1]):
                with_hyphens.append(index + 1)
    return with_hyphens


def _has_area(box: np.ndarray) -> np.ndarray:
    """Return whether a box, or each of many boxes, has an area."""
    return (box[..., 2] > box[..., 0]) & (box[..., 3] > box[..., 1])


def _choose_axes(turn: int) -> tuple[int, int]:
    """Return the columns of a box's start along and across the reading direction."""
    return (1, 0) if turn in (UPWARD, DOWNWARD) else (0, 1)


def _group_lines(characters: PageCharacters, members: Sequence[int], chosen: np.ndarray) -> list[_CharacterLine]:
    lines: list[_CharacterLine] = []
    boxes, turns = characters.box[list(members)].tolist(), characters.turn[list(members)].tolist()
    for index, box, turn in zip(members, boxes, turns, strict=True):
        along, across = _choose_axes(turn)
        extent = box[across], box[across + 2]
        character = _CharacterLine(turn, [index], [box[along], box[along + 2]], list(extent), [extent])
        if lines and lines[-1].turn == turn and _is_same_line(lines[-1], character, characters, chosen):
            lines[-1].absorb(character)
        else:
            lines.append(character)
    return lines


def _is_same_line(
    line: _CharacterLine, character: _CharacterLine, characters: PageCharacters, chosen: np.ndarray
) -> bool:
    """Return whether a line goes on with this character, which has the same turn."""
    if line.turn == SLANTED or not _share_height(line, character) or _has_drop_cap(line, character, characters):
        return False
    # The gap between them, if gap_start < gap_end.
    gap_start, gap_end = min(line.along[1], character.along[1]), max(line.along[0], character.along[0])
    height = max(line.height, character.height)
    if gap_end - gap_start <= _MAX_SPACE_HEIGHTS * height:
        return True
    is_wide_space = gap_end - gap_start <= _MAX_WIDE_SPACE_HEIGHTS * height
    return is_wide_space and not _has_text_between(line, gap_start, gap_end, characters, chosen)


def _share_height(line: _CharacterLine, other: _CharacterLine) -> bool:
    shared = min(line.across[1], other.across[1]) - max(line.across[0], other.across[0])
    return shared >= _MIN_SHARED_HEIGHT_RATIO * min(line.height, other.height)


def _has_drop_cap(line: _CharacterLine, other: _CharacterLine, characters: PageCharacters) -> bool:
    """Return whether one of two parts is a capital that is much higher than the other: it stands beside several lines."""
    if line.height > _MIN_DROP_CAP_RATIO * other.height:
        high = line
    elif other.height > _MIN_DROP_CAP_RATIO * line.height:
        high = other
    else:
        return False
    return len(high.members) == 1 and characters.text[high.members[0]].isupper()


def _has_text_between(
    line: _CharacterLine, start: float, end: float, characters: PageCharacters, chosen: np.ndarray
) -> bool:
    along, across = _choose_axes(line.turn)
    middle_along = (characters.box[:, along] + characters.box[:, along + 2]) / 2
    middle_across = (characters.box[:, across] + characters.box[:, across + 2]) / 2
    is_inside = (middle_along > start) & (middle_along < end)
    is_inside &= (middle_across > line.across[0]) & (middle_across < line.across[1])
    return any(characters.text[index].strip() for index in np.flatnonzero(is_inside & ~chosen).tolist())


def _join_lines(lines: list[_CharacterLine], characters: PageCharacters) -> list[_CharacterLine]:
    """Join parts of one line that were read at different times, such as a superscript or a letter out of order."""
    joined: list[_CharacterLine] = []
    for line in lines:
        earlier = next(
            (other for other in joined[-_MAX_LINES_LOOKED_BACK:] if _is_touching(other, line, characters)), None
        )
        if earlier is None:
            joined.append(line)
        else:
            earlier.absorb(line)
    return joined


def _is_touching(line: _CharacterLine, other: _CharacterLine, characters: PageCharacters) -> bool:
    if line.turn != other.turn or line.turn == SLANTED or _has_drop_cap(line, other, characters):
        return False
    gap = max(line.along[0], other.along[0]) - min(line.along[1], other.along[1])
    return _share_height(line, other) and gap <= 0.3 * max(line.height, other.height)


def _settle_height(line: _CharacterLine) -> None:
    """Make a line as high as most of its characters, whatever superscripts or big brackets it has."""
    extents = np.array(line.extents)
    heights = extents[:, 1] - extents[:, 0]
    median = np.quantile(heights, 0.5, method="higher")  # a height that occurs
    lowest, highest = (ratio * median for ratio in _USUAL_HEIGHT_RATIOS)
    usual = extents[(heights >= lowest) & (heights <= highest)]
    middles = extents.mean(axis=1)
    line.across = [
        float(min(usual[:, 0].min(), middles.min())),
        float(max(usual[:, 1].max(), middles.max())),
    ]


def _avoid_neighbours(line: _CharacterLine, characters: PageCharacters, chosen: np.ndarray) -> None:
    """Leave half of the overlap to a neighbouring line without highlight, where lines are closer than their fonts are
    high.
    """
    along, across = _choose_axes(line.turn)
    box = characters.box
    is_near = (box[:, along] < line.along[1]) & (box[:, along + 2] > line.along[0]) & ~chosen
    is_near &= (box[:, across + 2] > box[:, across]) & (characters.turn == line.turn)
    bottoms, tops, middles = box[:, across], box[:, across + 2], (box[:, across] + box[:, across + 2]) / 2
    bottom, top = line.across
    max_cut = _MAX_CUT_RATIO * (top - bottom)
    is_above = is_near & (middles >= top) & (bottoms < top)
    is_below = is_near & (middles <= bottom) & (tops > bottom)
    if is_above.any():
        line.across[1] = max((top + float(bottoms[is_above].min())) / 2, top - max_cut)
    if is_below.any():
        line.across[0] = min((bottom + float(tops[is_below].max())) / 2, bottom + max_cut)


def _separate_lines(lines: list[_CharacterLine]) -> None:
    """Make overlapping highlighted lines meet in the middle, so that no strip is painted twice."""
    ordered = sorted((line for line in lines if line.turn != SLANTED), key=lambda line: (line.turn, line.across[0]))
    for index, lower in enumerate(ordered):
        for upper in ordered[index + 1 :]:
            overlap = lower.across[1] - upper.across[0]
            if upper.turn != lower.turn or overlap <= 0:
                break
            shared_length = min(lower.along[1], upper.along[1]) - max(lower.along[0], upper.along[0])
            if shared_length > 0 and overlap < 0.6 * min(lower.height, upper.height):
                lower.across[1] = upper.across[0] = upper.across[0] + overlap / 2


def _build_rectangle(page: int, line: _CharacterLine, characters: PageCharacters) -> Rectangle:
    along, across = _choose_axes(line.turn)
    box = [0.0] * 4
    box[along], box[along + 2] = line.along
    box[across], box[across + 2] = line.across
    x0, x1 = (round(min(max(x, 0.0), characters.width), 2) for x in (box[0], box[2]))
    y0, y1 = (round(min(max(y, 0.0), characters.height), 2) for y in (box[1], box[3]))
    return Rectangle(
        page, x0, y0, x1, y1, line.turn, bool(2 * characters.light[line.members].sum() > len(line.members))
    )
