"""Which lines of a plain text are headings: only those that can hardly be anything else."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from itertools import groupby

_MARKDOWN_HEADING = re.compile(r"(#{1,6})\s+(\S.*?)(?:\s+#+)?\s*")
_NUMBERED_HEADING = re.compile(r"(\d{1,2}(?:\.\d{1,3}){0,4})\.?\s+([A-Z][^.;:!?,\[]{2,70})")
_NAMED_HEADING = re.compile(
    r"(?:Article|Section|Chapter|Part|Schedule|Appendix|Annex|Exhibit)\s+(?:\d+(?:\.\d+)*|[IVXLC]+|[A-Z])"
    r"\b[^;!?]{0,70}(?<![.,:])",
    re.IGNORECASE,
)
_CHINESE_CHAPTER = re.compile(
    r"第[一二三四五六七八九十百零〇\d]{1,6}([章编編篇部分节節])(?:[\s\u3000:：].{0,40}|.{0,20})?"
)
_CHAPTER_LEVELS = {"节": 2, "節": 2}
_MAX_HEADING_CHARACTERS, _MAX_HEADING_LINES = 120, 3
_SENTENCE_ENDS = tuple(".,;:!?。，；：！？、")


def detect_heading_level(
    lines: list[str], *, is_first: bool = False, is_isolated: bool = True, neighbours: tuple[str, ...] = ()
) -> int:
    """The level of a group of lines as a heading; 0 when it is none.

    `first`: it opens the file and more follows. `alone`: blank lines stand around it; else only a mark will do.
    `beside`: the lines above and below, for "1. Milk" above "2. Eggs" is an item of a list.
    """
    text = " ".join(lines[:_MAX_HEADING_LINES])
    if len(lines) > _MAX_HEADING_LINES or len(text) > _MAX_HEADING_CHARACTERS * len(lines):
        return 0
    if len(lines) == 1 and (mark := _MARKDOWN_HEADING.fullmatch(text)):
        return len(mark[1])
    if not is_isolated:
        return 0
    if chapter := _CHINESE_CHAPTER.fullmatch(text):
        return _CHAPTER_LEVELS.get(chapter[1], 1)
    if text.endswith(_SENTENCE_ENDS):
        return 0
    if _is_all_capitals(text):
        number = re.match(r"\d+(\.\d+)+", text)
        return number[0].count(".") + 1 if number else 1
    if len(lines) > 1:
        return 0
    if depth := _count_numbered_depth(text):
        return 0 if depth in map(_count_numbered_depth, neighbours) else depth
    if _NAMED_HEADING.fullmatch(text) and len(text.split()) <= 12:
        return 1
    return 1 if is_first and len(text) <= 60 else 0


def strip_heading_marks(text: str) -> str:
    mark = _MARKDOWN_HEADING.fullmatch(text)
    return " ".join((mark[2] if mark else text).split())


def _count_numbered_depth(text: str) -> int:
    """1 for "3 Scope", 2 for "3.1 Terms"; 0 for what is no numbered title."""
    numbered = _NUMBERED_HEADING.fullmatch(text) if len(text.split()) <= 10 else None
    return numbered[1].count(".") + 1 if numbered else 0


def _is_all_capitals(text: str) -> bool:
    """In capitals throughout, and long enough not to be an abbreviation or a page number."""
    letters = [char for char in text if char.isalpha()]
    return len(letters) >= 5 and text.upper() == text and text.lower() != text and len(letters) > len(text) / 2


# Tables in plain text: cells parted by tabs, by wide gaps, or by upright bars.


_CELL_GAP = re.compile(r"\t+ *| {3,}")
_BAR_RULE = frozenset("|:-+ \t")
_MAX_GAPPED_LINE_CHARACTERS = 160  # gaps in longer lines are careless typing, not columns


def is_table(lines: list[str]) -> bool:
    """Two lines with columns are enough when most of the group has them."""
    barred = sum(line.startswith("|") and line.endswith("|") and len(line) > 2 for line in lines)
    gapped = sum(
        bool(_CELL_GAP.search(line)) and (len(line) <= _MAX_GAPPED_LINE_CHARACTERS or "\t" in line) for line in lines
    )
    return len(lines) > 1 and max(barred, gapped) >= max(2, len(lines) * 0.7)


def split_table_rows(lines: list[str]) -> list[str]:
    """Each line with exactly one tab between its cells."""
    if all(line.startswith("|") for line in lines):
        kept = [line for line in lines if not _BAR_RULE.issuperset(line)]
        return ["\t".join(_collapse_spaces(cell) for cell in line.strip("|").split("|")) for line in kept]
    if all("\t" in line for line in lines):
        return ["\t".join(_collapse_spaces(cell) for cell in line.split("\t")) for line in lines]
    return ["\t".join(_collapse_spaces(cell) for cell in _CELL_GAP.split(line)) for line in lines]


def _collapse_spaces(text: str) -> str:
    return " ".join(text.split())


# Lines of a plain text that are code: their indents and gaps mean something and are kept.


_FENCE = re.compile(r"[ ]{0,3}(`{3,}|~{3,})[ \t]*([\w+#.-]*)[ \t]*")
_BLANK_LINES = re.compile(r"\n(?:[ \t\u3000]*\n)+")
_TAB_COLUMNS = 4
_MIN_CODE_LINES, _MAX_SAMPLED_LINES = 2, 200
_MAX_CODE_LINE_CHARACTERS = 160  # of a line of code
# How a line of code gives itself away: by its end, its first word, or its signs.
_CODE_LINE = re.compile(
    r".*[;{}]"
    r"|(?:async |export )?(?:def|class|if|elif|else|for|while|with|try|except|finally|switch|case)\b.*[:{]"
    r"|(?:import|from|#include|#define|using|package|return|yield|raise|var|let|const|public|private|static) .*"
    r"|(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE TABLE|FROM|WHERE|GROUP BY|ORDER BY) .*"
    r"|>>> .*|\$ [a-z./].*"
    r"|[\w.\[\]\"'*]+ ?(?:[-+*/|&:]?=|<-|=>) ?\S.*"
    r"|[\w.]+\(.*\)"
    r"|[)}\]]+[,;]?"
    r"|(?://|/\*|\*/|<!--|</?\w+[^<>]*>).*"
)
_PROSE_CLAUSE = re.compile(
    r"(?:[^\W\d_’']{2,}[ ,]+){3}[^\W\d_]{2,}|[\u3040-\u9fff]{6}"
)  # a clause that ends in ";" is none
_MIN_CODE_LINE_SHARE = 0.6


def split_code(text: str) -> Iterator[tuple[bool, str]]:
    """Groups of lines between blank lines, each with whether it is code; code that follows code comes with it."""
    for is_fenced, piece in _split_fences(text):
        if is_fenced:
            yield True, piece
            continue
        for telling, alike in groupby(_BLANK_LINES.split(piece), key=_is_code):
            together = list(alike)
            yield from [(True, "\n\n".join(together))] if telling else [(False, group) for group in together]


def split_code_blocks(code: str) -> list[str]:
    """Its blocks as they are parted by blank lines, with the indents that they have beside each other."""
    lines = [line.rstrip() for line in code.expandtabs(_TAB_COLUMNS).split("\n")]
    even = textwrap.dedent("\n".join(lines)).strip("\n")
    return [block for block in re.split(r"\n{2,}", even) if block.strip()]


def _split_fences(text: str) -> list[tuple[bool, str]]:
    """The text in pieces, each with whether it stood between two fences of Markdown; the fences are gone."""
    pieces: list[tuple[bool, str]] = []
    plain: list[str] = []
    lines = text.split("\n")
    never_closed: dict[
        str, int
    ] = {}  # by their sign, the shortest fence that nothing closes: longer ones are not tried
    at = 0
    while at < len(lines):
        opened = _FENCE.fullmatch(lines[at])
        sign, length = (opened[1][0], len(opened[1])) if opened else ("", 0)
        end = _find_closing_fence(lines, at, opened[1]) if opened and length < never_closed.get(sign, length + 1) else 0
        if end:
            pieces += [(False, "\n".join(plain)), (True, "\n".join(lines[at + 1 : end]))]
            plain, at = [], end
        else:
            plain.append(lines[at])
            if opened:
                never_closed[sign] = min(length, never_closed.get(sign, length))
        at += 1
    return [*pieces, (False, "\n".join(plain))]


def _find_closing_fence(lines: list[str], at: int, opened: str) -> int:
    """The line of the fence that closes the one at `at`; 0 when there is none."""
    for number in range(at + 1, len(lines)):
        closed = _FENCE.fullmatch(lines[number])
        if closed and closed[1].startswith(opened) and not closed[2]:
            return number
    return 0


def _is_code(group: str) -> bool:
    """A group of lines without a fence: told by its lines, and never by indents alone, which letters have too."""
    lines = [line.strip() for line in group.split("\n", _MAX_SAMPLED_LINES)[:_MAX_SAMPLED_LINES] if line.strip()]
    if len(lines) < _MIN_CODE_LINES or max(map(len, lines)) > _MAX_CODE_LINE_CHARACTERS:
        return False
    telling = sum(bool(_CODE_LINE.fullmatch(line)) and not _PROSE_CLAUSE.search(line) for line in lines)
    return telling >= _MIN_CODE_LINES and telling >= len(lines) * _MIN_CODE_LINE_SHARE
