"""Which lines of a plain text are headings: only those that can hardly be anything else."""

from __future__ import annotations

import re

_MARKDOWN = re.compile(r"(#{1,6})\s+(\S.*?)(?:\s+#+)?\s*")
_NUMBERED = re.compile(r"(\d{1,2}(?:\.\d{1,3}){0,4})\.?\s+([A-Z][^.;:!?,\[]{2,70})")
_NAMED = re.compile(
    r"(?:Article|Section|Chapter|Part|Schedule|Appendix|Annex|Exhibit)\s+(?:\d+(?:\.\d+)*|[IVXLC]+|[A-Z])"
    r"\b[^;!?]{0,70}(?<![.,:])",
    re.IGNORECASE,
)
_CHAPTER = re.compile(r"第[一二三四五六七八九十百零〇\d]{1,6}([章编編篇部分节節])(?:[\s\u3000:：].{0,40}|.{0,20})?")
_CHAPTER_LEVELS = {"节": 2, "節": 2}
_LONGEST, _MOST_LINES = 120, 3
_END_OF_SENTENCE = tuple(".,;:!?。，；：！？、")


def heading_level(lines: list[str], *, first: bool = False, alone: bool = True, beside: tuple[str, ...] = ()) -> int:
    """The level of a group of lines as a heading; 0 when it is none.

    `first`: it opens the file and more follows. `alone`: blank lines stand around it; else only a mark will do.
    `beside`: the lines above and below, for "1. Milk" above "2. Eggs" is an item of a list.
    """
    text = " ".join(lines[:_MOST_LINES])
    if len(lines) > _MOST_LINES or len(text) > _LONGEST * len(lines):
        return 0
    if len(lines) == 1 and (mark := _MARKDOWN.fullmatch(text)):
        return len(mark[1])
    if not alone:
        return 0
    if chapter := _CHAPTER.fullmatch(text):
        return _CHAPTER_LEVELS.get(chapter[1], 1)
    if text.endswith(_END_OF_SENTENCE):
        return 0
    if _shouted(text):
        number = re.match(r"\d+(\.\d+)+", text)
        return number[0].count(".") + 1 if number else 1
    if len(lines) > 1:
        return 0
    if depth := _numbered_depth(text):
        return 0 if depth in map(_numbered_depth, beside) else depth
    if _NAMED.fullmatch(text) and len(text.split()) <= 12:
        return 1
    return 1 if first and len(text) <= 60 else 0


def without_marks(text: str) -> str:
    mark = _MARKDOWN.fullmatch(text)
    return " ".join((mark[2] if mark else text).split())


def _numbered_depth(text: str) -> int:
    """1 for "3 Scope", 2 for "3.1 Terms"; 0 for what is no numbered title."""
    numbered = _NUMBERED.fullmatch(text) if len(text.split()) <= 10 else None
    return numbered[1].count(".") + 1 if numbered else 0


def _shouted(text: str) -> bool:
    """In capitals throughout, and long enough not to be an abbreviation or a page number."""
    letters = [char for char in text if char.isalpha()]
    return len(letters) >= 5 and text.upper() == text and text.lower() != text and len(letters) > len(text) / 2
