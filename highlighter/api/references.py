"""References as they are sent: over HTTP, and by the command line as JSON."""

from __future__ import annotations

from highlighter.access import Visible
from highlighter.api.citation_schemas import (
    CandidateOut,
    CitedSource,
    ReferenceLinks,
    ReferenceOut,
    ResolveAnswer,
    UnresolvedReference,
)
from highlighter.models import READABLE, Document, Resolved, Source, Unresolved
from highlighter.search.references import Referred
from highlighter.store import parts
from highlighter.store.catalog import Catalog
from highlighter.viewer.links import Links


def as_source(given: CitedSource) -> Source:
    pages = tuple(sorted(set(given.pages or ())))
    return Source(given.filename, given.label, given.document_id or "", pages, chunk_index=given.chunk_index)


def as_resolved(found: Referred, given: bool, catalog: Catalog, visible: Visible, links: Links) -> ResolveAnswer:
    """`given`: the sources were the caller's, who knows them by their place in the list."""
    linked = _Linked(catalog, visible, links)
    return ResolveAnswer(
        citations=[_reference(one, found.sources[one.source], given, linked) for one in found.citations],
        unresolved=[_unresolved(one, found, given) for one in found.unresolved],
    )


def _reference(one: Resolved, source: Source, given: bool, linked: _Linked) -> ReferenceOut:
    return ReferenceOut(
        label=one.label, start=one.start, end=one.end, tier=one.tier, document_id=source.document_id or None,
        filename=source.filename, page=one.page or None, chunk_index=one.chunk_index,
        source=one.source if given else None, quote=one.quote or None, links=linked.to(one, source),
    )  # fmt: skip


def _unresolved(one: Unresolved, found: Referred, given: bool) -> UnresolvedReference:
    candidates = [
        CandidateOut(
            document_id=found.sources[index].document_id or None,
            filename=found.sources[index].filename,
            source=index if given else None,
        )
        for index in one.candidates
    ]
    return UnresolvedReference(
        label=one.label, start=one.start, end=one.end, reason=one.reason, why=one.why, candidates=candidates
    )


class _Linked:
    """Links to what is cited, as narrow as it says: the chunk, else the page, else the document."""

    def __init__(self, catalog: Catalog, visible: Visible, links: Links):
        self.catalog = catalog
        self.visible = visible
        self.links = links
        self._documents: dict[str, Document | None] = {}
        self._made: dict[tuple[str, int, int | None], ReferenceLinks] = {}

    def to(self, one: Resolved, source: Source) -> ReferenceLinks | None:
        document = self._document(source.document_id)
        if document is None:
            return None
        key = document.id, one.page, one.chunk_index
        if key not in self._made:
            self._made[key] = self._to(document, one.page, one.chunk_index)
        return self._made[key]

    def _document(self, id: str) -> Document | None:
        if id not in self._documents:
            found = self.catalog.document(id, self.visible) if id else None
            self._documents[id] = None if found is None or found.leaving else found
        return self._documents[id]

    def _to(self, document: Document, page: int, chunk_index: int | None) -> ReferenceLinks:
        if document.state not in READABLE:
            return ReferenceLinks(view=self.links.document(document.id), pdf=None)
        page = page if page <= document.pages else 0
        index = parts.holding_page(self.catalog.engine, document, page) if chunk_index is None and page else chunk_index
        chunk = self.catalog.chunk(document, index) if index is not None else None
        if chunk is None:
            view = self.links.document(document.id)
        elif chunk_index is None:
            view = self.links.chunk(chunk, view="page", page=page)
        else:
            view = self.links.chunk(chunk)
        return ReferenceLinks(view=view, pdf=self.links.pdf(document.id, page or (chunk.first_page if chunk else 0)))
