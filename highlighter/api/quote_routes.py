"""/api/v1: where a quote stands, what a citation is known by, what became of it, and find in document."""

from __future__ import annotations

import json as plain_json

from flask import Blueprint, current_app, request
from flask import Response as Answer
from spectree import Response

from highlighter.access import visible_collections
from highlighter.api.located import as_later, as_located
from highlighter.api.quote_schemas import (
    AnnotationPage,
    AnnotationsQuery,
    FindAnswer,
    FindQuery,
    FoundSpan,
    LaterAnswer,
    LaterQuery,
    LocateAnswer,
    LocateRequest,
)
from highlighter.api.schemas import Problem
from highlighter.api.spec import DOCUMENTS, QUOTES, spec
from highlighter.citations.anchors import CONTEXTS, MEDIA_TYPE, annotation
from highlighter.models import MEDIA_TYPES, Document, FoundSpans, Span
from highlighter.store.known import known_chunk
from highlighter.viewer import requested

quotes_api = Blueprint("quotes_api", __name__, url_prefix="/api/v1")

AROUND = 60  # characters shown on either side of a found span


@quotes_api.post("/locate")
@spec.validate(resp=Response(HTTP_200=LocateAnswer, HTTP_404=Problem, HTTP_409=Problem), tags=[QUOTES])
def locate(json: LocateRequest):
    """Where a quote stands, and how surely: exact, normalised, fuzzy, semantic, or none."""
    document = requested.readable(json.document_id) if json.document_id else None
    found = current_app.services.locator.locate(
        json.quote, document, visible_collections(), json.page or 0, json.prefix, json.suffix
    )
    return as_located(found, requested.links(), current_app.services.paper)


@quotes_api.get("/documents/<document_id>/later")
@spec.validate(resp=Response(HTTP_200=LaterAnswer, HTTP_404=Problem), tags=[QUOTES])
def later(document_id: str, query: LaterQuery):
    """What became of a span in the current version: same, moved, changed (with a word diff), gone."""
    into = requested.readable(query.into) if query.into else None
    found = current_app.services.reopener.later(requested.readable(document_id), query.start, query.end, into)
    return as_later(found, requested.links())


@quotes_api.get("/documents/<document_id>/annotations")
@spec.validate(resp=Response(HTTP_200=AnnotationPage, HTTP_404=Problem), tags=[QUOTES])
def annotations(document_id: str, query: AnnotationsQuery):
    """Highlights as W3C Web Annotations (JSON-LD): quote, position, page, document hash; each id is a link that opens it."""
    document = requested.readable(document_id)
    items = [_annotation(document, start, end) for start, end in _spans(document, query)]
    body = {"@context": CONTEXTS, "type": "AnnotationPage", "items": items}
    return Answer(plain_json.dumps(body, ensure_ascii=False), content_type=MEDIA_TYPE)


@quotes_api.get("/documents/<document_id>/find")
@spec.validate(resp=Response(HTTP_200=FindAnswer, HTTP_404=Problem), tags=[DOCUMENTS])
def find(document_id: str, query: FindQuery):
    """Every place in a document that says these words, or the sentences that mean them, in reading order."""
    document = requested.readable(document_id)
    found = current_app.services.finder.find(document, query.q, query.by)
    spans = found.spans[query.offset : query.offset + query.limit]
    text = current_app.services.locator.texts.words(document).text
    return FindAnswer(
        query=found.query, by=found.by, count=len(found.spans), note=found.note or None,
        spans=[_span(document, found, span, number, text) for number, span in enumerate(spans, query.offset + 1)],
    )  # fmt: skip


def _span(document: Document, found: FoundSpans, span: Span, number: int, text: str) -> FoundSpan:
    return FoundSpan(
        start=span.start, end=span.end, text=text[span.start : span.end],
        before=text[max(span.start - AROUND, 0) : span.start], after=text[span.end : span.end + AROUND],
        page=span.page, chunk_index=span.chunk, score=span.score or None,
        link=requested.links().found(document.id, span.chunk, found.query, found.by, number),
    )  # fmt: skip


def _spans(document: Document, query: AnnotationsQuery) -> list[tuple[int, int]]:
    if query.start is not None:
        return [(query.start, query.end)]
    services = current_app.services
    services.embedder.wait(services.settings.warm_up_seconds)
    chunk = known_chunk(services.catalog, document, query.chunk_index)
    lit = services.passages.chunk(query.sub_question, chunk).sentences
    return [(one.sentence.start, one.sentence.end) for one in lit if one.highlighted]


def _annotation(document: Document, start: int, end: int) -> dict:
    anchor, place = current_app.services.reopener.anchor(document, start, end)
    here, links = request.host_url.rstrip("/"), requested.links()
    link = here + links.opening(document.sha256, anchor, place.page)
    return annotation(
        anchor,
        link,
        here + links.original(document.id),
        MEDIA_TYPES.get(document.kind, ""),
        document.sha256,
        place.page,
    )
