"""An answer that was given before, as a page: as it was, and beside it what became of its documents since."""

from __future__ import annotations

from flask import Blueprint, current_app, render_template, request

from highlighter.access import visible_collections
from highlighter.api.answer_schemas import AnswerOut, AnswerSourceOut, CitationOut
from highlighter.api.answers import as_answer
from highlighter.asking.shown import shown
from highlighter.asking.since import since
from highlighter.pack.report import report
from highlighter.viewer.requested import links

kept_pages = Blueprint("kept_pages", __name__)


@kept_pages.get("/answers/<answer_id>")
def answer_page(answer_id: str):
    services, visible, to = current_app.services, visible_collections(), links()
    kept = services.keeping.open(answer_id, visible)
    told, became = report(kept), since(services.catalog, kept, visible)
    sent = as_answer(kept.answer, to).model_copy(update={"question": told.question})
    if not kept.whole:  # a claim without its words says nothing
        sent = sent.model_copy(update={"claims": [one for one in sent.claims if one.text]})
    there = {one.document_id for one in became if one.document}
    made = shown(
        _without_dead_links(sent, there), request.host_url.rstrip("/"), to.answer(answer_id), to.pack(answer_id),
        kept.asked.get("format", ""),
    )  # fmt: skip
    return render_template("answer.html", shown=made, told=told, became=became)


def _without_dead_links(sent: AnswerOut, there: set[str]) -> AnswerOut:
    """Nothing leads to a document that is not there any more, and what lost its name goes by its id."""
    citations = [
        one if one.document_id in there else one.model_copy(update={**_named(one), "links": {}})
        for one in sent.citations
    ]
    sources = [
        one if one.document_id in there else one.model_copy(update={**_named(one), "link": None})
        for one in sent.sources
    ]
    return sent.model_copy(update={"citations": citations, "sources": sources})


def _named(one: CitationOut | AnswerSourceOut) -> dict[str, str]:
    name = f"Document {one.document_id}"
    return {} if one.filename else {"filename": name, "label": one.label or name}
