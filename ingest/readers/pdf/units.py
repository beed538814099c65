"""Split the characters of a page into units: what is drawn as one thing, with the text that it stands for.

A unit is a character, or several glyphs that an ActualText spells, or a ligature, or a letter with the marks above and
below it. Units move as a whole when characters are brought into reading order.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from bisect import bisect_left
from dataclasses import dataclass

import numpy as np

from highlighter.pages import pdfium, pdfium_marks
from ingest.readers.pdf.glyphs import Glyphs
from ingest.readers.pdf.marked_content import MarkedContent, Replacement

_MAX_UNIT_CHARACTERS, _MAX_UNIT_HEIGHT_EMS = 40, 3.0  # of an ActualText for a few glyphs rather than a paragraph
_MIN_SPACE_EMS, _MIN_WIDE_SPACE_EMS = 0.15, 0.6  # white that is a space: where the page has none, and where it has some
_MAX_SHIFT_EMS = 0.6  # of a space's baseline to that of the letters beside it
_MIN_ADVANCE_POINTS = 0.3  # of a space
_UNSPACED = re.compile("[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]")
LAM = "\u0644"
ALEFS = frozenset("\u0622\u0623\u0625\u0627\u0671")


@dataclass(slots=True)
class Unit:
    """What is drawn as one thing; `rows` has the row of a glyph for each character of `text`."""

    text: str
    rows: list[int]
    x0: float
    x1: float
    origin: float  # where the pen stands when it is drawn
    is_spelled: bool = False  # by an ActualText, whose brackets are never mirrored
    is_space: bool = False
    is_rtl: bool = False

    @property
    def first(self) -> int:
        return self.rows[0]


def find_units(
    glyphs: Glyphs, origins: np.ndarray, marked: MarkedContent, shown: tuple[float, float, float, float]
) -> list[Unit]:
    """Return the units of a page in PDFium's order, without spaces and line breaks."""
    units: list[Unit] = []
    seen: dict[int, Unit] = {}
    owners = glyphs.owner.tolist()
    is_joiner = (glyphs.owner != 0) & _find_joiners(glyphs.text)
    for row in np.flatnonzero((glyphs.solid | is_joiner) & ~glyphs.omitted).tolist():
        number = marked.replacement_by_object.get(owners[row])
        replacement = marked.replacements[number] if number is not None else None
        if number is None or replacement is None or not _is_for_few_glyphs(replacement, float(glyphs.size[row])):
            _add_character(units, glyphs, origins, row)
        elif number not in seen:
            seen[number] = _spell_unit(glyphs, origins, row, replacement, shown)
            units.append(seen[number])
        elif owners[seen[number].rows[-1]] == owners[row] and row == seen[number].rows[-1] + 1:
            seen[number].rows.append(row)
    for unit in seen.values():
        _assign_rows(unit, glyphs)
    return units


def _find_joiners(text: str) -> np.ndarray:
    return np.array([character in "\u200c\u200d" for character in text], bool)


def _is_for_few_glyphs(replacement: Replacement, size: float) -> bool:
    if not replacement.text.strip() or len(replacement.text) > _MAX_UNIT_CHARACTERS:
        return False  # an empty text hides nothing that the page shows
    bounds = replacement.measure()
    return bounds is None or bounds[3] - bounds[1] < _MAX_UNIT_HEIGHT_EMS * max(size, 1)


def _spell_unit(
    glyphs: Glyphs,
    origins: np.ndarray,
    row: int,
    replacement: Replacement,
    shown: tuple[float, float, float, float],
) -> Unit:
    x0, x1 = float(glyphs.box[row, 0]), float(glyphs.box[row, 2])
    bounds = replacement.measure() if glyphs.turn[row] == 0 else None
    if bounds:
        x0, x1 = bounds[0] - shown[0], bounds[2] - shown[0]
    return Unit(replacement.text, [row], x0, x1, float(origins[row]), is_spelled=True)


def _assign_rows(unit: Unit, glyphs: Glyphs) -> None:
    """Give each character of a spelled unit the row of PDFium's character for it, or of the nearest one."""
    drawn = "".join(glyphs.text[row] for row in unit.rows)
    rows = unit.rows[::-1] if drawn[::-1] == unit.text != drawn else unit.rows
    unit.rows = [rows[min(index, len(rows) - 1)] for index in range(len(unit.text))] or rows


def _add_character(units: list[Unit], glyphs: Glyphs, origins: np.ndarray, row: int) -> None:
    character, box = glyphs.text[row], glyphs.box[row]
    last = units[-1] if units else None
    if last and not last.is_spelled and _is_same_glyph(glyphs, origins, last.rows[-1], row):
        last.text, last.rows = last.text + character, [*last.rows, row]
        if last.text[-1] == LAM and last.text[0] in ALEFS and len(last.text) == 2:
            last.text, last.rows = last.text[::-1], last.rows[::-1]
    else:
        # A sign without width of its own is drawn when the pen is already past its letter.
        is_sign = unicodedata.category(character).startswith("M")
        origin = min(float(origins[row]), float(box[0])) if is_sign else float(origins[row])
        units.append(Unit(character, [row], float(box[0]), float(box[2]), origin))


def _is_same_glyph(glyphs: Glyphs, origins: np.ndarray, a: int, b: int) -> bool:
    """Return whether two characters are parts of one ligature."""
    return bool(
        b == a + 1
        and glyphs.owner[a] == glyphs.owner[b]
        and glyphs.turn[a] == glyphs.turn[b]
        and origins[a] == origins[b]
        and (glyphs.box[a] == glyphs.box[b]).all()
    )


def attach_marks(units: list[Unit]) -> list[Unit]:
    """Return the units of a line, from left to right, with marks joined to the letters that they stand above or below."""
    letters = [unit for unit in units if not _is_mark(unit)]
    for mark in units:
        if not _is_mark(mark):
            continue
        middle = (mark.x0 + mark.x1) / 2
        nearest = min(
            (unit for unit in letters if not unit.is_space),
            key=lambda unit: (max(unit.x0 - middle, middle - unit.x1, 0.0), abs((unit.x0 + unit.x1) / 2 - middle)),
            default=None,
        )
        if nearest:
            nearest.text, nearest.rows = nearest.text + mark.text, nearest.rows + mark.rows
    return letters or units


def _is_mark(unit: Unit) -> bool:
    return all(unicodedata.category(character) == "Mn" for character in unit.text)


@dataclass(slots=True)
class Spaces:
    """The spaces that the page itself has, and those that PDFium concludes, some of them wrongly: (x, baseline)."""

    places: list[tuple[float, float]]
    concluded: list[tuple[float, float]]

    def is_between(self, a: Unit, b: Unit, glyphs: Glyphs, right: float | None = None) -> bool:
        """Return whether a space stands between two units, the first of which is on the left.

        `right` is how far the units up to the first reach, where they overlap.
        """
        size = max(float(glyphs.size[a.first]), float(glyphs.size[b.first]), 0.5)
        gap = b.x0 - (a.x1 if right is None else right)
        is_unspaced = bool(_UNSPACED.match(a.text[-1]) and _UNSPACED.match(b.text))
        if not self.places or is_unspaced or gap > _MIN_WIDE_SPACE_EMS * size:
            return gap > (_MIN_WIDE_SPACE_EMS if is_unspaced else _MIN_SPACE_EMS) * size
        base = sorted((float(glyphs.base[a.first]), float(glyphs.base[b.first])))
        level = base[0] - _MAX_SHIFT_EMS * size, base[1] + _MAX_SHIFT_EMS * size
        if _has_place(self.places, a.origin - 0.01 * size, b.origin - 0.01 * size, level):
            return True
        return gap > _MIN_SPACE_EMS * size and _has_place(self.concluded, a.origin, b.x0 + 0.01 * size, level)

    def has_room(self, unit: Unit, right: float, glyphs: Glyphs) -> bool:
        """Return whether a space fits before a unit; `right` is how far the units before it reach."""
        return unit.x0 - right > _MIN_SPACE_EMS * max(float(glyphs.size[unit.first]), 0.5)


def _has_place(places: list[tuple[float, float]], x0: float, x1: float, level: tuple[float, float]) -> bool:
    start, stop = bisect_left(places, (x0, -np.inf)), bisect_left(places, (x1, -np.inf))
    return any(level[0] < y < level[1] for _, y in places[start:stop])


def find_spaces(
    glyphs: Glyphs, text_page: int, marked: MarkedContent, shown: tuple[float, float, float, float]
) -> Spaces:
    """Return the spaces of a page, without those that PDFium inserts."""
    is_space = np.array([character in " \u00a0\u3000" for character in glyphs.text], bool)
    has_width = (glyphs.box[:, 2] - glyphs.box[:, 0] > _MIN_ADVANCE_POINTS) & (glyphs.owner != 0)
    is_real = is_space & has_width & ~pdfium_marks.find_generated(text_page, len(glyphs.text))
    places, concluded = (
        sorted((float(glyphs.box[row, 0]), float(glyphs.base[row])) for row in np.flatnonzero(rows).tolist())
        for rows in (is_real, is_space & ~is_real)
    )
    owners = set(glyphs.owner.tolist())
    painted = list(marked.order)
    following = dict(itertools.pairwise(painted))
    for obj in marked.order.keys() - owners - marked.replacement_by_object.keys() - marked.forms:
        bounds = pdfium.read_object_bounds(obj)
        if bounds and bounds[2] - bounds[0] < 0.1:
            x, y = pdfium_marks.read_object_origin(obj)
            next_x = pdfium_marks.read_object_origin(following[obj])[0] if obj in following else x + 1
            if abs(next_x - x) > _MIN_ADVANCE_POINTS:  # else a glyph without ink or width
                places.append((x - shown[0], shown[3] - y))
    return Spaces(sorted(places), concluded)


def make_space(unit: Unit) -> Unit:
    """Return a space after a unit."""
    return Unit(" ", [unit.rows[-1]], unit.x1, unit.x1, unit.x1, is_space=True)
