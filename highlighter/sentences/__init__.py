"""A text into its sentences, each with its place: `text[span.start_char:span.end_char] == span.text`, for any text."""

from __future__ import annotations

from collections.abc import Iterator

from highlighter.sentences.lines import units
from highlighter.sentences.markers import inline_items
from highlighter.sentences.spans import Span
from highlighter.sentences.stops import SENTENCE_LIMIT, boundaries

__all__ = ["Span", "split_sentences"]


def split_sentences(text: str, *, wrapped: bool = True) -> list[Span]:
    """The sentences of `text` in order: every character that is not white space is in exactly one.

    A blank line ends a sentence. A single line break does when what stands around it looks like a list, a table or a
    heading; with `wrapped=False` (a text known to have no hard-wrapped lines, as the readers make it) it always does.
    """
    spans: list[Span] = []
    for start, end in units(text, wrapped):
        for begin, stop in _pieces(text, start, end):
            cuts = [*boundaries(text, begin, stop), stop]
            for cut in cuts:
                spans += _trimmed(text, begin, cut)
                begin = cut
    return spans


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The items of a list that runs inside the line, or the whole line."""
    for item in inline_items(text, start, end):
        if item > start:
            yield start, item
            start = item
    yield start, end


def _trimmed(text: str, start: int, end: int) -> Iterator[Span]:
    """`text[start:end]` without the white space around it; in several parts when it is longer than any sentence."""
    while start < end:
        cut = end
        if end - start > SENTENCE_LIMIT:
            space = text.rfind(" ", start + SENTENCE_LIMIT // 2, start + SENTENCE_LIMIT)
            cut = space if space > 0 else start + SENTENCE_LIMIT
        piece = text[start:cut]
        kept = piece.strip()
        if kept:
            begin = start + len(piece) - len(piece.lstrip())
            yield Span(kept, begin, begin + len(kept))
        start = cut
