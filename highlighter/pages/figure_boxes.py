"""The boxes of the figures on a page, found by its images, drawings and structure tree.

Boxes are (x0, y0, x1, y1) in PDF points from the bottom left of the page's crop box, the page unrotated.
"""

from __future__ import annotations

import ctypes
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pypdfium2

FigureBox = tuple[float, float, float, float]

_PATH_OBJECT, _IMAGE_OBJECT, _FORM_OBJECT = 2, 3, 5
_MAX_OBJECTS = 20_000  # on a page; a page with more is a drawing and is not searched
_MAX_PATHS = 3_000  # on a page; more are a plan or a map, which is slow to join
_MAX_ELEMENTS, _MAX_DEPTH = 20_000, 60  # of a structure tree
_MIN_SIDE_POINTS = 24.0  # smaller images are icons, rules and bullets
_MAX_PAGE_SHARE = 0.8  # a larger image is the scan or the background of the page
_MAX_STRIP_GAP_POINTS = 3.0  # between the images that a file cuts one picture into


@dataclass(frozen=True, slots=True)
class FigureBoxes:
    """The boxes of what may be a figure on a page."""

    pictures: tuple[FigureBox, ...] = ()  # images, embedded drawings, and figures of the structure tree
    drawings: tuple[FigureBox, ...] = ()  # lines and areas that touch: a chart, or the grid of a table


def read_figure_boxes(path: Path, number: int) -> bytes:
    """Return the figure boxes of a page as `load_figure_boxes` reads them; none where the page cannot be opened."""
    import pypdfium2  # slow to import, and needed only in child processes

    with pypdfium2.PdfDocument(path) as document:
        try:
            page = document[number - 1]
        except (pypdfium2.PdfiumError, IndexError):
            return json.dumps([[], []]).encode()
        try:
            return json.dumps(_find_boxes(page)).encode()
        finally:
            page.close()


def load_figure_boxes(data: bytes) -> FigureBoxes:
    """Return serialized figure boxes."""
    pictures, drawings = (tuple((x0, y0, x1, y1) for x0, y0, x1, y1 in boxes) for boxes in json.loads(data))
    return FigureBoxes(pictures, drawings)


def _find_boxes(page: pypdfium2.PdfPage) -> tuple[list[FigureBox], list[FigureBox]]:
    from highlighter.pages import pdfium

    objects = pdfium.list_page_objects(pdfium.get_handle(page), _MAX_OBJECTS)
    pictures = [[obj] for obj, kind in objects if kind in (_IMAGE_OBJECT, _FORM_OBJECT)]
    pictures += _group_figure_objects(page, [obj for obj, _ in objects])
    paths = [[obj] for obj, kind in objects if kind == _PATH_OBJECT]
    return (_join_boxes(pictures, page), _join_boxes(paths, page) if len(paths) <= _MAX_PATHS else [])


def _join_boxes(groups: Sequence[Sequence[int]], page: pypdfium2.PdfPage) -> list[FigureBox]:
    """Return the boxes of groups of objects, joined where they touch, without those too small or large for a figure."""
    x0, y0, x1, y1 = page.get_bbox()
    left, right, bottom, top = min(x0, x1), max(x0, x1), min(y0, y1), max(y0, y1)
    max_area = _MAX_PAGE_SHARE * (right - left) * (top - bottom)
    clipped = [
        (max(x0, left) - left, max(y0, bottom) - bottom, min(x1, right) - left, min(y1, top) - bottom)
        for group in groups
        for x0, y0, x1, y1 in _enclose_objects(group)
    ]
    joined = _join_touching(
        [box for box in clipped if box[2] >= box[0] and box[3] >= box[1] and _area(box) <= max_area]
    )
    return [
        (round(x0, 2), round(y0, 2), round(x1, 2), round(y1, 2))
        for x0, y0, x1, y1 in joined
        if min(x1 - x0, y1 - y0) >= _MIN_SIDE_POINTS and (x1 - x0) * (y1 - y0) <= max_area
    ]


def _area(box: FigureBox) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])


def _enclose_objects(objects: Sequence[int]) -> list[FigureBox]:
    from highlighter.pages import pdfium

    bounds = [box for obj in objects if (box := pdfium.read_object_bounds(obj))]
    return [enclose(bounds)] if bounds else []


def _group_figure_objects(page: pypdfium2.PdfPage, objects: Sequence[int]) -> list[list[int]]:
    """Return the objects of each element of the structure tree that is a figure."""
    from highlighter.pages.pdfium_marks import ContentMark, read_marks

    figures = _list_figure_contents(page)
    if not figures:
        return []
    figure_by_content = {content: number for number, contents in enumerate(figures) for content in contents}
    groups: list[list[int]] = [[] for _ in figures]
    known: dict[int, ContentMark] = {}
    for obj in objects:
        for mark in read_marks(obj, known):
            if mark.content_id in figure_by_content:
                groups[figure_by_content[mark.content_id]].append(obj)
    return groups


def _list_figure_contents(page: pypdfium2.PdfPage) -> list[list[int]]:
    """Return the numbers of the marked content of each figure in the structure tree of a page."""
    import pypdfium2.raw as raw

    tree = raw.FPDF_StructTree_GetForPage(page)
    if not tree:
        return []
    buffer = ctypes.create_string_buffer(32)
    figures: list[list[int]] = []
    try:
        count = max(raw.FPDF_StructTree_CountChildren(tree), 0)
        waiting = [(raw.FPDF_StructTree_GetChildAtIndex(tree, index), 0, -1) for index in range(count)]
        for _ in range(_MAX_ELEMENTS):
            if not waiting:
                break
            element, depth, figure = waiting.pop()
            if not element or depth > _MAX_DEPTH:
                continue
            length = raw.FPDF_StructElement_GetType(element, buffer, len(buffer))
            kind = buffer.raw[: max(length - 2, 0)].decode("utf-16-le", "replace") if length <= len(buffer) else ""
            if kind == "Caption":
                continue  # its words are not the picture
            if kind == "Figure" and figure < 0:
                figure = len(figures)
                figures.append([])
            for index in range(max(raw.FPDF_StructElement_CountChildren(element), 0)):
                content = raw.FPDF_StructElement_GetChildMarkedContentID(element, index)
                if content < 0:
                    waiting.append((raw.FPDF_StructElement_GetChildAtIndex(element, index), depth + 1, figure))
                elif figure >= 0:
                    figures[figure].append(content)
    finally:
        raw.FPDF_StructTree_Close(tree)
    return figures


def _join_touching(boxes: Sequence[FigureBox]) -> list[FigureBox]:
    """Join the boxes that overlap or touch: many files cut a picture into strips, or draw it in layers."""
    joined: list[FigureBox] = []
    for box in sorted(boxes, key=lambda box: -box[3]):
        touching = [other for other in joined if _is_touching(other, box)]
        joined = [other for other in joined if other not in touching]
        joined.append(enclose([*touching, box]))
    return joined


def _is_touching(a: FigureBox, b: FigureBox) -> bool:
    gap = _MAX_STRIP_GAP_POINTS
    return a[0] - gap < b[2] and b[0] - gap < a[2] and a[1] - gap < b[3] and b[1] - gap < a[3]


def enclose(boxes: Sequence[FigureBox]) -> FigureBox:
    """Return the box around some boxes."""
    x0, y0, x1, y1 = zip(*boxes, strict=True)
    return min(x0), min(y0), max(x1), max(y1)
