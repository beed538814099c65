"""Find characters that a file has but a person does not see.

Paint alone does not decide: white letters on a dark band are visible, and the invisible letters over a scan stand for
those in the picture. Suspicious characters are therefore looked for on the rendered page: where nothing stands out,
nothing is visible.
"""

from __future__ import annotations

import time
from collections.abc import Collection

import numpy as np
import pypdfium2

from highlighter.locale import N_
from highlighter.pages import pdfium
from ingest.readers.pdf.glyphs import Glyphs
from ingest.readers.pdf.text_styles import INVISIBLE_MODE, TRANSPARENT, VISIBLE
from ingest.readers.pdf.visible_words import find_visible_words

REASONS = (
    "",
    N_("outside the page"),
    N_("too small to read"),
    N_("invisible"),
    N_("same colour as its background"),
    N_("covered"),
    N_("without shape"),
    N_("on a layer that is off"),
)
_OUTSIDE, _TINY, _INVISIBLE, _COLOUR, _COVERED, _SHAPELESS, _LAYER = range(1, 8)

Box = tuple[float, float, float, float]

_MAX_TINY_POINTS = 1.05
_MAX_COVERS = 200
# Of the processor, so that the text does not depend on what else the machine does; after that, paint alone decides.
_MAX_DRAWING_SECONDS = 12.0  # for rendering a document's suspicious pages


class HiddenTextDetector:
    """A detector of hidden text in the pages of one document; on recognised pages, invisible words are those of the picture."""

    def __init__(self, recognised: Collection[int] = ()) -> None:
        self._recognised = frozenset(recognised)
        self._seconds_left = _MAX_DRAWING_SECONDS

    def find_hidden(
        self,
        page: pypdfium2.PdfPage,
        number: int,
        objects: list[tuple[int, int]],
        layered_objects: set[int],
        glyphs: Glyphs,
        shown: Box,
    ) -> np.ndarray:
        """Return for each character 0, or the number of the reason why it is not visible.

        `layered_objects` are on layers: a layer that is off is not rendered.
        """
        reasons = np.zeros(len(glyphs.text), np.int8)
        reasons[_find_covered(objects, glyphs, shown)] = _COVERED
        reasons[glyphs.paint != VISIBLE] = _COLOUR
        if layered_objects:
            reasons[np.isin(glyphs.owner, np.array(list(layered_objects), np.uint64))] = _LAYER
        reasons[(glyphs.paint == INVISIBLE_MODE) | (glyphs.paint == TRANSPARENT)] = _INVISIBLE
        if number in self._recognised:
            reasons[glyphs.paint == INVISIBLE_MODE] = 0
        reasons[~glyphs.solid] = 0
        if reasons.any():
            self._clear_visible(page, glyphs, reasons, shown, objects)
        reasons[(glyphs.size < _MAX_TINY_POINTS) & glyphs.solid] = _TINY
        reasons[~glyphs.inside & glyphs.solid] = _OUTSIDE
        reasons[glyphs.shapeless] = _SHAPELESS
        return reasons

    def _clear_visible(
        self,
        page: pypdfium2.PdfPage,
        glyphs: Glyphs,
        reasons: np.ndarray,
        shown: Box,
        objects: list[tuple[int, int]],
    ) -> None:
        """Clear the reasons of characters where the rendered page shows something."""
        if self._seconds_left <= 0:
            if any(kind in (2, 3) for _, kind in objects):
                reasons[:] = 0
            return
        started = time.process_time()
        index = np.flatnonzero(reasons)
        boxes = _to_page_points(glyphs.box[index], glyphs.turn[index], shown, page.get_rotation())
        first = np.flatnonzero(np.concatenate(([True], _find_span_starts(glyphs, index, reasons))))
        words = np.hstack((np.minimum.reduceat(boxes[:, :2], first), np.maximum.reduceat(boxes[:, 2:], first)))
        is_visible = np.repeat(find_visible_words(page, words), np.diff(first, append=len(index)))
        reasons[index[is_visible]] = 0
        self._seconds_left -= time.process_time() - started


def _find_span_starts(glyphs: Glyphs, index: np.ndarray, reasons: np.ndarray) -> np.ndarray:
    """Return where another word begins: one text object may hold a whole page, partly visible."""
    a, b = index[:-1], index[1:]
    is_start: np.ndarray = (b - a > 1) | (glyphs.owner[a] != glyphs.owner[b]) | (reasons[a] != reasons[b])
    return is_start


def _to_page_points(box: np.ndarray, turn: np.ndarray, shown: Box, rotation: int) -> np.ndarray:
    """Convert boxes from frames to the page as rendered, in points."""
    left, bottom, right, top = shown
    width, height = right - left, top - bottom
    u0, v0, u1, v1 = box.T.astype(float)
    x0, y0, x1, y1 = u0.copy(), v0.copy(), u1.copy(), v1.copy()  # as stored, y downward from the top
    for value, (a, b, c, d) in {
        90: (v0, height - u1, v1, height - u0),
        180: (width - u1, height - v1, width - u0, height - v0),
        270: (width - v1, u0, width - v0, u1),
    }.items():
        has_turn = turn == value
        x0[has_turn], y0[has_turn], x1[has_turn], y1[has_turn] = a[has_turn], b[has_turn], c[has_turn], d[has_turn]
    if rotation == 90:
        x0, y0, x1, y1 = height - y1, x0, height - y0, x1
    elif rotation == 180:
        x0, y0, x1, y1 = width - x1, height - y1, width - x0, height - y0
    elif rotation == 270:
        x0, y0, x1, y1 = y0, width - x1, y1, width - x0
    return np.column_stack((x0, y0, x1, y1))


def _find_covered(objects: list[tuple[int, int]], glyphs: Glyphs, shown: Box) -> np.ndarray:
    """Return which characters have something opaque painted over them later."""
    is_covered = np.zeros(len(glyphs.text), bool)
    first_text = next((position for position, (_, kind) in enumerate(objects) if kind == 1), -1)
    covers = _list_covers(objects, first_text + 1, len(objects))
    if not covers:
        return is_covered  # the usual case: backgrounds are painted first
    covers += _list_covers(objects, 0, first_text)
    if len(covers) > _MAX_COVERS:
        return is_covered
    position_by_object = {obj: position for position, (obj, _) in enumerate(objects)}
    owners, owner_indexes = np.unique(glyphs.owner, return_inverse=True)
    order = np.array([position_by_object.get(owner, -1) for owner in owners.tolist()])[owner_indexes]
    boxes = _to_page_points(glyphs.box, glyphs.turn, shown, 0)
    x, y = (boxes[:, 0] + boxes[:, 2]) / 2 + shown[0], shown[3] - (boxes[:, 1] + boxes[:, 3]) / 2
    for position, (left, bottom, right, top) in covers:
        is_covered |= (order < position) & (x > left) & (x < right) & (y > bottom) & (y < top)
    return is_covered


def _list_covers(objects: list[tuple[int, int]], start: int, stop: int) -> list[tuple[int, Box]]:
    """Return the position and bounds of each filled shape or picture that is large enough to cover letters."""
    covers = []
    shapes = [(start + number, obj, kind) for number, (obj, kind) in enumerate(objects[start:stop]) if kind in (2, 3)]
    all_bounds = pdfium.read_bounds([obj for _, obj, _ in shapes])
    for (position, obj, kind), bounds in zip(shapes, all_bounds, strict=True):
        is_large = bounds and bounds[2] - bounds[0] >= 4 and bounds[3] - bounds[1] >= 4
        if bounds and is_large and (kind == 3 or _is_opaque(obj)):
            covers.append((position, bounds))
    return covers


def _is_opaque(path: int) -> bool:
    is_filled, _ = pdfium.read_path_paint(path)
    color = pdfium.read_fill_color(path) if is_filled else None
    return is_filled and not (color and color[3] < 250)
