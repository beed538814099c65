"""A cache of rendered pages, each valid until the catalog is next written to."""

from __future__ import annotations

import threading
from collections.abc import Hashable

from cachetools import LRUCache

# In characters, of 1 to 4 bytes each. The size is bounded because the holder of a link can have a page made for every
# question. A page of text has about 10,000 characters, all the pages of a thick book 200,000.
MAX_PAGE_CACHE_CHARACTERS = 16_000_000
MAX_CACHED_PAGE_CHARACTERS = 200_000


class LruPageCache:
    """Keeps pages with the version of the catalog that they were made from; the least recently used go first."""

    def __init__(self) -> None:
        self._pages: LRUCache[Hashable, tuple[int, str]] = LRUCache(
            MAX_PAGE_CACHE_CHARACTERS, lambda entry: len(entry[1])
        )
        self._lock = threading.Lock()

    def get(self, key: Hashable, version: int) -> str | None:
        """Return the page that was made from this version of the catalog, if any."""
        with self._lock:
            entry = self._pages.get(key)
        return entry[1] if entry and entry[0] == version else None

    def put(self, key: Hashable, version: int, page: str) -> None:
        """Keep a page, unless it is too long."""
        if len(page) > MAX_CACHED_PAGE_CHARACTERS:
            return
        with self._lock:
            self._pages[key] = (version, page)
