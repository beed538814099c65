"""Find which picture or drawing on a page a caption belongs to: the nearest one above it or below it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from highlighter.models import Rectangle
from highlighter.pages.figure_boxes import FigureBox, FigureBoxes, enclose
from highlighter.pages.page_characters import DOWNWARD, UPWARD

_MAX_CAPTION_GAP_POINTS = 40.0
_MAX_ROW_GAP_POINTS = 9.0  # between rows of pictures of one figure; a line of text has no room there
_MIN_SHARED_HEIGHT_RATIO = 0.5  # of the smaller of two pictures beside each other over one caption


def assign_figures(captions: Mapping[int, Rectangle], boxes: FigureBoxes) -> dict[int, FigureBox]:
    """Return the figure of each caption that has one on its page: the nearest picture above or below it, else a drawing.

    `captions` are the boxes of the captions on the page. A figure belongs to one caption, and pictures beside each other
    over one caption are one figure.
    """
    figures = _assign_nearest(captions, boxes.pictures)
    others = {key: caption for key, caption in captions.items() if key not in figures}
    return figures | _assign_nearest(others, boxes.drawings)


def _assign_nearest(captions: Mapping[int, Rectangle], boxes: Sequence[FigureBox]) -> dict[int, FigureBox]:
    pairs = sorted(
        (distance, key, number)
        for key, caption in captions.items()
        for number, box in enumerate(boxes)
        if (distance := _measure_distance(caption, box)) <= _MAX_CAPTION_GAP_POINTS
    )
    chosen: dict[int, int] = {}
    for _, key, number in pairs:
        if key not in chosen and number not in chosen.values():
            chosen[key] = number
    taken = set(chosen.values())
    return {key: enclose(list(_list_joined(captions[key], number, boxes, taken))) for key, number in chosen.items()}


def _measure_distance(caption: Rectangle, box: FigureBox) -> float:
    """Return how far a figure is from its caption; infinite where it is not over or under it."""
    x0, y0, x1, y1 = _turn_level(caption, (caption.x0, caption.y0, caption.x1, caption.y1))
    left, bottom, right, top = _turn_level(caption, box)
    is_inside = min(y1, top) - max(y0, bottom) > 0.5 * (y1 - y0)
    if right <= x0 or x1 <= left or is_inside:
        return float("inf")
    return max(bottom - y1, y0 - top, 0.0)


def _list_joined(caption: Rectangle, number: int, boxes: Sequence[FigureBox], taken: set[int]) -> Iterator[FigureBox]:
    """Yield the box of a figure, and of the pictures beside it and right above or below those."""
    whole = boxes[number]
    yield whole
    others = [box for other, box in enumerate(boxes) if other not in taken]
    for box in others:
        if _is_beside(caption, boxes[number], box) and _measure_distance(caption, box) <= _MAX_CAPTION_GAP_POINTS:
            whole = enclose([whole, box])
            yield box
    for box in sorted(others, key=lambda box: _measure_gap(caption, boxes[number], box)):
        if 0 <= _measure_gap(caption, whole, box) <= _MAX_ROW_GAP_POINTS:
            whole = enclose([whole, box])
            yield box


def _is_beside(caption: Rectangle, figure: FigureBox, box: FigureBox) -> bool:
    _, bottom, _, top = _turn_level(caption, figure)
    _, y0, _, y1 = _turn_level(caption, box)
    return min(top, y1) - max(bottom, y0) >= _MIN_SHARED_HEIGHT_RATIO * min(top - bottom, y1 - y0)


def _measure_gap(caption: Rectangle, figure: FigureBox, box: FigureBox) -> float:
    """Return the white between two pictures above each other; -1 where they are not."""
    left, bottom, right, top = _turn_level(caption, figure)
    x0, y0, x1, y1 = _turn_level(caption, box)
    return max(y0 - top, bottom - y1) if x0 < right and left < x1 else -1.0


def _turn_level(caption: Rectangle, box: FigureBox) -> FigureBox:
    """Return a box in coordinates in which the lines of a caption are level."""
    x0, y0, x1, y1 = box
    return (y0, x0, y1, x1) if caption.turn in (UPWARD, DOWNWARD) else box
