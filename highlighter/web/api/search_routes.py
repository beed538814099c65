"""The routes of search and highlights, and of the API's own description.

Each view takes a validated request, makes one call and serializes the result.
"""

from __future__ import annotations

import re
from typing import Any, cast

from flask import Blueprint, render_template, request
from markupsafe import Markup, escape
from spectree import Response as Responses

from highlighter.access import get_visible_collections
from highlighter.errors import BadRequest, UnsupportedMediaType
from highlighter.schemas.search import (
    HighlightQuery,
    HighlightRequest,
    HighlightResponse,
    Problem,
    SearchRequest,
    SearchResponse,
)
from highlighter.serializers.search import serialize_highlights, serialize_search_results
from highlighter.store.lookup import require_chunk
from highlighter.web import request_context
from highlighter.web.api.openapi import HIGHLIGHTS_TAG, SEARCH_TAG, spec
from highlighter.web.api.openapi_document import build_openapi
from highlighter.web.api.reference_page import list_operations
from highlighter.web.application import current_application, current_services
from highlighter.web.chunk_page import ChunkPageOptions, render_chunk_page
from highlighter.web.page_cache import cache_page

api = Blueprint("api", __name__, url_prefix="/api/v1")
UPLOAD_ENDPOINTS = frozenset({"documents_api.upload", "documents_api.upload_several"})
ENDPOINTS_WITHOUT_BODY = frozenset(
    {"documents_api.document_retry", "notes_api.restore_note", "webhooks_api.ping_webhook"}
)


@api.before_app_request
def _refuse_other_media_types() -> None:
    """Raise UnsupportedMediaType for a body that is not JSON, or for an upload that is not multipart/form-data."""
    if (
        request.method not in ("POST", "PUT", "PATCH")
        or not request.path.startswith("/api/")
        or request.endpoint in (None, *ENDPOINTS_WITHOUT_BODY)  # none: there is no such route, or not with this method
    ):
        return
    if request.endpoint in UPLOAD_ENDPOINTS:
        if request.mimetype != "multipart/form-data":
            raise UnsupportedMediaType("Send the file as multipart/form-data, in a part named file.")
    elif not request.is_json:
        raise UnsupportedMediaType("Send the request as application/json.")
    elif _parse_json_body() is None:
        raise BadRequest("The body is not JSON.")


def _parse_json_body() -> Any:
    """Return the body of the request; None when it is not JSON."""
    try:
        return request.get_json(silent=True)
    except RecursionError:  # thousands of nested brackets
        return None


@api.app_template_filter("coded")
def _format_code(text: str) -> Markup:
    """Return a text as HTML, with what stands between backticks as code."""
    return Markup(re.sub("`([^`]+)`", r"<code>\1</code>", str(escape(text))))


@api.get("/openapi.json")
def openapi() -> dict[str, Any]:
    return build_openapi(current_application(), request_context.build_absolute_links().root)


@api.get("/")
def reference() -> str:
    """Render the API's description as a page."""
    server_url = request_context.build_absolute_links().root
    operations = list_operations(build_openapi(current_application(), server_url), server_url)
    return render_template("api.html", operations=operations)


@api.get("/chunks/highlight")
@cache_page
@spec.validate(tags=[HIGHLIGHTS_TAG])
def chunk_highlight(query: HighlightQuery) -> str:
    """Return a chunk as a page (text/html), with the sentences that answer the sub-question highlighted."""
    services = current_services()
    services.embedder.wait_until_loaded(services.settings.warm_up_seconds)
    document = request_context.get_readable_document(query.document_id)
    chunk = require_chunk(services.catalog, document, query.chunk_index, query.v, query.start)
    options = ChunkPageOptions(query.sub_question, query.method or "", query.view, is_bare=True)
    return render_chunk_page(document, chunk, options)


@api.post("/highlight")
@spec.validate(resp=Responses(HTTP_200=HighlightResponse, HTTP_404=Problem), tags=[HIGHLIGHTS_TAG])
def highlight(json: HighlightRequest) -> HighlightResponse:
    """Return every sentence of a text, or of a chunk, with its similarity and score."""
    services = current_services()
    services.embedder.wait_until_loaded(services.settings.warm_up_seconds)
    highlighter, method = services.passage_highlighter, json.method or ""
    if json.text is not None:
        evidence = highlighter.highlight_text(json.question, json.text, method, json.threshold)
        return serialize_highlights(evidence, json.explain)
    # HighlightRequest ensures a document and a chunk where there is no text.
    document = request_context.get_readable_document(cast(str, json.document_id))
    chunk = require_chunk(services.catalog, document, cast(int, json.chunk_index))
    evidence = highlighter.highlight_chunk(json.question, chunk, method=method, threshold=json.threshold)
    tables, confidences = services.catalog.tables(document, chunk), services.catalog.word_confidences(document)
    return serialize_highlights(evidence, json.explain, chunk, request_context.get_links(), tables, confidences)


@api.post("/search")
@spec.validate(resp=Responses(HTTP_200=SearchResponse), tags=[SEARCH_TAG])
def search(json: SearchRequest) -> SearchResponse:
    """Find the chunks that answer a question best, by meaning and by words, with their best sentences."""
    services = current_services()
    services.embedder.wait_until_loaded(services.settings.warm_up_seconds)
    where = {**json.where, "collection": json.collection} if json.collection else json.where
    results = services.search.find(json.question, json.limit, get_visible_collections(), where, json.min_score)
    links = request_context.get_links()
    return serialize_search_results(json.question, results, links, services.catalog.word_confidences)
