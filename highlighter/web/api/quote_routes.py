"""/api/v1: where a quote stands, what a citation is known by, what became of it, and find in document."""

from __future__ import annotations

import json as plain_json

from flask import Blueprint, request
from flask import Response as Answer
from spectree import Response

from highlighter.access import get_visible_collections
from highlighter.models import MEDIA_TYPES, Document, InDocumentMatch, InDocumentResults
from highlighter.quotes.anchors import ANNOTATION_MEDIA_TYPE, JSON_LD_CONTEXTS, build_annotation
from highlighter.schemas.quotes import (
    AnnotationPage,
    AnnotationsQuery,
    FindAnswer,
    FindMatch,
    FindQuery,
    LocateAnswer,
    LocateRequest,
    ResolveAnswer,
    ResolveRequest,
    SpanChangeAnswer,
    SpanChangeQuery,
)
from highlighter.schemas.search import Problem
from highlighter.serializers.quotes import (
    convert_source,
    serialize_quote_location,
    serialize_references,
    serialize_span_change,
)
from highlighter.store.lookup import require_chunk
from highlighter.urls import Links
from highlighter.web import request_context
from highlighter.web.api.openapi import DOCUMENTS_TAG, QUOTES_TAG, spec
from highlighter.web.application import current_services

quotes_api = Blueprint("quotes_api", __name__, url_prefix="/api/v1")

CONTEXT_CHARACTERS = 60  # characters shown on either side of a found span


@quotes_api.post("/locate")
@spec.validate(resp=Response(HTTP_200=LocateAnswer, HTTP_404=Problem, HTTP_409=Problem), tags=[QUOTES_TAG])
def locate(json: LocateRequest):
    """Where a quote stands, and how surely: exact, normalised, fuzzy, semantic, or none."""
    document = request_context.get_readable_document(json.document_id) if json.document_id else None
    found = current_services().quote_locator.locate(
        json.quote, document, get_visible_collections(), json.page or 0, json.prefix, json.suffix
    )
    return serialize_quote_location(found, request_context.get_links(), current_services().page_renderer)


@quotes_api.get("/documents/<document_id>/later")
@spec.validate(resp=Response(HTTP_200=SpanChangeAnswer, HTTP_404=Problem), tags=[QUOTES_TAG])
def later(document_id: str, query: SpanChangeQuery):
    """What became of a span in the current version: same, moved, changed (with a word diff), gone."""
    into = request_context.get_readable_document(query.into) if query.into else None
    found = current_services().citation_reopener.find_later_version(
        request_context.get_readable_document(document_id), query.start, query.end, into
    )
    return serialize_span_change(found, request_context.get_links())


@quotes_api.get("/documents/<document_id>/annotations")
@spec.validate(resp=Response(HTTP_200=AnnotationPage, HTTP_404=Problem), tags=[QUOTES_TAG])
def annotations(document_id: str, query: AnnotationsQuery):
    """Highlights as W3C Web Annotations (JSON-LD): quote, position, page, document hash; each id is a link that opens it."""
    document = request_context.get_readable_document(document_id)
    items = [_build_annotation(document, start, end) for start, end in _find_requested_spans(document, query)]
    body = {"@context": JSON_LD_CONTEXTS, "type": "AnnotationPage", "items": items}
    return Answer(plain_json.dumps(body, ensure_ascii=False), content_type=ANNOTATION_MEDIA_TYPE)


@quotes_api.get("/documents/<document_id>/find")
@spec.validate(resp=Response(HTTP_200=FindAnswer, HTTP_404=Problem), tags=[DOCUMENTS_TAG])
def find(document_id: str, query: FindQuery):
    """Every place in a document that says these words, or the sentences that mean them, in reading order."""
    document = request_context.get_readable_document(document_id)
    found = current_services().document_search.find(document, query.q, query.by)
    spans = found.spans[query.offset : query.offset + query.limit]
    text = current_services().quote_locator.text_cache.get_text(document).text
    return FindAnswer(
        query=found.query, by=found.by, count=len(found.spans), note=found.note or None,
        spans=[_serialize_find_match(document, found, span, number, text) for number, span in enumerate(spans, query.offset + 1)],
    )  # fmt: skip


def _serialize_find_match(
    document: Document, found: InDocumentResults, span: InDocumentMatch, number: int, text: str
) -> FindMatch:
    return FindMatch(
        start=span.start, end=span.end, text=text[span.start : span.end],
        before=text[max(span.start - CONTEXT_CHARACTERS, 0) : span.start], after=text[span.end : span.end + CONTEXT_CHARACTERS],
        page=span.page, chunk_index=span.chunk, score=span.score or None,
        link=request_context.get_links().find_result(document.id, span.chunk, found.query, found.by, number),
    )  # fmt: skip


def _find_requested_spans(document: Document, query: AnnotationsQuery) -> list[tuple[int, int]]:
    if query.start is not None:
        return [(query.start, query.end)]
    services = current_services()
    services.embedder.wait_until_loaded(services.settings.warm_up_seconds)
    chunk = require_chunk(services.catalog, document, query.chunk_index)
    lit = services.passage_highlighter.highlight_chunk(query.sub_question, chunk).sentences
    return [(one.sentence.start, one.sentence.end) for one in lit if one.highlighted]


def _build_annotation(document: Document, start: int, end: int) -> dict:
    anchor, place = current_services().citation_reopener.make_anchor(document, start, end)
    here, links = request.host_url.rstrip("/"), request_context.get_links()
    link = here + links.permanent_quote(document.sha256, anchor, place.page)
    return build_annotation(
        anchor,
        link=link,
        source=here + links.original(document.id),
        media_type=MEDIA_TYPES.get(document.kind, ""),
        sha256=document.sha256,
        page=place.page,
    )


# /api/v1/citations: what the references of a text mean, for any system's answers.


citations_api = Blueprint("citations_api", __name__, url_prefix="/api/v1")


@citations_api.post("/citations/resolve")
@spec.validate(resp=Response(HTTP_200=ResolveAnswer, HTTP_400=Problem), tags=[QUOTES_TAG])
def resolve(json: ResolveRequest):
    """Each reference in a text, as models and people write them, and what it means; nothing is linked by a guess."""
    services, visible = current_services(), get_visible_collections()
    sources = None if json.sources is None else [convert_source(given) for given in json.sources]
    found = services.reference_lookup.resolve(json.text, visible, sources)
    return serialize_references(found, sources is not None, services.catalog, visible, Links(request.script_root))
