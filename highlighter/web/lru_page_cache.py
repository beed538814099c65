"""Pages made before. Valid as long as nothing was written to the catalog since; a reader stepping to and fro gets them."""

from __future__ import annotations

import threading
from collections.abc import Hashable

from cachetools import LRUCache

# Characters, of 1 to 4 bytes: a link's holder can have as many pages made as there are questions. A page of text is about
# 10,000 long, all the pages of a thick book 200,000.
MAX_PAGE_CACHE_CHARACTERS = 16_000_000
MAX_CACHED_PAGE_CHARACTERS = 200_000


class LruPageCache:
    """A page is kept with the version of the catalog it was made from, and forgotten when that has moved on."""

    def __init__(self):
        self._pages: LRUCache[Hashable, tuple[int, str]] = LRUCache(
            MAX_PAGE_CACHE_CHARACTERS, lambda kept: len(kept[1])
        )
        self._lock = threading.Lock()

    def get(self, key: Hashable, version: int) -> str | None:
        with self._lock:
            kept = self._pages.get(key)
        return kept[1] if kept and kept[0] == version else None

    def put(self, key: Hashable, version: int, page: str) -> None:
        if len(page) > MAX_CACHED_PAGE_CHARACTERS:
            return
        with self._lock:
            self._pages[key] = (version, page)
