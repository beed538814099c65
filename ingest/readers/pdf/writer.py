"""The canonical text and its source map, grown together so that they cannot disagree."""

from __future__ import annotations

from highlighter.store.source_map import Run
from ingest.readers.pdf.fragments import Fragment


class Writer:
    """Appends text that comes from a page, and text (spaces, breaks) that comes from nowhere on paper."""

    def __init__(self):
        self.length = 0
        self._parts: list[str] = []
        self._runs: list[Run] = []

    @property
    def text(self) -> str:
        return "".join(self._parts)

    @property
    def runs(self) -> tuple[Run, ...]:
        return tuple(self._runs)

    def add(self, text: str) -> None:
        self._parts.append(text)
        self.length += len(text)

    def add_fragment(self, fragment: Fragment, without: int = 0) -> None:
        """All of a fragment but the last `without` characters."""
        stop = len(fragment.text) - without
        for offset, length, raw, raw_length in fragment.pieces:
            if length != raw_length and offset + length > stop:
                break
            kept = min(length, stop - offset)
            if kept <= 0:
                break
            self._run(offset, kept, fragment.page, raw, raw_length if length != raw_length else kept)
        self.add(fragment.text[:stop])

    def _run(self, offset: int, length: int, page: int, raw: int, raw_length: int) -> None:
        start = self.length + offset
        if self._runs and length == raw_length:
            last = self._runs[-1]
            exact = last.end - last.start == last.raw_end - last.raw_start
            if exact and last.end == start and last.raw_end == raw and last.page == page:
                self._runs[-1] = last._replace(end=start + length, raw_end=raw + raw_length)
                return
        self._runs.append(Run(start, start + length, page, raw, raw + raw_length))
