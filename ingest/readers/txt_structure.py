"""Find the headings, tables and code of a plain text: only what can hardly be anything else."""

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
    """Return the level of a group of lines as a heading; 0 when the group is none.

    `is_first`: the group opens the file and more follows. `is_isolated`: blank lines surround the group; otherwise only
    Markdown's marks make a heading. `neighbours`: the lines before and after, because "1. Milk" before "2. Eggs" is a
    list item.
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
    """Return the text of a heading without Markdown's marks."""
    mark = _MARKDOWN_HEADING.fullmatch(text)
    return " ".join((mark[2] if mark else text).split())


def _count_numbered_depth(text: str) -> int:
    """Return 1 for "3 Scope", 2 for "3.1 Terms", and 0 for text that is no numbered title."""
    numbered = _NUMBERED_HEADING.fullmatch(text) if len(text.split()) <= 10 else None
    return numbered[1].count(".") + 1 if numbered else 0


def _is_all_capitals(text: str) -> bool:
    """Return whether the text is in capitals and long enough not to be an abbreviation or a page number."""
    letters = [char for char in text if char.isalpha()]
    return len(letters) >= 5 and text.upper() == text and text.lower() != text and len(letters) > len(text) / 2


# Tables in plain text: cells separated by tabs, by wide gaps, or by vertical bars.

_CELL_GAP = re.compile(r"\t+ *| {3,}")
_BAR_RULE = frozenset("|:-+ \t")
_MAX_GAPPED_LINE_CHARACTERS = 160  # gaps in longer lines are not columns


def is_table(lines: list[str]) -> bool:
    """Return whether most lines have columns, and at least two do."""
    barred_count = sum(line.startswith("|") and line.endswith("|") and len(line) > 2 for line in lines)
    gapped_count = sum(
        bool(_CELL_GAP.search(line)) and (len(line) <= _MAX_GAPPED_LINE_CHARACTERS or "\t" in line) for line in lines
    )
    return len(lines) > 1 and max(barred_count, gapped_count) >= max(2, len(lines) * 0.7)


def split_table_rows(lines: list[str]) -> list[str]:
    """Return the rows with exactly one tab between cells."""
    if all(line.startswith("|") for line in lines):
        rows = [line for line in lines if not _BAR_RULE.issuperset(line)]
        return ["\t".join(collapse_spaces(cell) for cell in line.strip("|").split("|")) for line in rows]
    if all("\t" in line for line in lines):
        return ["\t".join(collapse_spaces(cell) for cell in line.split("\t")) for line in lines]
    return ["\t".join(collapse_spaces(cell) for cell in _CELL_GAP.split(line)) for line in lines]


def collapse_spaces(text: str) -> str:
    """Return the text with single spaces."""
    return " ".join(text.split())


# Code in plain text, whose indentation and spacing are kept.

_FENCE = re.compile(r"[ ]{0,3}(`{3,}|~{3,})[ \t]*([\w+#.-]*)[ \t]*")
_BLANK_LINES = re.compile(r"\n(?:[ \t\u3000]*\n)+")
_TAB_COLUMNS = 4
_MIN_CODE_LINES, _MAX_SAMPLED_LINES = 2, 200
_MAX_CODE_LINE_CHARACTERS = 160
# A line of code is recognised by its end, its first word, or its symbols.
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
)  # a clause of prose that ends in ";" is not code
_MIN_CODE_LINE_SHARE = 0.6


def split_code(text: str) -> Iterator[tuple[bool, str]]:
    """Yield the groups of lines between blank lines, each with whether it is code; consecutive code is one group."""
    for is_fenced, part in _split_fences(text):
        if is_fenced:
            yield True, part
            continue
        for is_code, groups in groupby(_BLANK_LINES.split(part), key=_is_code):
            consecutive = list(groups)
            yield from [(True, "\n\n".join(consecutive))] if is_code else [(False, group) for group in consecutive]


def split_code_blocks(code: str) -> list[str]:
    """Return the blocks of code between blank lines, with their relative indentation."""
    lines = [line.rstrip() for line in code.expandtabs(_TAB_COLUMNS).split("\n")]
    dedented = textwrap.dedent("\n".join(lines)).strip("\n")
    return [block for block in re.split(r"\n{2,}", dedented) if block.strip()]


def _split_fences(text: str) -> list[tuple[bool, str]]:
    """Return the text in parts, each with whether it stood between two Markdown fences; the fences are removed."""
    parts: list[tuple[bool, str]] = []
    plain: list[str] = []
    lines = text.split("\n")
    unclosed_lengths: dict[
        str, int
    ] = {}  # by character, the shortest fence without an end: longer ones have none either
    number = 0
    while number < len(lines):
        opening = _FENCE.fullmatch(lines[number])
        character, length = (opening[1][0], len(opening[1])) if opening else ("", 0)
        end = (
            _find_closing_fence(lines, number, opening[1])
            if opening and length < unclosed_lengths.get(character, length + 1)
            else 0
        )
        if end:
            parts += [(False, "\n".join(plain)), (True, "\n".join(lines[number + 1 : end]))]
            plain, number = [], end
        else:
            plain.append(lines[number])
            if opening:
                unclosed_lengths[character] = min(length, unclosed_lengths.get(character, length))
        number += 1
    return [*parts, (False, "\n".join(plain))]


def _find_closing_fence(lines: list[str], start: int, opening: str) -> int:
    """Return the number of the line that closes a fence; 0 when there is none."""
    for number in range(start + 1, len(lines)):
        fence = _FENCE.fullmatch(lines[number])
        if fence and fence[1].startswith(opening) and not fence[2]:
            return number
    return 0


def _is_code(group: str) -> bool:
    """Return whether unfenced lines are code, judged by their content and never by indentation alone."""
    lines = [line.strip() for line in group.split("\n", _MAX_SAMPLED_LINES)[:_MAX_SAMPLED_LINES] if line.strip()]
    if len(lines) < _MIN_CODE_LINES or max(map(len, lines)) > _MAX_CODE_LINE_CHARACTERS:
        return False
    code_count = sum(bool(_CODE_LINE.fullmatch(line)) and not _PROSE_CLAUSE.search(line) for line in lines)
    return code_count >= _MIN_CODE_LINES and code_count >= len(lines) * _MIN_CODE_LINE_SHARE
