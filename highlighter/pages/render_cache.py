"""What was drawn before, kept on disk beside the document's other made files: written whole, and never too much."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

MAX_CACHE_BYTES = 96 << 20  # a document; about 600 page pictures
_KEPT_RATIO = 0.75  # of that when some must go, so that not every new one means looking through all


class RenderCache:
    """One folder. What lies in it can be made again, so losing any of it costs a moment only."""

    def __init__(self, folder: Path, max_bytes: int = MAX_CACHE_BYTES):
        self._folder, self._max_bytes = folder, max_bytes

    def find_file(self, name: str) -> Path | None:
        """Where it lies, if it does."""
        path = self._folder / name
        try:
            os.utime(path)  # used just now: the last to go
        except OSError:
            return None
        return path

    def read(self, name: str) -> bytes | None:
        try:
            return path.read_bytes() if (path := self.find_file(name)) else None
        except OSError:
            return None

    def save(self, name: str, data: bytes) -> None:
        """Quietly keeps nothing where the document was deleted meanwhile, or the disk is full."""
        with suppress(OSError), self.open_new(name) as copy:
            copy.write_bytes(data)

    @contextmanager
    def open_new(self, name: str) -> Iterator[Path]:
        """A file to be written, which has its name only once it is whole."""
        self._folder.mkdir(exist_ok=True)  # never its parents: they are the document's own
        handle, made = tempfile.mkstemp(dir=self._folder, prefix=".")
        os.close(handle)
        copy = Path(made)
        try:
            yield copy
            os.replace(copy, self._folder / name)
        finally:
            copy.unlink(missing_ok=True)
        self._evict_oldest()

    def _evict_oldest(self) -> None:
        kept = []
        for entry in os.scandir(self._folder):
            with suppress(OSError):
                facts = entry.stat()
                kept.append((facts.st_mtime, facts.st_size, entry.path))
        total = sum(size for _, size, _ in kept)
        if total <= self._max_bytes:
            return
        for _, size, path in sorted(kept)[:-1]:  # the newest stays, however large
            if total <= _KEPT_RATIO * self._max_bytes:
                return
            Path(path).unlink(missing_ok=True)
            total -= size
