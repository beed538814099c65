"""Places as they are sent: over HTTP, and by the command line as JSON."""

from __future__ import annotations

from collections.abc import Iterable

from highlighter.access import VisibleCollections
from highlighter.errors import AlteredContent, Unavailable, UnrenderablePage
from highlighter.models import (
    READABLE,
    Document,
    DocumentQuoteMatch,
    QuoteLocation,
    ResolvedReference,
    Source,
    UnresolvedMarker,
)
from highlighter.pages.document_pages import DocumentPages
from highlighter.quotes.word_diff import DiffSegment
from highlighter.schemas.documents import RectangleOut
from highlighter.schemas.quotes import (
    CandidateOut,
    CitableSource,
    DifferenceOut,
    LocateAnswer,
    LocatedSentence,
    QuoteMatchOut,
    ReferenceLinks,
    ReferenceOut,
    ResolveAnswer,
    SpanChangeAnswer,
    UnresolvedReference,
)
from highlighter.search.citation_reopener import SpanOutcome
from highlighter.search.reference_lookup import ReferenceLookupResult
from highlighter.store import lookup
from highlighter.store.catalog import Catalog
from highlighter.urls import Links


def serialize_quote_location(
    location: QuoteLocation, links: Links, page_renderer: DocumentPages | None
) -> LocateAnswer:
    """Without paper, where on it the place stands is not told."""
    place = location.place
    return LocateAnswer(
        quote=location.quote, tier=location.tier, document_id=place.document.id if place else None,
        start=place.start if place else None, end=place.end if place else None,
        sentences=[LocatedSentence(index=s.index, start=s.start, end=s.end, text=s.text, page=s.page) for s in location.sentences],
        rectangles=_find_rectangles(place, page_renderer) if place and page_renderer else [],
        score=round(place.score, 4) if place else 0.0, place=serialize_quote_match(place, links, location.quote) if place else None,
        candidates=[serialize_quote_match(one, links) for one in location.candidates],
        why=location.why or None, notes=list(location.notes),
    )  # fmt: skip


def serialize_quote_match(place: DocumentQuoteMatch, links: Links, quote: str = "") -> QuoteMatchOut:
    document = place.document
    return QuoteMatchOut(
        document_id=document.id, name=document.name, version=document.version, start=place.start, end=place.end,
        text=place.text, tier=place.tier, score=round(place.score, 4), chunk_index=place.chunk, page=place.page,
        last_page=place.last_page, differs=serialize_differences(place.differs), why=place.why or None,
        links={
            "self": links.quote_match(place, quote), "annotations": links.annotations(document.id, place.start, place.end),
            "pdf": links.quote_match_pdf(place), "document": links.document(document.id),
        },
    )  # fmt: skip


def serialize_span_change(later: SpanOutcome, links: Links) -> SpanChangeAnswer:
    return SpanChangeAnswer(
        outcome=later.outcome, says=later.description, before=serialize_quote_match(later.before, links),
        after=serialize_quote_match(later.after, links) if later.after else None, differs=serialize_differences(later.again.differs),
    )  # fmt: skip


def serialize_differences(differs: Iterable[DiffSegment]) -> list[DifferenceOut]:
    return [DifferenceOut(kind=piece.kind, ours=piece.ours, theirs=piece.theirs) for piece in differs]


def _find_rectangles(place: DocumentQuoteMatch, page_renderer: DocumentPages) -> list[RectangleOut]:
    """None, where the page cannot be drawn: the words were found all the same."""
    try:
        found = page_renderer.find_rectangles(place.document, place.start, place.end)
    except (AlteredContent, UnrenderablePage, Unavailable):
        return []
    return [RectangleOut.from_rectangle(box) for box in found]


# References as they are sent: over HTTP, and by the command line as JSON.


def convert_source(given: CitableSource) -> Source:
    pages = tuple(sorted(set(given.pages or ())))
    return Source(given.filename, given.label, given.document_id or "", pages, chunk_index=given.chunk_index)


def serialize_references(
    resolution: ReferenceLookupResult,
    has_given_sources: bool,
    catalog: Catalog,
    visible: VisibleCollections,
    links: Links,
) -> ResolveAnswer:
    """`given`: the sources were the caller's, who knows them by their place in the list."""
    linked = _ReferenceLinker(catalog, visible, links)
    return ResolveAnswer(
        citations=[
            _serialize_reference(one, resolution.sources[one.source], has_given_sources, linked)
            for one in resolution.citations
        ],
        unresolved=[_serialize_unresolved(one, resolution, has_given_sources) for one in resolution.unresolved],
    )


def _serialize_reference(
    one: ResolvedReference, source: Source, has_given_sources: bool, linked: _ReferenceLinker
) -> ReferenceOut:
    return ReferenceOut(
        label=one.label, start=one.start, end=one.end, tier=one.tier, document_id=source.document_id or None,
        filename=source.filename, page=one.page or None, chunk_index=one.chunk_index,
        source=one.source if has_given_sources else None, quote=one.quote or None, links=linked.link(one, source),
    )  # fmt: skip


def _serialize_unresolved(
    one: UnresolvedMarker, resolution: ReferenceLookupResult, has_given_sources: bool
) -> UnresolvedReference:
    candidates = [
        CandidateOut(
            document_id=resolution.sources[index].document_id or None,
            filename=resolution.sources[index].filename,
            source=index if has_given_sources else None,
        )
        for index in one.candidates
    ]
    return UnresolvedReference(
        label=one.label, start=one.start, end=one.end, reason=one.reason, why=one.why, candidates=candidates
    )


class _ReferenceLinker:
    """Links to what is cited, as narrow as it says: the chunk, else the page, else the document."""

    def __init__(self, catalog: Catalog, visible: VisibleCollections, links: Links):
        self.catalog = catalog
        self.visible = visible
        self.links = links
        self._documents: dict[str, Document | None] = {}
        self._cached_links: dict[tuple[str, int, int | None], ReferenceLinks] = {}

    def link(self, one: ResolvedReference, source: Source) -> ReferenceLinks | None:
        document = self._find_document(source.document_id)
        if document is None:
            return None
        key = document.id, one.page, one.chunk_index
        if key not in self._cached_links:
            self._cached_links[key] = self._build_links(document, one.page, one.chunk_index)
        return self._cached_links[key]

    def _find_document(self, id: str) -> Document | None:
        if id not in self._documents:
            found = self.catalog.document(id, self.visible) if id else None
            self._documents[id] = None if found is None or found.leaving else found
        return self._documents[id]

    def _build_links(self, document: Document, page: int, chunk_index: int | None) -> ReferenceLinks:
        if document.state not in READABLE:
            return ReferenceLinks(view=self.links.document(document.id), pdf=None)
        page = page if page <= document.pages else 0
        index = (
            lookup.find_chunk_of_page(self.catalog.engine, document, page)
            if chunk_index is None and page
            else chunk_index
        )
        chunk = self.catalog.chunk(document, index) if index is not None else None
        if chunk is None:
            view = self.links.document(document.id)
        elif chunk_index is None:
            view = self.links.chunk(chunk, view="page", page=page)
        else:
            view = self.links.chunk(chunk)
        return ReferenceLinks(view=view, pdf=self.links.pdf(document.id, page or (chunk.first_page if chunk else 0)))
