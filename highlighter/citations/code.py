"""Code and links in a text: what stands there is left alone. Each function says where it ends, or WAIT."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final


class Wait:
    """More text may change the answer."""


WAIT: Final = Wait()
SPAN, RUN, LINK = 1_000, 200, 1_000  # characters: a longer one is none

_BLANK_LINE = re.compile(r"\n[ \t]*\n")
_BEFORE_A_BLOCK = re.compile(r"(?:^|\n)[ \t>]*(?:(?:[-*+]|\d{1,3}[.)])[ \t]+)?\Z")
_INFO = re.compile(r"[^`\n]*\n")
_LINK = re.compile(r"\s*(?:<[^<>]*>|[^\s<>]*)(?:\s+(?:\"[^\"]*\"|'[^']*'))?\s*")


@dataclass(frozen=True, slots=True)
class Block:
    fence: str
    begins: int


def ticks(text: str, at: int, before: str, final: bool) -> int | Block | Wait:
    """A span or a block of code that begins here; the end of the ticks where they begin none."""
    character = text[at]
    end = at
    while end < len(text) and text[end] == character and end - at < RUN:
        end += 1
    if end == len(text) and not final:
        return WAIT
    fence = text[at:end]
    if len(fence) >= 3 and _BEFORE_A_BLOCK.search(before):
        info = _INFO.match(text, end, end + RUN)
        if info:
            return Block(fence, info.end())
        if len(text) - end < RUN and "`" not in text[end:]:
            return Block(fence, len(text)) if final else WAIT
    return _span(text, end, fence, final) if character == "`" else end


def _span(text: str, begins: int, fence: str, final: bool) -> int | Wait:
    window = text[begins : begins + SPAN]
    blank = _BLANK_LINE.search(window)
    closing = re.compile(rf"(?<!`){fence}(?!`)").search(window[: blank.start()] if blank else window)
    if closing and (closing.end() < len(window) or final or len(window) == SPAN):
        return begins + closing.end()
    if blank is None and len(window) < SPAN and not final:
        return WAIT
    return begins


def out_of_block(text: str, at: int, fence: str, final: bool) -> tuple[int, bool]:
    """How far a block of code goes that is open here, as far as that is known, and whether it ends there."""
    closing = re.compile(rf"(?:^|\n)[ \t>]*{re.escape(fence)}{re.escape(fence[0])}*[ \t]{{0,{RUN}}}(?=\n|\Z)")
    line = text.rfind("\n", 0, at) + 1
    found = closing.search(text, max(line - 1, 0))
    while found and found.end() <= at:
        found = closing.search(text, found.end())
    if found and (found.end() < len(text) or final):
        return found.end(), True
    if final:
        return len(text), False
    # A line that may yet become the closing one is held; a long one cannot.
    last = text.rfind("\n") + 1
    undecided = re.compile(rf"[ \t>]*{re.escape(fence[0])}*[ \t]*\Z").match(text, last)
    return (max(last, at) if undecided and len(text) - last <= RUN else len(text)), False


def end_of_link(text: str, at: int, final: bool) -> int | Wait:
    """Where the address in round brackets ends that begins at `at`; `at` itself when it is no address."""
    depth = 0
    for place in range(at, min(len(text), at + LINK)):
        character = text[place]
        if character == "\n":
            return at
        depth += (character == "(") - (character == ")")
        if depth == 0:
            return place + 1 if _LINK.fullmatch(text, at + 1, place) else at
    return at if final or len(text) - at >= LINK else WAIT
