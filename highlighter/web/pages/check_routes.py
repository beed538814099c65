"""The page that checks an answer of any system: its claims, its quotations, and what it cites."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue

from highlighter.access import get_visible_collections
from highlighter.answering.answer import Answer
from highlighter.errors import BadRequest, HighlighterError
from highlighter.grounding.checker import (
    MAX_ANSWER_CHARACTERS,
    CheckedQuotation,
    GroundingReport,
    require_answer_length,
)
from highlighter.grounding.cited_pages import find_pages, format_page
from highlighter.grounding.cited_sources import check_answer
from highlighter.grounding.claims import extract_claims
from highlighter.grounding.quotations import NOT_FOUND, find_quotations
from highlighter.grounding.verdicts import NOT_COMPARED
from highlighter.locale import join_messages
from highlighter.models import Claim, ClaimEvidence, Document, Source
from highlighter.quotes.anchors import Anchor
from highlighter.search.answer_sources import AnswerSources
from highlighter.serializers.answers import serialize_answer
from highlighter.urls import Links
from highlighter.web import request_context
from highlighter.web.application import current_services
from highlighter.web.pages.answer_presenter import AnswerPresentation, build_answer_presentation
from highlighter.web.pages.search_routes import list_selectable_documents, read_chosen_document

check_pages = Blueprint("check_pages", __name__)

FORMAT = "markdown"  # as most assistants write


@dataclass(frozen=True, slots=True)
class LinkedEvidence:
    """A sentence for or against a claim, with its place and the URL that opens it."""

    support: ClaimEvidence
    filename: str
    page: str  # as its document prints it; "" in one without pages
    url: str


@dataclass(frozen=True, slots=True)
class CheckPresentation:
    """A checked answer with everything that its page shows."""

    answer: AnswerPresentation
    claims: Sequence[tuple[Claim, Sequence[LinkedEvidence]]]
    quotations: Sequence[tuple[CheckedQuotation, str, Source | None]]  # each with its state
    sources: Sequence[Source]
    left_out_reasons: Sequence[str]  # why documents were not compared; each names its document


@check_pages.get("/check")
def show_form() -> ResponseReturnValue:
    return _render("", read_chosen_document())


@check_pages.post("/check")
def check() -> ResponseReturnValue:
    """Check the answer of the form against a document, or against those of the library that say what it says."""
    text = request.form.get("answer", "").replace("\r\n", "\n").strip()
    document = None
    try:
        document = read_chosen_document()
        return _render(text, document, _check(text, document))
    except HighlighterError as err:
        return _render(text, document, error=err), err.status


def _check(text: str, document: Document | None) -> CheckPresentation:
    if not text:
        raise BadRequest("Paste an answer to check.")
    require_answer_length(text)
    services, visible, links = current_services(), get_visible_collections(), request_context.get_links()
    services.embedder.wait_until_loaded(services.settings.warm_up_seconds)
    finder = services.answer_sources
    claims = [claim.text for claim in extract_claims(text)] + [quotation.text for quotation in find_quotations(text)]
    if not claims:
        raise BadRequest("Nothing in this text can be checked: it states no facts.")
    found = finder.load([document.id], visible) if document else finder.find(text, claims, visible)
    if not found.sources:
        raise BadRequest(
            join_messages([item.why for item in found.left_out])
            if found.left_out
            else "No document of the library says anything about this."
        )
    report = check_answer(services.answer_checker, text, found.sources, left_out=found.left_out)
    return _present(report, found, links)


def _present(report: GroundingReport, found: AnswerSources, links: Links) -> CheckPresentation:
    sources = found.sources
    answer = Answer(
        "check", "", report.text, (), claims=report.claims, sources=tuple(sources), grounding_score=report.grounding_score or 0.0,
        confidence=report.confidence, confidence_level=report.confidence_level, warnings=report.warnings,
    )  # fmt: skip
    shown = serialize_answer(answer, links)
    return CheckPresentation(
        build_answer_presentation(shown, "", links.check(), format=FORMAT),
        [(claim, [_link(item, sources[item.source], links) for item in claim.evidence]) for claim in report.claims],
        [
            (
                checked,
                _get_state(checked, report.claims),
                sources[checked.source] if checked.source is not None else None,
            )
            for checked in report.quotations
        ],
        sources,
        [item.why for item in found.left_out],
    )


def _get_state(checked: CheckedQuotation, claims: Sequence[Claim]) -> str:
    """Return the state of a quotation; that of a claim which was not compared is not missing for that."""
    start, end = checked.quotation.start, checked.quotation.end
    is_left_open = any(claim.verdict == NOT_COMPARED and claim.start <= start and end <= claim.end for claim in claims)
    return NOT_COMPARED if is_left_open and checked.check.state == NOT_FOUND else checked.check.state


def _link(support: ClaimEvidence, source: Source, links: Links) -> LinkedEvidence:
    document = request_context.get_readable_document(source.document_id)
    pages = find_pages(source, support.start, support.end)
    url = links.permanent_quote(document.sha256, Anchor.from_span(source.text, support.start, support.end))
    return LinkedEvidence(support, source.filename, format_page(source, pages[0]) if pages else "", url)


def _render(
    text: str,
    document: Document | None,
    checked: CheckPresentation | None = None,
    error: HighlighterError | None = None,
) -> str:
    return render_template(
        "check.html",
        answer_text=text,
        document=document,
        documents=list_selectable_documents(document),
        checked=checked,
        error=error,
        max_answer_characters=MAX_ANSWER_CHARACTERS,
    )
