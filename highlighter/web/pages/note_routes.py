"""Pages for notes: those on a document, which the viewer shows beside the text, and a reader's own on all documents."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from flask import Blueprint, Response, redirect, render_template, request
from flask.typing import ResponseReturnValue

from highlighter.access import get_current_principal
from highlighter.errors import PreconditionFailed
from highlighter.notes.annotations import AnnotationReader, build_annotation_page
from highlighter.notes.markdown import render_markdown
from highlighter.notes.note_book import NoteContent, TextSelection
from highlighter.notes.note_source import build_pdf_annotations
from highlighter.notes.placement import PlacedNote
from highlighter.store.notes import COLOURS, MAX_NOTE_TEXT_CHARACTERS
from highlighter.web import request_context
from highlighter.web.application import current_services
from highlighter.web.auth.browser_session import begin_session
from highlighter.web.chunk_page import PAGE_VIEW
from highlighter.web.file_routes import send_annotated_pdf
from highlighter.web.note_boxes import list_note_boxes
from highlighter.web.request_parameters import Pager, parse_count

note_pages = Blueprint("note_pages", __name__)

NOTES_PER_PAGE = 100
MAX_EXPORTED_NOTES = 20_000
MAX_WORDS_CHARACTERS = 200


@note_pages.get("/documents/<document_id>/notes")
def list_document_notes(document_id: str) -> ResponseReturnValue:
    """Show the notes on a document; in the page view with the boxes of their words."""
    return _render_document_notes(document_id, request.args.get("view", ""))


@note_pages.get("/notes")
def list_own_notes() -> ResponseReturnValue:
    """Show a reader's notes on all documents, or those with some words."""
    book, principal, words = current_services().note_book, get_current_principal(), _read_words(request.args)
    number = request.args.get("page", 1, type=parse_count)
    _, total = book.list_own(principal, words, limit=1)
    pager = Pager.for_page(number, NOTES_PER_PAGE, total)
    placed, _ = book.list_own(principal, words, limit=pager.size, offset=pager.offset)
    return _render_own_notes(placed, words, pager)


@note_pages.get("/documents/<document_id>/notes.<any(md, jsonld):file_format>")
def export_document_notes(document_id: str, file_format: str) -> Response:
    """Send the notes on a document as a file."""
    placed = current_services().note_book.list_on(get_current_principal(), document_id)
    document = request_context.get_readable_document(document_id)
    return _send_notes(placed, file_format, f"{Path(document.name).stem}, notes.{file_format}")


@note_pages.get("/documents/<document_id>/notes.pdf")
def export_document_pdf(document_id: str) -> Response:
    """Send the PDF of a document with its notes as annotations."""
    placed = current_services().note_book.list_on(get_current_principal(), document_id)
    annotations = build_pdf_annotations(placed, current_services().page_renderer)
    return send_annotated_pdf(request_context.get_readable_document(document_id), annotations)


@note_pages.get("/notes.<any(md, jsonld):file_format>")
def export_own_notes(file_format: str) -> Response:
    """Send all notes of a reader as a file."""
    placed, _ = current_services().note_book.list_own(get_current_principal(), limit=MAX_EXPORTED_NOTES)
    return _send_notes(placed, file_format, f"notes.{file_format}")


@note_pages.post("/documents/<document_id>/notes")
def create_note(document_id: str) -> ResponseReturnValue:
    """Make a note on selected words. A browser without a key gets a session, to which the note belongs."""
    form = request.form
    selection = TextSelection(
        form.get("start", type=parse_count), form.get("end", type=parse_count), form.get("exact", ""),
        form.get("prefix", ""), form.get("suffix", ""), form.get("page", 0, type=parse_count),
    )  # fmt: skip
    begin_session()
    placed = current_services().note_book.create(get_current_principal(), document_id, selection, _read_content())
    return _redirect_to_list(made=placed.note.id, document_id=document_id)


@note_pages.post("/notes/<note_id>")
def update_note(note_id: str) -> ResponseReturnValue:
    book, principal, content, form = (
        current_services().note_book,
        get_current_principal(),
        _read_content(),
        request.form,
    )
    try:
        book.update(principal, note_id, content, form.get("tag", ""))
    except PreconditionFailed as err:  # what the reader wrote is not lost: it is in the form of the newer state
        refused = {"id": note_id, "content": content}
        if document_id := form.get("document", ""):
            return _render_document_notes(document_id, form.get("view", ""), refused), err.status
        words, pager = _read_words(form), Pager.for_page(1, NOTES_PER_PAGE, 1)
        return _render_own_notes([book.get(principal, note_id)], words, pager, refused), err.status
    return _redirect_to_list()


@note_pages.post("/notes/<note_id>/delete")
def delete_note(note_id: str) -> ResponseReturnValue:
    current_services().note_book.delete(get_current_principal(), note_id)
    return _redirect_to_list(deleted=note_id)


@note_pages.post("/notes/<note_id>/restore")
def restore_note(note_id: str) -> ResponseReturnValue:
    current_services().note_book.restore(get_current_principal(), note_id)
    return _redirect_to_list()


def _render_document_notes(document_id: str, view: str, refused: dict[str, object] | None = None) -> str:
    services = current_services()
    placed = services.note_book.list_on(get_current_principal(), document_id)
    return render_template(
        "document_notes.html",
        document=request_context.get_readable_document(document_id),
        notes=placed,
        boxes=list_note_boxes(services.page_renderer, placed) if view == PAGE_VIEW else {},
        view=view,
        refused=refused,
        **_build_common_variables(),
    )


def _render_own_notes(
    placed: Sequence[PlacedNote], words: str, pager: Pager, refused: dict[str, object] | None = None
) -> str:
    variables = _build_common_variables()
    return render_template("notes.html", notes=placed, words=words, pager=pager, refused=refused, **variables)


def _send_notes(placed: Sequence[PlacedNote], file_format: str, name: str) -> Response:
    links = request_context.build_absolute_links()
    if file_format == "md":
        content, media_type = render_markdown(placed, links), "text/markdown"
    else:
        page = build_annotation_page(placed, AnnotationReader(get_current_principal().note_owner, links), len(placed))
        content, media_type = json.dumps(page, ensure_ascii=False, indent=2), "application/ld+json"
    response = Response(content, mimetype=media_type)
    response.headers.set("Content-Disposition", "attachment", filename=name)
    return response


def _read_content() -> NoteContent:
    form = request.form
    return NoteContent(form.get("colour", COLOURS[0]), form.get("text", ""), form.get("shared") == "1")


def _read_words(values: Mapping[str, str]) -> str:
    return values.get("q", "").strip()[:MAX_WORDS_CHARACTERS]


def _redirect_to_list(document_id: str = "", **marked: str) -> ResponseReturnValue:
    """Redirect to the list that the form was in: of a document, or of all notes."""
    links, form = request_context.get_links(), request.form
    document_id = document_id or form.get("document", "")
    if document_id:
        return redirect(links.document_notes(document_id, form.get("view", ""), **marked), 303)
    return redirect(links.notes(_read_words(form), **marked), 303)


def _build_common_variables() -> dict[str, object]:
    return {
        "owner": get_current_principal().note_owner,
        "colours": COLOURS,
        "max_note_characters": MAX_NOTE_TEXT_CHARACTERS,
        "deleted_id": request.args.get("deleted", ""),
        "made_id": request.args.get("made", ""),
    }
