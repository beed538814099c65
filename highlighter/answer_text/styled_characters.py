"""Blocks before markers and claims are placed: each character with its style and its offset in the answer's text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from markdown_it.token import Token


class CharacterStyle(NamedTuple):
    """The style of a character."""

    bold: bool = False
    italic: bool = False
    code: bool = False


REGULAR_STYLE, CODE_STYLE = CharacterStyle(), CharacterStyle(code=True)


class StyledCharacter(NamedTuple):
    """A character with its offset in the answer's text and its style."""

    text: str
    offset: int
    style: CharacterStyle = REGULAR_STYLE


StyledCharacters = tuple[StyledCharacter, ...]


@dataclass(frozen=True, slots=True)
class CharacterBlock:
    """A block with the fields of `tree.AnswerBlock`, but with characters in place of runs."""

    kind: str
    characters: StyledCharacters = ()
    children: tuple[CharacterBlock, ...] = ()
    level: int = 0
    first: int | None = None


def iterate_characters(blocks: Sequence[CharacterBlock]) -> Iterator[StyledCharacter]:
    """Yield all characters in the order of the text."""
    for block in blocks:
        yield from block.characters
        yield from iterate_characters(block.children)


def split_lines(characters: Sequence[StyledCharacter]) -> list[StyledCharacters]:
    """Return the lines of a paragraph without their line breaks."""
    lines: list[list[StyledCharacter]] = [[]]
    for character in characters:
        lines.append([]) if character.text == "\n" else lines[-1].append(character)
    return [tuple(line) for line in lines]


def join_lines(lines: Sequence[StyledCharacters]) -> StyledCharacters:
    """Return lines as one paragraph; a line break gets the offset after the line before it."""
    joined: list[StyledCharacter] = []
    for line in lines:
        if joined:
            joined.append(StyledCharacter("\n", joined[-1].offset + 1))
        joined += line
    return tuple(joined)


def join_text(characters: Sequence[StyledCharacter]) -> str:
    return "".join(character.text for character in characters)


# Inline Markdown of a paragraph, heading or cell as styled characters.


_LINE_BREAK_MARKUP = re.compile(r"[ \t]*\\?\n[ \t]*")


@dataclass(frozen=True, slots=True)
class InlineContent:
    """The text that the parser read, with the offset of each character in the answer's text."""

    text: str
    offsets: tuple[int, ...]

    def iterate_characters(self) -> Iterator[tuple[str, int]]:
        return zip(self.text, self.offsets, strict=True)


def read_inline_characters(tokens: Sequence[Token], content: InlineContent) -> tuple[StyledCharacter, ...]:
    """Return the characters of the parser's tokens, which cover `content` completely."""
    characters: list[StyledCharacter] = []
    position = bold = italic = 0
    for token in tokens:
        match token.type:
            case "strong_open" | "strong_close":
                bold += token.nesting
                position += len(token.markup)
            case "em_open" | "em_close":
                italic += token.nesting
                position += len(token.markup)
            case "softbreak" | "hardbreak":
                if line_break := _LINE_BREAK_MARKUP.search(content.text, position):
                    characters.append(StyledCharacter("\n", content.offsets[line_break.start()]))
                    position = line_break.end()
            case "text_special":  # an escape or an entity
                characters.append(
                    StyledCharacter(token.content, content.offsets[position], CharacterStyle(bool(bold), bool(italic)))
                )
                position += len(token.markup)
            case _:
                is_code = token.type == "code_inline"
                source = content.text.replace("\n", " ") if is_code else content.text
                position += len(token.markup)
                position = max(source.find(token.content, position), position)
                style = CharacterStyle(bool(bold), bool(italic), is_code)
                offsets = content.offsets[position : position + len(token.content)]
                characters += (
                    StyledCharacter(character, offset, style)
                    for character, offset in zip(token.content, offsets, strict=True)
                )
                position += len(token.content)
                if is_code:
                    position = source.index(token.markup, position) + len(token.markup)
    return tuple(characters)
