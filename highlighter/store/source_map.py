"""From an offset in the canonical text to the characters on a page that it was read from."""

from __future__ import annotations

import zlib
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np


class SourceRun(NamedTuple):
    """Canonical `[start, end)` was read from raw characters `[raw_start, raw_end)` of a page (PDFium's char indexes).

    Both sides of equal length: character by character. Otherwise (a ligature, a folded form) the run is one piece.
    Canonical characters in no run (joining spaces, breaks) come from nowhere on paper.
    """

    start: int
    end: int
    page: int
    raw_start: int
    raw_end: int


@dataclass(frozen=True, slots=True)
class SourceMap:
    """Runs in canonical order; they never overlap there, but may jump about on the pages."""

    runs: tuple[SourceRun, ...] = ()

    def page_at(self, offset: int) -> int:
        """The page on which the character at `offset` stands (that of the nearest run before it; 1 if none)."""
        if not self.runs:
            return 1
        at = bisect_right(self.runs, offset, key=lambda run: run.start) - 1
        return self.runs[max(at, 0)].page

    def pages_of_span(self, start: int, end: int) -> list[int]:
        """Every page that `[start, end)` touches, in reading order."""
        return list(dict.fromkeys(run.page for run in self._iterate_overlapping_runs(start, end)))

    def raw_spans(self, start: int, end: int) -> list[tuple[int, int, int]]:
        """`(page, raw_start, raw_end)` for each stretch of characters that `[start, end)` was read from."""
        spans = []
        for run in self._iterate_overlapping_runs(start, end):
            if run.end - run.start == run.raw_end - run.raw_start:
                skip, drop = max(start - run.start, 0), max(run.end - end, 0)
                spans.append((run.page, run.raw_start + skip, run.raw_end - drop))
            else:
                spans.append((run.page, run.raw_start, run.raw_end))
        return spans

    def raw_spans_by_page(self, start: int, end: int) -> dict[int, list[tuple[int, int]]]:
        """The same by page, in the order they are read."""
        spans: dict[int, list[tuple[int, int]]] = {}
        for page, raw_start, raw_end in self.raw_spans(start, end):
            spans.setdefault(page, []).append((raw_start, raw_end))
        return spans

    def _iterate_overlapping_runs(self, start: int, end: int) -> Iterable[SourceRun]:
        at = max(bisect_right(self.runs, start, key=lambda run: run.start) - 1, 0)
        for run in self.runs[at:]:
            if run.start >= end:
                return
            if run.end > start:
                yield run

    def to_bytes(self) -> bytes:
        """Small: column-wise differences of 32-bit integers, deflated."""
        table = np.asarray(self.runs, dtype=np.int32).reshape(-1, len(SourceRun._fields)).T
        return zlib.compress(np.diff(table, axis=1, prepend=np.int32(0)).tobytes())

    @classmethod
    def from_bytes(cls, data: bytes) -> SourceMap:
        steps = np.frombuffer(zlib.decompress(data), dtype=np.int32).reshape(len(SourceRun._fields), -1)
        return cls(tuple(SourceRun(*row) for row in np.cumsum(steps, axis=1, dtype=np.int32).T.tolist()))
