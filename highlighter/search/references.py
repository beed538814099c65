"""References of any system's answers, held against its own sources or against every document a caller may see."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from highlighter.access import Visible
from highlighter.citations.defined import definitions
from highlighter.citations.known import Known
from highlighter.citations.marks import marks
from highlighter.citations.resolve import Resolver
from highlighter.errors import BadRequest
from highlighter.models import Document, Resolution, Resolved, Source, Unresolved
from highlighter.store.catalog import Catalog

MAX_TEXT, MAX_SOURCES = 100_000, 1_000
LIBRARIES = 4  # remembered at once: callers who see different collections


@dataclass(frozen=True, slots=True)
class Referred:
    """What the references of a text mean among `sources`."""

    resolution: Resolution
    sources: Sequence[Source]

    @property
    def citations(self) -> tuple[Resolved, ...]:
        return self.resolution.citations

    @property
    def unresolved(self) -> tuple[Unresolved, ...]:
        return self.resolution.unresolved


class References:
    def __init__(self, catalog: Catalog):
        self.catalog = catalog
        self._libraries: OrderedDict[tuple[int, Visible], tuple[list[Source], Known]] = OrderedDict()
        self._lock = threading.Lock()

    def resolve(self, text: str, visible: Visible, sources: Sequence[Source] | None = None) -> Referred:
        """Without sources, against the library, where a number or a page alone means nothing."""
        if len(text) > MAX_TEXT:
            raise BadRequest(f"The text has {len(text):,} characters; {MAX_TEXT:,} are the most that are read at once.")
        if sources is None:
            known_sources, known = self._library(visible)
            resolver = Resolver(known_sources, retrieved=False, known=known)
        elif len(sources) > MAX_SOURCES:
            raise BadRequest(
                f"There are {len(sources):,} sources; {MAX_SOURCES:,} are the most that are taken at once."
            )
        else:
            resolver = Resolver([self._completed(source, visible) for source in sources])
        return Referred(resolver.resolution(marks(text), definitions(text)), resolver.sources)

    def _completed(self, source: Source, visible: Visible) -> Source:
        """With what is kept of its document: whoever cites a page that it does not have is told so."""
        document = self.catalog.document(source.document_id, visible) if source.document_id else None
        if document is None:
            return source
        pages = source.pages or self._pages(document, source.chunk_index)
        labels = source.page_labels or document.labels
        return replace(source, pages=pages, page_labels=labels, chunks=document.chunks)

    def _pages(self, document: Document, chunk_index: int | None) -> range:
        chunk = self.catalog.chunk(document, chunk_index) if chunk_index is not None else None
        return range(chunk.first_page, chunk.last_page + 1) if chunk else range(1, document.pages + 1)

    def _library(self, visible: Visible) -> tuple[list[Source], Known]:
        """Read once, and again when anybody has written: ten thousand names take a second."""
        key = self.catalog.version(), visible
        with self._lock:
            if key not in self._libraries:
                sources = [_source(one) for one in self.catalog.documents(visible, superseded=False)]
                self._libraries[key] = sources, Known(sources)
            self._libraries.move_to_end(key)
            while len(self._libraries) > LIBRARIES:
                self._libraries.popitem(last=False)
            return self._libraries[key]


def _source(document: Document) -> Source:
    pages = range(1, document.pages + 1)
    return Source(document.name, "", document.id, pages, document.labels, chunks=document.chunks)
