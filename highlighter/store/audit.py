"""What happened to which bytes, for good. A note is written in the transaction that does the thing, or not at all."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import NamedTuple

from sqlalchemy import Connection, select
from sqlalchemy.dialects.sqlite import insert

from highlighter.store.schema import audit

INGESTED, NEW_VERSION, DELETED, FAILED = "ingested", "new version", "deleted", "failed"


class Note(NamedTuple):
    """One line of the audit. It outlives the document, so it holds hashes and neither words nor names."""

    seq: int
    at: str
    what: str
    document_id: str
    collection: str
    sha256: str


def note(connection: Connection, what: str, document_id: str, collection: str, sha256: str) -> None:
    row = {"at": now(), "what": what, "document_id": document_id, "collection": collection, "sha256": sha256}
    connection.execute(insert(audit), row)


def notes(connection: Connection, document_id: str = "") -> list[Note]:
    """In order; of one document, or of all."""
    query = select(audit).order_by(audit.c.seq)
    if document_id:
        query = query.where(audit.c.document_id == document_id)
    return [Note(*row) for row in connection.execute(query)]


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
