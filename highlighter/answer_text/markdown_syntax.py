"""The Markdown syntax of answers: CommonMark with tables, and with emphasis beside East Asian characters.

CommonMark does not read `**「詞」**後` as bold: it requires a space or a punctuation mark after stars that follow a
punctuation mark, but Chinese, Japanese and Korean are written without spaces between words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_block.table import table
from markdown_it.rules_inline import StateInline
from markdown_it.rules_inline.emphasis import tokenize

_EAST_ASIAN = re.compile(
    "[\u1100-\u11ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef\U00020000-\U0003ffff]"
)


def scan_emphasis(state: StateInline, silent: bool) -> bool:
    """Scan stars or underscores as markdown-it does; beside an East Asian character, stars need only touch a word."""
    start, delimiter_count = state.pos, len(state.delimiters)
    if not tokenize(state, silent):
        return False
    before, after = state.src[max(start - 1, 0) : start], state.src[state.pos : state.pos + 1]
    if state.src[start] == "*" and _EAST_ASIAN.search(before + after):
        for delimiter in state.delimiters[delimiter_count:]:
            delimiter.open, delimiter.close = bool(after.strip()), bool(before.strip())
    return True


# Table rows keep their spans in the text: markdown-it drops cells beyond the columns of the heading.


_PIPE = re.compile(r"(?<!\\)\|")


def read_table(state: StateBlock, start_line: int, end_line: int, silent: bool) -> bool:
    """Read a table as markdown-it does, and store the span of each row."""
    token_count = len(state.tokens)
    if not table(state, start_line, end_line, silent):
        return False
    for token in state.tokens[token_count:]:
        if token.type == "tr_open" and token.map:
            line_number = token.map[0]
            token.meta["span"] = (state.bMarks[line_number] + state.tShift[line_number], state.eMarks[line_number])
    return True


def find_cell_spans(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the spans of a row's cells without surrounding spaces."""
    start, end = _strip_span(text, start, end)
    borders = [start - 1, *(pipe.start() for pipe in _PIPE.finditer(text, start, end)), end]
    for number, (before, after) in enumerate(pairwise(borders)):
        if before + 1 == after and number in (0, len(borders) - 2):
            continue  # before the first pipe and after the last
        yield _strip_span(text, before + 1, after)


def _strip_span(text: str, start: int, end: int) -> tuple[int, int]:
    content = text[start:end]
    start = end - len(content.lstrip())
    return start, max(start, start + len(content.strip()))


# Parsers without links, images and HTML, which stay literal text.


# An answer repeats what a document says, and a document may hold links that mislead readers. Indented lines are a
# model's careless list far more often than code, for which models write fences.
_DISABLED_RULES = ("autolink", "code", "html_block", "html_inline", "image", "link", "reference", "text_join")
MAX_NESTING_DEPTH = 100  # the parser drops deeper content


@lru_cache(maxsize=1)
def get_strict_parser() -> MarkdownIt:
    """Return a parser that reads emphasis as every CommonMark reader does."""
    return MarkdownIt("commonmark", {"maxNesting": MAX_NESTING_DEPTH}).enable("table").disable(_DISABLED_RULES)


@lru_cache(maxsize=1)
def get_answer_parser() -> MarkdownIt:
    """Return a parser of answers, which reads emphasis in Chinese and keeps all cells of a table."""
    parser = MarkdownIt("commonmark", {"maxNesting": MAX_NESTING_DEPTH}).enable("table").disable(_DISABLED_RULES)
    parser.block.ruler.at("table", read_table, {"alt": ["paragraph", "reference"]})
    parser.inline.ruler.at("emphasis", scan_emphasis)
    return parser
