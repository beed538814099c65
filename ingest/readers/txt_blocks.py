"""Lines of a plain text to blocks: what a hard line end broke is joined, what stands on lines of its own stays so."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from ingest.readers.txt_code import laid_out, parts
from ingest.readers.txt_headings import heading_level, without_marks
from ingest.readers.txt_tables import is_table, rows

_WORD = re.compile(r"[\w'’]+")
_WIDE = re.compile("[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]")
_MARKER = re.compile(
    r"(?:[•◦▪●○■□–—*+·-]|\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)]|\d{1,2}(?:\.\d{1,3})+\.?|"
    r"[（(]?[一二三四五六七八九十]{1,3}[、）)．.]|第[一二三四五六七八九十百零〇\d]{1,6}[条條])(?=[\s\u3000]|(?<=[、）．]))"
)
_RULE = re.compile(r"[-=*~#+]{3,}|(?:[*-] ){2,}[*-]|`{3,}\w*")
_STOPS = '.!?:;。！？：；…"”’)'
# A line longer than this was not broken by hand or by an old editor: the file has one paragraph a line.
_LONGEST_WRAPPED = 130


@dataclass(frozen=True, slots=True)
class Block:
    text: str
    level: int = 0  # of a heading; 0: none
    code: bool = False


@dataclass(frozen=True, slots=True)
class _Line:
    text: str
    indent: int
    width: int  # indent included; a Chinese character is two wide


def blocks(text: str) -> Iterator[Block]:
    groups = [(code, group, [] if code else _lines(group)) for code, group in parts(text)]
    groups = [(group if code else "", lines) for code, group, lines in groups if code or lines]
    usual = _usual_width([lines for _, lines in groups])
    hyphenated = _Hyphens(text)
    for number, (code, group) in enumerate(groups):
        if code:
            yield from (Block(block, code=True) for block in laid_out(code))
            continue
        near = (*groups[max(number - 1, 0) : number], *groups[number + 1 : number + 2])
        beside = tuple(lines[0].text for _, lines in near if lines)
        yield from _group_blocks(group, usual, hyphenated, first=number == 0 and bool(beside), beside=beside)


def _lines(group: str) -> list[_Line]:
    found = []
    lines = group.split("\n")
    if all(line.startswith(">") for line in lines):  # a quotation of Markdown and of letters
        lines = [line.lstrip("> ") for line in lines]
    for line in lines:
        text = line.strip(" \t\u3000")
        if text:
            indent = len(line.expandtabs(8)) - len(line.expandtabs(8).lstrip(" \u3000"))
            found.append(_Line(text, indent, indent + len(text) + len(_WIDE.findall(text))))
    return found


def _usual_width(groups: list[list[_Line]]) -> int:
    """The width at which the writer's editor broke lines; 0 when it did not break them."""
    widths = sorted(line.width for group in groups if len(group) > 1 for line in group)
    if not widths:
        return 0
    width = widths[int(len(widths) * 0.95)]
    return width if 40 <= width <= _LONGEST_WRAPPED else 0


def _group_blocks(
    group: list[_Line], usual: int, hyphens: _Hyphens, *, first: bool, beside: tuple[str, ...]
) -> Iterator[Block]:
    underlined = len(group) == 2 and re.fullmatch(r"={3,}|-{3,}", group[1].text)
    group = [line for line in group if not _RULE.fullmatch(line.text)]
    if not group:
        return
    texts = [line.text for line in group]
    if is_table(texts):
        yield Block("\n".join(rows(texts)))
        return
    level = (2 if underlined[0][0] == "-" else 1) if underlined else heading_level(texts, first=first, beside=beside)
    if level:
        yield Block(without_marks(" ".join(texts)), level)
        return
    if len(group) > 1 and (level := heading_level(texts[:1], alone=False)):
        yield Block(without_marks(texts[0]), level)
        group = group[1:]
    yield from _items(_joined(group, usual, hyphens))


def _items(logical: list[tuple[str, bool]]) -> Iterator[Block]:
    """List items and short lines stay together in one block; a paragraph before a list is a block of its own."""
    together: list[str] = []
    listed = False
    for text, marked in logical:
        apart = len(text) > _LONGEST_WRAPPED and not marked
        if together and (marked != listed or apart):
            yield Block("\n".join(together))
            together = []
        together.append(text)
        listed = marked
        if apart:
            yield Block("\n".join(together))
            together = []
    if together:
        yield Block("\n".join(together))


def _joined(group: list[_Line], usual: int, hyphens: _Hyphens) -> list[tuple[str, bool]]:
    """Logical lines, each with whether it begins with a list marker."""
    wrapped = _is_prose(group, usual)
    logical = [([_squeezed(group[0].text)], bool(_MARKER.match(group[0].text)))]
    for before, line in pairwise(group):
        text = _squeezed(line.text)
        mid_sentence = wrapped and _full(before, line, usual) and before.text[-1] not in _STOPS
        marked = bool(_MARKER.match(line.text)) and not mid_sentence
        new_paragraph = line.indent >= before.indent + 2 and before.text[-1] in _STOPS and not logical[-1][1]
        if marked or not wrapped or new_paragraph:
            logical.append(([text], marked))
        else:
            hyphens.add(logical[-1][0], text)
    return [("".join(pieces), marked) for pieces, marked in logical]


def _is_prose(group: list[_Line], usual: int) -> bool:
    """Most of its lines end where the next word would not have fitted, or in the middle of a sentence."""
    if not usual or max(line.width for line in group) > _LONGEST_WRAPPED:
        return False
    pairs = [(before, line) for before, line in pairwise(group) if not _MARKER.match(line.text)]
    running = sum(_full(*pair, usual) or _runs_on(*pair, usual) for pair in pairs)
    return bool(pairs) and running >= len(pairs) * 0.6


def _full(before: _Line, line: _Line, usual: int) -> bool:
    first_word = 2 if _WIDE.match(line.text) else len(line.text.split(None, 1)[0]) + 1
    return before.width + first_word > usual * 0.94


def _runs_on(before: _Line, line: _Line, usual: int) -> bool:
    return line.text[0].islower() and before.text[-1] not in _STOPS and before.width > usual * 0.5


def _squeezed(text: str) -> str:
    return " ".join(text.split())


class _Hyphens:
    """Joins lines; a hyphen at the end goes when the file has the whole word elsewhere."""

    def __init__(self, text: str):
        self._text = text
        self._words: frozenset[str] | None = None

    def add(self, pieces: list[str], right: str) -> None:
        left = pieces[-1]
        if _WIDE.match(left[-1]) and _WIDE.match(right):
            pieces.append(right)
        elif len(left) > 1 and left[-1] == "-" and left[-2].isalpha() and right[0].islower():
            whole = (_WORD.findall(left)[-1] + _WORD.match(right)[0]).lower()
            if whole in self._vocabulary():
                pieces[-1] = left[:-1]
            pieces.append(right)
        else:
            pieces += [" ", right]

    def _vocabulary(self) -> frozenset[str]:
        if self._words is None:
            self._words = frozenset(_WORD.findall(self._text.lower()))
        return self._words
