"""Resolve the references of any system's answers to given sources, or to all visible documents."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from highlighter.access import VisibleCollections
from highlighter.errors import BadRequest, NotFound, NotReady
from highlighter.models import Document, ReferenceResolution, ResolvedReference, Source, UnresolvedMarker
from highlighter.references.resolver import Resolver
from highlighter.references.source_names import SourceNames
from highlighter.store.catalog import Catalog
from highlighter.store.lookup import require_readable_document
from highlighter.store.source_texts import add_pages, load_source_texts

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
        load_text = partial(self._load_text, visible)
        if sources is None:
            library, source_names = self._load_library(visible)
            resolver = Resolver(library, retrieved=False, source_names=source_names, load_text=load_text)
        elif len(sources) > MAX_SOURCES:
            raise BadRequest(f"There are {len(sources):,} sources; the limit is {MAX_SOURCES:,}.")
        else:
            completed = [self._complete_source(source, visible) for source in sources]
            resolver = Resolver(completed, load_text=load_text)
        return ReferenceLookupResult(resolver.resolve_text(text), resolver.sources)

    def find_named_documents(self, filename: str, visible: VisibleCollections) -> tuple[str, ...]:
        """Return the ids of the visible documents that a file name means, with or without its folder and extension."""
        return self._load_library(visible)[1].match_name(filename.strip()).documents if filename.strip() else ()

    def require_one_document(self, document_id: str, filename: str, visible: VisibleCollections) -> Document | None:
        """Return the readable document with this id or file name; None without either.

        Raises NotFound when there is none, and BadRequest when several documents have the name.
        """
        if not document_id and filename:
            ids = self.find_named_documents(filename, visible)
            if not ids:
                raise NotFound(f"No document is called {filename}.")
            if len(ids) > 1:
                raise BadRequest(f"{len(ids)} documents are called {filename}. Give the id of one.")
            document_id = ids[0]
        return require_readable_document(self.catalog, document_id, visible) if document_id else None

    def _complete_source(self, source: Source, visible: VisibleCollections) -> Source:
        if not source.document_id:
            ids = self.find_named_documents(source.filename, visible)
            source = replace(source, document_id=ids[0]) if len(ids) == 1 else source
        document = self.catalog.document(source.document_id, visible) if source.document_id else None
        return add_pages(source, document, self.catalog) if document else source

    def _load_text(self, visible: VisibleCollections, source: Source) -> Source:
        """Return a source with the text of its document; without it, while the document cannot be read."""
        try:
            return load_source_texts([source], self.catalog, visible)[0]
        except (NotFound, NotReady):
            return source

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
