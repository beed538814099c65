"""Parse the text of an answer into blocks, by the format that was requested."""

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
    """Return the blocks of plain text; a line that equals one of `titles` is a heading, and nothing is read as markup."""
    lines = [_read_line(text[start:end], start, titles) for start, end in _line_spans(text)]
    groups = groupby(lines, lambda line: line[0])
    blocks: list[CharacterBlock] = []
    for kind, group in groups:
        contents = [characters for _, characters in group]
        if kind == HEADING:
            blocks += [CharacterBlock(HEADING, characters, level=1) for characters in contents]
        elif kind == LIST:
            items = tuple(
                CharacterBlock(ITEM, children=(CharacterBlock(PARAGRAPH, characters),)) for characters in contents
            )
            if blocks and blocks[-1].kind == LIST:  # a blank line between two items does not end the list
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
    kind, content_start = PARAGRAPH, 0
    if not line.strip():
        return _BLANK_LINE, ()
    if line.strip() in titles:
        kind = HEADING
    elif bullet := _BULLET.match(line):
        kind, content_start = LIST, bullet.end()
    return kind, tuple(
        StyledCharacter(character, start + index) for index, character in enumerate(line) if index >= content_start
    )


SUPPORTED = "supported"
_NOTE_LINE = re.compile(r"(?:[⁰¹²³⁴⁵⁶⁷⁸⁹]+|\[\d+\]) (?=\S)")


def parse_answer(answer: AnswerText, is_markdown: bool, marks_supported: bool = False) -> tuple[AnswerBlock, ...]:
    """Return the blocks of an answer's text, with its markers and the claims that are not supported, or all claims.

    Text other than Markdown is literal, except for lists and titles of sub-questions.
    """
    markers = find_markers(answer)
    has_parts = len(answer.sub_questions) > 1
    titles = {item.text.strip() for item in answer.sub_questions} if has_parts else set()
    parse = parse_markdown if is_markdown else parse_plain
    masked_text = _mask_markers(answer.text, markers)
    blocks = [_convert_to_notes(block) for block in parse(masked_text, titles)]
    claims = [
        (item.start, item.end, index)
        for index, item in enumerate(answer.claims)
        if marks_supported or item.verdict != SUPPORTED
    ]
    return MarkerPlacer(answer.text, blocks, markers, claims).build_blocks()


def remove_notes(blocks: Sequence[AnswerBlock], answer: AnswerText) -> tuple[AnswerBlock, ...]:
    """Return the blocks without the list of sources that the markers point at, for renderings with their own notes."""
    labels = {answer.text[citation.start : citation.end] for citation in answer.citations}
    return tuple(block for block in blocks if block.kind != NOTES or not _first_words(block) <= labels)


def _first_words(block: AnswerBlock) -> set[str]:
    return {line.partition(" ")[0] for line in block.text.split("\n")}


def _mask_markers(text: str, markers: Sequence[AnswerMarker]) -> str:
    """Return the text with each character of a marker replaced by a punctuation mark that the text does not hold.

    The parser then reads a marker as a word in brackets, whatever its content. Line ends of other systems and
    characters that the parser would replace are replaced here, so that offsets stay valid.
    """
    text = text.replace("\r\n", " \n").replace("\r", "\n").replace("\0", "\ufffd")
    mask = next(
        character for character in map(chr, range(0x2E00, 0x110000))
        if unicodedata.category(character).startswith("P") and character not in text
    )  # fmt: skip
    for marker in markers:
        text = text[: marker.start] + mask * (marker.end - marker.start) + text[marker.end :]
    return text


def _convert_to_notes(block: CharacterBlock) -> CharacterBlock:
    """Return a paragraph as notes if each of its lines explains a marker."""
    if block.kind != PARAGRAPH:
        return block
    is_notes = all(_NOTE_LINE.match(join_text(line)) for line in split_lines(block.characters))
    return CharacterBlock(NOTES, block.characters) if is_notes else block
