"""Emphasis beside Chinese, Japanese and Korean characters, which are written without spaces between words.

CommonMark takes `**「詞」**後` for no bold type: it asks for a space or a punctuation mark after stars that follow a
punctuation mark.
"""

from __future__ import annotations

import re

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
