"""Which line breaks end a sentence, and which only wrap one."""

from __future__ import annotations

import re

from highlighter.sentences.markers import starts_item
from highlighter.sentences.words import TAKES_NUMBER, of

_LINE = re.compile(r"[^\n\r\v\f\x1c-\x1e\x85\u2028\u2029]+")
_PARAGRAPH_BREAKS = frozenset("\f\u2029\x1c\x1d\x1e")
_STOPPED = re.compile(r"[.!?。！？…؟۔।॥։።][\"'”’»)\]」』）]*$")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")
_MENU_LINE = 40  # a list of short lines without a stop is a menu, an address, a list of features
_NARROWEST = 30  # no one wraps prose more narrowly than this; a paragraph of shorter lines was broken on purpose
_FULL = 0.7  # of the paragraph's width: a shorter line was ended on purpose (proportional type makes lines uneven)

# A line that ends with one of these is not over.
_HANGING = of(
    "the a an of and or to in on at by for from with as that which who is are was were be been has have had not into than",
    "de la le les des du et ou en el los las y o der die das den dem und oder von mit zu im di il che e per",
)

Line = tuple[int, int]


def units(text: str, wrapped: bool) -> list[Line]:
    """Stretches whose borders always end a sentence. `wrapped`: lines of a paragraph may be broken anywhere."""
    lines = [line for match in _LINE.finditer(text) if (line := _trimmed(text, *match.span()))]
    if not wrapped:
        return lines
    found: list[Line] = []
    for block in _blocks(text, lines):
        start = block[0][0]
        for at, border in enumerate(_borders(text, block)):
            if border:
                found.append((start, block[at][1]))
                start = block[at + 1][0]
        found.append((start, block[-1][1]))
    return found


def _trimmed(text: str, start: int, end: int) -> Line | None:
    piece = text[start:end]
    kept = piece.strip()
    if not kept:
        return None
    start += len(piece) - len(piece.lstrip())
    return start, start + len(kept)


def _blocks(text: str, lines: list[Line]) -> list[list[Line]]:
    blocks: list[list[Line]] = []
    for line in lines:
        gap = text[blocks[-1][-1][1] : line[0]].replace("\r\n", "\n") if blocks else ""
        breaks = sum(char in "\n\r\v\x85\u2028" for char in gap)
        if blocks and breaks < 2 and _PARAGRAPH_BREAKS.isdisjoint(gap):
            blocks[-1].append(line)
        else:
            blocks.append([line])
    return blocks


def _borders(text: str, block: list[Line]) -> list[bool]:
    """For each line but the last: does it end a sentence?"""
    if len(block) < 2:
        return []
    lengths = sorted(end - start for start, end in block)
    width = lengths[-1 - len(block) // 5]  # a few overlong lines (an address of the web) are no measure
    uneven = width < _NARROWEST or lengths[len(block) // 2] < _FULL * width
    menu = len(block) > 2 and uneven and all(_menu_item(text, *line) for line in block)
    return [menu or _is_border(text, block[at], block[at + 1], width) for at in range(len(block) - 1)]


def _menu_item(text: str, start: int, end: int) -> bool:
    return end - start <= _MENU_LINE and not _STOPPED.search(text, max(start, end - 6), end) and text[end - 1] != ","


def _is_border(text: str, line: Line, following: Line, width: int) -> bool:
    (start, end), (next_start, next_end) = line, following
    last, first = text[end - 1], text[next_start]
    if _is_row(text, *line) or _is_row(text, *following):
        return True
    if _STOPPED.search(text, max(start, end - 6), end):
        return starts_item(text, next_start)  # an ordinary stop: the words around it decide, as within a line
    word = re.split(r"\s", text[max(start, end - 20) : end])[-1].lower()
    if first.isdigit() and word in TAKES_NUMBER and not starts_item(text, start):
        return False  # "see clause" | "4.2 for details"
    if starts_item(text, next_start) and (starts_item(text, start) or word not in _HANGING):
        return True
    if last in ",-–—" or word in _HANGING:
        return False
    if first.islower():
        return last == ";" and starts_item(text, start)
    if _CJK.match(first) and _CJK.match(last):
        return width - (end - start) > 2
    if last in ":;：；":
        return True
    room = width - (end - start)
    first_word = re.match(r"\S+", text[next_start:next_end]).end()
    return width < _NARROWEST or (room > first_word + 1 and end - start < _FULL * width)


def _is_row(text: str, start: int, end: int) -> bool:
    tab = text.find("\t", start, end)
    return tab >= 0 and not (tab - start < 8 and starts_item(text, start) and text.find("\t", tab + 1, end) < 0)
