"""Blocks before markers and claims are placed: each letter with its offset in the answer's text and its style."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple


class Style(NamedTuple):
    bold: bool = False
    italic: bool = False
    code: bool = False


REGULAR, CODE_STYLE = Style(), Style(code=True)


class Letter(NamedTuple):
    text: str
    offset: int
    style: Style = REGULAR


Letters = tuple[Letter, ...]


@dataclass(frozen=True, slots=True)
class LetterBlock:
    """The same fields as `tree.Block`, with letters in place of runs."""

    kind: str
    letters: Letters = ()
    children: tuple[LetterBlock, ...] = ()
    level: int = 0
    first: int | None = None


def letters_of(blocks: Sequence[LetterBlock]) -> Iterator[Letter]:
    """Yield all letters in the order of the text."""
    for block in blocks:
        yield from block.letters
        yield from letters_of(block.children)


def split_lines(letters: Sequence[Letter]) -> list[Letters]:
    """Return the lines of a paragraph without their line breaks."""
    lines: list[list[Letter]] = [[]]
    for letter in letters:
        lines.append([]) if letter.text == "\n" else lines[-1].append(letter)
    return [tuple(line) for line in lines]


def join_lines(lines: Sequence[Letters]) -> Letters:
    """Return lines as one paragraph. A line break has the offset after the line it ends."""
    joined: list[Letter] = []
    for line in lines:
        if joined:
            joined.append(Letter("\n", joined[-1].offset + 1))
        joined += line
    return tuple(joined)


def text_of(letters: Sequence[Letter]) -> str:
    return "".join(letter.text for letter in letters)
