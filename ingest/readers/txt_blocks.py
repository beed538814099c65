"""Split plain text into blocks: join lines that were hard-wrapped, keep lines that stand on their own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from highlighter.text.sentences.line_breaks import NEVER_LAST_WORDS
from ingest.list_markers import TXT_LIST_MARKER
from ingest.readers.txt_structure import (
    collapse_spaces,
    detect_heading_level,
    is_table,
    split_code,
    split_code_blocks,
    split_table_rows,
    strip_heading_marks,
)

# Before a digit or "=", the sign ">" says "more than".
QUOTATION_MARKS = re.compile(r"^(?:>(?=[\s>]|[^\W\d_]|$)[ \t]?)+")
_WORD = re.compile(r"[\w'’]+")
_WIDE_CHARACTER = re.compile(
    "[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]"
)
_HORIZONTAL_RULE = re.compile(r"[-=*~#+]{3,}|(?:[*-] ){2,}[*-]|`{3,}\w*")
_SENTENCE_ENDS = '.!?:;。！？：；…"”’)'
# Longer lines were not wrapped by hand or by an old editor: the file has one paragraph on each line.
_MAX_WRAPPED_WIDTH = 130
_MIN_CUT_CHARACTERS = 80  # of a paragraph that may go on after a blank line
_MIN_FLATTENED_CHARACTERS = 200  # of a line that holds several paragraphs
_CLAUSE_NUMBER = r"(?:\d{1,2}(?:\.[1-9]\d?){1,4}\.?|\d{1,2}\.|\([a-z]{1,4}\)|[A-Z]\.)[ ]+"
_LOST_BREAK = re.compile(
    r"(?:(?<=[a-z]{2}[.;:])|(?<=[)\]\"”][.;:])) {3,}(?=[A-Z\"“(\d])"  # after more than a clause's number
    rf"|(?<=\S) {{3,}}(?={_CLAUSE_NUMBER}[A-Za-z\"“])"
)
_GAP_AFTER_HEADING = re.compile(
    rf"^({_CLAUSE_NUMBER}\S(?:[^.;:\n ]| (?!  )){{2,80}}) {{3,}}(?=[A-Z\"“(])", re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class TxtBlock:
    """A block of plain text: a paragraph, list, table, heading or code."""

    text: str
    level: int = 0  # of a heading; 0: none
    is_code: bool = False


@dataclass(frozen=True, slots=True)
class _TxtLine:
    """A line of plain text."""

    text: str
    indent: int
    width: int  # with the indent; a Chinese character has width two


def split_blocks(text: str) -> Iterator[TxtBlock]:
    """Yield the blocks of a plain text in order."""
    previous: TxtBlock | None = None
    for block in _split_groups(text):
        if previous and _is_cut(previous, block):
            previous = replace(previous, text=f"{previous.text} {block.text}")
            continue
        if previous:
            yield previous
        previous = block
    if previous:
        yield previous


def _is_cut(before: TxtBlock, after: TxtBlock) -> bool:
    """Return whether a blank line cuts a sentence, as the end of a page does in texts that were made from other files."""
    if any(block.level or block.is_code or "\n" in block.text or "\t" in block.text for block in (before, after)):
        return False
    if len(before.text) < _MIN_CUT_CHARACTERS or not before.text.strip() or not after.text.strip():
        return False
    last, first = before.text.rsplit(None, 1)[-1], after.text.split(None, 1)[0]
    is_running = last.isalpha() and last.islower() and first.isalpha() and first.islower() and " " in after.text
    is_open = last in NEVER_LAST_WORDS or first in NEVER_LAST_WORDS
    is_item = before.text[: -len(last)].rstrip().endswith((";", ":"))  # "...; and"
    return is_running and is_open and not is_item


def _split_groups(text: str) -> Iterator[TxtBlock]:
    text = "\n".join(map(_restore_breaks, text.split("\n")))
    parsed = [(is_code, group, [] if is_code else _parse_lines(group)) for is_code, group in split_code(text)]
    groups = [(group if is_code else "", lines) for is_code, group, lines in parsed if is_code or lines]
    wrap_width = _estimate_wrap_width([lines for _, lines in groups])
    joiner = _LineJoiner(text)
    for number, (code, group) in enumerate(groups):
        if code:
            yield from (TxtBlock(block, is_code=True) for block in split_code_blocks(code))
            continue
        adjacent = (*groups[max(number - 1, 0) : number], *groups[number + 1 : number + 2])
        neighbours = tuple(lines[0].text for _, lines in adjacent if lines)
        yield from _split_group(
            group, wrap_width, joiner, is_first=number == 0 and bool(neighbours), neighbours=neighbours
        )


def _restore_breaks(line: str) -> str:
    """Return a line with a blank line for each wide gap before a clause or after its heading or a finished sentence.

    Programs that make text of web pages leave such gaps where the page has paragraphs.
    """
    if len(line) < _MIN_FLATTENED_CHARACTERS or "   " not in line:
        return line
    return _GAP_AFTER_HEADING.sub(r"\1\n\n", _LOST_BREAK.sub("\n\n", line))


def _parse_lines(group: str) -> list[_TxtLine]:
    parsed = []
    lines = group.split("\n")
    if all(map(QUOTATION_MARKS.match, lines)):  # a quotation in Markdown or in e-mail
        lines = [QUOTATION_MARKS.sub("", line) for line in lines]
    for line in lines:
        text = line.strip(" \t\u3000")
        if text:
            indent = len(line.expandtabs(8)) - len(line.expandtabs(8).lstrip(" \u3000"))
            parsed.append(_TxtLine(text, indent, indent + len(text) + len(_WIDE_CHARACTER.findall(text))))
    return parsed


def _estimate_wrap_width(groups: list[list[_TxtLine]]) -> int:
    """Return the width at which the writer's editor wrapped lines; 0 when it did not wrap them."""
    widths = sorted(line.width for group in groups if len(group) > 1 for line in group)
    if not widths:
        return 0
    width = widths[int(len(widths) * 0.95)]
    return width if 40 <= width <= _MAX_WRAPPED_WIDTH else 0


def _split_group(
    group: list[_TxtLine], wrap_width: int, joiner: _LineJoiner, *, is_first: bool, neighbours: tuple[str, ...]
) -> Iterator[TxtBlock]:
    underline = len(group) == 2 and re.fullmatch(r"={3,}|-{3,}", group[1].text)
    group = [line for line in group if not _HORIZONTAL_RULE.fullmatch(line.text)]
    if not group:
        return
    texts = [line.text for line in group]
    if is_table(texts):
        yield TxtBlock("\n".join(split_table_rows(texts)))
        return
    level = (
        (2 if underline[0][0] == "-" else 1)
        if underline
        else detect_heading_level(texts, is_first=is_first, neighbours=neighbours)
    )
    if level:
        yield TxtBlock(strip_heading_marks(" ".join(texts)), level)
        return
    if len(group) > 1 and (level := detect_heading_level(texts[:1], is_isolated=False)):
        yield TxtBlock(strip_heading_marks(texts[0]), level)
        group = group[1:]
    yield from _group_items(_join_wrapped_lines(group, wrap_width, joiner))


def _group_items(logical_lines: list[tuple[str, bool]]) -> Iterator[TxtBlock]:
    """Yield list items and short lines as one block; a paragraph before a list is a block of its own."""
    group: list[str] = []
    has_markers = False
    for text, is_marked in logical_lines:
        is_paragraph = len(text) > _MAX_WRAPPED_WIDTH and not is_marked
        if group and (is_marked != has_markers or is_paragraph):
            yield TxtBlock("\n".join(group))
            group = []
        group.append(text)
        has_markers = is_marked
        if is_paragraph:
            yield TxtBlock("\n".join(group))
            group = []
    if group:
        yield TxtBlock("\n".join(group))


def _join_wrapped_lines(group: list[_TxtLine], wrap_width: int, joiner: _LineJoiner) -> list[tuple[str, bool]]:
    """Return the logical lines, each with whether it begins with a list marker or stands below the text of such a line."""
    is_wrapped = _is_wrapped_prose(group, wrap_width)
    logical_lines = [([collapse_spaces(group[0].text)], bool(TXT_LIST_MARKER.match(group[0].text)))]
    item_indent = group[0].indent
    for before, line in pairwise(group):
        text = collapse_spaces(line.text)
        is_mid_sentence = is_wrapped and _is_full(before, line, wrap_width) and before.text[-1] not in _SENTENCE_ENDS
        is_marked = bool(TXT_LIST_MARKER.match(line.text)) and not is_mid_sentence
        is_new_paragraph = (
            line.indent >= before.indent + 2 and before.text[-1] in _SENTENCE_ENDS and not logical_lines[-1][1]
        )
        is_below_item = logical_lines[-1][1] and line.indent > item_indent
        is_rest_of_item = logical_lines[-1][1] and _continues_item(before, line, wrap_width, is_below=is_below_item)
        if is_marked:
            item_indent = line.indent
        if is_marked or is_new_paragraph or not (is_wrapped or is_rest_of_item):
            logical_lines.append(([text], is_marked or is_below_item))
        else:
            joiner.append_line(logical_lines[-1][0], text)
    return [("".join(pieces), is_marked) for pieces, is_marked in logical_lines]


def _continues_item(before: _TxtLine, line: _TxtLine, wrap_width: int, *, is_below: bool) -> bool:
    """Return whether a line goes on with the sentence of a list item; `is_below` means below the text of the item."""
    if before.text[-1] in _SENTENCE_ENDS:
        return False
    is_wrapped = bool(wrap_width) and _is_full(before, line, wrap_width)
    return line.text[0].islower() or (is_below and (is_wrapped or not line.text[0].isupper()))


def _is_wrapped_prose(group: list[_TxtLine], wrap_width: int) -> bool:
    """Return whether most lines end where the next word would not have fitted, or in the middle of a sentence."""
    if not wrap_width or max(line.width for line in group) > _MAX_WRAPPED_WIDTH:
        return False
    pairs = [(before, line) for before, line in pairwise(group) if not TXT_LIST_MARKER.match(line.text)]
    wrapped_count = sum(_is_full(*pair, wrap_width) or _is_mid_sentence(*pair, wrap_width) for pair in pairs)
    return bool(pairs) and wrapped_count >= len(pairs) * 0.6


def _is_full(before: _TxtLine, line: _TxtLine, wrap_width: int) -> bool:
    """Return whether the next line's first word would not have fitted on a line."""
    first_word = 2 if _WIDE_CHARACTER.match(line.text) else len(line.text.split(None, 1)[0]) + 1
    return before.width + first_word > wrap_width * 0.94


def _is_mid_sentence(before: _TxtLine, line: _TxtLine, wrap_width: int) -> bool:
    return line.text[0].islower() and before.text[-1] not in _SENTENCE_ENDS and before.width > wrap_width * 0.5


class _LineJoiner:
    """A joiner of lines, which drops a hyphen at a line's end when the text has the whole word elsewhere."""

    def __init__(self, text: str):
        self._text = text
        self._words: frozenset[str] | None = None

    def append_line(self, pieces: list[str], right: str) -> None:
        left = pieces[-1]
        if _WIDE_CHARACTER.match(left[-1]) and _WIDE_CHARACTER.match(right):
            pieces.append(right)
        elif len(left) > 1 and left[-1] == "-" and left[-2].isalpha() and right[0].islower():
            whole = (_WORD.findall(left)[-1] + _WORD.findall(right)[0]).lower()
            if whole in self._get_vocabulary():
                pieces[-1] = left[:-1]
            pieces.append(right)
        else:
            pieces += [" ", right]

    def _get_vocabulary(self) -> frozenset[str]:
        if self._words is None:
            self._words = frozenset(_WORD.findall(self._text.lower()))
        return self._words
