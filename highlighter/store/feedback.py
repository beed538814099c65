"""Readers' feedback on highlights. The table is append-only: undoing feedback adds a row.

Of the sentence only its span and hash are stored, not its text. The question and the note are the reader's own, but may
repeat the document: they are removed when the document is deleted.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Engine, insert, select, update

from highlighter.access import ADMIN, VisibleCollections, get_current_principal, is_audit_id_of_person
from highlighter.models import Chunk, Document
from highlighter.store import digests
from highlighter.store.audit_log import current_timestamp
from highlighter.store.database import write_transaction
from highlighter.store.schema import documents, feedback

RIGHT, WRONG, UNDONE = "right", "wrong", "undone"
MAX_NOTE_CHARACTERS = 1_000
MAX_HIGHLIGHTED_SPANS = 500  # of one chunk
SpanOffsets = tuple[int, int]


@dataclass(frozen=True, slots=True)
class FeedbackEntry:
    """A verdict on one sentence that was, or was not, highlighted for a question."""

    id: str
    document_id: str
    pipeline: int
    chunk: int
    span: SpanOffsets
    highlighted: tuple[SpanOffsets, ...]
    verdict: str
    question: str


@dataclass(frozen=True, slots=True)
class HighlightJudgement:
    """What a reader says of one sentence of a chunk, with what was highlighted for the question."""

    span: SpanOffsets
    verdict: str
    question: str
    highlighted: Sequence[SpanOffsets] = ()
    note: str = ""


def save_feedback(engine: Engine, document: Document, chunk: Chunk, judgement: HighlightJudgement) -> str:
    """Save a judgement, and return its id, by which it can be undone."""
    start, end = judgement.span
    sentence = chunk.text[start - chunk.start : end - chunk.start]
    return _insert_feedback(engine, {
        "document_id": document.id, "collection": document.collection, "pipeline": chunk.pipeline, "chunk": chunk.index,
        "start": start, "end": end, "sentence": hashlib.sha256(sentence.encode()).hexdigest(),
        "highlighted": json.dumps([list(offsets) for offsets in judgement.highlighted]), "verdict": judgement.verdict,
        "question": judgement.question, "note": judgement.note or None,
    })  # fmt: skip


def undo_feedback(engine: Engine, id: str, visible: VisibleCollections) -> bool:
    """Undo feedback. Return False when there is none with this id that the caller may undo: a person's is their own."""
    with engine.connect() as connection:
        row = connection.execute(select(feedback).where(feedback.c.id == id)).mappings().first()
        author = digests.find_feedback_author(connection, row["document_id"], id) if row else ""
        undone_by = connection.scalar(select(feedback.c.seq).where(feedback.c.undoes == id))
    if row is None or row["collection"] not in visible or row["verdict"] == UNDONE:
        return False
    caller = get_current_principal()
    if is_audit_id_of_person(author) and author != caller.audit_id and not caller.has_scope(ADMIN):
        return False
    if undone_by is None:
        copied = {
            name: row[name]
            for name in ("document_id", "collection", "pipeline", "chunk", "start", "end", "sentence", "highlighted")
        }
        _insert_feedback(engine, {**copied, "verdict": UNDONE, "undoes": id, "question": None, "note": None})
    return True


def redact_feedback(connection: Connection, document_id: str) -> None:
    """Remove questions and notes on a document, in the transaction that deletes it."""
    connection.execute(update(feedback).where(feedback.c.document_id == document_id).values(question=None, note=None))


def list_current_feedback(engine: Engine) -> list[FeedbackEntry]:
    """Return the latest verdict on each sentence and question, without undone and redacted ones."""
    with engine.connect() as connection:
        rows = connection.execute(select(feedback).order_by(feedback.c.seq)).mappings().all()
    undone = {row["undoes"] for row in rows}
    latest = {}
    for row in rows:
        if row["verdict"] != UNDONE and row["id"] not in undone and row["question"] is not None:
            span = row["start"], row["end"]
            highlighted = tuple((start, end) for start, end in json.loads(row["highlighted"]))
            key = row["document_id"], row["pipeline"], row["chunk"], row["question"], span
            latest[key] = FeedbackEntry(row["id"], *key[:3], span, highlighted, row["verdict"], row["question"])
    return list(latest.values())


def _insert_feedback(engine: Engine, row: dict[str, Any]) -> str:
    id = secrets.token_hex(16)
    with write_transaction(engine) as connection:
        if not connection.scalar(select(documents.c.id).where(documents.c.id == row["document_id"])):
            row = {**row, "question": None, "note": None}  # deleted in the meantime
        connection.execute(insert(feedback), {"id": id, "at": current_timestamp(), "undoes": "", **row})
        digests.record_feedback_digests(connection, id)
    return id
