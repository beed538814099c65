"""What readers say of highlights, only added to: taking something back is a row of its own.

Of the sentence its place and hash are kept, and no word. The question and the note are the reader's own, and may say what
the document says: they go when it goes.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, Engine, select, update
from sqlalchemy.dialects.sqlite import insert

from highlighter.access import VisibleCollections
from highlighter.models import Chunk, Document
from highlighter.store import digests
from highlighter.store.audit_log import current_timestamp
from highlighter.store.database import write_transaction
from highlighter.store.schema import documents, feedback

RIGHT, WRONG, UNDONE = "right", "wrong", "undone"
MAX_NOTE_CHARACTERS = 1_000
MAX_HIGHLIGHTED_SPANS = 500  # of one part
SpanOffsets = tuple[int, int]


@dataclass(frozen=True, slots=True)
class FeedbackEntry:
    """A verdict on one sentence that was lit, or was not, for a question."""

    id: str
    document_id: str
    pipeline: int
    chunk: int
    span: SpanOffsets
    highlighted: tuple[SpanOffsets, ...]
    verdict: str
    question: str


def save_feedback(
    engine: Engine,
    document: Document,
    chunk: Chunk,
    span: SpanOffsets,
    verdict: str,
    question: str,
    highlighted: Sequence[SpanOffsets] = (),
    note: str = "",
) -> str:
    """Its id, by which it can be taken back."""
    start, end = span
    words = chunk.text[start - chunk.start : end - chunk.start]
    return _insert_feedback(engine, {
        "document_id": document.id, "collection": document.collection, "pipeline": chunk.pipeline, "chunk": chunk.index,
        "start": start, "end": end, "sentence": hashlib.sha256(words.encode()).hexdigest(),
        "lit": json.dumps([list(one) for one in highlighted]), "verdict": verdict, "question": question, "note": note or None,
    })  # fmt: skip


def undo_feedback(engine: Engine, id: str, visible: VisibleCollections) -> bool:
    """Whether there was anything to take back."""
    with engine.connect() as connection:
        row = connection.execute(select(feedback).where(feedback.c.id == id)).mappings().first()
        gone = connection.scalar(select(feedback.c.seq).where(feedback.c.undoes == id))
    if row is None or row["collection"] not in visible or row["verdict"] == UNDONE:
        return False
    if gone is None:
        same = {
            name: row[name]
            for name in ("document_id", "collection", "pipeline", "chunk", "start", "end", "sentence", "lit")
        }
        _insert_feedback(engine, {**same, "verdict": UNDONE, "undoes": id, "question": None, "note": None})
    return True


def redact_feedback(connection: Connection, document_id: str) -> None:
    """In the transaction that deletes the document."""
    connection.execute(update(feedback).where(feedback.c.document_id == document_id).values(question=None, note=None))


def list_current_feedback(engine: Engine) -> list[FeedbackEntry]:
    """What was not taken back, and still has its question; the last word on each sentence."""
    with engine.connect() as connection:
        rows = connection.execute(select(feedback).order_by(feedback.c.seq)).mappings().all()
    undone = {row["undoes"] for row in rows}
    last = {}
    for row in rows:
        if row["verdict"] != UNDONE and row["id"] not in undone and row["question"] is not None:
            span = row["start"], row["end"]
            lit = tuple((start, end) for start, end in json.loads(row["lit"]))
            key = row["document_id"], row["pipeline"], row["chunk"], row["question"], span
            last[key] = FeedbackEntry(row["id"], *key[:3], span, lit, row["verdict"], row["question"])
    return list(last.values())


def _insert_feedback(engine: Engine, row: dict) -> str:
    id = secrets.token_hex(16)
    with write_transaction(engine) as connection:
        if not connection.scalar(select(documents.c.id).where(documents.c.id == row["document_id"])):
            row = {**row, "question": None, "note": None}  # it went while this was being said
        connection.execute(insert(feedback), {"id": id, "at": current_timestamp(), "undoes": "", **row})
        digests.record_feedback_digests(connection, id)
    return id
