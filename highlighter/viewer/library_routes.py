"""The library: its pages, what comes in by its form, and what goes, with a way back."""

from __future__ import annotations

import tempfile
from datetime import UTC, datetime
from pathlib import Path

from flask import Blueprint, current_app, redirect, render_template, request
from werkzeug.datastructures import FileStorage

from highlighter.access import home_collection, visible_collections
from highlighter.errors import BadRequest, Forbidden, NotFound
from highlighter.models import PARTIAL, READY, UNFINISHED, UNREADABLE, Document
from highlighter.store import departures, listing
from highlighter.viewer import requested
from highlighter.viewer.paging import Pager
from highlighter.viewer.suggestions import questions_for, samples

library = Blueprint("library", __name__)

DOCUMENTS_ON_A_PAGE = 50
FEW = 8  # documents: one sees them all, and needs nothing to narrow them with
STATES = {"ready": (READY,), "partial": (PARTIAL,), "unfinished": UNFINISHED, "unreadable": UNREADABLE}


@library.get("/documents")
def shelf():
    if document_id := request.args.get("document"):
        return redirect(requested.links().document(document_id))
    engine, visible = current_app.services.catalog.engine, visible_collections()
    query = {key: request.args[key] for key in ("name", "state", "collection") if request.args.get(key)}
    wanted = _wanted(query)
    totals = listing.totals(engine, listing.Wanted(visible, superseded=False))
    matching = listing.totals(engine, wanted).documents if query else totals.documents
    pager = Pager.at(request.args.get("page", type=int), DOCUMENTS_ON_A_PAGE, matching)
    return render_template(
        "documents.html",
        documents=listing.page(engine, wanted, pager.size, pager.offset),
        pager=pager,
        query=query,
        totals=totals,
        narrowing=bool(query) or totals.documents > FEW,
        collections=listing.collections(engine, visible),
        leaving=[(document, _seconds_left(document)) for document in departures.leaving(engine, visible)],
        questions=questions_for,
        samples=bool(samples()),
    )


@library.post("/documents")
def upload():
    files = [file for file in request.files.getlist("file") if file.filename]
    if not files:
        raise BadRequest("No file was chosen. Choose a PDF, DOCX or TXT file first.")
    documents = [hand_in(file) for file in files]
    links = requested.links()
    return redirect(links.document(documents[0].id) if len(documents) == 1 else links.library(), 303)


def hand_in(file: FileStorage, collection: str = "") -> Document:
    """Both doors, form and API, hand files in here."""
    services, collection = current_app.services, collection or home_collection()
    if collection not in visible_collections():  # the same whether there is one of that name or not
        raise Forbidden(f"This key takes no documents into the collection {collection}.")
    with tempfile.TemporaryDirectory(dir=services.files.scratch, prefix=services.files.prefix) as folder:
        copy = Path(folder) / "upload"
        file.save(copy)
        return services.desk.hand_in(copy, file.filename or "unnamed", collection)


@library.get("/documents/<document_id>/delete")
def ask_before_deleting(document_id: str):
    """Says what would be lost. A script shows it in a dialog, a browser without one as a page; asking changes nothing."""
    services = current_app.services
    found = requested.known(document_id)
    others = [v.version for v in services.catalog.versions(found) if v.document_id != found.id]
    return render_template("delete.html", document=found, others=others, seconds=services.settings.undo_seconds)


@library.post("/documents/<document_id>/delete")
def delete(document_id: str):
    """Held back for some seconds. The server counts them, so closing the page neither hastens nor hinders it."""
    found = requested.known(document_id)
    current_app.services.delete_soon(found.id)
    return redirect(requested.links().library(), 303)


@library.post("/documents/<document_id>/restore")
def restore(document_id: str):
    catalog = current_app.services.catalog
    found = catalog.document(document_id, visible_collections())
    if found is not None:
        departures.call_off(catalog.engine, document_id)
    if found is None or catalog.document(document_id) is None:  # looked at again: its time may come in this moment
        raise NotFound("It is gone for good and cannot be brought back. Add the file again.")
    return redirect(requested.links().library(), 303)


@library.post("/documents/<document_id>/retry")
def retry(document_id: str):
    found = requested.known(document_id)
    current_app.services.desk.retry(found)
    return redirect(requested.links().document(found.id), 303)


def _wanted(query: dict[str, str]) -> listing.Wanted:
    visible = visible_collections()
    if "collection" in query:
        visible = visible.only(query["collection"])
    states = STATES.get(query.get("state", ""), ())
    return listing.Wanted(visible, states, name=query.get("name", "").strip(), superseded=False)


def _seconds_left(document: Document) -> int:
    return max(0, round((datetime.fromisoformat(document.leaving) - datetime.now(UTC)).total_seconds()))
