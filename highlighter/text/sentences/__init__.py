"""Splitting a text into sentences, each with its offsets: `text[span.start_char:span.end_char] == span.text`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from highlighter.cpu_budget import check_cpu
from highlighter.text.sentences.boundaries import MAX_SENTENCE_CHARACTERS, find_boundaries
from highlighter.text.sentences.line_breaks import split_units
from highlighter.text.sentences.list_markers import find_inline_items
from highlighter.text.sentences.thai import find_thai_boundaries

__all__ = ["SplitSentence", "split_sentences"]


@dataclass(frozen=True, slots=True)
class SplitSentence:
    """A sentence of a text: `text == source[start_char:end_char]`."""

    text: str
    start_char: int
    end_char: int


def split_sentences(text: str, *, wrapped: bool = True) -> list[SplitSentence]:
    """Return the sentences of a text in order. Every character that is not white space is in exactly one of them.

    A blank line ends a sentence. A single line break ends one when the lines around it look like a list, a table or a
    heading; with `wrapped=False` (a text without hard-wrapped lines, as the readers return it) it always does.
    """
    spans: list[SplitSentence] = []
    for start, end in split_units(text, wrapped):
        check_cpu()
        for sentence_start, item_end in _split_inline_items(text, start, end):
            for stop in [*find_boundaries(text, sentence_start, item_end), item_end]:
                for boundary in [*find_thai_boundaries(text, sentence_start, stop), stop]:
                    spans += _trim_sentences(text, sentence_start, boundary)
                    sentence_start = boundary
    return spans


def _split_inline_items(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the items of a list that runs inside a line, or the whole line."""
    for item in find_inline_items(text, start, end):
        if item > start:
            yield start, item
            start = item
    yield start, end


def _trim_sentences(text: str, start: int, end: int) -> Iterator[SplitSentence]:
    """Yield `text[start:end]` without white space around it, cut in several when it is longer than any sentence."""
    while start < end:
        cut = end
        if end - start > MAX_SENTENCE_CHARACTERS:
            space = text.rfind(" ", start + MAX_SENTENCE_CHARACTERS // 2, start + MAX_SENTENCE_CHARACTERS)
            cut = space if space > 0 else start + MAX_SENTENCE_CHARACTERS
        piece = text[start:cut]
        trimmed = piece.strip()
        if trimmed:
            trimmed_start = start + len(piece) - len(piece.lstrip())
            yield SplitSentence(trimmed, trimmed_start, trimmed_start + len(trimmed))
        start = cut
