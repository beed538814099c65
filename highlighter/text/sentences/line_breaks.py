"""Line breaks that end a sentence, as opposed to those that only wrap one."""

from __future__ import annotations

import re
from itertools import pairwise

from highlighter.text.sentences.list_markers import starts_item
from highlighter.text.sentences.word_lists import NOUNS_BEFORE_NUMBERS, word_set

_LINE = re.compile(r"[^\n\r\v\f\x1c-\x1e\x85\u2028\u2029]+")
_PARAGRAPH_BREAKS = frozenset("\f\u2029\x1c\x1d\x1e")
_FINAL_STOP = re.compile(r"[.!?。！？…؟۔।॥։።][\"'”’»)\]」』）]*$")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")
_MAX_MENU_LINE_CHARACTERS = 40  # a list of short lines without a stop is a menu, an address, a list of features
# No one wraps prose more narrowly than this; a paragraph of shorter lines was broken on purpose.
_MIN_WRAP_CHARACTERS = 30
# Of the paragraph's width: a shorter line was ended on purpose (proportional type makes lines uneven).
_FULL_LINE_RATIO = 0.7

# A line that ends with one of these words continues on the next.
NEVER_LAST_WORDS = word_set(
    "the a an of and or to in on at by for from with as that which who is are was were be been has have had not into than",
    "de la le les des du et ou en el los las y o der die das den dem und oder von mit zu im di il che e per",
)

LineSpan = tuple[int, int]


def split_units(text: str, wrapped: bool) -> list[LineSpan]:
    """Return spans whose borders always end a sentence. `wrapped`: the lines of a paragraph may be broken anywhere."""
    lines = [line for match in _LINE.finditer(text) if (line := _trim_line(text, *match.span()))]
    if not wrapped:
        return lines
    units: list[LineSpan] = []
    for block in _group_blocks(text, lines):
        start = block[0][0]
        for index, border in enumerate(_find_borders(text, block)):
            if border:
                units.append((start, block[index][1]))
                start = block[index + 1][0]
        units.append((start, block[-1][1]))
    return units


def _trim_line(text: str, start: int, end: int) -> LineSpan | None:
    piece = text[start:end]
    trimmed = piece.strip()
    if not trimmed:
        return None
    start += len(piece) - len(piece.lstrip())
    return start, start + len(trimmed)


def _group_blocks(text: str, lines: list[LineSpan]) -> list[list[LineSpan]]:
    blocks: list[list[LineSpan]] = []
    for line in lines:
        gap = text[blocks[-1][-1][1] : line[0]].replace("\r\n", "\n") if blocks else ""
        breaks = sum(char in "\n\r\v\x85\u2028" for char in gap)
        if blocks and breaks < 2 and _PARAGRAPH_BREAKS.isdisjoint(gap):
            blocks[-1].append(line)
        else:
            blocks.append([line])
    return blocks


def _find_borders(text: str, block: list[LineSpan]) -> list[bool]:
    """Return for each line but the last whether it ends a sentence."""
    if len(block) < 2:
        return []
    lengths = sorted(end - start for start, end in block)
    width = lengths[-1 - len(block) // 5]  # a few overlong lines (web addresses) do not count
    is_uneven = width < _MIN_WRAP_CHARACTERS or lengths[len(block) // 2] < _FULL_LINE_RATIO * width
    is_menu = len(block) > 2 and is_uneven and all(_is_menu_line(text, *line) for line in block)
    return [is_menu or _is_border(text, line, following, width) for line, following in pairwise(block)]


def _is_menu_line(text: str, start: int, end: int) -> bool:
    return (
        end - start <= _MAX_MENU_LINE_CHARACTERS
        and not _FINAL_STOP.search(text, max(start, end - 6), end)
        and text[end - 1] != ","
    )


def _is_border(text: str, line: LineSpan, following: LineSpan, width: int) -> bool:
    (start, end), (next_start, next_end) = line, following
    last, first = text[end - 1], text[next_start]
    if _is_table_row(text, *line) or _is_table_row(text, *following):
        return True
    if _FINAL_STOP.search(text, max(start, end - 6), end):
        return starts_item(text, next_start)  # otherwise the words around the stop decide, as within a line
    word = re.split(r"\s", text[max(start, end - 20) : end])[-1].lower()
    if first.isdigit() and word in NOUNS_BEFORE_NUMBERS and not starts_item(text, start):
        return False  # "see clause" | "4.2 for details"
    if starts_item(text, next_start) and (starts_item(text, start) or word not in NEVER_LAST_WORDS):
        return True
    if last in ",-–—" or word in NEVER_LAST_WORDS:
        return False
    if first.islower():
        return last == ";" and starts_item(text, start)
    if _CJK.match(first) and _CJK.match(last):
        return width - (end - start) > 2
    if last in ":;：；":
        return True
    room = width - (end - start)
    first_word = text[next_start:next_end].split(maxsplit=1)[0]
    return width < _MIN_WRAP_CHARACTERS or (room > len(first_word) + 1 and end - start < _FULL_LINE_RATIO * width)


def _is_table_row(text: str, start: int, end: int) -> bool:
    tab = text.find("\t", start, end)
    return tab >= 0 and not (tab - start < 8 and starts_item(text, start) and text.find("\t", tab + 1, end) < 0)
