"""What a page is made of once its reading order is known."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, field
from itertools import pairwise

from ingest.readers.pdf.columns import is_mostly_rtl
from ingest.readers.pdf.fragments import Fragment
from ingest.readers.pdf.line_joining import HYPHENS

TEXT, TABLE, NOTE, HIDDEN = "text", "table", "note", "hidden"


class PdfLine:
    """Fragments that are read one after the other, on one baseline."""

    __slots__ = ("base", "bold", "face", "fragments", "italic", "joints", "size", "text", "x0", "x1", "y0", "y1")

    def __init__(self, fragments: list[Fragment]):
        self.fragments = fragments
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
    """A space, save between what touches: a letter and its index, which stand on different baselines."""
    apart = max(b.x0 - a.x1, a.x0 - b.x1)
    return "" if apart < 0.1 * min(a.size, b.size) and abs(a.base - b.base) > 0.05 * a.size else " "


Cell = list[PdfLine]
BlockItem = list[Cell]  # a paragraph or list item is one cell; a table's row several


@dataclass(slots=True)
class PdfBlock:
    """Items are parted by a line break, blocks by a blank line. Only text blocks can be headings or go on elsewhere."""

    kind: str
    items: list[BlockItem]
    is_full: bool = False  # its last line reaches the end of its column: the paragraph may go on in the next
    column: tuple[float, float] = (0.0, 0.0)
    region: tuple[int, int] = (0, 0)  # the page and which of its columns or bands
    blocks_above: int = 0  # how many blocks stand above it there
    blocks_below: int = 0  # and below
    gap: float = 0.0  # white above it, in lines
    hidden_reason: str = ""  # of hidden text
    headings: list[tuple[int, int, int]] = field(
        default_factory=list
    )  # headings: (item, characters or 0 for all, level)

    @property
    def lines(self) -> list[PdfLine]:
        return [line for item in self.items for cell in item for line in cell]

    @property
    def first(self) -> PdfLine:
        return self.items[0][0][0]

    @property
    def last(self) -> PdfLine:
        return self.items[-1][-1][-1]


# Lines of one column into paragraphs and list items.


_BULLET_START = re.compile(r"^[•◦▪▫■□●○‣⁃∙·\uf0b7\uf0a7\uf0d8➢✓]\s*|^[–—*-]\s+(?=\S)|^o\s+(?=[A-Z])")
_NUMBER_START = re.compile(
    r"^(?:\(?(?:\d{1,3}|[a-zA-Z]|[ivxlcIVXLC]{1,6})[.)\]]\s|\((?:\d{1,3}|[a-zA-Z]{1,2}|[ivxlcIVXLC]{1,6})\)"
    r"|\d{1,3}(?:\.\d{1,3})+\.?\s|(?:ARTICLE|Article|SECTION|Section|Clause|CLAUSE|Chapter|CHAPTER|Schedule|SCHEDULE)\s"
    r"[\dIVXLC]+|§+\s?\d|第[一二三四五六七八九十百\d]+[条條章节節款]|[一二三四五六七八九十]{1,3}[、．]|[（(][一二三四五六七八九十]{1,3}[)）])"
)
# A note's mark may follow the stop.
_SENTENCE_END = re.compile(r"[.!?:;。！？：；؟।…][\"'”’»)\]）」』]*(?:\[(?:\d{1,3}|[*∗†‡§¶]{1,3})\])?$")
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")


def is_sentence_end(text: str) -> bool:
    return bool(_SENTENCE_END.search(text.rstrip()))


def _has_sentence_end(line: PdfLine) -> bool:
    """Whether a line ends a sentence, a note's mark after the stop or not."""
    fragment = line.fragments[-1]
    behind = fragment.marks[-1][1] if fragment.marks and sum(fragment.marks[-1]) == len(fragment.text) else 0
    return is_sentence_end(line.text[: len(line.text) - behind])


def _is_note_start(line: PdfLine) -> bool:
    first = line.fragments[0]
    return bool(first.marks) and first.marks[0][0] == 0 and line.text[first.marks[0][1] :].strip()[:1].isalpha()


def is_item_start(text: str) -> bool:
    return bool(_BULLET_START.match(text) or _NUMBER_START.match(text))


def build_paragraphs(lines: list[PdfLine], column: tuple[float, float]) -> list[PdfBlock]:
    """Blocks in order. A block's items are the paragraphs that stand without white between them: a list, an address."""
    blocks: list[PdfBlock] = []
    leading = _estimate_leading(lines)
    for at, line in enumerate(lines):
        previous = lines[at - 1] if at else None
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
    """The usual distance between the baselines of this column's lines; 0 when there is none to see."""
    pitches = sorted(
        pitch
        for a, b in itertools.pairwise(lines)
        if 0 < (pitch := b.base - a.base) < 3.2 * b.size and abs(a.size - b.size) < 0.1 * b.size
    )
    return pitches[int(len(pitches) * 0.4)] if pitches else 0.0


def _classify_step(
    previous: PdfLine, line: PdfLine, block: PdfBlock, leading: float, column: tuple[float, float]
) -> str:
    """How a line follows the one above: 'line' of the same paragraph, 'item' of its own, or new 'block'."""
    pitch = line.base - previous.base
    usual = leading if leading else 1.4 * line.size
    far = pitch > max(1.24 * usual, 1.05 * line.size) or pitch < -0.5 * line.size
    if abs(line.size - previous.size) > 0.12 * max(line.size, previous.size) and not _is_drop_cap(previous, line):
        return "block"
    if far or _is_note_start(line):
        return "block"
    short = _is_short(previous, line, column)
    if short and (line.bold != previous.bold or _has_other_style(previous, line)):
        return "block"
    titled = _is_bold_start(line) and not _is_bold_start(previous) and _has_sentence_end(previous)
    if titled and _is_short(previous, None, column):
        return "block"  # a paragraph with its title run in
    if _BULLET_START.match(line.text):
        return "item" if is_item_start(block.items[-1][0][0].text) or len(block.items) > 1 else "block"
    ended = _has_sentence_end(previous)
    marked = is_item_start(line.text)
    if marked and (short or ended or (is_item_start(previous.text) and len(previous.text) < 6)):
        return "item" if is_item_start(block.items[-1][0][0].text) else "block"
    return _classify_by_shape(previous, line, block, short, ended)


def _has_other_style(previous: PdfLine, line: PdfLine) -> bool:
    """Slanted after upright, or in another typeface; a sentence may go on so, and two scripts are two typefaces."""
    if line.text[:1].islower() or previous.text[-1:] in HYPHENS or _UNSPACED.search(previous.text + line.text):
        return False
    return line.italic != previous.italic or line.face != previous.face


def _classify_by_shape(previous: PdfLine, line: PdfLine, block: PdfBlock, short: bool, ended: bool) -> str:
    paragraph = block.items[-1][0]
    centred = abs((line.x0 + line.x1) - (previous.x0 + previous.x1)) < 1.5 * line.size
    indent = line.x0 - previous.x0
    if centred and abs(indent) > 0.5 * line.size:
        return "line" if not ended or line.text[:1].islower() else "block"
    if previous.text[-1:] in HYPHENS and line.text[:1].islower():
        return "line"
    if 0.7 * line.size < indent < 8 * line.size and (short or ended) and not is_item_start(paragraph[0].text):
        return "block" if not line.text[:1].islower() else "line"
    if short and not line.text[:1].islower():
        return "block" if ended or len(paragraph) > 1 else "item"
    if indent < -0.7 * line.size and len(paragraph) > 1 and ended and not is_item_start(paragraph[0].text):
        return "block"
    return "line"


def _is_bold_start(line: PdfLine) -> bool:
    return line.fragments[0].bold or line.fragments[0].bold_lead > 0


def _is_drop_cap(previous: PdfLine, line: PdfLine) -> bool:
    """A big first letter beside the lines that it begins."""
    return len(previous.text) <= 2 and previous.size > 1.8 * line.size


def _is_short(line: PdfLine, following: PdfLine | None, column: tuple[float, float]) -> bool:
    """Whether the next line's first word would still have found room: then somebody ended the line on purpose."""
    width = line.x1 - line.x0
    each = width / max(len(line.text), 1)
    if _UNSPACED.search(line.text[-3:]):
        needed = 2.2 * line.size
    else:
        word = following.text.split(" ", 1)[0] if following else "internationally"
        needed = (min(len(word), 30) + 1) * each
    room = line.x0 - column[0] if is_mostly_rtl(line.text) else column[1] - line.x1
    # Lines broken by hand or by a count of letters are uneven: a little room is no sign.
    return room > max(needed + 0.3 * line.size, 0.07 * (column[1] - column[0]))
