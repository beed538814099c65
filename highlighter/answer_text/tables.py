"""Rows of tables by their places in the text: markdown-it leaves out cells beyond the columns of the heading."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from markdown_it.rules_block import StateBlock
from markdown_it.rules_block.table import table

_PIPE = re.compile(r"(?<!\\)\|")


def read_table(state: StateBlock, start_line: int, end_line: int, silent: bool) -> bool:
    """Read a table as markdown-it does, and note where each row stands."""
    known = len(state.tokens)
    if not table(state, start_line, end_line, silent):
        return False
    for token in state.tokens[known:]:
        if token.type == "tr_open":
            line = token.map[0]
            token.meta["span"] = (state.bMarks[line] + state.tShift[line], state.eMarks[line])
    return True


def cell_spans(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the spans of a row's cells without the spaces around them."""
    start, end = _stripped(text, start, end)
    borders = [start - 1, *(found.start() for found in _PIPE.finditer(text, start, end)), end]
    for number, (before, after) in enumerate(pairwise(borders)):
        if before + 1 == after and number in (0, len(borders) - 2):
            continue  # before the first pipe and after the last
        yield _stripped(text, before + 1, after)


def _stripped(text: str, start: int, end: int) -> tuple[int, int]:
    words = text[start:end]
    start = end - len(words.lstrip())
    return start, max(start, start + len(words.strip()))
