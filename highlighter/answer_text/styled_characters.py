"""Blocks before markers and claims are placed: each letter with its offset in the answer's text and its style."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from markdown_it.token import Token


class CharacterStyle(NamedTuple):
    bold: bool = False
    italic: bool = False
    code: bool = False


REGULAR_STYLE, CODE_STYLE = CharacterStyle(), CharacterStyle(code=True)


class StyledCharacter(NamedTuple):
    text: str
    offset: int
    style: CharacterStyle = REGULAR_STYLE


StyledCharacters = tuple[StyledCharacter, ...]


@dataclass(frozen=True, slots=True)
class CharacterBlock:
    """The same fields as `tree.Block`, with letters in place of runs."""

    kind: str
    characters: StyledCharacters = ()
    children: tuple[CharacterBlock, ...] = ()
    level: int = 0
    first: int | None = None


def iterate_characters(blocks: Sequence[CharacterBlock]) -> Iterator[StyledCharacter]:
    """Yield all letters in the order of the text."""
    for block in blocks:
        yield from block.characters
        yield from iterate_characters(block.children)


def split_lines(characters: Sequence[StyledCharacter]) -> list[StyledCharacters]:
    """Return the lines of a paragraph without their line breaks."""
    lines: list[list[StyledCharacter]] = [[]]
    for letter in characters:
        lines.append([]) if letter.text == "\n" else lines[-1].append(letter)
    return [tuple(line) for line in lines]


def join_lines(lines: Sequence[StyledCharacters]) -> StyledCharacters:
    """Return lines as one paragraph. A line break has the offset after the line it ends."""
    joined: list[StyledCharacter] = []
    for line in lines:
        if joined:
            joined.append(StyledCharacter("\n", joined[-1].offset + 1))
        joined += line
    return tuple(joined)


def join_text(characters: Sequence[StyledCharacter]) -> str:
    return "".join(letter.text for letter in characters)


# The text of a paragraph, heading or cell of Markdown as letters with their offsets and styles.


_LINE_BREAK_MARKUP = re.compile(r"[ \t]*\\?\n[ \t]*")


@dataclass(frozen=True, slots=True)
class InlineContent:
    """What the parser read, and the offset of each of its letters in the answer's text."""

    text: str
    offsets: tuple[int, ...]

    def iterate_characters(self) -> Iterator[tuple[str, int]]:
        return zip(self.text, self.offsets, strict=True)


def read_inline_characters(tokens: Sequence[Token], content: InlineContent) -> tuple[StyledCharacter, ...]:
    """Return the letters of the parser's tokens, which cover `content` from its beginning to its end."""
    letters: list[StyledCharacter] = []
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
                found = _LINE_BREAK_MARKUP.search(content.text, position)
                letters.append(StyledCharacter("\n", content.offsets[found.start()]))
                position = found.end()
            case "text_special":  # an escape or an entity
                letters.append(
                    StyledCharacter(token.content, content.offsets[position], CharacterStyle(bool(bold), bool(italic)))
                )
                position += len(token.markup)
            case _:
                code = token.type == "code_inline"
                words = content.text.replace("\n", " ") if code else content.text
                position += len(token.markup)
                position = max(words.find(token.content, position), position)
                style = CharacterStyle(bool(bold), bool(italic), code)
                offsets = content.offsets[position : position + len(token.content)]
                letters += (
                    StyledCharacter(letter, at, style) for letter, at in zip(token.content, offsets, strict=True)
                )
                position += len(token.content)
                if code:
                    position = words.index(token.markup, position) + len(token.markup)
    return tuple(letters)
