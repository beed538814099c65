"""Resolve the references of any system's answers to given sources, or to all visible documents."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

from highlighter.access import VisibleCollections
from highlighter.errors import BadRequest
from highlighter.models import Document, ReferenceResolution, ResolvedReference, Source, UnresolvedMarker
from highlighter.references.resolver import Resolver
from highlighter.references.scanner import find_definitions, find_markers
from highlighter.references.source_names import SourceNames
from highlighter.store.catalog import Catalog
from highlighter.store.source_texts import add_pages

MAX_TEXT_CHARACTERS, MAX_SOURCES = 100_000, 1_000
MAX_CACHED_LIBRARIES = 4  # one for each set of visible collections


@dataclass(frozen=True, slots=True)
class ReferenceLookupResult:
    """The references of a text, resolved to `sources`."""

    resolution: ReferenceResolution
    sources: Sequence[Source]

    @property
    def citations(self) -> tuple[ResolvedReference, ...]:
        return self.resolution.citations

    @property
    def unresolved(self) -> tuple[UnresolvedMarker, ...]:
        return self.resolution.unresolved


class ReferenceLookup:
    """The resolver of references to documents of the library."""

    def __init__(self, catalog: Catalog):
        self.catalog = catalog
        self._libraries: OrderedDict[tuple[int, VisibleCollections], tuple[list[Source], SourceNames]] = OrderedDict()
        self._lock = threading.Lock()

    def resolve(
        self, text: str, visible: VisibleCollections, sources: Sequence[Source] | None = None
    ) -> ReferenceLookupResult:
        """Resolve the references of a text to the sources, or to the library, where a number or page alone is no reference."""
        if len(text) > MAX_TEXT_CHARACTERS:
            raise BadRequest(f"The text has {len(text):,} characters; the limit is {MAX_TEXT_CHARACTERS:,}.")
        if sources is None:
            library, source_names = self._load_library(visible)
            resolver = Resolver(library, retrieved=False, source_names=source_names)
        elif len(sources) > MAX_SOURCES:
            raise BadRequest(f"There are {len(sources):,} sources; the limit is {MAX_SOURCES:,}.")
        else:
            resolver = Resolver([self._complete_source(source, visible) for source in sources])
        return ReferenceLookupResult(
            resolver.resolve_markers(find_markers(text), find_definitions(text)), resolver.sources
        )

    def _complete_source(self, source: Source, visible: VisibleCollections) -> Source:
        document = self.catalog.document(source.document_id, visible) if source.document_id else None
        return add_pages(source, document, self.catalog) if document else source

    def _load_library(self, visible: VisibleCollections) -> tuple[list[Source], SourceNames]:
        """Return the library as sources with their names. Cached until the next write, as ten thousand names take a second."""
        key = self.catalog.data_version(), visible
        with self._lock:
            if key not in self._libraries:
                sources = [
                    _source_from_document(document) for document in self.catalog.documents(visible, superseded=False)
                ]
                self._libraries[key] = sources, SourceNames(sources)
            self._libraries.move_to_end(key)
            while len(self._libraries) > MAX_CACHED_LIBRARIES:
                self._libraries.popitem(last=False)
            return self._libraries[key]


def _source_from_document(document: Document) -> Source:
    pages = range(1, document.pages + 1)
    return Source(
        document.name, "", document.id, pages, document.labels, chunks=document.chunks, page_count=document.pages
    )
