"""The page of a stored answer: the answer as it was given, and what has become of its documents since."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, request
from flask.typing import ResponseReturnValue

from highlighter.access import VisibleCollections, get_visible_collections
from highlighter.answering.records import AnswerStore, StoredAnswer
from highlighter.errors import NotFound
from highlighter.evidence_pack.report import build_report
from highlighter.models import READABLE, Document
from highlighter.schemas.answers import AnswerOut, AnswerSourceOut, CitationOut
from highlighter.serializers.answers import serialize_answer
from highlighter.store.catalog import Catalog
from highlighter.web.application import current_services
from highlighter.web.pages.answer_presenter import build_answer_presentation
from highlighter.web.pages.ask_page import render_ask_page
from highlighter.web.pages.question_form import QuestionForm
from highlighter.web.request_context import get_links

answer_record_pages = Blueprint("answer_record_pages", __name__)


@dataclass(frozen=True, slots=True)
class DocumentChange:
    """A document that an answer was given, and what has become of it."""

    document_id: str
    sha256: str
    name: str  # its name at the time; its id, once that is deleted
    cited: bool
    document: Document | None  # None once it cannot be opened any more
    newer_version: Document | None = None  # the version that superseded it


@dataclass(frozen=True, slots=True)
class AnswerLink:
    """A stored answer that another one refers to."""

    id: str
    question: str


@answer_record_pages.get("/answers/<answer_id>")
def answer_page(answer_id: str) -> ResponseReturnValue:
    services, visible, links = current_services(), get_visible_collections(), get_links()
    stored_answer = services.answer_records.load(answer_id, visible)
    report = build_report(stored_answer)
    changes = list_document_changes(services.catalog, stored_answer, visible)
    answer = serialize_answer(stored_answer.answer, links).model_copy(update={"question": report.question})
    if not stored_answer.is_complete:  # a claim whose words were deleted says nothing
        answer = answer.model_copy(update={"claims": [claim for claim in answer.claims if claim.text]})
    existing_ids = {change.document_id for change in changes if change.document}
    presentation = build_answer_presentation(
        _without_dead_links(answer, existing_ids),
        request.host_url.rstrip("/"),
        links.answer(answer_id),
        links.pack(answer_id),
        stored_answer.request_options.get("format", ""),
    )
    form = QuestionForm.from_record(report.answer.question, stored_answer.request_options.get("filters") or {})
    return render_ask_page(
        form.build_follow_up("" if report.answer.refused else report.answer.text, answer_id),
        presentation,
        template="answer_record.html",
        report=report,
        is_follow_up=bool(stored_answer.request_options.get("history")),
        previous_answer=find_previous_answer(services.answer_records, stored_answer, visible),
        document_changes=changes,
    )


def find_previous_answer(
    answer_store: AnswerStore, stored_answer: StoredAnswer, visible: VisibleCollections
) -> AnswerLink | None:
    """Return the answer that a follow-up continues, if it is stored and visible."""
    previous_id = stored_answer.request_options.get("previous")
    if not previous_id:
        return None
    try:
        previous = answer_store.load(previous_id, visible)
    except NotFound:
        return None
    return AnswerLink(previous_id, build_report(previous).question)


def list_document_changes(
    catalog: Catalog, stored_answer: StoredAnswer, visible: VisibleCollections
) -> list[DocumentChange]:
    """Return what has become of the documents of an answer, the cited ones first."""
    names = {source.document_id: source.filename for source in stored_answer.answer.sources}
    cited_ids = {citation.document_id for citation in stored_answer.answer.citations}
    changes = []
    for recorded in stored_answer.record.documents:
        document = catalog.document(recorded.document_id, visible)
        if document is not None and (document.deletion_time or document.state not in READABLE):
            document = None
        changes.append(
            DocumentChange(
                recorded.document_id,
                recorded.sha256,
                names.get(recorded.document_id) or f"Document {recorded.document_id}",
                recorded.document_id in cited_ids,
                document,
                newer_version=catalog.superseding_document(document) if document else None,
            )
        )
    return sorted(changes, key=lambda change: (not change.cited, change.name))


def _without_dead_links(answer: AnswerOut, existing_ids: set[str]) -> AnswerOut:
    """Return an answer without links to deleted documents; a document without a name is called by its id."""
    citations = [
        citation
        if citation.document_id in existing_ids
        else citation.model_copy(update={**_fallback_names(citation), "links": {}})
        for citation in answer.citations
    ]
    sources = [
        source
        if source.document_id in existing_ids
        else source.model_copy(update={**_fallback_names(source), "link": None})
        for source in answer.sources
    ]
    return answer.model_copy(update={"citations": citations, "sources": sources})


def _fallback_names(reference: CitationOut | AnswerSourceOut) -> dict[str, str]:
    name = f"Document {reference.document_id}"
    return {} if reference.filename else {"filename": name, "label": reference.label or name}
