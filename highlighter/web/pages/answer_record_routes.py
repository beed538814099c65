"""What became of the documents that an answer was given, since it was given."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, render_template, request

from highlighter.access import VisibleCollections, get_visible_collections
from highlighter.answering.records import StoredAnswer
from highlighter.evidence_pack.report import build_report
from highlighter.models import READABLE, Document
from highlighter.schemas.answers import AnswerOut, AnswerSourceOut, CitationOut
from highlighter.serializers.answers import serialize_answer
from highlighter.store.catalog import Catalog
from highlighter.web.application import current_services
from highlighter.web.pages.answer_presenter import build_answer_presentation
from highlighter.web.request_context import get_links


@dataclass(frozen=True, slots=True)
class DocumentChange:
    document_id: str
    sha256: str
    name: str  # as it was called then; its id, once that is gone
    cited: bool
    document: Document | None  # none: it cannot be opened any more
    newer: Document | None = None  # has taken its place


def list_document_changes(
    catalog: Catalog, answer_record: StoredAnswer, visible: VisibleCollections
) -> list[DocumentChange]:
    """The cited ones first, each as long as it is there."""
    names = {one.document_id: one.filename for one in answer_record.answer.sources}
    cited = {one.document_id for one in answer_record.answer.citations}
    found = []
    for one in answer_record.record.documents:
        document = catalog.document(one.document_id, visible)
        if document is not None and (document.leaving or document.state not in READABLE):
            document = None
        name = names.get(one.document_id) or f"Document {one.document_id}"
        newer = catalog.superseding_document(document) if document else None
        found.append(DocumentChange(one.document_id, one.sha256, name, one.document_id in cited, document, newer))
    return sorted(found, key=lambda one: (not one.cited, one.name))


# An answer that was given before, as a page: as it was, and beside it what became of its documents since.


answer_record_pages = Blueprint("answer_record_pages", __name__)


@answer_record_pages.get("/answers/<answer_id>")
def answer_page(answer_id: str):
    services, visible, to = current_services(), get_visible_collections(), get_links()
    kept = services.answer_records.load(answer_id, visible)
    told, became = build_report(kept), list_document_changes(services.catalog, kept, visible)
    sent = serialize_answer(kept.answer, to).model_copy(update={"question": told.question})
    if not kept.is_complete:  # a claim without its words says nothing
        sent = sent.model_copy(update={"claims": [one for one in sent.claims if one.text]})
    there = {one.document_id for one in became if one.document}
    made = build_answer_presentation(
        _without_dead_links(sent, there), request.host_url.rstrip("/"), to.answer(answer_id), to.pack(answer_id),
        kept.request_options.get("format", ""),
    )  # fmt: skip
    return render_template("answer.html", shown=made, told=told, became=became)


def _without_dead_links(answer: AnswerOut, existing_document_ids: set[str]) -> AnswerOut:
    """Nothing leads to a document that is not there any more, and what lost its name goes by its id."""
    citations = [
        one
        if one.document_id in existing_document_ids
        else one.model_copy(update={**_fallback_names(one), "links": {}})
        for one in answer.citations
    ]
    sources = [
        one
        if one.document_id in existing_document_ids
        else one.model_copy(update={**_fallback_names(one), "link": None})
        for one in answer.sources
    ]
    return answer.model_copy(update={"citations": citations, "sources": sources})


def _fallback_names(reference: CitationOut | AnswerSourceOut) -> dict[str, str]:
    name = f"Document {reference.document_id}"
    return {} if reference.filename else {"filename": name, "label": reference.label or name}
