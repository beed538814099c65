"""The text of a paragraph, heading or cell of Markdown as letters with their offsets and styles."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markdown_it.token import Token

from highlighter.answer_text.letters import Letter, Style

_BREAK = re.compile(r"[ \t]*\\?\n[ \t]*")


@dataclass(frozen=True, slots=True)
class Content:
    """What the parser read, and the offset of each of its letters in the answer's text."""

    text: str
    offsets: tuple[int, ...]

    def letters(self) -> Iterator[tuple[str, int]]:
        return zip(self.text, self.offsets, strict=True)


def inline_letters(tokens: Sequence[Token], content: Content) -> tuple[Letter, ...]:
    """Return the letters of the parser's tokens, which cover `content` from its beginning to its end."""
    letters: list[Letter] = []
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
                found = _BREAK.search(content.text, position)
                letters.append(Letter("\n", content.offsets[found.start()]))
                position = found.end()
            case "text_special":  # an escape or an entity
                letters.append(Letter(token.content, content.offsets[position], Style(bool(bold), bool(italic))))
                position += len(token.markup)
            case _:
                code = token.type == "code_inline"
                words = content.text.replace("\n", " ") if code else content.text
                position += len(token.markup)
                position = max(words.find(token.content, position), position)
                style = Style(bool(bold), bool(italic), code)
                offsets = content.offsets[position : position + len(token.content)]
                letters += (Letter(letter, at, style) for letter, at in zip(token.content, offsets, strict=True))
                position += len(token.content)
                if code:
                    position = words.index(token.markup, position) + len(token.markup)
    return tuple(letters)
