"""Put turned text in order along its baselines: PDFium orders and spaces its pieces as if they were level."""

from __future__ import annotations

from dataclasses import replace
from math import cos, radians, sin
from typing import NamedTuple

import numpy as np

from highlighter.pages import pdfium
from ingest.readers.pdf.glyphs import Glyphs, find_rtl_letters, rearrange, to_codepoints
from ingest.readers.pdf.text_styles import INVISIBLE_MODE, SLANTED

_MAX_ANGLES, _MAX_TILTS = (
    12,
    3,
)  # of slanted text on a page, and of text that is nearly at a right angle: more are curves or a scan
_MIN_CHARACTERS_PER_ANGLE = 3  # fewer are on a curve
_MAX_ANGLE_DIFFERENCE = 0.3  # in degrees, of text that has one angle
_TURNS_PER_DEGREE = 10  # the turn of slanted text is its angle in tenths of a degree, below zero
_MAX_BASELINE_SHIFT_EMS = 0.45  # between two characters of a line
_MAX_TOUCHING_EMS, _MIN_TOUCHING_EMS = 0.1, -0.5  # between two characters of a word
_MIN_SPACE_EMS = 0.1  # between the cells of two words; a slanted "f" reaches into the space after it
_MIN_REAL_SPACE_EMS = 0.05  # where the file has a space between them
_ASCENT_EMS, _DESCENT_EMS = 0.75, 0.22  # of most typefaces
_MAX_LEVEL_SINE = 0.001  # of a right angle
_RIGHT_ANGLES = (90, 180, 270)

Shown = tuple[float, float, float, float]


class _Frame(NamedTuple):
    """The frame in which text at an angle is horizontal: its axes, and the least coordinates of the page in it."""

    along: tuple[float, float]
    left: float
    top: float
    height: float


def measure_frame_height(turn: int, width: float, height: float) -> float:
    """Return the height of a page in the frame in which text with a turn is horizontal."""
    if turn < SLANTED:
        return _make_frame(turn, width, height).height
    return width if turn in (90, 270) else height


def _make_frame(turn: int, width: float, height: float) -> _Frame:
    angle = radians(-turn / _TURNS_PER_DEGREE if turn < SLANTED else turn)
    c, s = cos(angle), sin(angle)
    corners = [(x, y) for x in (0.0, width) for y in (0.0, height)]
    rises = [y * c - x * s for x, y in corners]
    return _Frame((c, s), min(x * c + y * s for x, y in corners), max(rises), max(rises) - min(rises))


def order_turned_text(glyphs: Glyphs, hidden: np.ndarray, text_page: int, shown: Shown) -> tuple[Glyphs, np.ndarray]:
    """Return the characters, and why each is hidden, with turned text in reading order and in a frame of its own."""
    if not (glyphs.turn.any() or glyphs.angle.any()):
        return glyphs, hidden  # nearly all pages
    is_usable = glyphs.solid & ~glyphs.omitted & (glyphs.segment == 0) & (glyphs.raw >= 0)
    groups = _group_by_angle(glyphs, is_usable)
    for rows in groups.values():
        is_usable[rows] = False
    for turn in _RIGHT_ANGLES:
        rows = np.flatnonzero(is_usable & (glyphs.turn == turn))
        if len(rows) > 1 and _is_broken(glyphs, rows) and _has_level_lines(glyphs, rows):
            groups[turn] = rows
    if not groups:
        return glyphs, hidden
    return _reorder(_place_in_frames(glyphs, groups, text_page, shown), hidden, list(groups.values()))


def _group_by_angle(glyphs: Glyphs, is_usable: np.ndarray) -> dict[int, np.ndarray]:
    """Return the rows of the text of each angle that is no right angle, by their turn."""
    if not glyphs.angle.any():
        return {}
    is_slanted = glyphs.turn == SLANTED
    is_tilted = ~is_slanted & (glyphs.paint != INVISIBLE_MODE)  # the words of scans, each at an angle of its own
    groups: dict[int, np.ndarray] = {}
    for is_kind, max_count in ((is_slanted, _MAX_ANGLES), (is_tilted, _MAX_TILTS)):
        rows = np.flatnonzero(is_usable & is_kind & (glyphs.angle != 0))
        if not len(rows):
            continue
        rows = rows[np.argsort(glyphs.angle[rows], kind="stable")]
        parts = _split_by_angle(rows, glyphs.angle[rows])
        if len(parts) <= max_count and len(rows) >= _MIN_CHARACTERS_PER_ANGLE * len(parts):
            groups |= {
                -round(float(np.median(glyphs.angle[part])) * _TURNS_PER_DEGREE): np.sort(part) for part in parts
            }
    is_rtl = find_rtl_letters(to_codepoints(glyphs.text))
    return {turn: rows for turn, rows in groups.items() if not is_rtl[rows].any()}


def _split_by_angle(rows: np.ndarray, angles: np.ndarray) -> list[np.ndarray]:
    """Return rows, which are sorted by their angles, in parts of one angle each."""
    cuts = [0]
    for place in (np.flatnonzero(np.diff(angles) > 0) + 1).tolist():
        if angles[place] - angles[cuts[-1]] > _MAX_ANGLE_DIFFERENCE:
            cuts.append(place)
    return np.split(rows, cuts[1:])


def _place_in_frames(glyphs: Glyphs, groups: dict[int, np.ndarray], text_page: int, shown: Shown) -> Glyphs:
    """Return the characters with the cells of each group in the frame in which they are horizontal."""
    left, bottom, right, top = shown
    box, base, turns = glyphs.box.copy(), glyphs.base.copy(), glyphs.turn.copy()
    cells = pdfium.read_loose_boxes(text_page, int(glyphs.raw.max()) + 1)
    for turn, rows in groups.items():
        frame = _make_frame(turn, right - left, top - bottom)
        c, s = frame.along
        raw = glyphs.raw[rows]
        x, y = pdfium.read_origins(text_page, raw.tolist()).T
        size = np.maximum(glyphs.size[rows], 0.5)
        width = _measure_advances(cells[raw] - np.column_stack((x, y, x, y)), glyphs.face[rows], size, c, s)
        start = (x - left) * c + (y - bottom) * s - frame.left
        base[rows] = frame.top - ((y - bottom) * c - (x - left) * s)
        box[rows] = np.column_stack(
            (start, base[rows] - _ASCENT_EMS * size, start + width, base[rows] + _DESCENT_EMS * size)
        )
        turns[rows] = turn
    return replace(glyphs, box=box, base=base, turn=turns)


def _measure_advances(cells: np.ndarray, face: np.ndarray, size: np.ndarray, c: float, s: float) -> np.ndarray:
    """Return the advance of characters at an angle, by the upright boxes (left, top, right, bottom) around their cells.

    The boxes are measured from where the pen stands, and larger than the cells where ink reaches beyond these. One of
    their sides in each axis tells how far the cell is above or below the pen, which is the same in all of a typeface.
    """
    left, top, right, bottom = cells.T
    if min(abs(c), abs(s)) < _MAX_LEVEL_SINE:
        is_flat = abs(c) > abs(s)
        level: np.ndarray = np.abs((right if c > 0 else left) if is_flat else (top if s > 0 else bottom))
        return level
    beside, above = np.abs(left if c > 0 else right), np.abs(bottom if s > 0 else top)
    height = beside / abs(s) + above / abs(c)
    for family in np.unique(face).tolist():
        rows = face == family
        height[rows] = float((height[rows] / size[rows]).min()) * size[rows]
    advance: np.ndarray = np.minimum(
        (right - left - height * abs(s)) / abs(c), (top - bottom - height * abs(c)) / abs(s)
    )
    return advance


def _is_broken(glyphs: Glyphs, rows: np.ndarray) -> bool:
    """Return whether PDFium put a space into a word of turned text, or parts of a line into another order."""
    a, b = rows[:-1], rows[1:]
    size = np.maximum(glyphs.size[a], glyphs.size[b])
    is_level = np.abs(glyphs.base[a] - glyphs.base[b]) <= _MAX_BASELINE_SHIFT_EMS * size
    left, right = glyphs.box[:, 0], glyphs.box[:, 2]
    gap = (left[b] - right[a]) / size
    has_inserted = np.diff(np.cumsum(~glyphs.solid & (glyphs.owner == 0))[rows]) > 0
    is_split = has_inserted & (gap < _MAX_TOUCHING_EMS) & (gap > _MIN_TOUCHING_EMS)
    is_behind = (left[b] < left[a] - _MAX_TOUCHING_EMS * size) & ~find_rtl_letters(to_codepoints(glyphs.text))[b]
    return bool((is_level & (is_split | is_behind)).any())


def _has_level_lines(glyphs: Glyphs, rows: np.ndarray) -> bool:
    """Return whether lines are apart from each other: one that is tilted a little ends beside the next one's beginning."""
    return all(np.ptp(glyphs.base[line]) <= float(np.median(glyphs.size[line])) for line in _split_lines(glyphs, rows))


def _reorder(glyphs: Glyphs, hidden: np.ndarray, groups: list[np.ndarray]) -> tuple[Glyphs, np.ndarray]:
    """Return the characters with those of each group after the others, line by line, with spaces between words."""
    is_moved = np.zeros(len(glyphs.text), bool)
    has_space_after, has_space_before = _find_real_spaces(glyphs)
    for rows in groups:
        is_moved[rows] = True
    order = np.flatnonzero(~is_moved).tolist()
    spaces: list[int] = []
    for rows in groups:
        for line in _split_lines(glyphs, rows):
            left, right, size = glyphs.box[line, 0], np.maximum.accumulate(glyphs.box[line, 2]), glyphs.size[line]
            gap = (left[1:] - right[:-1]) / np.maximum(np.maximum(size[1:], size[:-1]), 0.5)
            is_real = has_space_after[line[:-1]] | has_space_before[line[1:]]
            is_space = (gap > _MIN_SPACE_EMS) | (is_real & (gap > _MIN_REAL_SPACE_EMS))
            for row, has_space in zip(line.tolist(), [False, *is_space.tolist()], strict=True):
                if has_space:
                    spaces.append(len(order))
                    order.append(row)
                order.append(row)
    return rearrange(glyphs, order, spaces), hidden[order]


def _find_real_spaces(glyphs: Glyphs) -> tuple[np.ndarray, np.ndarray]:
    """Return after which characters, and before which, the file has a space."""
    solid, spaces = np.flatnonzero(glyphs.solid), np.flatnonzero(~glyphs.solid & (glyphs.owner != 0))
    places = np.searchsorted(solid, spaces)
    after, before = np.zeros(len(glyphs.text), bool), np.zeros(len(glyphs.text), bool)
    # Of the same piece: PDFium may have put another one beside it.
    last, following = solid[np.maximum(places - 1, 0)], solid[np.minimum(places, len(solid) - 1)]
    after[last[glyphs.owner[last] == glyphs.owner[spaces]]] = True
    before[following[glyphs.owner[following] == glyphs.owner[spaces]]] = True
    return after, before


def _split_lines(glyphs: Glyphs, rows: np.ndarray) -> list[np.ndarray]:
    """Return the characters on each baseline, from top to bottom, each from left to right."""
    rows = rows[np.argsort(glyphs.base[rows], kind="stable")]
    is_end = np.diff(glyphs.base[rows]) > _MAX_BASELINE_SHIFT_EMS * float(np.median(glyphs.size[rows]))
    lines = np.split(rows, np.flatnonzero(is_end) + 1)
    return [line[np.argsort(glyphs.box[line, 0], kind="stable")] for line in lines]
