"""/api/v1: highlights, and the API's own description. Each view reads a checked request, makes one call, formats."""

from __future__ import annotations

import re

from flask import Blueprint, render_template, request
from markupsafe import Markup, escape
from spectree import Response

from highlighter.access import get_visible_collections
from highlighter.errors import BadRequest, UnsupportedMediaType
from highlighter.schemas.search import (
    HighlightAnswer,
    HighlightQuery,
    HighlightRequest,
    Problem,
    SearchAnswer,
    SearchRequest,
)
from highlighter.serializers.search import serialize_highlights, serialize_search_results
from highlighter.store.lookup import require_chunk
from highlighter.web import request_context
from highlighter.web.api.openapi import HIGHLIGHTS_TAG, SEARCH_TAG, complete_openapi, spec
from highlighter.web.api.reference_page import list_operations
from highlighter.web.application import current_services
from highlighter.web.chunk_page import ChunkPageOptions, render_chunk_page
from highlighter.web.page_cache import cache_page

api = Blueprint("api", __name__, url_prefix="/api/v1")
UPLOAD_ENDPOINT = "documents_api.upload"
ENDPOINTS_WITHOUT_BODY = frozenset({"documents_api.document_retry"})


@api.before_app_request
def _refuse_other_media() -> None:
    if request.method != "POST" or not request.path.startswith("/api/") or request.endpoint in ENDPOINTS_WITHOUT_BODY:
        return
    if request.endpoint == UPLOAD_ENDPOINT:
        if request.mimetype != "multipart/form-data":
            raise UnsupportedMediaType("Send the file as multipart/form-data, in a part named file.")
    elif not request.is_json:
        raise UnsupportedMediaType("Send the request as application/json.")
    elif _parse_json_body() is None:
        raise BadRequest("The body is not JSON.")


def _parse_json_body():
    try:
        return request.get_json(silent=True)
    except RecursionError:  # a body of nothing but brackets
        return None


@api.app_template_filter("coded")
def _format_code(words: str) -> Markup:
    """What the description writes between backticks, as code."""
    return Markup(re.sub("`([^`]+)`", r"<code>\1</code>", str(escape(words))))


@api.get("/openapi.json")
def openapi():
    return complete_openapi(spec.spec)


@api.get("/")
def reference():
    """The same for people."""
    return render_template(
        "api.html", operations=list_operations(complete_openapi(spec.spec), request.host_url.rstrip("/"))
    )


@api.get("/chunks/highlight")
@cache_page
@spec.validate(tags=[HIGHLIGHTS_TAG])
def chunk_highlight(query: HighlightQuery):
    """The chunk as a page (text/html), its sentences lit by their similarity to the sub-question."""
    services = current_services()
    services.embedder.wait_until_loaded(services.settings.warm_up_seconds)
    document = request_context.get_readable_document(query.document_id)
    chunk = require_chunk(services.catalog, document, query.chunk_index, query.v, query.start)
    options = ChunkPageOptions(query.sub_question, query.method or "", query.view, is_bare=True)
    return render_chunk_page(document, chunk, options)


@api.post("/highlight")
@spec.validate(resp=Response(HTTP_200=HighlightAnswer, HTTP_404=Problem), tags=[HIGHLIGHTS_TAG])
def highlight(json: HighlightRequest):
    """Every sentence of a text, or of a chunk, with its similarity and score."""
    services = current_services()
    services.embedder.wait_until_loaded(services.settings.warm_up_seconds)
    how = {"method": json.method or "", "threshold": json.threshold}
    if json.text is not None:
        return serialize_highlights(
            services.passage_highlighter.highlight_text(json.question, json.text, **how), json.explain
        )
    document = request_context.get_readable_document(json.document_id)
    chunk = require_chunk(services.catalog, document, json.chunk_index)
    evidence = services.passage_highlighter.highlight_chunk(json.question, chunk, **how)
    return serialize_highlights(evidence, json.explain, chunk, request_context.get_links())


@api.post("/search")
@spec.validate(resp=Response(HTTP_200=SearchAnswer), tags=[SEARCH_TAG])
def search(json: SearchRequest):
    """The chunks that answer a question best, by meaning and by words, with their best sentences."""
    services = current_services()
    services.embedder.wait_until_loaded(services.settings.warm_up_seconds)
    where = {**json.where, "collection": json.collection} if json.collection else json.where
    found = services.search.find(json.question, json.limit, get_visible_collections(), where, json.min_score)
    return serialize_search_results(json.question, found, request_context.get_links())
