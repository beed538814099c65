"""The statements that the markers of an answer are about."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from highlighter.references.product_markers import blank_spans
from highlighter.text.sentences import split_sentences

Span = tuple[int, int]


class CitedStatements:
    """The sentences of an answer without its markers, split once for all of them."""

    def __init__(self, text: str, labels: Sequence[Span]):
        self._text = blank_spans(text, labels)
        sentences = split_sentences(self._text) if labels else []
        self._spans = [(one.start_char, one.end_char) for one in sentences if one.text.strip()]
        self._starts = [start for start, _ in self._spans]

    def find(self, label: Span) -> Span | tuple[None, None]:
        """Return what is before the marker in its sentence, or the sentence before it; for a first marker, the one after."""
        index = bisect_left(self._starts, max(label[0], 0)) - 1
        if index < 0:
            return self._spans[0] if self._spans else (None, None)
        start, end = self._spans[index]
        end = min(end, label[0])
        return start, start + len(self._text[start:end].rstrip())
