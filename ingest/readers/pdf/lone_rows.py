"""Separate boxes that stand side by side on a line of their own and are no table: form fields, choices, signatures."""

from __future__ import annotations

import re
from itertools import pairwise

from ingest.list_markers import LONE_MARKER
from ingest.readers.pdf.blocks import PdfLine, TableFragment, is_sentence_end
from ingest.readers.pdf.columns import is_mostly_rtl

_MIN_BOX_GAP_EMS = 4.0  # white between two boxes that hold any text
_MAX_CHOICE_CHARACTERS, _MAX_CHOICE_WORDS = 40, 5  # of boxes that may stand closer: the choices of a form
_MAX_LINE_PITCH_EMS = 1.45  # between two lines of a box
_MAX_SHIFT_EMS = 0.5  # by which lines of one box begin apart
_MAX_SIZE_DIFFERENCE = 0.12  # of two lines of a sentence

_WORD = re.compile(r"[^\W\d_]{3,}|[\u3040-\u30ff\u3400-\u9fff]{2,}|\[[.…*]+\]")
_LETTER_NAME = re.compile(r"[A-Z][#+]{1,2}")  # "C#"
_NUMBER = re.compile(r"[\d.,:/%-]{2,}")
_BOX_START = re.compile(r"[(\[☐☑☒□■✓$€£]*\s?(?:[^\W_]|[.…*]+\])")
_NUMBERING = re.compile(r"\(?(?:\d[\d.]*|[ivxlc]+)\)?")  # of a page or a formula, at the end of a line
_CAPTION = re.compile(r"\([a-z]\)\s")
_URL = re.compile(r"https?://|www\.")
# Programs that draw plots write a minus sign for the hyphen of a word.
_FORMULA_SIGN = re.compile(
    r"(?!(?<=[^\W\d_])−[^\W\d_])[=<>+×÷\u2190-\u22ff\u27e8-\u27ef\uf8e5-\uf8ff\U0001d400-\U0001d7ff]"
)


def split_lone_row(cells: list[PdfLine], above: PdfLine | None, below: PdfLine | None) -> list[list[PdfLine]]:
    """Return the boxes of a row that is in no table, each as its cells; one box for a line of running text."""
    if _is_running_text(cells, above, below):
        return [cells]
    boxes = [cells[:1]]
    are_choices = all(map(_is_choice, cells))
    for left, right in pairwise(cells):
        is_near = right.x0 - left.x1 < _MIN_BOX_GAP_EMS * max(left.size, right.size)
        is_choice = is_near and boxes[-1][0].text[-1:] in ":："  # of the field that its label names
        if not is_choice and _are_boxes(left, right, are_choices):
            boxes.append([right])
        else:
            boxes[-1].append(right)
    return boxes


def is_next_line(line: PdfLine, box: list[PdfLine]) -> bool:
    """Return whether a line continues a box: it begins where the box does, or goes on in lower case below it."""
    first, last = box[0], box[-1]
    is_near = 0 < line.base - last.base <= _MAX_LINE_PITCH_EMS * line.size and line.size == first.size
    is_below = line.text[:1].islower() and first.x0 <= (line.x0 + line.x1) / 2 <= first.x1
    is_aligned = abs(line.x0 - first.x0) < _MAX_SHIFT_EMS * line.size
    return is_near and (is_aligned or (is_below and not is_sentence_end(last.text)))


def _is_running_text(cells: list[PdfLine], above: PdfLine | None, below: PdfLine | None) -> bool:
    """Return whether a row is a line of a sentence that comes from the line above or goes on in the line below."""
    if any(isinstance(fragment, TableFragment) for cell in cells for fragment in cell.fragments):
        return True
    if is_mostly_rtl("".join(cell.text for cell in cells)):
        return True
    if above and cells[0].text[:1].islower() and not is_sentence_end(above.text) and _has_size_of(above, cells[0]):
        return True
    if below is None or not below.text[:1].islower() or is_sentence_end(cells[-1].text):
        return False
    return below.x0 < cells[1].x0 - _MAX_SHIFT_EMS * below.size


def _has_size_of(above: PdfLine, cell: PdfLine) -> bool:
    return abs(above.size - cell.size) < _MAX_SIZE_DIFFERENCE * cell.size


def _is_choice(cell: PdfLine) -> bool:
    text = cell.text
    return (
        len(text) <= _MAX_CHOICE_CHARACTERS
        and len(text.split()) <= _MAX_CHOICE_WORDS
        and not is_sentence_end(text)
        and text[-1:] != ","
        and (_WORD.search(text) or _LETTER_NAME.fullmatch(text)) is not None
        and _FORMULA_SIGN.search(text) is None
    )


def _are_boxes(left: PdfLine, right: PdfLine, are_choices: bool) -> bool:
    """Return whether two cells of a row belong to two boxes, and not to a label and its value or a mark and its item."""
    if left.text[-1:] in ":：":
        return False
    if right.fragments[0].is_ruled_off:
        return True
    is_marker = LONE_MARKER.match(left.text) and not _NUMBER.fullmatch(right.text)
    if is_marker or not _BOX_START.match(right.text):
        return False
    if (right.text[:1].islower() and not _URL.match(right.text)) or (
        _NUMBERING.fullmatch(right.text) and _WORD.search(left.text)
    ):
        return False
    if _CAPTION.match(left.text) and _CAPTION.match(right.text):
        return True
    if right.x0 - left.x1 < _MIN_BOX_GAP_EMS * max(left.size, right.size):
        return are_choices
    return all(_is_box_text(cell.text) for cell in (left, right)) or left.text == right.text


def _is_box_text(text: str) -> bool:
    return bool(_WORD.search(text) or _NUMBER.fullmatch(text)) and not _FORMULA_SIGN.search(text)
