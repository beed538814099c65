"""The rows of the audit as a chain: each holds the hash of the one before, so that none can be changed or taken out alone.

Rows of an earlier release have no hash. The first row of the chain holds the digest of all of them in place of a hash
before it, so from then on they are as fixed as the rest.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, select, text
from sqlalchemy.dialects.sqlite import insert

from highlighter.access import get_current_principal
from highlighter.store.schema import audit

UNCHAINED_COLUMNS = ("seq", "at", "what", "document_id", "collection", "sha256")
HASHED_COLUMNS = (*UNCHAINED_COLUMNS, "answer_id", "content", "previous")
KEY_COLUMN = "by_key"  # hashed as well, where a key stands: rows of before there were keys keep their hashes


class ChainHead(NamedTuple):
    """The end of a chain at some time. Who keeps it elsewhere can prove that nothing before it was changed since."""

    seq: int
    hash: str
    at: str


def canonical_json(value: Any) -> str:
    """One way to write a value, so that the same value always has the same digest; and any text can be stored."""
    written = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), default=str)
    # Half a character (a lone surrogate) becomes the escape that JSON has for it, so reading it back gives it again.
    return written.encode("utf-8", "backslashreplace").decode("utf-8")


def compute_digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()


def compute_row_hash(row: Mapping[str, Any]) -> str:
    names = (*HASHED_COLUMNS, KEY_COLUMN) if row.get(KEY_COLUMN) else HASHED_COLUMNS
    return compute_digest(canonical_json([row[name] for name in names]))


def compute_genesis_hash(connection: Connection, first: int) -> str:
    """What the first row of the chain has before it."""
    query = select(*(audit.c[name] for name in UNCHAINED_COLUMNS)).where(audit.c.seq < first).order_by(audit.c.seq)
    return compute_digest(canonical_json([list(row) for row in connection.execute(query)]))


def link_row(connection: Connection, row: Mapping[str, Any]) -> dict[str, Any]:
    """The row as the next of the chain. The transaction holds the write lock, so no other comes between."""
    last = read_head(connection)
    made = {"answer_id": "", "content": "", KEY_COLUMN: "", **row, "seq": count_written_rows(connection) + 1}
    made["previous"] = last.hash if last else compute_genesis_hash(connection, made["seq"])
    return {**made, "hash": compute_row_hash(made)}


def read_head(connection: Connection) -> ChainHead | None:
    query = select(audit.c.seq, audit.c.hash, audit.c.at).where(audit.c.hash != "")
    row = connection.execute(query.order_by(audit.c.seq.desc()).limit(1)).first()
    return ChainHead(*row) if row else None


def count_written_rows(connection: Connection) -> int:
    """How many rows were ever written, as SQLite remembers it apart from the rows: more than there are, if some were cut off."""
    found = connection.execute(text("SELECT seq FROM sqlite_sequence WHERE name = 'audit'")).scalar()
    return found or 0


def export_head(head: ChainHead, key: str = "") -> dict[str, Any]:
    """A head as it is handed out: signed, where there is a key."""
    return {**head._asdict(), **({"signature": sign_head(head, key)} if key else {})}


def sign_head(head: ChainHead, key: str) -> str:
    """By whoever holds the key (AUDIT_KEY): that this head was exported by this house."""
    return hmac.new(
        key.encode("utf-8", "surrogatepass"), canonical_json(list(head)).encode(), hashlib.sha256
    ).hexdigest()


# What happened to which bytes, for good. A note is written in the transaction that does the thing, or not at all.


INGESTED, NEW_VERSION, DELETED, FAILED = "ingested", "new version", "deleted", "failed"
ANSWERED = "answered"
KEY_CREATED, KEY_REVOKED = "key made", "key revoked"
DESCRIBED, FEEDBACK_GIVEN = "described", "feedback"  # new metadata or another path; a reader's verdict
RECORDED = "recorded"  # contents that an earlier release stored without digests, as they are now


class AuditEntry(NamedTuple):
    """One line of the audit. It outlives the document, so it holds hashes and neither words nor names."""

    seq: int
    at: str
    what: str
    document_id: str
    collection: str
    sha256: str
    answer_id: str = ""
    by_key: str = ""  # the public id of the key that it was done with, or that was made or revoked; none: by the house


def record_event(connection: Connection, event: str, document_id: str, collection: str, sha256: str) -> int:
    return append_audit_row(
        connection, {"what": event, "document_id": document_id, "collection": collection, "sha256": sha256}
    )  # fmt: skip


def record_answer(connection: Connection, answer_id: str, content_digest: str) -> int:
    """Its number in the chain. `content` is the digest of all that the answer is."""
    about = {"what": ANSWERED, "document_id": "", "collection": "", "sha256": ""}
    return append_audit_row(connection, {**about, "answer_id": answer_id, "content": content_digest})


def list_audit_entries(connection: Connection, document_id: str = "") -> list[AuditEntry]:
    """In order; of one document, or of all."""
    query = select(*(audit.c[name] for name in AuditEntry._fields)).order_by(audit.c.seq)
    if document_id:
        query = query.where(audit.c.document_id == document_id)
    return [AuditEntry(*row) for row in connection.execute(query)]


def record_key_event(connection: Connection, event: str, key_id: str) -> int:
    return append_audit_row(
        connection, {"what": event, "document_id": "", "collection": "", "sha256": "", "by_key": key_id}
    )


def current_timestamp() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def append_audit_row(connection: Connection, row: dict[str, str]) -> int:
    """Add a row to the chain and return its number."""
    made = link_row(connection, {"at": current_timestamp(), "by_key": get_current_principal().key, **row})
    connection.execute(insert(audit), made)
    return made["seq"]
