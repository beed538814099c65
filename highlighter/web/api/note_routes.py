"""The routes of readers' notes: /api/v1/documents/<id>/notes and /api/v1/notes."""

from __future__ import annotations

import json as plain_json
from typing import Any

from flask import Blueprint, Response, request
from spectree import Response as Responses

from highlighter.access import get_current_principal
from highlighter.errors import PreconditionFailed
from highlighter.notes.annotations import AnnotationReader, build_annotation_page, build_note_annotation
from highlighter.notes.note_book import NOTE_CHANGED, NoteContent
from highlighter.notes.placement import PlacedNote
from highlighter.quotes.anchors import ANNOTATION_MEDIA_TYPE
from highlighter.schemas.notes import NewNote, NoteAnnotation, NoteChange, NotePage, NotesQuery
from highlighter.schemas.search import Problem
from highlighter.store.notes import Note, NotePosition
from highlighter.web import request_context
from highlighter.web.api.idempotency import accept_idempotency_key
from highlighter.web.api.openapi import NOTES_TAG, spec
from highlighter.web.api.pagination import build_cursor_header, decode_cursor, encode_cursor
from highlighter.web.application import current_services

notes_api = Blueprint("notes_api", __name__, url_prefix="/api/v1")


@notes_api.get("/documents/<document_id>/notes")
@spec.validate(resp=Responses(HTTP_200=NotePage, HTTP_404=Problem, HTTP_409=Problem), tags=[NOTES_TAG])
def list_document_notes(document_id: str) -> Response:
    """Return your notes and the shared ones on a document, as Web Annotations; those on earlier versions are placed anew."""
    placed = current_services().note_book.list_on(get_current_principal(), document_id)
    return _send(build_annotation_page(placed, _get_reader(), len(placed)))


@notes_api.post("/documents/<document_id>/notes")
@accept_idempotency_key
@spec.validate(
    resp=Responses(HTTP_201=NoteAnnotation, HTTP_400=Problem, HTTP_404=Problem, HTTP_409=Problem), tags=[NOTES_TAG]
)
def create_note(document_id: str, json: NewNote) -> Response:
    """Make a note on words of a document. Where position and quote disagree, the quote decides."""
    selection, content = json.target.read_selection(), json.read_content(NoteContent())
    placed = current_services().note_book.create(get_current_principal(), document_id, selection, content)
    response = _send_note(placed)
    response.status_code, response.headers["Location"] = 201, request_context.get_links().note_json(placed.note.id)
    return response


@notes_api.get("/notes")
@spec.validate(resp=Responses(HTTP_200=NotePage), tags=[NOTES_TAG])
def list_own_notes(query: NotesQuery) -> Response:
    """Return your notes on all documents, page by page: by document, the newest first, each on the version that it was made on."""
    after = None if query.cursor is None else NotePosition(*decode_cursor(query.cursor, str, str, int, str, str))
    offset = query.offset if after is None else 0
    found, total = current_services().note_book.list_own_by_document(
        get_current_principal(), query.q, query.document_id, query.limit + 1, offset, after
    )
    page = found[: query.limit]
    next_cursor = encode_cursor(page[-1][1]) if len(found) > query.limit else None
    body = build_annotation_page([placed for placed, _ in page], _get_reader(), total)
    response = _send({**body, "next_cursor": next_cursor})
    response.headers.update(build_cursor_header(next_cursor))
    return response


@notes_api.get("/notes/<note_id>")
@spec.validate(resp=Responses(HTTP_200=NoteAnnotation, HTTP_404=Problem), tags=[NOTES_TAG])
def get_note(note_id: str) -> Response:
    """Return a note of your own, or a shared one."""
    return _send_note(current_services().note_book.get(get_current_principal(), note_id))


@notes_api.put("/notes/<note_id>")
@spec.validate(
    resp=Responses(HTTP_200=NoteAnnotation, HTTP_400=Problem, HTTP_404=Problem, HTTP_412=Problem), tags=[NOTES_TAG]
)
def update_note(note_id: str, json: NoteChange) -> Response:
    """Change text, colour or sharing of your own note. What it is about stays. With If-Match, only the state of that ETag."""
    book, principal = current_services().note_book, get_current_principal()
    note = _require_matching_note(note_id)
    content = json.read_content(NoteContent(note.colour, note.text, note.shared))
    return _send_note(book.update(principal, note_id, content, note.tag if request.if_match else ""))


@notes_api.delete("/notes/<note_id>")
@spec.validate(resp=Responses(HTTP_204=None, HTTP_404=Problem, HTTP_412=Problem), tags=[NOTES_TAG])
def delete_note(note_id: str) -> tuple[str, int]:
    """Delete your own note. For UNDO_SECONDS it can be restored. With If-Match, only the state of that ETag."""
    note = _require_matching_note(note_id)
    tag = note.tag if request.if_match else ""
    current_services().note_book.delete(get_current_principal(), note_id, tag)
    return "", 204


@notes_api.post("/notes/<note_id>/restore")
@spec.validate(resp=Responses(HTTP_200=NoteAnnotation, HTTP_404=Problem), tags=[NOTES_TAG])
def restore_note(note_id: str) -> Response:
    """Undo the deletion of a note."""
    return _send_note(current_services().note_book.restore(get_current_principal(), note_id))


def _require_matching_note(note_id: str) -> Note:
    """Return the note; raise PreconditionFailed unless it is in the state that If-Match names."""
    note = current_services().note_book.get(get_current_principal(), note_id).note
    # A compressed response has the ETag as a weak one.
    if request.if_match and not request.if_match.contains_weak(note.tag):
        raise PreconditionFailed(NOTE_CHANGED)
    return note


def _send_note(placed: PlacedNote) -> Response:
    response = _send(build_note_annotation(placed, _get_reader()))
    response.set_etag(placed.note.tag)
    return response


def _send(body: dict[str, Any]) -> Response:
    return Response(plain_json.dumps(body, ensure_ascii=False), content_type=ANNOTATION_MEDIA_TYPE)


def _get_reader() -> AnnotationReader:
    return AnnotationReader(get_current_principal().note_owner, request_context.build_absolute_links())
