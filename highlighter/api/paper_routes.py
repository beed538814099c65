"""/api/v1/documents/<id>/rectangles: where a span stands on paper, so that any viewer can draw it."""

from __future__ import annotations

from dataclasses import replace

from flask import Blueprint, current_app
from spectree import Response as Answers

from highlighter.api.paper_schemas import PageOut, RectangleOut, RectanglesOut, RectanglesQuery
from highlighter.api.schemas import Problem
from highlighter.api.spec import DOCUMENTS, spec
from highlighter.store.known import checked_span
from highlighter.viewer import requested

paper_api = Blueprint("paper_api", __name__, url_prefix="/api/v1/documents")


@paper_api.get("/<document_id>/rectangles")
@spec.validate(
    resp=Answers(HTTP_200=RectanglesOut, HTTP_400=Problem, HTTP_404=Problem, HTTP_409=Problem), tags=[DOCUMENTS]
)
def document_rectangles(document_id: str, query: RectanglesQuery):
    """Where a span of the canonical text stands: one rectangle a line, in columns and over pages."""
    services = current_app.services
    document = requested.readable(document_id)
    document = replace(document, pipeline=query.v or document.pipeline)
    checked_span(services.catalog, document, query.start, query.end)
    found = services.paper.rectangles(document, query.start, query.end)
    pages = services.paper.letters(document, dict.fromkeys(one.page for one in found))
    return RectanglesOut(
        rectangles=[RectangleOut.of(box) for box in found],
        pages=[
            PageOut(page=number, width=round(seen.width, 2), height=round(seen.height, 2), rotation=seen.rotation)
            for number, seen in pages.items()
            if seen
        ],
    )
