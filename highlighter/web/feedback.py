"""A reader's verdict on a highlight, checked against the text it is about, and kept: by form or API."""

from __future__ import annotations

from collections.abc import Sequence

from highlighter.access import get_visible_collections
from highlighter.errors import BadRequest, NotFound
from highlighter.search import MAX_QUESTION_CHARACTERS
from highlighter.store import feedback
from highlighter.store.feedback import MAX_HIGHLIGHTED_SPANS, MAX_NOTE_CHARACTERS, RIGHT, WRONG, SpanOffsets
from highlighter.store.lookup import require_chunk
from highlighter.web import request_context


def record_feedback(
    document_id: str,
    chunk_index: int,
    pipeline: int | None,
    span: SpanOffsets,
    verdict: str,
    question: str,
    highlighted: Sequence[SpanOffsets] = (),
    note: str = "",
) -> str:
    """Its id, by which it can be taken back."""
    question, note = question.strip(), note.strip()
    if verdict not in (RIGHT, WRONG):
        raise BadRequest(f"The verdict must be {RIGHT!r} or {WRONG!r}.")
    if not question or len(question) > MAX_QUESTION_CHARACTERS:
        raise BadRequest(f"The question must have 1 to {MAX_QUESTION_CHARACTERS:,} characters.")
    if len(note) > MAX_NOTE_CHARACTERS:
        raise BadRequest(f"The note must have at most {MAX_NOTE_CHARACTERS:,} characters.")
    if len(highlighted) > MAX_HIGHLIGHTED_SPANS:
        raise BadRequest(f"At most {MAX_HIGHLIGHTED_SPANS:,} sentences of a section can be highlighted.")
    document = request_context.get_readable_document(document_id)
    chunk = require_chunk(request_context.get_catalog(), document, chunk_index, pipeline, span[0])
    if not all(chunk.start <= start < end <= chunk.end for start, end in (span, *highlighted)):
        raise BadRequest(
            f"A sentence of section {chunk_index} must be between {chunk.start} and {chunk.end} in the text."
        )
    return feedback.save_feedback(
        request_context.get_catalog().engine, document, chunk, span, verdict, question, highlighted, note
    )


def withdraw_feedback(id: str) -> None:
    if not feedback.undo_feedback(request_context.get_catalog().engine, id, get_visible_collections()):
        raise NotFound("Feedback not found.")
