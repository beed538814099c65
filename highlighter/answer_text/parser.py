"""Plain text as blocks: lines, lists and the titles of sub-questions. No character is taken for markup."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence, Set
from itertools import groupby

from highlighter.answer_text.markdown_parser import parse_markdown
from highlighter.answer_text.marker_placement import MarkerPlacer
from highlighter.answer_text.styled_characters import (
    CharacterBlock,
    StyledCharacter,
    join_lines,
    join_text,
    split_lines,
)
from highlighter.answer_text.tree import (
    HEADING,
    ITEM,
    LIST,
    NOTES,
    PARAGRAPH,
    AnswerBlock,
    AnswerMarker,
    AnswerText,
    find_markers,
)

_BULLET = re.compile(r"\s*[-•*][ \t]+(?=\S)")
_BLANK_LINE = ""


def parse_plain(text: str, titles: Set[str]) -> tuple[CharacterBlock, ...]:
    """Return the blocks of plain text; a line that equals one of `titles` is a heading."""
    lines = [_read_line(text[start:end], start, titles) for start, end in _line_spans(text)]
    groups = groupby(lines, lambda line: line[0])
    blocks: list[CharacterBlock] = []
    for kind, group in groups:
        contents = [letters for _, letters in group]
        if kind == HEADING:
            blocks += [CharacterBlock(HEADING, letters, level=1) for letters in contents]
        elif kind == LIST:
            items = tuple(CharacterBlock(ITEM, children=(CharacterBlock(PARAGRAPH, letters),)) for letters in contents)
            if blocks and blocks[-1].kind == LIST:  # a blank line between two items ends no list
                items = blocks.pop().children + items
            blocks.append(CharacterBlock(LIST, children=items))
        elif kind == PARAGRAPH:
            blocks.append(CharacterBlock(PARAGRAPH, join_lines(contents)))
    return tuple(blocks)


def _line_spans(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for line in text.split("\n"):
        yield start, start + len(line)
        start += len(line) + 1


def _read_line(line: str, start: int, titles: Set[str]) -> tuple[str, tuple[StyledCharacter, ...]]:
    kind, lead = PARAGRAPH, 0
    if not line.strip():
        return _BLANK_LINE, ()
    if line.strip() in titles:
        kind = HEADING
    elif bullet := _BULLET.match(line):
        kind, lead = LIST, bullet.end()
    return kind, tuple(StyledCharacter(letter, start + at) for at, letter in enumerate(line) if at >= lead)


# An answer's text as blocks, by the format it was asked in.


SUPPORTED = "supported"
_NOTE_LINE = re.compile(r"(?:[⁰¹²³⁴⁵⁶⁷⁸⁹]+|\[\d+\]) (?=\S)")


def parse_answer(answer: AnswerText, is_markdown: bool) -> tuple[AnswerBlock, ...]:
    """Return the blocks of an answer's text, with its markers and the claims that are not supported.

    `markdown`: whether the answer was asked for as Markdown; any other text stands literally, but for its lists.
    """
    markers = find_markers(answer)
    several = len(answer.sub_questions) > 1
    titles = {one.text.strip() for one in answer.sub_questions} if several else set()
    parse = parse_markdown if is_markdown else parse_plain
    masked = _mask_markers(answer.text, markers)
    blocks = [_convert_to_notes(block, markers) for block in parse(masked, titles)]
    claims = [(one.start, one.end, at) for at, one in enumerate(answer.claims) if one.verdict != SUPPORTED]
    return MarkerPlacer(answer.text, blocks, markers, claims).build_blocks()


def remove_notes(blocks: Sequence[AnswerBlock], answer: AnswerText) -> tuple[AnswerBlock, ...]:
    """Return the blocks without the list of sources that the markers point at, for renderings with notes of their own."""
    labels = {answer.text[one.start : one.end] for one in answer.citations}
    return tuple(block for block in blocks if block.kind != NOTES or not _first_words(block) <= labels)


def _first_words(block: AnswerBlock) -> set[str]:
    return {line.partition(" ")[0] for line in block.text.split("\n")}


def _mask_markers(text: str, markers: Sequence[AnswerMarker]) -> str:
    """Return the text with a punctuation mark that it does not hold in place of each letter of a marker.

    So a marker is read as a word in brackets, whatever it holds. The parser replaces the line ends of other systems
    and what it cannot represent; here their offsets stay.
    """
    text = text.replace("\r\n", " \n").replace("\r", "\n").replace("\0", "\ufffd")
    mask = next(
        letter for letter in map(chr, range(0x2E00, 0x110000))
        if unicodedata.category(letter).startswith("P") and letter not in text
    )  # fmt: skip
    for marker in markers:
        text = text[: marker.start] + mask * (marker.end - marker.start) + text[marker.end :]
    return text


def _convert_to_notes(block: CharacterBlock, markers: Sequence[AnswerMarker]) -> CharacterBlock:
    """Return a paragraph of lines that each say what a marker means as notes."""
    if block.kind != PARAGRAPH:
        return block
    is_list = all(_NOTE_LINE.match(join_text(line)) for line in split_lines(block.characters))
    return CharacterBlock(NOTES, block.characters) if is_list else block
