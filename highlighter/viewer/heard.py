"""A reader's verdict on a highlight, checked against the text it is about, and kept: by form or API."""

from __future__ import annotations

from collections.abc import Sequence

from highlighter.access import visible_collections
from highlighter.errors import BadRequest, NotFound
from highlighter.search import MAX_QUESTION
from highlighter.store import feedback
from highlighter.store.feedback import MOST_LIT, MOST_OF_A_NOTE, RIGHT, WRONG, Span
from highlighter.store.known import known_chunk
from highlighter.viewer import requested


def heard(
    document_id: str,
    index: int,
    pipeline: int | None,
    span: Span,
    verdict: str,
    question: str,
    lit: Sequence[Span] = (),
    note: str = "",
) -> str:
    """Its id, by which it can be taken back."""
    question, note = question.strip(), note.strip()
    if verdict not in (RIGHT, WRONG):
        raise BadRequest(f"A highlight is {RIGHT!r} or {WRONG!r}.")
    if not question or len(question) > MAX_QUESTION:
        raise BadRequest(f"The question it is lit for has 1 to {MAX_QUESTION:,} characters.")
    if len(note) > MOST_OF_A_NOTE:
        raise BadRequest(f"A note has at most {MOST_OF_A_NOTE:,} characters.")
    if len(lit) > MOST_LIT:
        raise BadRequest(f"Of one part at most {MOST_LIT:,} sentences are lit.")
    document = requested.readable(document_id)
    chunk = known_chunk(requested.catalog(), document, index, pipeline, span[0])
    if not all(chunk.start <= start < end <= chunk.end for start, end in (span, *lit)):
        raise BadRequest(f"A sentence of part {index} stands within {chunk.start} and {chunk.end} of the text.")
    return feedback.say(requested.catalog().engine, document, chunk, span, verdict, question, lit, note)


def taken_back(id: str) -> None:
    if not feedback.undo(requested.catalog().engine, id, visible_collections()):
        raise NotFound("There is no such feedback.")
