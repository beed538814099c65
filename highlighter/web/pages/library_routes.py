"""The pages of the library: its list of documents, uploads, and deletion with a way back."""

from __future__ import annotations

from datetime import UTC, datetime

from flask import Blueprint, redirect, render_template, request
from flask.typing import ResponseReturnValue

from highlighter.access import get_visible_collections
from highlighter.errors import BadRequest, NotFound
from highlighter.models import DOCUMENT_SUFFIXES, PARTIAL, READY, UNFINISHED, UNREADABLE, Document
from highlighter.store import deletion, listing
from highlighter.store.attachments import list_attachments, restore_attachments
from highlighter.web import request_context
from highlighter.web.application import current_services
from highlighter.web.pages.sample_questions import list_sample_files, list_sample_questions
from highlighter.web.request_parameters import Pager
from highlighter.web.uploads import queue_upload

library = Blueprint("library", __name__)

DOCUMENTS_PER_PAGE = 50
MAX_DOCUMENTS_WITHOUT_FILTER = 8  # so few are seen at a glance, without a filter
STATES_BY_FILTER = {"ready": (READY,), "partial": (PARTIAL,), "unfinished": UNFINISHED, "unreadable": UNREADABLE}


@library.get("/documents")
def list_documents() -> ResponseReturnValue:
    if document_id := request.args.get("document"):
        return redirect(request_context.get_links().document(document_id))
    engine, visible = current_services().catalog.engine, get_visible_collections()
    query = {key: request.args[key] for key in ("name", "state", "collection") if request.args.get(key)}
    document_filter = _build_listing_filter(query)
    totals = listing.count_totals(engine, listing.DocumentFilter(visible, include_superseded=False))
    matching = listing.count_totals(engine, document_filter).documents if query else totals.documents
    pager = Pager.for_page(request.args.get("page", type=int), DOCUMENTS_PER_PAGE, matching)
    return render_template(
        "library.html",
        documents=listing.list_documents(engine, document_filter, pager.size, pager.offset),
        pager=pager,
        query=query,
        totals=totals,
        shows_filter=bool(query) or totals.documents > MAX_DOCUMENTS_WITHOUT_FILTER,
        collections=listing.list_collections(engine, visible),
        pending_deletions=[
            (document, _count_seconds_until_purge(document))
            for document in deletion.list_pending_deletions(engine, visible)
        ],
        list_questions=list_sample_questions,
        samples=bool(list_sample_files()),
        document_suffixes=DOCUMENT_SUFFIXES,
    )


@library.post("/documents")
def upload() -> ResponseReturnValue:
    files = [file for file in request.files.getlist("file") if file.filename]
    if not files:
        raise BadRequest("No file was chosen. Choose a file first.")
    documents = [queue_upload(file) for file in files]
    links = request_context.get_links()
    return redirect(links.document(documents[0].id) if len(documents) == 1 else links.library(), 303)


@library.get("/documents/<document_id>/delete")
def confirm_deletion(document_id: str) -> ResponseReturnValue:
    """Show what a deletion would remove, before it: as a dialog by script, or as a page."""
    services = current_services()
    document = request_context.get_known_document(document_id)
    other_versions = [v.version for v in services.catalog.versions(document) if v.document_id != document.id]
    return render_template(
        "delete.html",
        document=document,
        other_versions=other_versions,
        attachment_count=len(list_attachments(services.catalog.engine, document)),
        undo_seconds=services.settings.undo_seconds,
    )


@library.post("/documents/<document_id>/delete")
def delete(document_id: str) -> ResponseReturnValue:
    """Schedule the deletion of a document. The server counts the seconds, so the page can be closed."""
    document = request_context.get_known_document(document_id)
    current_services().soft_delete(document.id)
    return redirect(request_context.get_links().library(), 303)


@library.post("/documents/<document_id>/restore")
def restore(document_id: str) -> ResponseReturnValue:
    catalog = current_services().catalog
    document = catalog.document(document_id, get_visible_collections())
    if document is not None:
        deletion.cancel_deletion(catalog.engine, document_id)
        restore_attachments(catalog.engine, document)
    if document is None or catalog.document(document_id) is None:  # the purge may have been faster
        raise NotFound("The document was permanently deleted. Upload it again.")
    return redirect(request_context.get_links().library(), 303)


@library.post("/documents/<document_id>/retry")
def retry(document_id: str) -> ResponseReturnValue:
    document = request_context.get_known_document(document_id)
    current_services().ingest_queue.retry(document)
    return redirect(request_context.get_links().document(document.id), 303)


def _build_listing_filter(query: dict[str, str]) -> listing.DocumentFilter:
    visible = get_visible_collections()
    if "collection" in query:
        visible = visible.restrict_to(query["collection"])
    states = STATES_BY_FILTER.get(query.get("state", ""), ())
    return listing.DocumentFilter(visible, states, name=query.get("name", "").strip(), include_superseded=False)


def _count_seconds_until_purge(document: Document) -> int:
    return max(0, round((datetime.fromisoformat(document.deletion_time) - datetime.now(UTC)).total_seconds()))
