"""Local copies of remote files, limited by their bytes: those used longest ago go first.

The folder itself says what is in it and when each file was used, so processes share it, and one that is killed leaves
nothing to repair.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

REMAINING_RATIO = 0.75  # of the limit that an eviction leaves, so that not every new file leads to another
CHECKED_RATIO = 0.05  # of the limit: after so many new bytes, the folders are measured again
# A use is noted this often at most, as noting it changes the file's times, and its hash is computed again then.
USE_INTERVAL_SECONDS = 300.0
# A path that was handed out is opened a little later: its file stays, unless the folders hold twice their limit.
PROTECTED_SECONDS = 2 * USE_INTERVAL_SECONDS
MAX_OVERSIZE = 2


class FileCache:
    """The files in some folders, every one of which can be fetched again."""

    def __init__(self, folders: Sequence[Path], max_bytes: int):
        self._folders, self._max_bytes = folders, max_bytes
        self._lock = threading.Lock()
        self._unmeasured_bytes = max_bytes  # so that what an earlier process left is measured at the first new file

    def note_use(self, path: Path) -> None:
        with suppress(OSError):
            if time.time() - path.stat().st_mtime > USE_INTERVAL_SECONDS:
                os.utime(path)

    def note_new_bytes(self, count: int) -> None:
        """Record that files of so many bytes were added, and evict others where it is time to."""
        with self._lock:
            self._unmeasured_bytes += count
            is_due = self._unmeasured_bytes > CHECKED_RATIO * self._max_bytes
            if is_due:
                self._unmeasured_bytes = 0
        if is_due:
            self.evict()

    def evict(self) -> None:
        """Remove the files used longest ago until the rest is within the limit."""
        entries = sorted(self._list_entries())
        total, protected_since = sum(size for _, size, _ in entries), time.time() - PROTECTED_SECONDS
        if total <= self._max_bytes:
            return
        for used, size, path in entries:
            limit = MAX_OVERSIZE * self._max_bytes if used > protected_since else REMAINING_RATIO * self._max_bytes
            if total <= limit:
                return
            with suppress(OSError):
                os.unlink(path)
                total -= size
                os.rmdir(os.path.dirname(path))  # where it was the last one

    def _list_entries(self) -> Iterator[tuple[float, int, str]]:
        for top in self._folders:
            for folder, _, names in os.walk(top):
                for name in names:
                    path = os.path.join(folder, name)
                    with suppress(OSError):
                        status = os.stat(path)
                        yield status.st_mtime, status.st_size, path
