"""The texts of documents that were asked for lately, in the forms they are compared in."""

from __future__ import annotations

import threading

from cachetools import LRUCache
from sqlalchemy.exc import NoResultFound

from highlighter.citations.normal import Words
from highlighter.models import Document
from highlighter.store.catalog import Catalog

# Of all texts kept together: some 3,000 pages. With its normal form a character takes about 10 bytes.
CHARACTERS_KEPT = 8_000_000


class Texts:
    def __init__(self, catalog: Catalog):
        self.catalog = catalog
        self._kept: LRUCache[tuple[str, int], Words] = LRUCache(CHARACTERS_KEPT, getsizeof=lambda w: len(w.text) or 1)
        self._lock = threading.Lock()
        self._version = -1

    def forget(self) -> None:
        with self._lock:
            self._kept.clear()

    def words(self, document: Document) -> Words | None:
        """A document's text, or None when it was deleted meanwhile. Nothing of one that was deleted is kept."""
        key, version = (document.id, document.pipeline), self.catalog.version()
        with self._lock:
            if version != self._version:  # somebody wrote: what is gone must be gone from here, too
                self._version = version
                there = self.catalog.known_ids([document_id for document_id, _ in self._kept])
                for gone in [other for other in self._kept if other[0] not in there]:
                    del self._kept[gone]
            if (kept := self._kept.get(key)) is not None:
                return kept
        try:
            made = Words(self.catalog.text(document))
        except NoResultFound:
            return None
        with self._lock:
            if len(made.text) <= CHARACTERS_KEPT:
                self._kept[key] = made
        return made
