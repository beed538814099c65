"""The routes of quotes, annotations, later versions, references, and search within a document."""

from __future__ import annotations

import json as plain_json
from typing import Any, cast

from flask import Blueprint, Response, request
from spectree import Response as Responses

from highlighter.access import get_visible_collections
from highlighter.errors import TooLarge
from highlighter.models import MEDIA_TYPES, Document, InDocumentMatch, InDocumentResults
from highlighter.quotes.anchors import ANNOTATION_MEDIA_TYPE, JSON_LD_CONTEXTS, build_annotation
from highlighter.schemas.native_citations import NativeCitationsRequest, NativeCitationsResponse
from highlighter.schemas.quotes import (
    AnnotationPage,
    AnnotationsQuery,
    FindMatch,
    FindQuery,
    FindResponse,
    LocateRequest,
    LocateResponse,
    ResolveRequest,
    ResolveResponse,
    SpanChangeQuery,
    SpanChangeResponse,
)
from highlighter.schemas.search import Problem
from highlighter.serializers.native_citations import convert_native_request, serialize_native_responses
from highlighter.serializers.quotes import (
    convert_source,
    serialize_quote_location,
    serialize_references,
    serialize_span_change,
)
from highlighter.store.lookup import require_chunk
from highlighter.urls import Links
from highlighter.web import request_context
from highlighter.web.api.idempotency import accept_idempotency_key
from highlighter.web.api.openapi import DOCUMENTS_TAG, QUOTES_TAG, spec
from highlighter.web.api.pagination import OFFSET_PARAMETER, build_link_header
from highlighter.web.application import current_services

quotes_api = Blueprint("quotes_api", __name__, url_prefix="/api/v1")
citations_api = Blueprint("citations_api", __name__, url_prefix="/api/v1")

MAX_REQUEST_BYTES = 8_000_000  # of vendors' responses
CONTEXT_CHARACTERS = 60  # on either side of a match


@quotes_api.post("/locate")
@spec.validate(resp=Responses(HTTP_200=LocateResponse, HTTP_404=Problem, HTTP_409=Problem), tags=[QUOTES_TAG])
def locate(json: LocateRequest) -> LocateResponse:
    """Locate a quote, in one document or in all. The tier is exact, normalised, fuzzy, semantic, or none."""
    visible = get_visible_collections()
    document = current_services().reference_lookup.require_one_document(json.document_id or "", json.filename, visible)
    location = current_services().quote_locator.locate(
        json.quote, document, visible, json.page or 0, json.prefix, json.suffix
    )
    return serialize_quote_location(location, request_context.get_links(), current_services().page_renderer)


@quotes_api.get("/documents/<document_id>/later")
@spec.validate(resp=Responses(HTTP_200=SpanChangeResponse, HTTP_404=Problem), tags=[QUOTES_TAG])
def later(document_id: str, query: SpanChangeQuery) -> SpanChangeResponse:
    """Find a span in the current version of its document: same, moved, changed (with a word diff), or gone."""
    into = request_context.get_readable_document(query.into) if query.into else None
    outcome = current_services().citation_reopener.find_later_version(
        request_context.get_readable_document(document_id), query.start, query.end, into
    )
    return serialize_span_change(outcome, request_context.get_links())


@quotes_api.get("/documents/<document_id>/annotations")
@spec.validate(resp=Responses(HTTP_200=AnnotationPage, HTTP_404=Problem), tags=[QUOTES_TAG])
def list_annotations(document_id: str, query: AnnotationsQuery) -> Response:
    """Return highlights as W3C Web Annotations (JSON-LD) with quote, position, page and document hash; each id is a link."""
    document = request_context.get_readable_document(document_id)
    items = [_build_annotation(document, start, end) for start, end in _find_requested_spans(document, query)]
    body = {"@context": JSON_LD_CONTEXTS, "type": "AnnotationPage", "items": items}
    return Response(plain_json.dumps(body, ensure_ascii=False), content_type=ANNOTATION_MEDIA_TYPE)


@quotes_api.get("/documents/<document_id>/find")
@spec.validate(resp=Responses(HTTP_200=FindResponse, HTTP_404=Problem), tags=[DOCUMENTS_TAG])
def find(document_id: str, query: FindQuery) -> tuple[FindResponse, int, dict[str, str]]:
    """Find words in a document, or the sentences that mean the same, in reading order: the header Link leads to the next ones."""
    document = request_context.get_readable_document(document_id)
    results = current_services().document_search.find(document, query.q, query.by)
    matches = results.spans[query.offset : query.offset + query.limit]
    cached_text = current_services().quote_locator.text_cache.get_text(document)
    text = cached_text.text if cached_text else ""
    end = query.offset + len(matches)
    body = FindResponse(
        query=results.query, by=query.by, count=len(results.spans), note=results.note or None,
        spans=[_serialize_find_match(document, results, match, number, text) for number, match in enumerate(matches, query.offset + 1)],
    )  # fmt: skip
    # A document never changes, so neither do the offsets of what is found in it.
    has_more = bool(matches) and end < len(results.spans)
    return body, 200, build_link_header({OFFSET_PARAMETER: str(end)} if has_more else None)


def _serialize_find_match(
    document: Document, results: InDocumentResults, match: InDocumentMatch, number: int, text: str
) -> FindMatch:
    return FindMatch(
        start=match.start, end=match.end, text=text[match.start : match.end],
        before=text[max(match.start - CONTEXT_CHARACTERS, 0) : match.start], after=text[match.end : match.end + CONTEXT_CHARACTERS],
        page=match.page, chunk_index=match.chunk, score=match.score or None,
        link=request_context.get_links().find_result(document.id, match.chunk, results.query, results.by, number),
    )  # fmt: skip


def _find_requested_spans(document: Document, query: AnnotationsQuery) -> list[tuple[int, int]]:
    """Return the span of the query, or the highlighted sentences of its chunk; AnnotationsQuery ensures one of them."""
    if query.start is not None and query.end is not None:
        return [(query.start, query.end)]
    services = current_services()
    services.embedder.wait_until_loaded(services.settings.warm_up_seconds)
    chunk = require_chunk(services.catalog, document, cast(int, query.chunk_index))
    evidence = services.passage_highlighter.highlight_chunk(cast(str, query.sub_question), chunk)
    return [(scored.sentence.start, scored.sentence.end) for scored in evidence.sentences if scored.highlighted]


def _build_annotation(document: Document, start: int, end: int) -> dict[str, Any]:
    anchor, place = current_services().citation_reopener.make_anchor(document, start, end)
    host_url, links = request.host_url.rstrip("/"), request_context.get_links()
    return build_annotation(
        anchor,
        link=host_url + links.permanent_quote(document.sha256, anchor, place.page),
        source=host_url + links.original(document.id),
        media_type=MEDIA_TYPES.get(document.kind, ""),
        sha256=document.sha256,
        page=place.page,
    )


@citations_api.post("/citations/resolve")
@accept_idempotency_key
@spec.validate(resp=Responses(HTTP_200=ResolveResponse, HTTP_400=Problem), tags=[QUOTES_TAG])
def resolve(json: ResolveRequest) -> ResolveResponse:
    """Resolve the references in a text, as models and people write them. A reference that is not certain gets no link."""
    services, visible = current_services(), get_visible_collections()
    sources = None if json.sources is None else [convert_source(source) for source in json.sources]
    result = services.reference_lookup.resolve(json.text, visible, sources)
    return serialize_references(result, sources is not None, services.catalog, visible, Links(request.script_root))


@citations_api.post("/citations/native")
@accept_idempotency_key
@spec.validate(resp=Responses(HTTP_200=NativeCitationsResponse, HTTP_400=Problem, HTTP_413=Problem), tags=[QUOTES_TAG])
def open_native_citations(json: NativeCitationsRequest) -> NativeCitationsResponse:
    """Open the citations of any vendor's response, as it came: the document and sentence of each, a verdict, links."""
    services = current_services()
    if request.content_length and request.content_length > MAX_REQUEST_BYTES:
        raise TooLarge(f"The request has {request.content_length:,} bytes; the limit is {MAX_REQUEST_BYTES:,}.")
    services.embedder.wait_until_loaded(services.settings.warm_up_seconds)
    opened = services.citation_opener.open_all(convert_native_request(json), get_visible_collections())
    return serialize_native_responses(opened, request_context.get_links())
