"""The serialization of located quotes and resolved references: for HTTP, and for the JSON of the command line."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

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
from highlighter.quotes.match import EXACT
from highlighter.quotes.word_diff import DiffSegment
from highlighter.schemas.documents import RectangleOut
from highlighter.schemas.quotes import (
    CandidateOut,
    CitableSource,
    DifferenceKind,
    DifferenceOut,
    LocatedSentence,
    LocateResponse,
    MissReason,
    QuoteMatchOut,
    QuoteTier,
    ReferenceLinks,
    ReferenceOut,
    ResolveResponse,
    SpanChangeResponse,
    SpanOut,
    SpanOutcomeName,
    UnresolvedReference,
)
from highlighter.search.citation_reopener import SpanOutcome
from highlighter.search.reference_lookup import ReferenceLookupResult
from highlighter.store import lookup
from highlighter.store.catalog import Catalog
from highlighter.urls import Links


def serialize_quote_location(
    location: QuoteLocation, links: Links, page_renderer: DocumentPages | None
) -> LocateResponse:
    """Return a located quote; without `page_renderer`, without its rectangles."""
    place = location.place
    return LocateResponse(
        quote=location.quote, tier=cast(QuoteTier, location.tier), document_id=place.document.id if place else None,
        start=place.start if place else None, end=place.end if place else None,
        sentences=[LocatedSentence(index=s.index, start=s.start, end=s.end, text=s.text, page=s.page) for s in location.sentences],
        rectangles=_find_rectangles(place, page_renderer) if place and page_renderer else [],
        score=round(place.score, 4) if place else 0.0, place=serialize_quote_match(place, links, location.quote) if place else None,
        candidates=[serialize_quote_match(candidate, links) for candidate in location.candidates],
        why=location.why or None, reason=cast(MissReason | None, location.reason or None), notes=list(location.notes),
    )  # fmt: skip


def serialize_quote_match(place: DocumentQuoteMatch, links: Links, quote: str = "") -> QuoteMatchOut:
    document = place.document
    return QuoteMatchOut(
        document_id=document.id, name=document.name, version=document.version, start=place.start, end=place.end,
        spans=[SpanOut(start=start, end=end) for start, end in place.highlighted_spans],
        text=place.text, tier=cast(QuoteTier, place.tier), score=round(place.score, 4), chunk_index=place.chunk, page=place.page,
        last_page=place.last_page, differs=serialize_differences(place.differs), why=place.why or None,
        reason=cast(MissReason | None, place.reason or None),
        links={
            "self": links.quote_match(place, quote), "annotations": links.annotations(document.id, place.start, place.end),
            "pdf": links.quote_match_pdf(place), "document": links.document(document.id),
        },
    )  # fmt: skip


def serialize_span_change(change: SpanOutcome, links: Links) -> SpanChangeResponse:
    return SpanChangeResponse(
        outcome=cast(SpanOutcomeName, change.outcome), says=change.description,
        before=serialize_quote_match(change.before, links),
        after=serialize_quote_match(change.after, links) if change.after else None,
        differs=serialize_differences(change.again.differs),
    )  # fmt: skip


def serialize_differences(segments: Iterable[DiffSegment]) -> list[DifferenceOut]:
    return [
        DifferenceOut(kind=cast(DifferenceKind, segment.kind), ours=segment.ours, theirs=segment.theirs)
        for segment in segments
    ]


def _find_rectangles(place: DocumentQuoteMatch, page_renderer: DocumentPages) -> list[RectangleOut]:
    """Return the rectangles of a match; none where the page cannot be rendered, as the match is valid without them."""
    try:
        rectangles = [
            rectangle
            for start, end in place.highlighted_spans
            for rectangle in page_renderer.find_rectangles(place.document, start, end)
        ]
    except (AlteredContent, UnrenderablePage, Unavailable):
        return []
    return [RectangleOut.from_rectangle(rectangle) for rectangle in rectangles]


# References


def convert_source(source: CitableSource) -> Source:
    """Return a source of a request as a source of the domain."""
    pages = tuple(sorted(set(source.pages or ())))
    return Source(source.filename, source.label, source.document_id or "", pages, chunk_index=source.chunk_index)


def serialize_references(
    resolution: ReferenceLookupResult,
    has_given_sources: bool,
    catalog: Catalog,
    visible: VisibleCollections,
    links: Links,
) -> ResolveResponse:
    """Return the resolved and unresolved references of a text.

    `has_given_sources` tells that the caller gave the sources, and so knows them by their index in the list.
    """
    linker = _ReferenceLinker(catalog, visible, links)
    return ResolveResponse(
        citations=[
            _serialize_reference(reference, resolution.sources[reference.source], has_given_sources, linker)
            for reference in resolution.citations
        ],
        unresolved=[_serialize_unresolved(marker, resolution, has_given_sources) for marker in resolution.unresolved],
    )


def _serialize_reference(
    reference: ResolvedReference, source: Source, has_given_sources: bool, linker: _ReferenceLinker
) -> ReferenceOut:
    return ReferenceOut(
        label=reference.label, start=reference.start, end=reference.end, tier=reference.tier,
        document_id=source.document_id or None, filename=source.filename, page=reference.page or None,
        chunk_index=reference.chunk_index, source=reference.source if has_given_sources else None,
        quote=reference.quote or None,
        clause=SpanOut(start=reference.clause[0], end=reference.clause[1]) if reference.clause else None, links=linker.link(reference, source),
    )  # fmt: skip


def _serialize_unresolved(
    marker: UnresolvedMarker, resolution: ReferenceLookupResult, has_given_sources: bool
) -> UnresolvedReference:
    candidates = [
        CandidateOut(
            document_id=resolution.sources[index].document_id or None,
            filename=resolution.sources[index].filename,
            source=index if has_given_sources else None,
        )
        for index in marker.candidates
    ]
    return UnresolvedReference(
        label=marker.label,
        start=marker.start,
        end=marker.end,
        reason=marker.reason,
        why=marker.why,
        candidates=candidates,
    )


class _ReferenceLinker:
    """Builds links to what a reference cites: the clause, else the chunk, else the page, else the document."""

    def __init__(self, catalog: Catalog, visible: VisibleCollections, links: Links):
        self.catalog = catalog
        self.visible = visible
        self.links = links
        self._documents: dict[str, Document | None] = {}
        self._cached_links: dict[tuple[str, int, int | None, int], ReferenceLinks] = {}

    def link(self, reference: ResolvedReference, source: Source) -> ReferenceLinks | None:
        document = self._find_document(source.document_id)
        if document is None:
            return None
        key = document.id, reference.page, reference.chunk_index, reference.clause[0] if reference.clause else -1
        if key not in self._cached_links:
            self._cached_links[key] = self._build_clause_links(document, reference) or self._build_links(
                document, reference.page, reference.chunk_index
            )
        return self._cached_links[key]

    def _find_document(self, id: str) -> Document | None:
        if id not in self._documents:
            document = self.catalog.document(id, self.visible) if id else None
            self._documents[id] = None if document is None or document.deletion_time else document
        return self._documents[id]

    def _build_clause_links(self, document: Document, reference: ResolvedReference) -> ReferenceLinks | None:
        if reference.clause is None or document.state not in READABLE:
            return None
        start, end, _ = reference.clause
        chunk = self.catalog.chunk_at(document, start)
        if chunk is None:
            return None
        place = DocumentQuoteMatch(
            document, start, end, "", EXACT, 1.0, chunk.index, reference.page or chunk.first_page
        )
        return ReferenceLinks(view=self.links.quote_match(place), pdf=self.links.quote_match_pdf(place))

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
