"""Separate the notes in the margins of a page from the lines of text that they stand beside, as in statutes and manuals."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from operator import attrgetter
from typing import NamedTuple

from ingest.list_markers import LONE_MARKER, is_pdf_item_start
from ingest.readers.pdf.blocks import is_sentence_end
from ingest.readers.pdf.fragments import Fragment

_MIN_LINE_CHARACTERS, _MIN_LINES = 30, 8  # of running text, and on a page that has notes in its margins
_MIN_EDGE_SHARE = 0.3  # of these lines begin at the edge of the text
_MAX_INDENT_EMS = 3.0  # of a line of running text
_MAX_NOTE_CHARACTERS, _MAX_NOTE_LINES = 30, 6  # of a line of a note, and of a note; longer text is a column
_MIN_GAP_EMS, _WIDE_GAP_EMS = 0.3, 1.5  # white between a note and the text: wider white separates cells
_MAX_PITCH_EMS = 1.6  # between two lines of a text or of a note
_LEVEL_EMS = 0.5  # between baselines of one row
_ALIGNED_POINTS = 1.5  # between the edges of notes below each other
_PROSE_CHARACTER, _MIN_PROSE_SHARE = re.compile(r"[^\W\d_]|[ ,;’'-]"), 0.85  # of a line
_NOTE = re.compile(r"[^\W\d_]{3}|^\d{1,4}[A-Z]?$")  # words, or the number of a line


class _RunningText(NamedTuple):
    """The lines of running text on a page from top to bottom, and the edges that they stand between."""

    lines: list[Fragment]
    left: float
    right: float

    def list_margin_fragments(self, fragments: list[Fragment]) -> list[Fragment]:
        """Return the fragments in the margins."""
        return [
            f
            for f in fragments
            if f.x1 < self.left - _MIN_GAP_EMS * f.size or f.x0 > self.right + _MIN_GAP_EMS * f.size
        ]


def split_margin_notes(fragments: list[Fragment]) -> tuple[list[Fragment], list[list[Fragment]]]:
    """Return the fragments of a page without the notes in its margins, and each note's fragments from top to bottom.

    Numbers of lines are such notes, too. A note is known by a line of it that stands beside the middle of a sentence.
    """
    text = _find_running_text(fragments)
    beside = text.list_margin_fragments(fragments) if text else []
    if text is None or not beside or any(len(fragment.text) > _MAX_NOTE_CHARACTERS for fragment in beside):
        return fragments, []
    groups = _group_fragments(beside)
    notes = _select_notes(groups, text.lines)
    if any(_is_beside_text(group, text.lines) for group in groups if group not in notes):
        return fragments, []  # of a column beside the text only a part would be left
    ids = {id(fragment) for note in notes for fragment in note}
    return [fragment for fragment in fragments if id(fragment) not in ids], notes


def _find_running_text(fragments: list[Fragment]) -> _RunningText | None:
    """Return the running text of a page, or None where too few of its long lines begin at one edge."""
    long = [fragment for fragment in fragments if len(fragment.text) >= _MIN_LINE_CHARACTERS]
    if len(long) < _MIN_LINES:
        return None
    left, count = Counter(round(fragment.x0) for fragment in long).most_common(1)[0]
    if count < _MIN_EDGE_SHARE * len(long):
        return None
    lines = [f for f in long if left - 1 <= f.x0 < left + _MAX_INDENT_EMS * f.size]
    lines.sort(key=attrgetter("base"))
    return _RunningText(lines, left, max(fragment.x1 for fragment in lines))


def _group_fragments(fragments: list[Fragment]) -> list[list[Fragment]]:
    """Return the words and numbers that stand closely below each other, at one edge, where they are as short as a note."""
    groups: list[list[Fragment]] = []
    named = [f for f in fragments if _NOTE.search(f.text) and not LONE_MARKER.match(f.text)]
    for fragment in sorted(named, key=attrgetter("base", "x0")):
        group = next((g for g in groups if _is_next_line(g[-1], fragment)), None)
        if group:
            group.append(fragment)
        else:
            groups.append([fragment])
    return [group for group in groups if len(group) <= _MAX_NOTE_LINES]


def _select_notes(groups: list[list[Fragment]], lines: list[Fragment]) -> list[list[Fragment]]:
    """Return the groups that interrupt a sentence, and those at the same edge that are numbers or stand close to the text."""
    interrupting = [group for group in groups if _interrupts_sentence(group, lines)]
    aligned = [
        group
        for group in groups
        if group not in interrupting
        and any(_are_aligned(group[0], note[0]) for note in interrupting)
        and (group[0].text[0].isdigit() or _is_close_to_text(group[0], lines))
    ]
    return interrupting + aligned


def _is_close_to_text(fragment: Fragment, lines: list[Fragment]) -> bool:
    return any(_measure_gap(fragment, line) < _WIDE_GAP_EMS * line.size for line in _list_level(fragment, lines))


def _is_beside_text(group: list[Fragment], lines: list[Fragment]) -> bool:
    return len(group) > 1 and any(_list_level(fragment, lines) for fragment in group)


def _is_next_line(above: Fragment, fragment: Fragment) -> bool:
    pitch = fragment.base - above.base
    return 0 < pitch < _MAX_PITCH_EMS * fragment.size and _are_aligned(above, fragment)


def _are_aligned(a: Fragment, b: Fragment) -> bool:
    return abs(a.x0 - b.x0) < _ALIGNED_POINTS or abs(a.x1 - b.x1) < _ALIGNED_POINTS


def _interrupts_sentence(note: list[Fragment], lines: list[Fragment]) -> bool:
    """Return whether a note stands beside the middle of a sentence; apart by wide white, it has to begin there."""
    for number, fragment in enumerate(note):
        for line in _list_level(fragment, lines):
            if number and _measure_gap(fragment, line) >= _WIDE_GAP_EMS * line.size:
                continue
            if _is_within_sentence(line, lines):
                return True
    return False


def _list_level(fragment: Fragment, lines: list[Fragment]) -> list[Fragment]:
    """Return the lines that stand in one row with a fragment."""
    reach = _LEVEL_EMS * fragment.size
    first = bisect_left(lines, fragment.base - reach, key=attrgetter("base"))
    stop = bisect_left(lines, fragment.base + reach, key=attrgetter("base"))
    return lines[first:stop]


def _measure_gap(fragment: Fragment, line: Fragment) -> float:
    return max(line.x0 - fragment.x1, fragment.x0 - line.x1)


def _is_within_sentence(line: Fragment, lines: list[Fragment]) -> bool:
    if not line.text[:1].islower() or is_pdf_item_start(line.text):
        return False
    index = bisect_left(lines, line.base, key=attrgetter("base"))
    above = lines[index - 1] if index else None
    if above is None or line.base - above.base > _MAX_PITCH_EMS * line.size or is_sentence_end(above.text):
        return False
    return _is_prose(above.text) and _is_prose(line.text)


def _is_prose(text: str) -> bool:
    """Return whether a line is of running text, and not of a listing."""
    return len(_PROSE_CHARACTER.findall(text)) >= _MIN_PROSE_SHARE * len(text)
