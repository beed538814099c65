"""The cache of drawn pages on disk, beside the document's other files: entries are written whole, and its size is
limited.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

MAX_CACHE_BYTES = 96 << 20  # of one document; about 600 page pictures
_KEPT_RATIO = 0.75  # of the maximum that an eviction leaves, so that not every new entry leads to another


class RenderCache:
    """The cache of one document in a folder. Every entry can be made again."""

    def __init__(self, folder: Path, max_bytes: int = MAX_CACHE_BYTES):
        self._folder, self._max_bytes = folder, max_bytes

    def find_file(self, name: str) -> Path | None:
        """Return the path of an entry, or None."""
        path = self._folder / name
        try:
            os.utime(path)  # used just now: evicted last
        except OSError:
            return None
        return path

    def read(self, name: str) -> bytes | None:
        """Return the content of an entry, or None."""
        try:
            return path.read_bytes() if (path := self.find_file(name)) else None
        except OSError:
            return None

    def save(self, name: str, data: bytes) -> None:
        """Save an entry, or nothing when the document was deleted meanwhile or the disk is full."""
        with suppress(OSError), self.open_new(name) as copy:
            copy.write_bytes(data)

    @contextmanager
    def open_new(self, name: str) -> Iterator[Path]:
        """Yield the path of a temporary file to be written, which becomes the entry once it is complete."""
        self._folder.mkdir(exist_ok=True)  # without its parents, which are gone when the document is deleted
        handle, temporary_path = tempfile.mkstemp(dir=self._folder, prefix=".")
        os.close(handle)
        copy = Path(temporary_path)
        try:
            yield copy
            os.replace(copy, self._folder / name)
        finally:
            copy.unlink(missing_ok=True)
        self._evict_oldest()

    def _evict_oldest(self) -> None:
        entries = []
        for entry in os.scandir(self._folder):
            with suppress(OSError):
                status = entry.stat()
                entries.append((status.st_mtime, status.st_size, entry.path))
        total = sum(size for _, size, _ in entries)
        if total <= self._max_bytes:
            return
        for _, size, path in sorted(entries)[:-1]:  # the newest stays, however large
            if total <= _KEPT_RATIO * self._max_bytes:
                return
            Path(path).unlink(missing_ok=True)
            total -= size
