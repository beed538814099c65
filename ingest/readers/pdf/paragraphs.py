"""Lines of one column into paragraphs and list items."""

from __future__ import annotations

import itertools
import re

from ingest.readers.pdf.blocks import TEXT, Block, Line
from ingest.readers.pdf.columns import is_rtl
from ingest.readers.pdf.joining import HYPHENS

_BULLET = re.compile(r"^[•◦▪▫■□●○‣⁃∙·\uf0b7\uf0a7\uf0d8➢✓]\s*|^[–—*-]\s+(?=\S)|^o\s+(?=[A-Z])")
_NUMBERED = re.compile(
    r"^(?:\(?(?:\d{1,3}|[a-zA-Z]|[ivxlcIVXLC]{1,6})[.)\]]\s|\((?:\d{1,3}|[a-zA-Z]{1,2}|[ivxlcIVXLC]{1,6})\)"
    r"|\d{1,3}(?:\.\d{1,3})+\.?\s|(?:ARTICLE|Article|SECTION|Section|Clause|CLAUSE|Chapter|CHAPTER|Schedule|SCHEDULE)\s"
    r"[\dIVXLC]+|§+\s?\d|第[一二三四五六七八九十百\d]+[条條章节節款]|[一二三四五六七八九十]{1,3}[、．]|[（(][一二三四五六七八九十]{1,3}[)）])"
)
# A note's mark may follow the stop.
_ENDS = re.compile(r"[.!?:;。！？：；؟।…][\"'”’»)\]）」』]*(?:\[(?:\d{1,3}|[*∗†‡§¶]{1,3})\])?$")
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")


def ends_sentence(text: str) -> bool:
    return bool(_ENDS.search(text.rstrip()))


def _ended(line: Line) -> bool:
    """Whether a line ends a sentence, a note's mark after the stop or not."""
    fragment = line.fragments[-1]
    behind = fragment.marks[-1][1] if fragment.marks and sum(fragment.marks[-1]) == len(fragment.text) else 0
    return ends_sentence(line.text[: len(line.text) - behind])


def _begins_note(line: Line) -> bool:
    first = line.fragments[0]
    return bool(first.marks) and first.marks[0][0] == 0 and line.text[first.marks[0][1] :].strip()[:1].isalpha()


def starts_item(text: str) -> bool:
    return bool(_BULLET.match(text) or _NUMBERED.match(text))


def paragraphs(lines: list[Line], column: tuple[float, float]) -> list[Block]:
    """Blocks in order. A block's items are the paragraphs that stand without white between them: a list, an address."""
    blocks: list[Block] = []
    leading = _leading(lines)
    for at, line in enumerate(lines):
        previous = lines[at - 1] if at else None
        if previous is None:
            blocks.append(Block(TEXT, [[[line]]], column=column))
            continue
        step = _step(previous, line, blocks[-1], leading, column)
        if step == "line":
            blocks[-1].items[-1][0].append(line)
        elif step == "item":
            blocks[-1].items.append([[line]])
        else:
            pitch = line.base - previous.base
            gap = pitch / leading if leading else 1.0
            blocks.append(Block(TEXT, [[[line]]], column=column, gap=gap))
    for block in blocks:
        block.full = not _is_short(block.last, None, column)
    return blocks


def _leading(lines: list[Line]) -> float:
    """The usual distance between the baselines of this column's lines; 0 when there is none to see."""
    pitches = sorted(
        pitch
        for a, b in itertools.pairwise(lines)
        if 0 < (pitch := b.base - a.base) < 3.2 * b.size and abs(a.size - b.size) < 0.1 * b.size
    )
    return pitches[int(len(pitches) * 0.4)] if pitches else 0.0


def _step(previous: Line, line: Line, block: Block, leading: float, column: tuple[float, float]) -> str:
    """How a line follows the one above: 'line' of the same paragraph, 'item' of its own, or new 'block'."""
    pitch = line.base - previous.base
    usual = leading if leading else 1.4 * line.size
    far = pitch > max(1.24 * usual, 1.05 * line.size) or pitch < -0.5 * line.size
    if abs(line.size - previous.size) > 0.12 * max(line.size, previous.size) and not _is_drop(previous, line):
        return "block"
    if far or _begins_note(line):
        return "block"
    short = _is_short(previous, line, column)
    if short and (line.bold != previous.bold or _is_set_otherwise(previous, line)):
        return "block"
    titled = _starts_bold(line) and not _starts_bold(previous) and _ended(previous)
    if titled and _is_short(previous, None, column):
        return "block"  # a paragraph with its title run in
    if _BULLET.match(line.text):
        return "item" if starts_item(block.items[-1][0][0].text) or len(block.items) > 1 else "block"
    ended = _ended(previous)
    marked = starts_item(line.text)
    if marked and (short or ended or (starts_item(previous.text) and len(previous.text) < 6)):
        return "item" if starts_item(block.items[-1][0][0].text) else "block"
    return _by_shape(previous, line, block, short, ended)


def _is_set_otherwise(previous: Line, line: Line) -> bool:
    """Slanted after upright, or in another typeface; a sentence may go on so, and two scripts are two typefaces."""
    if line.text[:1].islower() or previous.text[-1:] in HYPHENS or _UNSPACED.search(previous.text + line.text):
        return False
    return line.italic != previous.italic or line.face != previous.face


def _by_shape(previous: Line, line: Line, block: Block, short: bool, ended: bool) -> str:
    paragraph = block.items[-1][0]
    centred = abs((line.x0 + line.x1) - (previous.x0 + previous.x1)) < 1.5 * line.size
    indent = line.x0 - previous.x0
    if centred and abs(indent) > 0.5 * line.size:
        return "line" if not ended or line.text[:1].islower() else "block"
    if previous.text[-1:] in HYPHENS and line.text[:1].islower():
        return "line"
    if 0.7 * line.size < indent < 8 * line.size and (short or ended) and not starts_item(paragraph[0].text):
        return "block" if not line.text[:1].islower() else "line"
    if short and not line.text[:1].islower():
        return "block" if ended or len(paragraph) > 1 else "item"
    if indent < -0.7 * line.size and len(paragraph) > 1 and ended and not starts_item(paragraph[0].text):
        return "block"
    return "line"


def _starts_bold(line: Line) -> bool:
    return line.fragments[0].bold or line.fragments[0].lead > 0


def _is_drop(previous: Line, line: Line) -> bool:
    """A big first letter beside the lines that it begins."""
    return len(previous.text) <= 2 and previous.size > 1.8 * line.size


def _is_short(line: Line, following: Line | None, column: tuple[float, float]) -> bool:
    """Whether the next line's first word would still have found room: then somebody ended the line on purpose."""
    width = line.x1 - line.x0
    each = width / max(len(line.text), 1)
    if _UNSPACED.search(line.text[-3:]):
        needed = 2.2 * line.size
    else:
        word = following.text.split(" ", 1)[0] if following else "internationally"
        needed = (min(len(word), 30) + 1) * each
    room = line.x0 - column[0] if is_rtl(line.text) else column[1] - line.x1
    # Lines broken by hand or by a count of letters are uneven: a little room is no sign.
    return room > max(needed + 0.3 * line.size, 0.07 * (column[1] - column[0]))
