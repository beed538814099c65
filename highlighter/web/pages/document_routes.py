"""The pages of a document and of its chunks."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote, urlencode

from flask import Blueprint, redirect, render_template, request
from flask.typing import ResponseReturnValue

from highlighter.access import get_visible_collections
from highlighter.locale import LANGUAGES, N_
from highlighter.locale.language_negotiation import ENVIRON_ROOT
from highlighter.models import (
    DAMAGED,
    EMAIL_KINDS,
    EMPTY,
    ENCRYPTED,
    FAILED,
    NO_TEXT,
    QUARANTINED,
    READABLE,
    RETRYABLE,
    TIMED_OUT,
    TOO_LARGE,
    UNFINISHED,
    UNSUPPORTED_KIND,
    Document,
)
from highlighter.store import lookup
from highlighter.store.attachments import find_emails, list_own_attachments
from highlighter.text.language import detect_chinese_script
from highlighter.web import link_targets, request_context, request_parameters
from highlighter.web.application import current_services
from highlighter.web.chunk_page import ChunkPageOptions, render_chunk_page
from highlighter.web.document_outline import OutlineEntry, build_outline
from highlighter.web.page_cache import cache_page
from highlighter.web.pages.sample_questions import list_sample_questions
from highlighter.web.request_parameters import Pager
from highlighter.web.text_language import (
    build_code_attributes,
    build_input_attributes,
    build_lang_attributes,
    choose_language,
    name_other_language,
)

document_pages = Blueprint("document_pages", __name__)

CHUNKS_PER_PAGE = 50
MIN_OUTLINED_CHUNKS = 8  # the list of fewer is its own table of contents
# For the list of documents: why one of them cannot be read.
UNREADABLE_STATE_LABELS = {
    NO_TEXT: N_("no text"), ENCRYPTED: N_("encrypted"), DAMAGED: N_("damaged"), TOO_LARGE: N_("too large"),
    TIMED_OUT: N_("timed out"), UNSUPPORTED_KIND: N_("unsupported"), EMPTY: N_("empty"), FAILED: N_("failed"),
    QUARANTINED: N_("quarantined"),
}  # fmt: skip


@document_pages.app_context_processor
def _shared_template_variables() -> dict[str, Any]:
    return {
        "links": request_context.get_links(),
        "lang_of": build_lang_attributes,
        "input_lang_of": build_input_attributes,
        "language_of": choose_language,
        "code_attributes": build_code_attributes,
        "name_other_language": name_other_language,
        "detect_chinese_script": detect_chinese_script,
        "languages": _list_language_links,
        "UNREADABLE_STATE_LABELS": UNREADABLE_STATE_LABELS,
        "UNFINISHED": UNFINISHED,
        "READABLE": READABLE,
        "RETRYABLE": RETRYABLE,
        "TIER_BADGES": link_targets.TIER_BADGES,
        "pick_preserved_parameters": link_targets.pick_preserved_parameters,
    }


def _list_language_links() -> list[tuple[str, str, str]]:
    """Return (code, name, URL) of the current page in each language."""
    root, query = request.environ.get(ENVIRON_ROOT, ""), request.args.to_dict(flat=False)
    query_string = urlencode({key: value for key, value in query.items() if key != "lang"}, doseq=True)
    return [
        (code, name, f"{root}/{code}{quote(request.path)}{'?' if query_string else ''}{query_string}")
        for code, name in LANGUAGES.items()
    ]


@document_pages.get("/documents/<document_id>")
def document(document_id: str) -> ResponseReturnValue:
    """Show a document with the list of its chunks; with a question, redirect to the chunk that answers it best."""
    document, catalog = request_context.get_known_document(document_id), request_context.get_catalog()
    question, links = request_parameters.read_question(), request_context.get_links()
    if question and document.chunks and not request_parameters.is_model_loading():
        chunk = current_services().search.find_best_chunk(question, document)
        if chunk is not None:
            view = "text" if request.args.get("view") == "text" else "page"
            return redirect(links.chunk(chunk, question, view))
    if document.chunks and (page := request.args.get("page", type=int)):
        index = lookup.find_chunk_of_page(catalog.engine, document, min(max(page, 1), document.pages))
        return redirect(links.chunk_list_entry(document.id, index, index // CHUNKS_PER_PAGE + 1))
    pager = Pager.for_page(request.args.get("parts", type=int), CHUNKS_PER_PAGE, document.chunks)
    return render_template(
        "document.html",
        document=document,
        newer_version=catalog.superseding_document(document),
        email=find_emails(current_services().catalog, [document], get_visible_collections()).get(document.id),
        attachments=list_own_attachments(catalog.engine, document) if document.kind in EMAIL_KINDS else [],
        chunks=lookup.list_chunk_openings(catalog.engine, document, pager.size, pager.offset)
        if document.state in READABLE
        else [],
        pager=pager,
        outline=_build_shown_outline(document),
        question=question,
        is_model_loading=bool(question) and request_parameters.is_model_loading(),
        suggestions=list_sample_questions(document.sha256),
    )


def _build_shown_outline(document: Document) -> list[OutlineEntry]:
    is_long = document.state in READABLE and document.chunks >= MIN_OUTLINED_CHUNKS
    return build_outline(current_services(), document) if is_long else []


@document_pages.get("/documents/<document_id>/chunks/<int:index>")
@cache_page
def chunk(document_id: str, index: int) -> ResponseReturnValue:
    document = request_context.get_readable_document(document_id)
    chunk = request_context.get_requested_chunk(document, index)
    options = ChunkPageOptions(
        request_parameters.read_question(),
        request_parameters.read_highlight_method(),
        view=request.args.get("view", ""),
    )
    return render_chunk_page(document, chunk, options)
