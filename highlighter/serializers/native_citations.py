"""The serialization of other vendors' citations: for HTTP, adapters and the command line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from highlighter.models import Chunk, DocumentQuoteMatch
from highlighter.native_citations.opened_response import OpenedCitation, OpenedResponse
from highlighter.native_citations.opener import NativeRequest
from highlighter.schemas.checks import VerdictName
from highlighter.schemas.native_citations import (
    CitationTier,
    CitedPlace,
    CitedSourceOut,
    FoundBy,
    NativeCitationOut,
    NativeCitationsRequest,
    NativeCitationsResponse,
    NativeClaimOut,
    NativeResponseOut,
    TextSpan,
)
from highlighter.schemas.quotes import LocatedSentence, SpanOut
from highlighter.urls import Links

MAX_PLACE_CHARACTERS = 2_000


def convert_native_request(request: NativeCitationsRequest) -> list[NativeRequest]:
    """Return the responses of a request, each with what was given for all."""
    responses = [request.response] if request.responses is None else request.responses
    return [NativeRequest(one, request.answer, tuple(request.sources), request.check) for one in responses]


def serialize_native_responses(opened: Sequence[OpenedResponse], links: Links) -> NativeCitationsResponse:
    return NativeCitationsResponse(responses=[_serialize_response(response, links) for response in opened])


def _serialize_response(opened: OpenedResponse, links: Links) -> NativeResponseOut:
    return NativeResponseOut(
        format=opened.format, text=opened.text,
        citations=[_serialize_citation(citation, opened, links) for citation in opened.citations],
        opened=sum(citation.located.place is not None for citation in opened.citations),
        claims=[
            NativeClaimOut(
                text=claim.text, start=claim.start, end=claim.end, verdict=cast(VerdictName, claim.verdict),
                score=claim.score, why=claim.why or None,
            )
            for claim in opened.claims
        ],
        grounding_score=opened.grounding_score, note=opened.note or None,
    )  # fmt: skip


def _serialize_citation(citation: OpenedCitation, opened: OpenedResponse, links: Links) -> NativeCitationOut:
    located, claim, source = citation.located, citation.claim, citation.source
    quote = "" if located.is_whole_passage else citation.quote  # with it, the page compares the words once more
    return NativeCitationOut(
        kind=citation.kind,
        cited=_make_span(opened.text, citation.start, citation.end),
        marker=_make_span(opened.text, *citation.label) if citation.label else None,
        quote=citation.quote or None,
        source=CitedSourceOut(name=source.name, url=next(iter(source.urls), None), page=source.page or None),
        tier=cast(CitationTier, located.tier), found_by=cast(FoundBy | None, located.found_by or None),
        place=_serialize_place(located.place, links, citation.highlighted, quote) if located.place else None,
        sentences=[
            LocatedSentence(index=one.index, start=one.start, end=one.end, text=one.text, page=one.page)
            for one in citation.sentences
        ],
        verdict=cast(VerdictName, opened.claims[claim].verdict) if claim is not None else None, claim=claim,
        reason=located.reason or None,
        candidates=[_serialize_place(candidate, links, candidate if candidate.end else None) for candidate in located.candidates],
    )  # fmt: skip


def _make_span(text: str, start: int | None, end: int | None) -> TextSpan | None:
    return None if start is None or end is None else TextSpan(start=start, end=end, text=text[start:end])


def _serialize_place(
    place: DocumentQuoteMatch, links: Links, highlighted: DocumentQuoteMatch | None = None, quote: str = ""
) -> CitedPlace:
    """Return a place, with links that open it with its highlight."""
    spans = highlighted.highlighted_spans if highlighted else ()
    return CitedPlace(
        document_id=place.document.id, name=place.document.name, chunk_index=(highlighted or place).chunk,
        page=(highlighted or place).page, last_page=(highlighted or place).last_page, start=place.start, end=place.end,
        spans=[SpanOut(start=start, end=end) for start, end in spans], text=place.text[:MAX_PLACE_CHARACTERS],
        links=_build_links(place, links, highlighted, quote),
    )  # fmt: skip


def _build_links(
    place: DocumentQuoteMatch, links: Links, highlighted: DocumentQuoteMatch | None, quote: str
) -> dict[str, str]:
    document = place.document
    if highlighted:
        return {
            "view": links.quote_match(highlighted, quote), "page": links.quote_match_page(highlighted, quote),
            "pdf": links.quote_match_pdf(highlighted), "document": links.document(document.id),
        }  # fmt: skip
    if not place.text:
        return {"document": links.document(document.id)}
    chunk = Chunk(document.id, document.pipeline, place.chunk, place.start, place.end, place.page, place.last_page)
    return {
        "view": links.chunk(chunk), "page": links.chunk(chunk, view="page", page=place.page),
        "pdf": links.pdf(document.id, place.page), "document": links.document(document.id),
    }  # fmt: skip
