"""/api/v1: highlights, and the API's own description. Each view reads a checked request, makes one call, formats."""

from __future__ import annotations

import re

from flask import Blueprint, current_app, render_template, request
from markupsafe import Markup, escape
from spectree import Response

from highlighter.access import visible_collections
from highlighter.api.described import described
from highlighter.api.hits import as_answer, as_highlights
from highlighter.api.reference import operations
from highlighter.api.schemas import (
    HighlightAnswer,
    HighlightQuery,
    HighlightRequest,
    Problem,
    SearchAnswer,
    SearchRequest,
)
from highlighter.api.spec import HIGHLIGHTS, SEARCH, spec
from highlighter.errors import BadRequest, WrongMedia
from highlighter.store.known import known_chunk
from highlighter.viewer import requested
from highlighter.viewer.answering import remembered
from highlighter.viewer.reading import chunk_view

api = Blueprint("api", __name__, url_prefix="/api/v1")
UPLOAD = "documents_api.upload"
WITHOUT_BODY = frozenset({"documents_api.document_retry"})


@api.before_app_request
def _refuse_other_media() -> None:
    if request.method != "POST" or not request.path.startswith("/api/") or request.endpoint in WITHOUT_BODY:
        return
    if request.endpoint == UPLOAD:
        if request.mimetype != "multipart/form-data":
            raise WrongMedia("Send the file as multipart/form-data, in a part named file.")
    elif not request.is_json:
        raise WrongMedia("Send the request as application/json.")
    elif _json() is None:
        raise BadRequest("The body is not JSON.")


def _json():
    try:
        return request.get_json(silent=True)
    except RecursionError:  # a body of nothing but brackets
        return None


@api.app_template_filter("coded")
def _coded(words: str) -> Markup:
    """What the description writes between backticks, as code."""
    return Markup(re.sub("`([^`]+)`", r"<code>\1</code>", str(escape(words))))


@api.get("/openapi.json")
def openapi():
    return described(spec.spec)


@api.get("/")
def reference():
    """The same for people."""
    return render_template("api.html", operations=operations(described(spec.spec), request.host_url.rstrip("/")))


@api.get("/chunks/highlight")
@remembered
@spec.validate(tags=[HIGHLIGHTS])
def chunk_highlight(query: HighlightQuery):
    """The chunk as a page (text/html), its sentences lit by their similarity to the sub-question."""
    services = current_app.services
    services.embedder.wait(services.settings.warm_up_seconds)
    document = requested.readable(query.document_id)
    chunk = known_chunk(services.catalog, document, query.chunk_index, query.v, query.start)
    return chunk_view(document, chunk, query.sub_question, query.method or "", bare=True, view=query.view)


@api.post("/highlight")
@spec.validate(resp=Response(HTTP_200=HighlightAnswer, HTTP_404=Problem), tags=[HIGHLIGHTS])
def highlight(json: HighlightRequest):
    """Every sentence of a text, or of a chunk, with its similarity and score."""
    services = current_app.services
    services.embedder.wait(services.settings.warm_up_seconds)
    how = {"method": json.method or "", "threshold": json.threshold}
    if json.text is not None:
        return as_highlights(services.passages.text(json.question, json.text, **how), json.explain)
    document = requested.readable(json.document_id)
    chunk = known_chunk(services.catalog, document, json.chunk_index)
    evidence = services.passages.chunk(json.question, chunk, **how)
    return as_highlights(evidence, json.explain, chunk, requested.links())


@api.post("/search")
@spec.validate(resp=Response(HTTP_200=SearchAnswer), tags=[SEARCH])
def search(json: SearchRequest):
    """The chunks that answer a question best, by meaning and by words, with their best sentences."""
    services = current_app.services
    services.embedder.wait(services.settings.warm_up_seconds)
    where = {**json.where, "collection": json.collection} if json.collection else json.where
    found = services.search.find(json.question, json.limit, visible_collections(), where, json.min_score)
    return as_answer(json.question, found, requested.links())
