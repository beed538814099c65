"""The map from offsets in the canonical text to the characters on pages that they were read from."""

from __future__ import annotations

import zlib
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np


class SourceRun(NamedTuple):
    """A run of canonical text `[start, end)`, read from raw characters `[raw_start, raw_end)` of a page in PDFium.

    If both spans have the same length, they correspond character by character. Otherwise (a ligature, a folded form) the
    run is indivisible. Canonical characters in no run (joining spaces, breaks) are on no page.
    """

    start: int
    end: int
    page: int
    raw_start: int
    raw_end: int


@dataclass(frozen=True, slots=True)
class SourceMap:
    """The runs in canonical order. They never overlap in the text, but may be in any order on the pages."""

    runs: tuple[SourceRun, ...] = ()

    def page_at(self, offset: int) -> int:
        """Return the page of the character at an offset: that of the nearest run before it, or 1 if there is none."""
        if not self.runs:
            return 1
        index = bisect_right(self.runs, offset, key=lambda run: run.start) - 1
        return self.runs[max(index, 0)].page

    def pages_of_span(self, start: int, end: int) -> list[int]:
        """Return every page that `[start, end)` overlaps, in reading order."""
        return list(dict.fromkeys(run.page for run in self._iterate_overlapping_runs(start, end)))

    def page_spans(self, start: int, end: int) -> tuple[tuple[int, int, int], ...]:
        """Return `(start, end, page)` for each run of `[start, end)` that is on one page, counted from `start`."""
        spans: list[tuple[int, int, int]] = []
        for run in self._iterate_overlapping_runs(start, end):
            first = max(run.start - start, 0)
            if spans and spans[-1][2] == run.page:
                first = spans.pop()[0]
            spans.append((first, min(run.end, end) - start, run.page))
        return tuple(spans)

    def raw_spans(self, start: int, end: int) -> list[tuple[int, int, int]]:
        """Return `(page, raw_start, raw_end)` for each raw span that `[start, end)` was read from."""
        spans = []
        for run in self._iterate_overlapping_runs(start, end):
            if run.end - run.start == run.raw_end - run.raw_start:
                skipped, dropped = max(start - run.start, 0), max(run.end - end, 0)
                spans.append((run.page, run.raw_start + skipped, run.raw_end - dropped))
            else:
                spans.append((run.page, run.raw_start, run.raw_end))
        return spans

    def raw_spans_by_page(self, start: int, end: int) -> dict[int, list[tuple[int, int]]]:
        """Return the raw spans that `[start, end)` was read from, by page, in reading order."""
        spans: dict[int, list[tuple[int, int]]] = {}
        for page, raw_start, raw_end in self.raw_spans(start, end):
            spans.setdefault(page, []).append((raw_start, raw_end))
        return spans

    def _iterate_overlapping_runs(self, start: int, end: int) -> Iterable[SourceRun]:
        first = max(bisect_right(self.runs, start, key=lambda run: run.start) - 1, 0)
        for index in range(first, len(self.runs)):  # a slice would copy the rest of a book for each cell of a table
            run = self.runs[index]
            if run.start >= end:
                return
            if run.end > start:
                yield run

    # For pickle: a child process sends the map to its parent, as plain numbers.
    def __getstate__(self) -> bytes:
        return np.asarray(self.runs, dtype=np.int32).tobytes()

    def __setstate__(self, state: bytes) -> None:
        table = np.frombuffer(state, dtype=np.int32).reshape(-1, len(SourceRun._fields))
        object.__setattr__(self, "runs", tuple(SourceRun(*row) for row in table.tolist()))

    def to_bytes(self) -> bytes:
        """Return the map as compressed column-wise differences of 32-bit integers."""
        table = np.asarray(self.runs, dtype=np.int32).reshape(-1, len(SourceRun._fields)).T
        return zlib.compress(np.diff(table, axis=1, prepend=np.int32(0)).tobytes())

    @classmethod
    def from_bytes(cls, data: bytes) -> SourceMap:
        differences = np.frombuffer(zlib.decompress(data), dtype=np.int32).reshape(len(SourceRun._fields), -1)
        return cls(tuple(SourceRun(*row) for row in np.cumsum(differences, axis=1, dtype=np.int32).T.tolist()))
