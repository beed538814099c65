"""Bring the characters of a page into reading order where PDFium does not.

PDFium orders lines that run from right to left by rules of its own, repeats an ActualText, and concludes spaces from
the first of its glyphs alone. Pages without either are left as they are.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from highlighter.pages import pdfium
from ingest.readers.pdf.bidi_order import MIRRORED, count_matched_brackets, order_visual_line
from ingest.readers.pdf.columns import is_mostly_rtl
from ingest.readers.pdf.glyphs import ROW_ARRAYS, Glyphs, find_solid
from ingest.readers.pdf.marked_content import MarkedContent
from ingest.readers.pdf.units import ALEFS, LAM, Spaces, Unit, attach_marks, find_spaces, find_units, make_space

_RTL_LETTER = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_COMPLEX_LETTER = re.compile("[\u0900-\u1aff]")  # scripts whose signs stand around their letters
_MAX_STEP_BACK_EMS = 0.6  # of a letter that reaches under the one before it
_MAX_BASELINE_SHIFT_EMS = 0.45  # between letters of one line
_MAX_SLOPE_EMS = 0.8  # ... of Nastaliq, whose words slope down to the line; lines are farther apart
_MAX_GAP_EMS = 0.9  # wider gaps divide a line into fragments

Shown = tuple[float, float, float, float]
Line = list[Unit]


class Part(NamedTuple):
    """Units in reading order; `is_ordered` when they are one fragment whatever their positions."""

    units: Line
    is_ordered: bool
    base: float | None


def order_characters(glyphs: Glyphs, text_page: int, marked: MarkedContent, shown: Shown) -> Glyphs:
    """Return the characters in reading order, each ActualText once; those that need no change as they are."""
    is_rtl = bool(_RTL_LETTER.search(glyphs.text))
    is_complex = bool(_COMPLEX_LETTER.search(glyphs.text))
    if not is_rtl and not is_complex and not marked.replacements:
        return glyphs
    origins = _read_pen_positions(glyphs, text_page, shown)
    units = find_units(glyphs, origins, marked, shown)
    spaces = find_spaces(glyphs, text_page, marked, shown)
    owners = set(glyphs.owner[glyphs.solid].tolist())
    if is_complex and not is_rtl and owners <= marked.order.keys():
        units = _sort_as_painted(
            units, glyphs, marked
        )  # PDFium sorts by position, and signs stand above their neighbours
    if not is_rtl:
        return _rebuild(glyphs, [_separate_units(units, glyphs, spaces)])
    is_rtl_page = is_mostly_rtl(glyphs.text)
    parts = []
    for line in _group_lines(units, glyphs, marked):
        if any(_RTL_LETTER.search(unit.text) for unit in line):
            parts += [_order_segment(part, glyphs, spaces, is_rtl_page) for part in _split_at_gaps(line, glyphs)]
        else:
            parts.append(_separate_units(sorted(line, key=lambda unit: unit.rows[0]), glyphs, spaces))
    _mirror_brackets(parts)
    return _rebuild(glyphs, parts)


def _read_pen_positions(glyphs: Glyphs, text_page: int, shown: Shown) -> np.ndarray:
    """Return where the pen stands for each character, in the frame of its text."""
    positions = glyphs.box[:, 0].astype(float)
    level = np.flatnonzero((glyphs.turn == 0) & (glyphs.owner != 0))
    positions[level] = pdfium.read_origins(text_page, level.tolist())[:, 0] - shown[0]
    return positions


def _separate_units(units: Line, glyphs: Glyphs, spaces: Spaces) -> Part:
    """Return units in PDFium's order with the spaces between them, concluded anew beside an ActualText."""
    separated: Line = units[:1]
    right = units[0].x1 if units else 0.0
    for a, b in pairwise(units):
        between = range(max(a.rows) + 1, min(b.rows))
        is_doubtful = a.is_spelled or b.is_spelled or min(b.rows) < max(a.rows)
        if is_doubtful or _COMPLEX_LETTER.match(a.text[-1]) or _COMPLEX_LETTER.match(b.text):
            is_level = glyphs.turn[a.first] == glyphs.turn[b.first] and _is_level(glyphs, a.first, b.first)
            is_space = any(not glyphs.solid[row] for row in between) and spaces.has_room(b, right, glyphs)
            if not is_level or is_space or spaces.is_between(a, b, glyphs, right):
                separated.append(make_space(a))
            right = max(right, b.x1) if is_level and b.origin > a.origin else b.x1
        else:
            separated += [Unit(glyphs.text[row], [row], a.x1, a.x1, a.x1) for row in between if not glyphs.solid[row]]
            right = b.x1
        separated.append(b)
    return Part(separated, False, None)


def _is_level(glyphs: Glyphs, a: int, b: int) -> bool:
    shift = abs(float(glyphs.base[a]) - float(glyphs.base[b]))
    return shift <= _MAX_BASELINE_SHIFT_EMS * max(float(glyphs.size[a]), float(glyphs.size[b]), 0.5)


def _group_lines(units: Line, glyphs: Glyphs, marked: MarkedContent) -> list[Line]:
    """Return the units on each baseline, anywhere on the page."""
    chains = [
        (
            int(glyphs.turn[chain[0].first]),
            float(np.median([glyphs.base[unit.first] for unit in chain])),
            max(float(glyphs.size[unit.first]) for unit in chain),
            chain,
        )
        for chain in _chain_units(units, glyphs, marked)
    ]
    lines: list[Line] = []
    level, size, last_turn = 0.0, 0.0, None
    for turn, base, chain_size, chain in sorted(chains, key=lambda item: item[:2]):
        if turn == last_turn and abs(base - level) <= _MAX_BASELINE_SHIFT_EMS * min(size, chain_size):
            lines[-1] += chain
        else:
            lines.append(list(chain))
            level, size, last_turn = base, chain_size, turn
    return lines


def _chain_units(units: Line, glyphs: Glyphs, marked: MarkedContent) -> list[Line]:
    """Return runs of units that are painted one beside the other, though their letters may slope (Nastaliq)."""
    chains: list[Line] = []
    for unit in _sort_as_painted(units, glyphs, marked):
        last = chains[-1][-1] if chains else None
        if last is not None and _is_beside(last, unit, glyphs):
            if _is_step_back([*chains[-1][-2:], unit], glyphs):
                unit.origin = last.origin  # a letter that reaches under the one before it keeps its place
            chains[-1].append(unit)
        else:
            chains.append([unit])
    return chains


def _is_step_back(units: Line, glyphs: Glyphs) -> bool:
    """Return whether the last of three units, painted one by one to the right, stands a little to the left."""
    if len(units) < 3 or len({int(glyphs.owner[unit.first]) for unit in units}) < 3:
        return False
    before, last, unit = units
    reach = _MAX_STEP_BACK_EMS * float(glyphs.size[unit.first])
    return before.origin <= last.origin and -reach < unit.origin - last.origin < 0


def _sort_as_painted(units: Line, glyphs: Glyphs, marked: MarkedContent) -> Line:
    owners = glyphs.owner.tolist()
    return sorted(units, key=lambda unit: marked.order.get(owners[unit.first], 0))


def _is_beside(a: Unit, b: Unit, glyphs: Glyphs) -> bool:
    if glyphs.turn[a.first] != glyphs.turn[b.first]:
        return False
    size = float(max(glyphs.size[a.first], glyphs.size[b.first], 0.5))
    if max(b.x0 - a.x1, a.x0 - b.x1) > _MAX_GAP_EMS * size:
        return False
    if _is_level(glyphs, a.first, b.first):
        return True
    is_sloped = _RTL_LETTER.search(a.text) and _RTL_LETTER.search(b.text)
    shift = abs(float(glyphs.base[a.first]) - float(glyphs.base[b.first]))
    return bool(is_sloped) and shift <= _MAX_SLOPE_EMS * size and glyphs.face[a.first] == glyphs.face[b.first]


def _split_at_gaps(line: Line, glyphs: Glyphs) -> list[Line]:
    """Return the parts of a line, from left to right, that wide white separates."""
    parts: list[Line] = []
    right = 0.0
    for unit in _put_lam_last(sorted(line, key=lambda unit: unit.origin), glyphs):
        if parts and unit.x0 - right <= _MAX_GAP_EMS * max(float(glyphs.size[unit.first]), 0.5):
            parts[-1].append(unit)
            right = max(right, unit.x1)
        else:
            parts.append([unit])
            right = unit.x1
    return parts


def _put_lam_last(line: Line, glyphs: Glyphs) -> Line:
    """Return a line from left to right with lam to the right of the alef that is drawn into it."""
    for index, (a, b) in enumerate(pairwise(line)):
        is_drawn_in_one = b.origin - a.origin < 0.05 * max(float(glyphs.size[a.first]), 0.5)
        if is_drawn_in_one and a.text[:1] == LAM and b.text[:1] in ALEFS:
            line[index], line[index + 1] = b, a
    return line


def _order_segment(line: Line, glyphs: Glyphs, spaces: Spaces, is_rtl_page: bool) -> Part:
    """Return the units of a line in reading order, with spaces."""
    letters = attach_marks(line)
    visual = letters[:1]
    right = letters[0].x1
    for a, b in pairwise(letters):
        right = max(right, a.x1)
        visual += [make_space(a), b] if spaces.is_between(a, b, glyphs, right) else [b]
    texts = [unit.text for unit in visual]
    order, are_rtl = order_visual_line(texts, is_rtl_page or is_mostly_rtl("".join(texts)))
    for unit, is_rtl in zip(visual, are_rtl, strict=True):
        unit.is_rtl = is_rtl
    bases = [float(glyphs.base[unit.first]) for unit in letters]
    return Part([visual[index] for index in order], True, float(np.median(bases)))


def _mirror_brackets(parts: list[Part]) -> None:
    """Mirror the brackets in text from right to left when more of them then open before they close."""
    plain, mirrored, found = 0, 0, []
    for part in parts:
        brackets = [u for u in part.units if u.is_rtl and not u.is_spelled and u.text in MIRRORED]
        if brackets:
            found += brackets
            plain += count_matched_brackets("".join(unit.text for unit in brackets))
            mirrored += count_matched_brackets("".join(MIRRORED[unit.text] for unit in brackets))
    if mirrored > plain:
        for unit in found:
            unit.text = MIRRORED[unit.text]


def _rebuild(glyphs: Glyphs, parts: list[Part]) -> Glyphs:
    """Return the arrays of the characters of these units, in their order."""
    rows: list[int] = []
    characters: list[str] = []
    spaces: list[int] = []
    segments: list[int] = []
    bases: list[tuple[int, int, float]] = []
    boxes: list[tuple[int, float, float]] = []
    for number, part in enumerate(parts, 1):
        start = len(rows)
        for unit in part.units:
            if unit.is_space:
                spaces.append(len(rows))
            elif unit.is_spelled:
                boxes += _divide_box(unit, len(rows))
            rows += unit.rows
            characters.append(unit.text)
        segments += [number if part.is_ordered else 0] * (len(rows) - start)
        if part.base is not None:
            bases.append((start, len(rows), part.base))
    index = np.array(rows, np.int64)
    columns = {name: getattr(glyphs, name)[index] for name in ROW_ARRAYS}
    for start, stop, base in bases:
        columns["base"][start:stop] = base
    for row, x0, x1 in boxes:
        columns["box"][row, 0], columns["box"][row, 2] = x0, x1
    text = "".join(characters)
    columns["solid"] = find_solid(text) | columns["shapeless"]
    columns["raw"][spaces] = -1
    columns["block"] = np.full(len(index), -1, np.int32)
    return replace(glyphs, text=text, segment=np.array(segments, np.int32), is_reordered=True, **columns)


def _divide_box(unit: Unit, row: int) -> list[tuple[int, float, float]]:
    """Return the part of a unit's width for each of its characters, which begin at `row`."""
    count = len(unit.text)
    edges = np.linspace(unit.x0, unit.x1, count + 1).tolist()
    if unit.is_rtl:
        edges.reverse()
    return [(row + k, min(edges[k], edges[k + 1]), max(edges[k], edges[k + 1])) for k in range(count)]
