"""What happened to which bytes, for good. A note is written in the transaction that does the thing, or not at all."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import NamedTuple

from sqlalchemy import Connection, select
from sqlalchemy.dialects.sqlite import insert

from highlighter.access import current_caller
from highlighter.store.chain import linked
from highlighter.store.schema import audit

INGESTED, NEW_VERSION, DELETED, FAILED = "ingested", "new version", "deleted", "failed"
ANSWERED = "answered"
KEY_MADE, KEY_REVOKED = "key made", "key revoked"
DESCRIBED, FEEDBACK = "described", "feedback"  # new metadata or another path; a reader's verdict
RECORDED = "recorded"  # contents that an earlier release stored without digests, as they are now


class Note(NamedTuple):
    """One line of the audit. It outlives the document, so it holds hashes and neither words nor names."""

    seq: int
    at: str
    what: str
    document_id: str
    collection: str
    sha256: str
    answer_id: str = ""
    by_key: str = ""  # the public id of the key that it was done with, or that was made or revoked; none: by the house


def note(connection: Connection, what: str, document_id: str, collection: str, sha256: str) -> int:
    return write(
        connection, {"what": what, "document_id": document_id, "collection": collection, "sha256": sha256}
    )  # fmt: skip


def note_answer(connection: Connection, answer_id: str, content: str) -> int:
    """Its number in the chain. `content` is the digest of all that the answer is."""
    about = {"what": ANSWERED, "document_id": "", "collection": "", "sha256": ""}
    return write(connection, {**about, "answer_id": answer_id, "content": content})


def notes(connection: Connection, document_id: str = "") -> list[Note]:
    """In order; of one document, or of all."""
    query = select(*(audit.c[name] for name in Note._fields)).order_by(audit.c.seq)
    if document_id:
        query = query.where(audit.c.document_id == document_id)
    return [Note(*row) for row in connection.execute(query)]


def note_key(connection: Connection, what: str, key: str) -> int:
    return write(connection, {"what": what, "document_id": "", "collection": "", "sha256": "", "by_key": key})


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def write(connection: Connection, row: dict[str, str]) -> int:
    """Add a row to the chain and return its number."""
    made = linked(connection, {"at": now(), "by_key": current_caller().key, **row})
    connection.execute(insert(audit), made)
    return made["seq"]
