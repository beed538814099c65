"""A text into its sentences, each with its place: `text[span.start_char:span.end_char] == span.text`, for any text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from highlighter.text.sentences.boundaries import MAX_SENTENCE_CHARACTERS, find_boundaries
from highlighter.text.sentences.line_breaks import split_units
from highlighter.text.sentences.list_markers import find_inline_items

__all__ = ["Span", "split_sentences"]


def split_sentences(text: str, *, wrapped: bool = True) -> list[SplitSentence]:
    """The sentences of `text` in order: every character that is not white space is in exactly one.

    A blank line ends a sentence. A single line break does when what stands around it looks like a list, a table or a
    heading; with `wrapped=False` (a text known to have no hard-wrapped lines, as the readers make it) it always does.
    """
    spans: list[SplitSentence] = []
    for start, end in split_units(text, wrapped):
        for begin, stop in _split_inline_items(text, start, end):
            cuts = [*find_boundaries(text, begin, stop), stop]
            for cut in cuts:
                spans += _trim_sentences(text, begin, cut)
                begin = cut
    return spans


def _split_inline_items(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The items of a list that runs inside the line, or the whole line."""
    for item in find_inline_items(text, start, end):
        if item > start:
            yield start, item
            start = item
    yield start, end


def _trim_sentences(text: str, start: int, end: int) -> Iterator[SplitSentence]:
    """`text[start:end]` without the white space around it; in several parts when it is longer than any sentence."""
    while start < end:
        cut = end
        if end - start > MAX_SENTENCE_CHARACTERS:
            space = text.rfind(" ", start + MAX_SENTENCE_CHARACTERS // 2, start + MAX_SENTENCE_CHARACTERS)
            cut = space if space > 0 else start + MAX_SENTENCE_CHARACTERS
        piece = text[start:cut]
        kept = piece.strip()
        if kept:
            begin = start + len(piece) - len(piece.lstrip())
            yield SplitSentence(kept, begin, begin + len(kept))
        start = cut


# The value that the splitter returns.


@dataclass(frozen=True, slots=True)
class SplitSentence:
    """One sentence of a text: `text == source[start_char:end_char]`."""

    text: str
    start_char: int
    end_char: int
