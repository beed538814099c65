"""The value that the splitter returns."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Span:
    """One sentence of a text: `text == source[start_char:end_char]`."""

    text: str
    start_char: int
    end_char: int
