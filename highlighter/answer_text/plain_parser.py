"""Plain text as blocks: lines, lists and the titles of sub-questions. No character is taken for markup."""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from itertools import groupby

from highlighter.answer_text.letters import Letter, LetterBlock, join_lines
from highlighter.answer_text.tree import HEADING, ITEM, LIST, PARAGRAPH

_BULLET = re.compile(r"\s*[-•*][ \t]+(?=\S)")
_BLANK = ""


def parse_plain(text: str, titles: Set[str]) -> tuple[LetterBlock, ...]:
    """Return the blocks of plain text; a line that equals one of `titles` is a heading."""
    lines = [_line(text[start:end], start, titles) for start, end in _line_spans(text)]
    groups = groupby(lines, lambda line: line[0])
    blocks: list[LetterBlock] = []
    for kind, group in groups:
        contents = [letters for _, letters in group]
        if kind == HEADING:
            blocks += [LetterBlock(HEADING, letters, level=1) for letters in contents]
        elif kind == LIST:
            items = tuple(LetterBlock(ITEM, children=(LetterBlock(PARAGRAPH, letters),)) for letters in contents)
            if blocks and blocks[-1].kind == LIST:  # a blank line between two items ends no list
                items = blocks.pop().children + items
            blocks.append(LetterBlock(LIST, children=items))
        elif kind == PARAGRAPH:
            blocks.append(LetterBlock(PARAGRAPH, join_lines(contents)))
    return tuple(blocks)


def _line_spans(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for line in text.split("\n"):
        yield start, start + len(line)
        start += len(line) + 1


def _line(line: str, start: int, titles: Set[str]) -> tuple[str, tuple[Letter, ...]]:
    kind, lead = PARAGRAPH, 0
    if not line.strip():
        return _BLANK, ()
    if line.strip() in titles:
        kind = HEADING
    elif bullet := _BULLET.match(line):
        kind, lead = LIST, bullet.end()
    return kind, tuple(Letter(letter, start + at) for at, letter in enumerate(line) if at >= lead)
