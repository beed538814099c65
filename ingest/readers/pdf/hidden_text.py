"""Characters that a file carries and a person does not see.

Paint alone does not tell: white letters on a dark band are seen, and the invisible ones over a scan stand for the
letters of the picture. So what is suspicious is looked for on the drawn page: where nothing stands out, nothing is seen.
"""

from __future__ import annotations

import time

import numpy as np
import pypdfium2

from highlighter.pages import pdfium
from ingest.readers.pdf.glyphs import INVISIBLE_MODE, TRANSPARENT, VISIBLE, Glyphs

REASONS = (
    "",
    "outside the page",
    "too small to read",
    "invisible",
    "same colour as its background",
    "covered",
    "without shape",
    "on a layer that is off",
)
_OUTSIDE, _TINY, _INVISIBLE, _COLOUR, _COVERED, _SHAPELESS, _LAYER = range(1, 8)

Box = tuple[float, float, float, float]

_MAX_TINY_POINTS = 1.05  # points
_MAX_COVERS = 200
_MAX_DRAWING_SECONDS = 12.0  # for drawing a document's suspicious pages; after that paint alone decides
_MIN_CONTRAST_LEVELS, _MIN_CONTRAST_SHARE = (
    28,
    0.02,
)  # levels of grey by which this share of a place's points must differ from the rest


class HiddenTextDetector:
    """What is seen of the pages of one document."""

    def __init__(self):
        self._seconds_left = _MAX_DRAWING_SECONDS

    def find_hidden(
        self, page: pypdfium2.PdfPage, objects: list[tuple[int, int]], glyphs: Glyphs, shown: Box
    ) -> np.ndarray:
        """For each character 0, or the number of the reason why it is not seen."""
        why = np.zeros(len(glyphs.text), np.int8)
        why[_find_covered(objects, glyphs, shown)] = _COVERED
        why[glyphs.paint != VISIBLE] = _COLOUR
        why[_find_layered(objects, glyphs)] = _LAYER
        why[(glyphs.paint == INVISIBLE_MODE) | (glyphs.paint == TRANSPARENT)] = _INVISIBLE
        why[~glyphs.solid] = 0
        if why.any():
            self._clear_visible(page, glyphs, why, shown, objects)
        why[(glyphs.size < _MAX_TINY_POINTS) & glyphs.solid] = _TINY
        why[~glyphs.inside & glyphs.solid] = _OUTSIDE
        why[glyphs.shapeless] = _SHAPELESS
        return why

    def _clear_visible(self, page, glyphs: Glyphs, why: np.ndarray, shown: Box, objects) -> None:
        """Takes back every suspicion about places where something is to be seen."""
        if self._seconds_left <= 0:
            if any(kind in (2, 3) for _, kind in objects):
                why[:] = 0
            return
        started = time.monotonic()
        scale = min(1.5, 1600 / max(*page.get_size(), 1))
        bitmap = page.render(scale=scale, grayscale=True, may_draw_forms=False)
        try:
            grey = bitmap.to_numpy().astype(np.int16)
        finally:
            bitmap.close()
        grey = grey.reshape(grey.shape[0], grey.shape[1])
        index = np.flatnonzero(why)
        places = _to_page_points(glyphs.box[index], glyphs.turn[index], shown, page.get_rotation()) * scale
        first = np.flatnonzero(np.concatenate(([True], _find_span_starts(glyphs, index, why))))
        for start, stop in zip(first.tolist(), [*first[1:].tolist(), len(index)], strict=True):
            place = places[start:stop]
            if _is_visible_at(grey, (*place[:, :2].min(0), *place[:, 2:].max(0))):
                why[index[start:stop]] = 0
        self._seconds_left -= time.monotonic() - started


def _find_span_starts(glyphs: Glyphs, index: np.ndarray, why: np.ndarray) -> np.ndarray:
    """Where another word begins: an object may hold a page's whole text, seen in part."""
    a, b = index[:-1], index[1:]
    return (b - a > 1) | (glyphs.owner[a] != glyphs.owner[b]) | (why[a] != why[b])


def _is_visible_at(grey: np.ndarray, place: tuple[float, float, float, float]) -> bool:
    x0, y0, x1, y1 = place
    height = y1 - y0
    # The cell's upper and lower edge may hold the next lines' ink or a rule.
    top, bottom = int(max(y0 + 0.12 * height, 0)), int(max(y1 - 0.12 * height, 0)) + 1
    patch = grey[top:bottom, int(max(x0, 0)) : int(max(x1, 0)) + 1]
    if patch.size < 4:
        return False
    return float((np.abs(patch - np.median(patch)) > _MIN_CONTRAST_LEVELS).mean()) > _MIN_CONTRAST_SHARE


def _to_page_points(box: np.ndarray, turn: np.ndarray, shown: Box, rotation: int) -> np.ndarray:
    """From frames to the page as drawn, in points."""
    left, bottom, right, top = shown
    wide, high = right - left, top - bottom
    u0, v0, u1, v1 = box.T.astype(float)
    x0, y0, x1, y1 = u0.copy(), v0.copy(), u1.copy(), v1.copy()  # as stored, y downward from the top
    for value, (a, b, c, d) in {
        90: (v0, high - u1, v1, high - u0),
        180: (wide - u1, high - v1, wide - u0, high - v0),
        270: (wide - v1, u0, wide - v0, u1),
    }.items():
        at = turn == value
        x0[at], y0[at], x1[at], y1[at] = a[at], b[at], c[at], d[at]
    if rotation == 90:
        x0, y0, x1, y1 = high - y1, x0, high - y0, x1
    elif rotation == 180:
        x0, y0, x1, y1 = wide - x1, high - y1, wide - x0, high - y0
    elif rotation == 270:
        x0, y0, x1, y1 = y0, wide - x1, y1, wide - x0
    return np.column_stack((x0, y0, x1, y1))


def _find_covered(objects: list[tuple[int, int]], glyphs: Glyphs, shown: Box) -> np.ndarray:
    """Characters with something opaque painted over them later."""
    under = np.zeros(len(glyphs.text), bool)
    covers = [(at, bounds) for at, (obj, kind) in enumerate(objects) if (bounds := _get_opaque_bounds(obj, kind))]
    if not covers or len(covers) > _MAX_COVERS:
        return under
    place = {obj: at for at, (obj, _) in enumerate(objects)}
    if covers[-1][0] < min((at for at, (_, kind) in enumerate(objects) if kind == 1), default=-1):
        return under  # the usual case: backgrounds come first
    owners, back = np.unique(glyphs.owner, return_inverse=True)
    order = np.array([place.get(owner, -1) for owner in owners.tolist()])[back]
    boxes = _to_page_points(glyphs.box, glyphs.turn, shown, 0)
    x, y = (boxes[:, 0] + boxes[:, 2]) / 2 + shown[0], shown[3] - (boxes[:, 1] + boxes[:, 3]) / 2
    for at, (left, bottom, right, top) in covers:
        under |= (order < at) & (x > left) & (x < right) & (y > bottom) & (y < top)
    return under


def _find_layered(objects: list[tuple[int, int]], glyphs: Glyphs) -> np.ndarray:
    """Characters on layers: those of a layer that is off are not drawn."""
    on = [obj for obj, kind in objects if kind == 1 and pdfium.is_on_layer(obj)]
    return np.isin(glyphs.owner, np.array(on, np.uint64)) if on else np.zeros(len(glyphs.text), bool)


def _get_opaque_bounds(obj: int, kind: int) -> tuple[float, float, float, float] | None:
    """The bounds of a filled shape or a picture that is large enough to cover letters."""
    if kind == 2:
        color = pdfium.read_fill_color(obj)
        if not pdfium.read_path_paint(obj)[0] or (color and color[3] < 250):
            return None
    elif kind != 3:
        return None
    bounds = pdfium.read_object_bounds(obj)
    if not bounds or bounds[2] - bounds[0] < 4 or bounds[3] - bounds[1] < 4:
        return None
    return bounds
