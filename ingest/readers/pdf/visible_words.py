"""Find which words are seen on the rendered page: they stand out from what is around them."""

from __future__ import annotations

import math

import numpy as np
import pypdfium2

_MAX_SCALE, _MAX_SIDE_PIXELS = 1.5, 1_600  # of the rendered page, in pixels a point and in pixels
_EDGE_SHARE = 0.12  # of a word's height: its upper and lower edge may hold ink of the next lines or a rule
_MIN_PIXELS = 4  # of a word
_MAX_PIXELS = 1_000_000  # compared at once
_COLOR_WEIGHTS = np.array([[11], [59], [30]], np.uint16)  # of blue, green and red in a brightness of up to 25,500
_MIN_CONTRAST, _MIN_CONTRAST_SHARE = 2_800, 0.02  # by which a share of the pixels must differ from most of them


def find_visible_words(page: pypdfium2.PdfPage, boxes: np.ndarray) -> np.ndarray:
    """Return which words are seen; their boxes are (left, top, right, bottom) in points on the displayed page."""
    width, height = page.get_size()
    scale = min(_MAX_SCALE, _MAX_SIDE_PIXELS / max(width, height, 1))
    pixels = _to_pixels(boxes * scale, math.ceil(width * scale), math.ceil(height * scale))
    area = np.maximum(pixels[:, 2] - pixels[:, 0], 0) * np.maximum(pixels[:, 3] - pixels[:, 1], 0)
    is_visible: np.ndarray = area >= _MIN_PIXELS
    words = np.flatnonzero(is_visible)
    if not len(words):
        return is_visible
    left, top = pixels[words, :2].min(axis=0).tolist()
    right, bottom = pixels[words, 2:].max(axis=0).tolist()
    colors, origin = _render_part(page, scale, (left, top, right, bottom))
    part_numbers = np.cumsum(area[words]) // _MAX_PIXELS
    for part in np.split(words, np.flatnonzero(np.diff(part_numbers)) + 1):
        is_visible[part] = _have_contrast(colors, pixels[part] - (*origin, *origin))
    return is_visible


def _to_pixels(boxes: np.ndarray, width: int, height: int) -> np.ndarray:
    """Return the first pixels that each box covers, and the first beyond it, without its upper and lower edge."""
    inner = np.nan_to_num(boxes)
    edge = _EDGE_SHARE * (inner[:, 3] - inner[:, 1])
    inner[:, 1] += edge
    inner[:, 3] -= edge
    pixels: np.ndarray = np.clip(inner, 0, (width, height, width, height)).astype(int)
    pixels[:, 2:] = np.minimum(pixels[:, 2:] + 1, (width, height))
    return pixels


def _render_part(
    page: pypdfium2.PdfPage, scale: float, part: tuple[int, int, int, int]
) -> tuple[np.ndarray, tuple[int, int]]:
    """Return the pixels of a part of a page (left, top, right, bottom), and where they begin: there or just before."""
    left, top, right, bottom = part
    width, height = (math.ceil(side * scale) for side in page.get_size())
    cut = [max(pixels - 1, 0) / scale for pixels in (left, height - bottom, width - right, top)]
    # In colours: PDFium would make each picture grey before it is scaled down, which takes as long as all the rest.
    bitmap = page.render(scale=scale, crop=(cut[0], cut[1], cut[2], cut[3]), may_draw_forms=False)
    try:
        colors = bitmap.to_numpy().copy()
    finally:
        bitmap.close()
    return colors, (math.ceil(cut[0] * scale), math.ceil(cut[3] * scale))


def _have_contrast(colors: np.ndarray, boxes: np.ndarray) -> np.ndarray:
    """Return in which boxes enough pixels differ from the middle brightness of the box."""
    patches = [colors[top:bottom, left:right].reshape(-1, 3) for left, top, right, bottom in boxes.tolist()]
    counts = np.array([len(patch) for patch in patches])
    stops = np.cumsum(counts)
    starts = stops - counts
    channels = np.concatenate(patches).T * _COLOR_WEIGHTS
    brightness = channels[0] + channels[1] + channels[2]
    for start, stop in zip(starts.tolist(), stops.tolist(), strict=True):
        brightness[start:stop].sort()
    brightness = brightness.astype(np.int32)
    middle_sum = brightness[starts + (counts - 1) // 2] + brightness[starts + counts // 2]
    differs = np.abs(2 * brightness - np.repeat(middle_sum, counts)) > 2 * _MIN_CONTRAST
    has_contrast: np.ndarray = np.add.reduceat(differs, starts, dtype=int) > _MIN_CONTRAST_SHARE * counts
    return has_contrast
