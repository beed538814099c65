"""Brackets and quotation marks: what stands inside a short pair is not split from its sentence."""

from __future__ import annotations

import re

# Longer than these a pair is a passage of its own sentences (or no pair at all), and is split like any text.
BRACKET_LIMIT = 300
QUOTE_LIMIT = 200
# Openers remembered: nobody nests deeper, and a file of nothing but "(" stays cheap.
_DEPTH = 30

_BRACKETS = {"(": ")", "[": "]", "{": "}", "（": "）", "［": "］", "【": "】", "〔": "〕", "《": "》", "〈": "〉"}
_QUOTES = {"「": "」", "『": "』", "“": "”", "„": "“", "«": "»", "»": "«", "‹": "›", '"': '"'}
_CLOSERS = {**_BRACKETS, **_QUOTES}
_MARK = re.compile("[" + re.escape("".join({*_CLOSERS, *_CLOSERS.values()})) + "]")


def enclosed(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The outermost short pairs in `text[start:end]`, in order: (offset of the opener, offset after the closer)."""
    pairs: list[tuple[int, int]] = []
    waiting: list[tuple[str, int]] = []
    for match in _MARK.finditer(text, start, end):
        mark, at = match.group(), match.start()
        found = next((i for i in range(len(waiting) - 1, -1, -1) if _closes(waiting[i][0], mark, text, at)), None)
        if found is None:
            if mark in _CLOSERS and not (mark == "»" and text[at - 1 : at].isspace()):
                waiting = [*waiting[1 - _DEPTH :], (mark, at)]
            continue
        opener, begin = waiting[found]
        del waiting[found:]
        if at - begin <= (QUOTE_LIMIT if opener in _QUOTES else BRACKET_LIMIT):
            while pairs and pairs[-1][0] >= begin:
                pairs.pop()
            pairs.append((begin, at + 1))
    return pairs


def _closes(opener: str, mark: str, text: str, at: int) -> bool:
    # A straight quotation mark after a space opens; „ is closed by “ (German) or ” (Polish, Dutch).
    if mark == '"' and text[at - 1].isspace():
        return False
    return _CLOSERS[opener] == mark or (opener == "„" and mark == "”")
