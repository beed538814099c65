"""Build the blocks of a page: lines of one column into paragraphs and list items."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, field
from itertools import pairwise

from ingest.list_markers import PDF_BULLET_START, is_pdf_item_start
from ingest.readers.pdf.columns import is_mostly_rtl
from ingest.readers.pdf.fragments import Fragment
from ingest.readers.pdf.line_joining import HYPHENS, has_open_end

TEXT, TABLE, NOTE, HIDDEN = "text", "table", "note", "hidden"


class PdfLine:
    """A line: fragments on one baseline, in reading order."""

    __slots__ = ("base", "bold", "face", "fragments", "italic", "joints", "size", "text", "x0", "x1", "y0", "y1")

    def __init__(self, fragments: list[Fragment]):
        self.fragments = fragments
        if len(fragments) == 1:  # nearly all lines
            (one,) = fragments
            self.joints, self.text = [], one.text
            self.x0, self.x1, self.y0, self.y1 = one.x0, one.x1, one.y0, one.y1
            self.base, self.size, self.face = one.base, one.size, one.face
            self.bold, self.italic = one.bold, one.italic
            return
        self.joints = [_choose_separator(a, b) for a, b in pairwise(fragments)]
        self.text = "".join(
            fragment.text + joint for fragment, joint in zip(fragments, [*self.joints, ""], strict=True)
        )
        self.x0 = min(fragment.x0 for fragment in fragments)
        self.x1 = max(fragment.x1 for fragment in fragments)
        self.y0 = min(fragment.y0 for fragment in fragments)
        self.y1 = max(fragment.y1 for fragment in fragments)
        longest = max(fragments, key=lambda fragment: len(fragment.text))
        self.base, self.size, self.face = longest.base, longest.size, longest.face
        self.bold = all(fragment.bold for fragment in fragments)
        self.italic = all(fragment.italic for fragment in fragments)

    @property
    def page(self) -> int:
        return self.fragments[0].page


def _choose_separator(a: Fragment, b: Fragment) -> str:
    """Return a space, or nothing between a letter and its index, which touch on different baselines."""
    gap = max(b.x0 - a.x1, a.x0 - b.x1)
    return "" if gap < 0.1 * min(a.size, b.size) and abs(a.base - b.base) > 0.05 * a.size else " "


Cell = list[PdfLine]
BlockItem = list[Cell]  # a paragraph or list item is one cell, a table's row several


@dataclass(slots=True)
class PdfBlock:
    """A block of items. Only text blocks can be headings or continue elsewhere.

    A line break separates items, a blank line separates blocks.
    """

    kind: str
    items: list[BlockItem]
    is_full: bool = False  # its last line fills the column: the paragraph may continue in the next
    column: tuple[float, float] = (0.0, 0.0)
    region: tuple[int, int, int] = (0, 0, 0)  # (page, part of it, number of its column or band)
    blocks_above: int = 0  # in its region
    blocks_below: int = 0
    gap: float = 0.0  # white above, in lines
    hidden_reason: str = ""  # of hidden text
    tagged_level: int = 0  # of a heading, by the file's structure tree
    is_tagged_list: bool = False
    header_cells: frozenset[tuple[int, int]] = frozenset()  # (row, column), by the file's structure tree
    cell_spans: dict[tuple[int, int], tuple[int, int]] = field(default_factory=dict)  # (rows, columns), by the same
    headings: list[tuple[int, int, int]] = field(default_factory=list)  # (item, characters or 0 for all, level)

    @property
    def lines(self) -> list[PdfLine]:
        return [line for item in self.items for cell in item for line in cell]

    @property
    def first(self) -> PdfLine:
        return self.items[0][0][0]

    @property
    def last(self) -> PdfLine:
        return self.items[-1][-1][-1]


@dataclass(slots=True)
class TableFragment(Fragment):
    """A ruled table that stands among the fragments of its page."""

    table: PdfBlock = field(kw_only=True)


# A note's mark may follow the full stop.
_SENTENCE_END = re.compile(r"[.!?:;。！？：；؟।…][\"'”’»)\]）」』]*(?:\[(?:\d{1,3}|[*∗†‡§¶]{1,3})\])?$")
_ITEM_END = re.compile(r"[;,]\s(?:and|or|and/or)$")  # of the last item of a list but one
_REFERENCE_KEY = re.compile(r"\[[A-Z][\w+]{0,9}\d{2}[a-z]?\]\s")  # "[Mit97] T. M. Mitchell, ..."
# A defined term by itself: 1.3 “Batch”
_QUOTED_TERM = re.compile(r"(?:\d{1,3}(?:\.\d{1,3})*\.?\s*)?[“\"][^“”\"]{2,80}[”\"]")
_MAX_PITCHES_TO_DEFINITION = 2.5  # a definition may stand a paragraph's distance below its term
_CLAUSE_NUMBER = re.compile(r"\d{1,3}(?:\.\d{1,3})+\.?\s")
_INITIAL, _INITIAL_END = re.compile(r"[A-Z]\.\s"), re.compile(r"(?:^|[\s.])[A-Z]\.$")  # "J." | "R. Hartley"
_MIN_FULL_CHARACTERS = 20  # of a Chinese or Japanese line: items of a list are shorter where they are equally wide
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")


def is_sentence_end(text: str) -> bool:
    return bool(_SENTENCE_END.search(text.rstrip()))


def _has_sentence_end(line: PdfLine) -> bool:
    """Return whether a line ends a sentence, with or without a note's mark at the end."""
    fragment = line.fragments[-1]
    mark_characters = fragment.marks[-1][1] if fragment.marks and sum(fragment.marks[-1]) == len(fragment.text) else 0
    return is_sentence_end(line.text[: len(line.text) - mark_characters])


def _is_note_start(line: PdfLine) -> bool:
    first = line.fragments[0]
    return bool(first.marks) and first.marks[0][0] == 0 and line.text[first.marks[0][1] :].strip()[:1].isalpha()


def build_paragraphs(lines: list[PdfLine], column: tuple[float, float]) -> list[PdfBlock]:
    """Return the blocks of a column; the items of a block are paragraphs without white between: a list, an address."""
    blocks: list[PdfBlock] = []
    leading = _estimate_leading(lines)
    for index, line in enumerate(lines):
        previous = lines[index - 1] if index else None
        if previous is None:
            blocks.append(PdfBlock(TEXT, [[[line]]], column=column))
            continue
        step = _classify_step(previous, line, blocks[-1], leading, column)
        if step == "line":
            blocks[-1].items[-1][0].append(line)
        elif step == "item":
            blocks[-1].items.append([[line]])
        else:
            pitch = line.base - previous.base
            gap = pitch / leading if leading else 1.0
            blocks.append(PdfBlock(TEXT, [[[line]]], column=column, gap=gap))
    for block in blocks:
        block.is_full = not _is_short(block.last, None, column)
    return blocks


def _estimate_leading(lines: list[PdfLine]) -> float:
    """Return the usual distance between baselines; 0 when there are too few lines."""
    pitches = sorted(
        pitch
        for a, b in itertools.pairwise(lines)
        if 0 < (pitch := b.base - a.base) < 3.2 * b.size and abs(a.size - b.size) < 0.1 * b.size
    )
    return pitches[int(len(pitches) * 0.4)] if pitches else 0.0


def _classify_step(
    previous: PdfLine, line: PdfLine, block: PdfBlock, leading: float, column: tuple[float, float]
) -> str:
    """Return how a line follows the one above: a "line" of the same paragraph, a new "item", or a new "block"."""
    pitch = line.base - previous.base
    usual_pitch = leading if leading else 1.4 * line.size
    max_pitch = max(1.24 * usual_pitch, (1.45 if _is_title_wrapped(previous, line, usual_pitch) else 1.05) * line.size)
    is_far = pitch > max_pitch or pitch < -0.5 * line.size
    if abs(line.size - previous.size) > 0.12 * max(line.size, previous.size) and not _is_drop_cap(previous, line):
        return "block"
    if _is_defined_below(previous, line, max_pitch):
        return "line"
    if is_far or _is_note_start(line):
        return "block"
    is_short = _is_short(previous, line, column) and not _is_as_wide_as_others(previous, line, block)
    if is_short and (line.bold != previous.bold or _has_other_style(previous, line)):
        return "block"
    has_title = _is_bold_start(line) and not _is_bold_start(previous) and _has_sentence_end(previous)
    if has_title and _is_short(previous, None, column):
        return "block"  # a paragraph that begins with its title
    if PDF_BULLET_START.match(line.text):
        return "item" if is_pdf_item_start(block.items[-1][0][0].text) or len(block.items) > 1 else "block"
    has_ended = _has_sentence_end(previous)
    is_marked = is_pdf_item_start(line.text) and not (_INITIAL.match(line.text) and _INITIAL_END.search(previous.text))
    is_next_item = bool(_CLAUSE_NUMBER.match(line.text) and _ITEM_END.search(previous.text))
    is_next_item |= all(_REFERENCE_KEY.match(text) for text in (line.text, block.items[-1][0][0].text))
    if is_marked and (
        is_short or has_ended or is_next_item or (is_pdf_item_start(previous.text) and len(previous.text) < 6)
    ):
        return "item" if is_pdf_item_start(block.items[-1][0][0].text) else "block"
    return _classify_by_shape(previous, line, block, is_short, has_ended)


def _is_defined_below(previous: PdfLine, line: PdfLine, max_pitch: float) -> bool:
    """Return whether a line holds only a quoted term, and its definition goes on below: 1.3 “Batch”, "shall mean ..."."""
    is_near = 0 < line.base - previous.base < _MAX_PITCHES_TO_DEFINITION * max_pitch
    return is_near and line.text[:1].islower() and _QUOTED_TERM.fullmatch(previous.text) is not None


def _is_title_wrapped(previous: PdfLine, line: PdfLine, usual_pitch: float) -> bool:
    """Return whether two lines look like a title of two lines: larger than the text around them, and of one style."""
    is_large = line.size > 0.95 * usual_pitch and line.size == previous.size
    return is_large and line.bold == previous.bold and line.face == previous.face and not _has_sentence_end(previous)


def _has_other_style(previous: PdfLine, line: PdfLine) -> bool:
    """Return whether a line changes slant or typeface; a sentence may do so, and two scripts need two typefaces."""
    if line.text[:1].islower() or previous.text[-1:] in HYPHENS or _UNSPACED.search(previous.text + line.text):
        return False
    return line.italic != previous.italic or line.face != previous.face


def _classify_by_shape(previous: PdfLine, line: PdfLine, block: PdfBlock, is_short: bool, has_ended: bool) -> str:
    paragraph = block.items[-1][0]
    is_centred = abs((line.x0 + line.x1) - (previous.x0 + previous.x1)) < 1.5 * line.size
    indent = line.x0 - previous.x0
    if is_centred and abs(indent) > 0.5 * line.size:
        return "line" if not has_ended or line.text[:1].islower() else "block"
    if (previous.text[-1:] in HYPHENS and line.text[:1].islower()) or has_open_end(previous.text):
        return "line"
    if (
        0.7 * line.size < indent < 8 * line.size
        and (is_short or has_ended)
        and not is_pdf_item_start(paragraph[0].text)
    ):
        return "block" if not line.text[:1].islower() else "line"
    if is_short and not line.text[:1].islower():
        return "block" if has_ended or len(paragraph) > 1 else "item"
    if indent < -0.7 * line.size and len(paragraph) > 1 and has_ended and not is_pdf_item_start(paragraph[0].text):
        return "block"
    return "line"


def _is_bold_start(line: PdfLine) -> bool:
    return line.fragments[0].bold or line.fragments[0].bold_lead > 0


def _is_drop_cap(previous: PdfLine, line: PdfLine) -> bool:
    """Return whether a line is a large initial letter beside the lines it begins."""
    return len(previous.text) <= 2 and previous.size > 1.8 * line.size


def _is_as_wide_as_others(previous: PdfLine, line: PdfLine, block: PdfBlock) -> bool:
    """Return whether a long line of a script without spaces ends where the one below or above ends, so that it is full.

    The column may be wider than its text: a stamp, a table or a speck of a scan reaches beyond it.
    """
    if (
        not _UNSPACED.search(previous.text[-2:])
        or len(previous.text) < _MIN_FULL_CHARACTERS
        or line.bold != previous.bold
    ):
        return False
    others = [other for other in (line, *block.lines[-2:-1]) if len(other.text) >= _MIN_FULL_CHARACTERS]
    return not _has_sentence_end(previous) and any(abs(other.x1 - previous.x1) < previous.size for other in others)


def _is_short(line: PdfLine, following: PdfLine | None, column: tuple[float, float]) -> bool:
    """Return whether the next line's first word would have fitted: the writer then ended the line on purpose."""
    width = line.x1 - line.x0
    character_width = width / max(len(line.text), 1)
    if _UNSPACED.search(line.text[-3:]):
        needed = 2.2 * line.size
    else:
        word = following.text.split(" ", 1)[0] if following else "internationally"
        needed = (min(len(word), 45) + 1) * character_width
    room = line.x0 - column[0] if is_mostly_rtl(line.text) else column[1] - line.x1
    # Lines wrapped by hand or by a count of characters are uneven: a little room means nothing.
    return room > max(needed + 0.3 * line.size, 0.07 * (column[1] - column[0]))
