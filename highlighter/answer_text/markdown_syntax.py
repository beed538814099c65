"""Emphasis beside Chinese, Japanese and Korean characters, which are written without spaces between words.

CommonMark takes `**「詞」**後` for no bold type: it asks for a space or a punctuation mark after stars that follow a
punctuation mark.
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
    """Read stars or underscores as markdown-it does; beside an East Asian character, stars need only touch a word."""
    start, known = state.pos, len(state.delimiters)
    if not tokenize(state, silent):
        return False
    before, after = state.src[max(start - 1, 0) : start], state.src[state.pos : state.pos + 1]
    if state.src[start] == "*" and _EAST_ASIAN.search(before + after):
        for delimiter in state.delimiters[known:]:
            delimiter.open, delimiter.close = bool(after.strip()), bool(before.strip())
    return True


# Rows of tables by their places in the text: markdown-it leaves out cells beyond the columns of the heading.


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


def find_cell_spans(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the spans of a row's cells without the spaces around them."""
    start, end = _strip_span(text, start, end)
    borders = [start - 1, *(found.start() for found in _PIPE.finditer(text, start, end)), end]
    for number, (before, after) in enumerate(pairwise(borders)):
        if before + 1 == after and number in (0, len(borders) - 2):
            continue  # before the first pipe and after the last
        yield _strip_span(text, before + 1, after)


def _strip_span(text: str, start: int, end: int) -> tuple[int, int]:
    words = text[start:end]
    start = end - len(words.lstrip())
    return start, max(start, start + len(words.strip()))


# The parsers of Markdown: CommonMark and tables, less links, images and HTML, which stay the text they are.


# An answer repeats what a document says, which may be written to lead its readers elsewhere. A block of indented
# lines is a model's careless list far more often than code, for which models write fences.
_DISABLED_RULES = ("autolink", "code", "html_block", "html_inline", "image", "link", "reference", "text_join")
MAX_NESTING_DEPTH = 100  # what is nested deeper is left out by the parser


@lru_cache(maxsize=1)
def get_strict_parser() -> MarkdownIt:
    """Return a parser that takes emphasis as every reader of CommonMark does."""
    return MarkdownIt("commonmark", {"maxNesting": MAX_NESTING_DEPTH}).enable("table").disable(_DISABLED_RULES)


@lru_cache(maxsize=1)
def get_answer_parser() -> MarkdownIt:
    """Return a parser of answers, which understands emphasis in Chinese and keeps all cells of a table."""
    parser = MarkdownIt("commonmark", {"maxNesting": MAX_NESTING_DEPTH}).enable("table").disable(_DISABLED_RULES)
    parser.block.ruler.at("table", read_table, {"alt": ["paragraph", "reference"]})
    parser.inline.ruler.at("emphasis", scan_emphasis)
    return parser
