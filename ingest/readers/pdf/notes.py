"""Put note marks into brackets ("[1]"), in the text and at the notes, because plain text would glue them to a word.

Raised figures that are exponents become superscripts ("10⁶").
"""

from __future__ import annotations

import re
from collections import defaultdict

from ingest.readers.linear_formulas import SUPERSCRIPTS
from ingest.readers.pdf.blocks import NOTE, PdfBlock, PdfLine
from ingest.readers.pdf.fragments import Fragment
from ingest.readers.pdf.note_marks import NOTE_LIST
from ingest.readers.superscripts import is_exponent

_NOTE_START = re.compile(r"(\d{1,3}|[*\u2217\u2020\u2021\u00a7\u00b6]{1,3})(?![\w.,]*\d)[.)]?\s*(?=\S)")
# A raised digit after the end of a sentence or clause can only be a note's mark.
_CLAUSE_END = re.compile(r"[.!?;:,\u3002\uff01\uff1f][\"'\u201d\u2019\u00bb)\]]*$")
# A raised digit after these is an exponent or a count of atoms: "10 6", "x2", "25 m2", "CO2".
_FORMULA = re.compile(
    r"(?:\d|[=+×^/(]|(?:^|\d|[^\w.'’])(?:[A-Za-z]|[mckdµ]m|km|ft|in|sec|yd|mi|CO|SO|NO|PM|log|sin|cos|tan))$"
)
_SIGN = re.compile("[-+\u2212\u2013]")  # of an exponent, which is no mark
_NUMBER = re.compile(r"\d+")
_ENDNOTES_HEADING = re.compile(
    r"^(?:\d+\.?\s+)?(?:(?:end|foot)?\s?notes|references|anmerkungen|注释|註釋|附註)$", re.IGNORECASE
)


def bracket_note_marks(blocks: list[PdfBlock]) -> None:
    """Bracket the marks that end a sentence or whose note is known, and the notes they refer to."""
    notes, endnote_marks, endnotes_start = _find_notes(blocks)
    called: dict[int, set[str]] = defaultdict(set)
    for block in blocks:
        for line in block.lines:
            _bracket_references(line, notes[line.page] | endnote_marks, called[line.page])
    all_called = set().union(*called.values())
    for index, block in enumerate(blocks):
        for line in _list_first_lines(block):
            if block.kind == NOTE or _is_raised_at_start(line):
                _bracket_note_start(line, called[line.page])
            elif index >= endnotes_start:
                _bracket_note_start(line, all_called)


def _find_notes(blocks: list[PdfBlock]) -> tuple[dict[int, set[str]], set[str], int]:
    """Return the marks of each page's notes, the marks of the endnotes, and the index of the first endnote block."""
    notes: dict[int, set[str]] = defaultdict(set)
    endnote_marks: set[str] = set()
    endnotes_start = len(blocks)
    for index, block in enumerate(blocks):
        if sum(len(cell) for item in block.items for cell in item) == 1 and _ENDNOTES_HEADING.match(
            block.first.text.strip()
        ):
            endnotes_start, endnote_marks = index, set()
        elif index == endnotes_start + 1 and not _NOTE_START.match(block.first.text):
            endnotes_start = len(blocks)  # a list of references without numbers
        for line in _list_first_lines(block):
            match = _NOTE_START.match(line.text)
            if match and (block.kind == NOTE or _is_raised_at_start(line)):
                notes[line.page].add(match.group(1))
            elif match and index >= endnotes_start:
                endnote_marks.add(match.group(1))
    return notes, endnote_marks, endnotes_start


def _list_first_lines(block: PdfBlock) -> list[PdfLine]:
    return [cell[0] for item in block.items for cell in item[:1] if cell]


def _is_raised_at_start(line: PdfLine) -> bool:
    return any(offset == 0 for offset, _ in line.fragments[0].marks)


def _bracket_references(line: PdfLine, known: set[str], called: set[str]) -> None:
    if not any(fragment.marks for fragment in line.fragments):
        return
    before = ""
    for fragment in line.fragments:
        text = fragment.text
        for offset, length in reversed(fragment.marks):
            mark, preceding = text[offset : offset + length], before + text[:offset]
            is_list = NOTE_LIST.fullmatch(mark) is not None
            numbers = set(_NUMBER.findall(mark)) if is_list else {mark}
            is_known = numbers <= known and not _FORMULA.search(preceding)
            is_mark = is_list or not _SIGN.search(mark)
            if preceding.strip() and (_CLAUSE_END.search(preceding) or is_known) and is_mark:
                _bracket(fragment, offset, length)
                called |= numbers
            elif is_exponent(preceding, mark):
                raised = mark.translate(SUPERSCRIPTS)
                fragment.text = text[:offset] + raised + fragment.text[offset + length :]
        before += text
    _rebuild_text(line)


def _bracket_note_start(line: PdfLine, called: set[str]) -> None:
    match = _NOTE_START.match(line.text)
    fragment = line.fragments[0]
    if not match or match.group(1) not in called or not fragment.text.startswith(match.group(1)):
        return
    end = len(match.group(1)) + 2
    _bracket(fragment, 0, end - 2)
    if fragment.text[end:] and fragment.text[end] not in ".) ":
        _insert_text(fragment, end, " ")
    elif not fragment.text[end:] and line.joints:
        line.joints[0] = " "
    _rebuild_text(line)


def _bracket(fragment: Fragment, offset: int, length: int) -> None:
    """Put brackets around characters of a fragment. The brackets are on no page; what is between keeps its position."""
    _insert_text(fragment, offset + length, "]")
    _insert_text(fragment, offset, "[")


def _insert_text(fragment: Fragment, at: int, text: str) -> None:
    fragment.text = fragment.text[:at] + text + fragment.text[at:]
    pieces = []
    for offset, length, raw, raw_length in fragment.pieces:
        if offset >= at:
            pieces.append((offset + len(text), length, raw, raw_length))
        elif offset + length <= at or length != raw_length:
            pieces.append((offset, length, raw, raw_length))
        else:
            cut = at - offset
            pieces += [(offset, cut, raw, cut), (at + len(text), length - cut, raw + cut, length - cut)]
    fragment.pieces = tuple(pieces)


def _rebuild_text(line: PdfLine) -> None:
    line.text = "".join(f.text + joint for f, joint in zip(line.fragments, [*line.joints, ""], strict=True))
