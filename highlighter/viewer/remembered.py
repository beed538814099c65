"""Pages made before. Valid as long as nothing was written to the catalog since; a reader stepping to and fro gets them."""

from __future__ import annotations

import threading
from collections.abc import Hashable

from cachetools import LRUCache

PAGES_KEPT = 512  # about 10 kB each
LONGEST_KEPT = 200_000  # characters: all the pages of a thick book


class RememberedPages:
    """A page is kept with the version of the catalog it was made from, and forgotten when that has moved on."""

    def __init__(self):
        self._pages: LRUCache[Hashable, tuple[int, str]] = LRUCache(PAGES_KEPT)
        self._lock = threading.Lock()

    def get(self, key: Hashable, version: int) -> str | None:
        with self._lock:
            kept = self._pages.get(key)
        return kept[1] if kept and kept[0] == version else None

    def keep(self, key: Hashable, version: int, page: str) -> None:
        if len(page) > LONGEST_KEPT:
            return
        with self._lock:
            self._pages[key] = (version, page)
