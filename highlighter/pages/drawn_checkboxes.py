"""Checkboxes that a page draws as squares beside words, which have no characters of their own.

A square of about the height of the letters beside it counts that is empty or crossed by both its diagonals; so does one
in a chart's legend. Pages that are turned are not searched.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pypdfium2
import pypdfium2.raw as raw

from highlighter.pages import pdfium
from highlighter.pages.annotation_text import FieldLine

_TEXT_OBJECT, _PATH_OBJECT = 1, 2
_MIN_SIDE_POINTS, _MAX_SIDE_POINTS = 5.0, 20.0
MAX_PAGE_OBJECTS = 20_000  # a page with more is a drawing and is not searched
_MAX_OBJECTS = 3_000  # other than text: a page with more is a drawing
_MAX_SMALL_OBJECTS = 1_000  # and so is a page with more of the size of a mark
_MAX_SQUARES = 200  # more are a pattern
_MAX_MARK_POINTS = 40.0  # a larger shape does not mark a checkbox
_MAX_ANNOTATIONS = 3_000
_UNMARKING_ANNOTATIONS = {raw.FPDF_ANNOT_LINK, raw.FPDF_ANNOT_POPUP, raw.FPDF_ANNOT_HIGHLIGHT, raw.FPDF_ANNOT_UNDERLINE}
_MAX_SEGMENTS = 12  # of a square and its cross
_MAX_SKEW_POINTS = 0.3  # of a level or upright line
_MAX_UNEVENNESS = 0.15  # of the sides of a square
_MIN_DIAGONAL = 0.6  # of a side: shorter slanting lines are no cross
_MIN_GAPS_POINTS = (2.0, 0.5)  # beside and above: squares closer than that are a grid, or boxes for single letters
_MAX_WORD_GAP = 1.5  # times the side: a word farther away is not that of the square
_MIN_LETTER_HEIGHT, _MAX_LETTER_HEIGHT = 0.6, 2.2  # times the side
_MIN_WHITE = 250  # of 255, of a fill or a line that is not seen
EMPTY, CROSSED = "\u2610", "\u2612"

_Box = tuple[float, float, float, float]  # left, bottom, right, top, as stored on the page


class _Shape(NamedTuple):
    box: _Box
    is_square: bool = False
    is_rising: bool = False  # has a diagonal upward to the right
    is_falling: bool = False


def read_drawn_checkboxes(
    page: pypdfium2.PdfPage,
    text_page: pypdfium2.PdfTextPage,
    objects: list[tuple[int, int]],
    field_lines: list[FieldLine],
) -> list[FieldLine]:
    """Return a line with a ballot box for each checkbox that the page draws.

    `objects` are those of the page with their types; `field_lines` are the values of its fields, which may stand in
    squares of their own.
    """
    if not any(kind == _PATH_OBJECT for _, kind in objects) or page.get_rotation():
        return []
    shapes = _read_small_shapes([(obj, kind) for obj, kind in objects if kind != _TEXT_OBJECT])
    squares = list({tuple(map(round, shape.box)): shape.box for shape in shapes if shape.is_square}.values())
    if len(squares) > _MAX_SQUARES:
        return []
    squares = [box for box in squares if not any(_is_adjacent(box, other) for other in squares if other is not box)]
    squares = [box for box in squares if not any(_has_inside(box, _center(line[1:5])) for line in field_lines)]
    if not squares:
        return []
    annotations, letters = _list_annotation_boxes(page), _read_letter_boxes(text_page)
    return [
        FieldLine(character, *box, size=box[3] - box[1])
        for box in squares
        if _is_beside_word(box, letters)
        and not any(_reaches_into(other, box) for other in annotations)
        and (character := _classify(box, shapes))
    ]


def _read_small_shapes(objects: list[tuple[int, int]]) -> list[_Shape]:
    """Return those of these objects that are no larger than a checkbox or the mark in it; none in a drawing."""
    if len(objects) > _MAX_OBJECTS:
        return []
    boxes = zip(objects, pdfium.read_bounds([obj for obj, _ in objects]), strict=True)
    small = [(obj, kind, box) for (obj, kind), box in boxes if box and _measure_sides(box)[1] <= _MAX_MARK_POINTS]
    if not any(_can_be_square(box) for _, _, box in small) or len(small) > _MAX_SMALL_OBJECTS:
        return []
    return [
        _read_path(obj, box) if kind == _PATH_OBJECT else _Shape(box)
        for obj, kind, box in small
        if kind != _PATH_OBJECT or _is_seen(obj)
    ]


def _measure_sides(box: _Box) -> tuple[float, float]:
    """Return the shorter and the longer side of a box."""
    width, height = box[2] - box[0], box[3] - box[1]
    return min(width, height), max(width, height)


def _can_be_square(box: _Box) -> bool:
    shorter, longer = _measure_sides(box)
    return shorter >= _MIN_SIDE_POINTS and longer <= min(_MAX_SIDE_POINTS, (1 + _MAX_UNEVENNESS) * shorter)


def _list_annotation_boxes(page: pypdfium2.PdfPage) -> list[_Box]:
    """Return the boxes of the annotations that may mark a checkbox and whose marks are not known."""
    boxes = []
    rectangle = raw.FS_RECTF()
    for index in range(min(raw.FPDFPage_GetAnnotCount(page), _MAX_ANNOTATIONS)):
        annotation = raw.FPDFPage_GetAnnot(page, index)
        if not annotation:
            continue
        kind = raw.FPDFAnnot_GetSubtype(annotation)
        is_known = kind in _UNMARKING_ANNOTATIONS or (kind == raw.FPDF_ANNOT_WIDGET and page.formenv is not None)
        if not is_known and raw.FPDFAnnot_GetRect(annotation, rectangle):
            boxes.append((rectangle.left, rectangle.bottom, rectangle.right, rectangle.top))
        raw.FPDFPage_CloseAnnot(annotation)
    return boxes


def _read_path(obj: int, box: _Box) -> _Shape:
    lines = pdfium.read_path_lines(obj, _MAX_SEGMENTS)
    least = _MIN_DIAGONAL * _measure_sides(box)[0]
    slopes = {(x1 - x0) * (y1 - y0) > 0 for x0, y0, x1, y1 in lines if min(abs(x1 - x0), abs(y1 - y0)) >= least > 1}
    return _Shape(box, _is_square(obj, box, lines), True in slopes, False in slopes)


def _is_seen(obj: int) -> bool:
    return _is_stroked(obj) or _has_color(obj)


def _is_stroked(obj: int) -> bool:
    """Return whether the lines of a path are drawn in another colour than white."""
    _, is_stroked = pdfium.read_path_paint(obj)
    color = pdfium.read_stroke_color(obj) if is_stroked else None
    return bool(color and min(color[:3]) < _MIN_WHITE and color[3])


def _has_color(obj: int) -> bool:
    """Return whether a path is filled with another colour than white."""
    is_filled, _ = pdfium.read_path_paint(obj)
    color = pdfium.read_fill_color(obj) if is_filled else None
    return bool(color and min(color[:3]) < _MIN_WHITE)


def _is_square(obj: int, box: _Box, lines: list[tuple[float, float, float, float]]) -> bool:
    """Return whether a path draws the four sides of a square that is not filled with a colour."""
    if not _is_stroked(obj) or _has_color(obj) or not _can_be_square(box):
        return False
    long = [line for line in lines if max(abs(line[2] - line[0]), abs(line[3] - line[1])) >= _MIN_SIDE_POINTS / 2]
    level = [line for line in long if abs(line[3] - line[1]) <= _MAX_SKEW_POINTS]
    upright = [line for line in long if abs(line[2] - line[0]) <= _MAX_SKEW_POINTS]
    return len(level) == len(upright) == 2


def _is_adjacent(box: _Box, other: _Box) -> bool:
    """Return whether two squares touch or overlap."""
    return all(
        box[side] - gap < other[side + 2] and other[side] - gap < box[side + 2]
        for side, gap in enumerate(_MIN_GAPS_POINTS)
    )


def _center(box: _Box) -> tuple[float, float]:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def _has_inside(box: _Box, point: tuple[float, float]) -> bool:
    return box[0] < point[0] < box[2] and box[1] < point[1] < box[3]


def _read_letter_boxes(text_page: pypdfium2.PdfTextPage) -> np.ndarray:
    """Return (left, top, right, bottom) of the characters of a page that are no spaces."""
    count, handle = max(text_page.count_chars(), 0), pdfium.get_handle(text_page)
    if not count:
        return np.zeros((0, 4), np.float32)
    is_letter = np.array([character > " " for character in pdfium.read_characters(handle, count)], bool)
    boxes: np.ndarray = pdfium.read_loose_boxes(handle, count)[is_letter]
    return boxes


def _is_beside_word(box: _Box, letters: np.ndarray) -> bool:
    """Return whether a square has no letter in it, and one of its height close to the left or right of it."""
    left, bottom, right, top = box
    side = top - bottom
    x, y = (letters[:, 0] + letters[:, 2]) / 2, (letters[:, 1] + letters[:, 3]) / 2
    height = letters[:, 1] - letters[:, 3]
    is_level = (y > bottom) & (y < top)
    if bool((is_level & (x > left) & (x < right)).any()):
        return False  # a letter in a frame, or a cross that is text already
    gap = np.maximum(letters[:, 0] - right, left - letters[:, 2])
    is_near = (gap > -side / 4) & (gap < _MAX_WORD_GAP * side)
    is_as_high = (height > _MIN_LETTER_HEIGHT * side) & (height < _MAX_LETTER_HEIGHT * side)
    return bool((is_level & is_near & is_as_high).any())


def _classify(box: _Box, shapes: list[_Shape]) -> str:
    """Return the ballot box that a square and the shapes in it look like; "" where they are something else."""
    inside = [shape for shape in shapes if _reaches_into(shape.box, box)]
    is_crossed = any(shape.is_rising for shape in inside), any(shape.is_falling for shape in inside)
    if not all(shape.is_square or shape.is_rising or shape.is_falling for shape in inside):
        return ""
    return {(True, True): CROSSED, (False, False): EMPTY}.get(is_crossed, "")


def _reaches_into(other: _Box, box: _Box) -> bool:
    """Return whether a box covers a part of the middle of another."""
    margin = (box[2] - box[0]) / 4
    return all(other[side] < box[side + 2] - margin and other[side + 2] > box[side] + margin for side in (0, 1))
