"""The confidence of each recognised word of a text, stored compactly."""

from __future__ import annotations

import base64
import zlib
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

MIN_CLEAR_PERCENT = 70  # words below it are shown as doubtful


class RecognisedSpan(NamedTuple):
    """The span of a recognised word in the canonical text, and its confidence in percent."""

    start: int
    end: int
    percent: int


@dataclass(frozen=True, slots=True)
class WordConfidences:
    """The recognised words of a text, in order."""

    spans: tuple[RecognisedSpan, ...] = ()

    def mean(self, start: int, end: int) -> float | None:
        """Return the mean confidence of the letters of `[start, end)` from 0 to 1; None where no word was recognised."""
        weighted = letters = 0
        for span in self._iterate(start, end):
            length = min(span.end, end) - max(span.start, start)
            letters += length
            weighted += length * span.percent
        return weighted / letters / 100 if letters else None

    def doubtful_spans(self, start: int, end: int) -> list[RecognisedSpan]:
        """Return the words of `[start, end)` that may be misread."""
        return [span for span in self._iterate(start, end) if span.percent < MIN_CLEAR_PERCENT]

    def _iterate(self, start: int, end: int) -> Iterator[RecognisedSpan]:
        first = max(bisect_right(self.spans, start, key=lambda span: span.start) - 1, 0)
        for index in range(first, len(self.spans)):
            span = self.spans[index]
            if span.start >= end:
                return
            if span.end > start:
                yield span

    def to_text(self) -> str:
        """Return the words as compressed column-wise differences of 32-bit integers, in letters that JSON can hold."""
        table = np.asarray(self.spans, dtype=np.int32).reshape(-1, len(RecognisedSpan._fields)).T
        differences = np.diff(table, axis=1, prepend=np.int32(0)).tobytes()
        return base64.b64encode(zlib.compress(differences)).decode("ascii")

    @classmethod
    def from_text(cls, text: str) -> WordConfidences:
        """Return the words that `to_text` wrote."""
        differences = np.frombuffer(zlib.decompress(base64.b64decode(text)), dtype=np.int32)
        table = np.cumsum(differences.reshape(len(RecognisedSpan._fields), -1), axis=1, dtype=np.int32)
        return cls(tuple(RecognisedSpan(*row) for row in table.T.tolist()))
