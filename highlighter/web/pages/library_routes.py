"""The library: its pages, what comes in by its form, and what goes, with a way back."""

from __future__ import annotations

import tempfile
from datetime import UTC, datetime
from pathlib import Path

from flask import Blueprint, current_app, redirect, render_template, request
from werkzeug.datastructures import FileStorage

from highlighter.access import get_default_collection, get_visible_collections
from highlighter.errors import BadRequest, Forbidden, NotFound
from highlighter.models import PARTIAL, READY, UNFINISHED, UNREADABLE, Document
from highlighter.store import deletion, listing
from highlighter.web import request_context
from highlighter.web.pages.sample_questions import list_sample_files, list_sample_questions
from highlighter.web.request_parameters import Pager

library = Blueprint("library", __name__)

DOCUMENTS_PER_PAGE = 50
MAX_DOCUMENTS_WITHOUT_FILTER = 8  # documents: one sees them all, and needs nothing to narrow them with
STATES_BY_FILTER = {"ready": (READY,), "partial": (PARTIAL,), "unfinished": UNFINISHED, "unreadable": UNREADABLE}


@library.get("/documents")
def list_documents():
    if document_id := request.args.get("document"):
        return redirect(request_context.get_links().document(document_id))
    engine, visible = current_app.services.catalog.engine, get_visible_collections()
    query = {key: request.args[key] for key in ("name", "state", "collection") if request.args.get(key)}
    wanted = _build_listing_filter(query)
    totals = listing.count_totals(engine, listing.DocumentFilter(visible, include_superseded=False))
    matching = listing.count_totals(engine, wanted).documents if query else totals.documents
    pager = Pager.for_page(request.args.get("page", type=int), DOCUMENTS_PER_PAGE, matching)
    return render_template(
        "documents.html",
        documents=listing.list_documents(engine, wanted, pager.size, pager.offset),
        pager=pager,
        query=query,
        totals=totals,
        narrowing=bool(query) or totals.documents > MAX_DOCUMENTS_WITHOUT_FILTER,
        collections=listing.list_collections(engine, visible),
        leaving=[
            (document, _count_seconds_until_purge(document))
            for document in deletion.list_pending_deletions(engine, visible)
        ],
        questions=list_sample_questions,
        samples=bool(list_sample_files()),
    )


@library.post("/documents")
def upload():
    files = [file for file in request.files.getlist("file") if file.filename]
    if not files:
        raise BadRequest("No file was chosen. Choose a PDF, DOCX or TXT file first.")
    documents = [queue_upload(file) for file in files]
    links = request_context.get_links()
    return redirect(links.document(documents[0].id) if len(documents) == 1 else links.library(), 303)


def queue_upload(file: FileStorage, collection: str = "") -> Document:
    """Both doors, form and API, hand files in here."""
    services, collection = current_app.services, collection or get_default_collection()
    if collection not in get_visible_collections():  # the same whether there is one of that name or not
        raise Forbidden(f"This key cannot add documents to the collection {collection}.")
    with tempfile.TemporaryDirectory(dir=services.files.scratch, prefix=services.files.scratch_prefix) as folder:
        copy = Path(folder) / "upload"
        file.save(copy)
        return services.ingest_queue.enqueue_file(copy, file.filename or "unnamed", collection)


@library.get("/documents/<document_id>/delete")
def confirm_deletion(document_id: str):
    """Says what would be lost. A script shows it in a dialog, a browser without one as a page; asking changes nothing."""
    services = current_app.services
    found = request_context.get_known_document(document_id)
    others = [v.version for v in services.catalog.versions(found) if v.document_id != found.id]
    return render_template("delete.html", document=found, others=others, seconds=services.settings.undo_seconds)


@library.post("/documents/<document_id>/delete")
def delete(document_id: str):
    """Held back for some seconds. The server counts them, so closing the page neither hastens nor hinders it."""
    found = request_context.get_known_document(document_id)
    current_app.services.soft_delete(found.id)
    return redirect(request_context.get_links().library(), 303)


@library.post("/documents/<document_id>/restore")
def restore(document_id: str):
    catalog = current_app.services.catalog
    found = catalog.document(document_id, get_visible_collections())
    if found is not None:
        deletion.cancel_deletion(catalog.engine, document_id)
    if found is None or catalog.document(document_id) is None:  # looked at again: its time may come in this moment
        raise NotFound("The document was permanently deleted. Upload it again.")
    return redirect(request_context.get_links().library(), 303)


@library.post("/documents/<document_id>/retry")
def retry(document_id: str):
    found = request_context.get_known_document(document_id)
    current_app.services.ingest_queue.retry(found)
    return redirect(request_context.get_links().document(found.id), 303)


def _build_listing_filter(query: dict[str, str]) -> listing.DocumentFilter:
    visible = get_visible_collections()
    if "collection" in query:
        visible = visible.restrict_to(query["collection"])
    states = STATES_BY_FILTER.get(query.get("state", ""), ())
    return listing.DocumentFilter(visible, states, name=query.get("name", "").strip(), include_superseded=False)


def _count_seconds_until_purge(document: Document) -> int:
    return max(0, round((datetime.fromisoformat(document.leaving) - datetime.now(UTC)).total_seconds()))
