"""An answer's text as blocks, by the format it was asked in."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from highlighter.answer_text.letters import LetterBlock, split_lines, text_of
from highlighter.answer_text.markdown_parser import parse_markdown
from highlighter.answer_text.markers import AnswerText, markers_of
from highlighter.answer_text.placing import Placing
from highlighter.answer_text.plain_parser import parse_plain
from highlighter.answer_text.tree import NOTES, PARAGRAPH, Block, Marker

SUPPORTED = "supported"
_NOTE = re.compile(r"(?:[⁰¹²³⁴⁵⁶⁷⁸⁹]+|\[\d+\]) (?=\S)")


def parse_answer(answer: AnswerText, markdown: bool) -> tuple[Block, ...]:
    """Return the blocks of an answer's text, with its markers and the claims that are not supported.

    `markdown`: whether the answer was asked for as Markdown; any other text stands literally, but for its lists.
    """
    markers = markers_of(answer)
    several = len(answer.sub_questions) > 1
    titles = {one.text.strip() for one in answer.sub_questions} if several else set()
    parse = parse_markdown if markdown else parse_plain
    masked = _masked(answer.text, markers)
    blocks = [_as_notes(block, markers) for block in parse(masked, titles)]
    claims = [(one.start, one.end, at) for at, one in enumerate(answer.claims) if one.verdict != SUPPORTED]
    return Placing(answer.text, blocks, markers, claims).blocks()


def without_notes(blocks: Sequence[Block], answer: AnswerText) -> tuple[Block, ...]:
    """Return the blocks without the list of sources that the markers point at, for renderings with notes of their own."""
    labels = {answer.text[one.start : one.end] for one in answer.citations}
    return tuple(block for block in blocks if block.kind != NOTES or not _first_words(block) <= labels)


def _first_words(block: Block) -> set[str]:
    return {line.partition(" ")[0] for line in block.text.split("\n")}


def _masked(text: str, markers: Sequence[Marker]) -> str:
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


def _as_notes(block: LetterBlock, markers: Sequence[Marker]) -> LetterBlock:
    """Return a paragraph of lines that each say what a marker means as notes."""
    if block.kind != PARAGRAPH:
        return block
    is_list = all(_NOTE.match(text_of(line)) for line in split_lines(block.letters))
    return LetterBlock(NOTES, block.letters) if is_list else block
