"""The pages of the library: its list of documents, uploads, and deletion with a way back."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode

from flask import Blueprint, redirect, render_template, request
from flask.typing import ResponseReturnValue

from highlighter.access import get_visible_collections
from highlighter.errors import BadRequest, NotFound
from highlighter.metadata import TAGS, build_where_clause, parse_details, parse_filters, parse_tags, read_tags
from highlighter.models import DOCUMENT_SUFFIXES, READABLE, UNFINISHED, UNREADABLE, Document
from highlighter.store import deletion, listing
from highlighter.store.attachments import ATTACHED_TO, find_emails, list_attachments, restore_attachments
from highlighter.store.document_metadata import add_tags, count_tags, remove_tags, rename_tag
from highlighter.web import request_context
from highlighter.web.application import current_services
from highlighter.web.pages.question_sources import DOCUMENT_FIELD
from highlighter.web.pages.sample_questions import list_sample_files, list_sample_questions
from highlighter.web.request_parameters import Pager
from highlighter.web.uploads import queue_upload

library = Blueprint("library", __name__)

DOCUMENTS_PER_PAGE = 50
FILTER_FIELDS = ("name", "state", "collection", "tag", "where")
MAX_DETAILS = 6  # fields of metadata in the row of a document
HIDDEN_METADATA = frozenset({TAGS, ATTACHED_TO, "doc_url"})  # shown otherwise, or not for readers
MAX_DOCUMENTS_WITHOUT_FILTER = 8  # so few are seen at a glance, without a filter
# What the form offers; each state can be asked for by its own name, too.
STATES_BY_FILTER = {
    **{state: (state,) for state in READABLE | UNFINISHED | UNREADABLE},
    "unfinished": UNFINISHED, "unreadable": UNREADABLE,
}  # fmt: skip


@library.get("/documents")
def list_documents() -> ResponseReturnValue:
    if document_id := request.args.get("document"):
        return redirect(request_context.get_links().document(document_id))
    engine, visible = current_services().catalog.engine, get_visible_collections()
    query = {key: request.args[key] for key in FILTER_FIELDS if request.args.get(key)}
    document_filter = _build_listing_filter(query)
    totals = listing.count_totals(engine, listing.DocumentFilter(visible, include_superseded=False))
    matching = listing.count_totals(engine, document_filter).documents if query else totals.documents
    pager = Pager.for_page(request.args.get("page", type=int), DOCUMENTS_PER_PAGE, matching)
    documents = listing.list_documents(engine, document_filter, pager.size, pager.offset)
    return render_template(
        "library.html",
        documents=documents,
        emails=find_emails(current_services().catalog, documents, visible),
        pager=pager,
        query=query,
        totals=totals,
        tags=count_tags(engine, listing.DocumentFilter(visible, include_superseded=False)),
        list_details=_list_details,
        read_tags=read_tags,
        queue_positions=listing.list_queue_positions(engine, visible) if totals.unfinished else {},
        MAX_DETAILS=MAX_DETAILS,
        query_string=request.query_string.decode("latin-1"),
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
    tags = parse_tags(request.form.get("tags", ""))
    metadata: dict[str, Any] = {**parse_details(request.form.get("details", ""))}
    if tags:
        metadata |= {TAGS: tags}
    documents = [queue_upload(file, metadata=metadata) for file in files]
    links = request_context.get_links()
    return redirect(links.document(documents[0].id) if len(documents) == 1 else links.library(), 303)


@library.post("/documents/tags")
def change_tags() -> ResponseReturnValue:
    """Add the tags of the form to the ticked documents, or remove them."""
    tags = parse_tags(request.form.get("tags", ""))
    ticked = [request_context.get_known_document(id).id for id in request.form.getlist(DOCUMENT_FIELD)]
    if not tags:
        raise BadRequest("Enter a tag first.")
    if not ticked:
        raise BadRequest("Select a document first.")
    change = remove_tags if request.form.get("action") == "remove" else add_tags
    change(current_services().catalog.engine, ticked, tags)
    return redirect(_build_library_url(request.args), 303)


@library.post("/documents/tags/rename")
def rename() -> ResponseReturnValue:
    """Rename a tag on all documents that have it, or remove it from them."""
    engine, old = current_services().catalog.engine, request.form.get("tag", "")
    tagged = listing.DocumentFilter(get_visible_collections(), where=build_where_clause({TAGS: old}))
    ids = [document.id for document in listing.iterate_documents(engine, tagged)]
    if request.form.get("action") == "remove":
        remove_tags(engine, ids, [old])
        return redirect(_build_library_url({}), 303)
    new = next(iter(parse_tags(request.form.get("name", ""))), "")
    if not new:
        raise BadRequest("Enter a tag first.")
    rename_tag(engine, ids, old, new)
    return redirect(_build_library_url({"tag": new}), 303)


@library.get("/documents/states")
def upload_states() -> ResponseReturnValue:
    """Return the states of documents as a fragment of HTML, for the list of uploads."""
    catalog, visible = current_services().catalog, get_visible_collections()
    ids = request.args.getlist(DOCUMENT_FIELD)[:DOCUMENTS_PER_PAGE]
    found = [document for document in (catalog.document(id, visible) for id in ids) if document]
    positions = listing.list_queue_positions(catalog.engine, visible)
    return render_template("_upload_states.html", documents=found, queue_positions=positions)


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
    if request.form.get("from") == "library":
        return redirect(_build_library_url(request.args), 303)
    return redirect(request_context.get_links().document(document.id), 303)


def _build_library_url(parameters: Mapping[str, str]) -> str:
    """Return the URL of the list with the filter and page that it had."""
    query = {key: parameters[key] for key in (*FILTER_FIELDS, "page") if parameters.get(key)}
    url = request_context.get_links().library()
    return f"{url}?{urlencode(query)}" if query else url


def _build_listing_filter(query: dict[str, str]) -> listing.DocumentFilter:
    visible = get_visible_collections()
    if "collection" in query:
        visible = visible.restrict_to(query["collection"])
    states = STATES_BY_FILTER.get(query.get("state", ""), ())
    where = parse_filters([query["where"]] if "where" in query else [])
    if "tag" in query:
        where[TAGS] = [*where.get(TAGS, ()), query["tag"]]
    name = query.get("name", "").strip()
    return listing.DocumentFilter(visible, states, name=name, include_superseded=False, where=build_where_clause(where))


def _list_details(document: Document) -> list[tuple[str, str]]:
    """Return the metadata of a document that the library shows and filters by."""
    return [
        (key, str(value))
        for key, value in document.meta.items()
        if key not in HIDDEN_METADATA and isinstance(value, str | int | float)
    ]


def _count_seconds_until_purge(document: Document) -> int:
    return max(0, round((datetime.fromisoformat(document.deletion_time) - datetime.now(UTC)).total_seconds()))
