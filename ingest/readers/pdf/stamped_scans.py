"""Find scans: those with the words that a scanner recognised, and those with a few letters such as an exhibit's number."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pypdfium2
import pypdfium2.raw as raw

from highlighter.pages import pdfium
from ingest.readers.pdf.glyphs import Glyphs, find_solid
from ingest.readers.pdf.hidden_text import Box
from ingest.readers.pdf.text_styles import INVISIBLE_MODE, VISIBLE, read_styles

_MAX_CHARACTERS = 400  # of all stamps of a page
_MAX_INNER_CHARACTERS = 60  # of which some are not in a margin: a date, a name beside a signature
_MAX_LETTER_SHARE = 0.022  # of the page's longer side: a larger letter is that of a title, or of a slide
_MARGIN_SHARE = 0.08  # of a side
_MIN_PICTURE_SHARE = 0.8  # of the page
_MIN_INVISIBLE_SHARE = 0.9  # of the characters that a scanner recognised: a program may have added its own
_GRID = 50  # cells of a side, of which each is covered by a picture or not
_RENDERED_PIXELS = 300  # of the longer side: enough to see whether there is ink
_MAX_INK, _MIN_INK_SHARE = 0.85, 0.005  # of the paper's brightness; of the pixels between the margins
_MIN_PAPER = 190  # of 255: the brightness of paper, which a picture behind words seldom has
_IMAGE_OBJECT, _FORM_OBJECT = raw.FPDF_PAGEOBJ_IMAGE, raw.FPDF_PAGEOBJ_FORM
_MAX_OBJECTS = 500  # of a page or form: a scan consists of a picture, or of some strips of it
_MAX_FORM_DEPTH = 4


def has_scanner_text(glyphs: Glyphs, objects: list[tuple[int, int]], shown: Box) -> bool:
    """Return whether a picture covers a page, and nearly all characters stand over it without being painted."""
    invisible_count = np.count_nonzero((glyphs.paint == INVISIBLE_MODE) & glyphs.solid)
    if not invisible_count or invisible_count < _MIN_INVISIBLE_SHARE * np.count_nonzero(glyphs.solid):
        return False
    return _measure_picture_share(objects, shown) >= _MIN_PICTURE_SHARE


def is_stamped_scan(page: pypdfium2.PdfPage) -> bool:
    """Return whether a page is a scan with stamps, opened for that."""
    text_page = page.get_textpage()
    try:
        left, bottom, right, top = page.get_bbox()
        shown = min(left, right), min(bottom, top), max(left, right), max(bottom, top)
        objects = pdfium.list_page_objects(pdfium.get_handle(page), _MAX_OBJECTS)
        return has_only_stamps(page, text_page, objects, shown)
    finally:
        text_page.close()


def has_only_stamps(
    page: pypdfium2.PdfPage, opened: pypdfium2.PdfTextPage, objects: list[tuple[int, int]], shown: Box
) -> bool:
    """Return whether a picture with ink covers a page, and all its letters are few, small and in its margin."""
    text_page, count = pdfium.get_handle(opened), opened.count_chars()
    if not 0 < count <= _MAX_CHARACTERS or _measure_picture_share(objects, shown) < _MIN_PICTURE_SHARE:
        return False
    is_solid = find_solid(pdfium.read_characters(text_page, count))
    if not is_solid.any() or not _is_shown(text_page, count):
        return False
    box = pdfium.read_loose_boxes(text_page, count)[is_solid]
    left, bottom, right, top = shown
    letter_height = np.minimum(abs(box[:, 2] - box[:, 0]), abs(box[:, 1] - box[:, 3])).max()
    if letter_height > _MAX_LETTER_SHARE * max(right - left, top - bottom):
        return False
    return (_are_in_margin(box, shown) or len(box) <= _MAX_INNER_CHARACTERS) and _is_inked_paper(page)


def _are_in_margin(box: np.ndarray, shown: Box) -> bool:
    left, bottom, right, top = shown
    across, up = (box[:, 0] + box[:, 2]) / 2 - left, (box[:, 1] + box[:, 3]) / 2 - bottom
    in_margin = np.minimum(across, right - left - across) < _MARGIN_SHARE * (right - left)
    in_margin |= np.minimum(up, top - bottom - up) < _MARGIN_SHARE * (top - bottom)
    return bool(in_margin.all())


def _is_inked_paper(page: pypdfium2.PdfPage) -> bool:
    """Return whether a page shows ink on paper between its margins: nothing is there where only its letterhead is a picture."""
    picture = page.render(scale=_RENDERED_PIXELS / max(*page.get_size(), 1.0), grayscale=True).to_numpy()
    rows, columns = (max(int(_MARGIN_SHARE * side), 1) for side in picture.shape[:2])
    inner = picture[rows:-rows, columns:-columns]
    paper = float(np.median(inner)) if inner.size else 0.0
    return paper >= _MIN_PAPER and float((inner < _MAX_INK * paper).mean()) >= _MIN_INK_SHARE


def find_stamps(page: pypdfium2.PdfPage) -> list[pypdfium2.PdfObject]:
    """Return the objects of a stamped scan that draw its letters."""
    return [
        item
        for item in page.get_objects(max_depth=1)
        if item.type == raw.FPDF_PAGEOBJ_TEXT
        or (item.type == _FORM_OBJECT and not _holds_image(pdfium.get_handle(item)))
    ]


def _is_shown(text_page: int, count: int) -> bool:
    """Return whether any letter is painted: those of a scanner's text layer are not."""
    owner = pdfium.read_text_objects(text_page, count)
    starts = np.flatnonzero(np.diff(owner, prepend=np.uint64(0) if owner[0] else np.uint64(1)))
    return bool((read_styles(text_page, owner[starts], starts.tolist())["paint"] == VISIBLE).any())


def _measure_picture_share(objects: list[tuple[int, int]], shown: Box) -> float:
    """Return which share of a page its pictures cover; strips of a picture count together."""
    left, bottom, right, top = shown
    across = (right - left) / _GRID * (np.arange(_GRID) + 0.5) + left
    up = (top - bottom) / _GRID * (np.arange(_GRID) + 0.5) + bottom
    is_covered = np.zeros((_GRID, _GRID), bool)
    for x0, y0, x1, y1 in _iterate_pictures(objects):
        is_covered |= np.outer((y0 < up) & (up < y1), (x0 < across) & (across < x1))
    return float(is_covered.mean())


def _iterate_pictures(objects: list[tuple[int, int]]) -> Iterator[Box]:
    """Yield the bounds of the images, and of the forms that hold some."""
    for item, kind in objects:
        is_picture = kind == _IMAGE_OBJECT or (kind == _FORM_OBJECT and _holds_image(item))
        if is_picture and (bounds := pdfium.read_object_bounds(item)):
            yield bounds


def _holds_image(form: int, depth: int = 1) -> bool:
    """Return whether a form object draws an image: that of a page which a program put into it."""
    return any(
        kind == _IMAGE_OBJECT or (kind == _FORM_OBJECT and depth < _MAX_FORM_DEPTH and _holds_image(item, depth + 1))
        for item, kind in pdfium.list_form_objects(form, _MAX_OBJECTS)
    )
