"""The audit log, a hash chain: each row holds the hash of the one before, so no row can be changed or removed unnoticed.

Rows of an earlier release have no hash. The first row of the chain holds the digest of all of them instead of a previous
hash, so from then on they are protected like the rest.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, insert, select

from highlighter.access import get_current_principal
from highlighter.store.dialects import get_dialect
from highlighter.store.schema import audit

UNCHAINED_COLUMNS = ("seq", "at", "what", "document_id", "collection", "sha256")
HASHED_COLUMNS = (*UNCHAINED_COLUMNS, "answer_id", "content", "previous")
KEY_COLUMN = "by_key"  # hashed only where present, so that rows from before there were keys keep their hashes


class ChainHead(NamedTuple):
    """The last row of the chain at some time. A copy stored elsewhere proves that no earlier row was changed since."""

    seq: int
    hash: str
    at: str


def canonical_json(value: Any) -> str:
    """Return the one JSON text of a value, so that equal values have equal digests."""
    encoded = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), default=str)
    # A lone surrogate, which cannot be stored, becomes its JSON escape, so that parsing restores it.
    return encoded.encode("utf-8", "backslashreplace").decode("utf-8")


def compute_digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()


def compute_row_hash(row: Mapping[str, Any]) -> str:
    names = (*HASHED_COLUMNS, KEY_COLUMN) if row.get(KEY_COLUMN) else HASHED_COLUMNS
    return compute_digest(canonical_json([row[name] for name in names]))


def compute_genesis_hash(connection: Connection, first: int) -> str:
    """Return the `previous` hash of the first row of the chain: the digest of all rows before it."""
    query = select(*(audit.c[name] for name in UNCHAINED_COLUMNS)).where(audit.c.seq < first).order_by(audit.c.seq)
    return compute_digest(canonical_json([list(row) for row in connection.execute(query)]))


def link_row(connection: Connection, row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row with its number and hashes as the next of the chain. The caller's transaction holds the write lock."""
    last = read_head(connection)
    linked = {"answer_id": "", "content": "", KEY_COLUMN: "", **row, "seq": count_written_rows(connection) + 1}
    linked["previous"] = last.hash if last else compute_genesis_hash(connection, linked["seq"])
    return {**linked, "hash": compute_row_hash(linked)}


def read_head(connection: Connection) -> ChainHead | None:
    query = select(audit.c.seq, audit.c.hash, audit.c.at).where(audit.c.hash != "")
    row = connection.execute(query.order_by(audit.c.seq.desc()).limit(1)).first()
    return ChainHead(*row) if row else None


def count_written_rows(connection: Connection) -> int:
    """Return how many rows were ever written, by a number stored apart from the rows."""
    return get_dialect(connection).count_audit_rows(connection)


def export_head(head: ChainHead, key: str = "") -> dict[str, Any]:
    """Return a head for export, signed when there is a key."""
    return {**head._asdict(), **({"signature": sign_head(head, key)} if key else {})}


def sign_head(head: ChainHead, key: str) -> str:
    """Return the signature of an exported head by AUDIT_KEY, which proves that this service exported it."""
    return hmac.new(
        key.encode("utf-8", "surrogatepass"), canonical_json(list(head)).encode(), hashlib.sha256
    ).hexdigest()


# Events. Each is recorded in the transaction that carries it out, or not at all.

INGESTED, NEW_VERSION, DELETED, FAILED = "ingested", "new version", "deleted", "failed"
ANSWERED = "answered"
KEY_CREATED, KEY_REVOKED = "key made", "key revoked"
DESCRIBED, FEEDBACK_GIVEN = "described", "feedback"  # DESCRIBED: new metadata or another path
RECORDED = "recorded"  # digests of contents that an earlier release stored without


class AuditEntry(NamedTuple):
    """One row of the audit. It outlives the document, so it holds hashes and neither text nor names."""

    seq: int
    at: str
    what: str
    document_id: str
    collection: str
    sha256: str
    answer_id: str = ""
    by_key: str = (
        ""  # the public id of the key that was used, created or revoked, or of a person; empty: the service itself
    )


def record_event(connection: Connection, event: str, document_id: str, collection: str, sha256: str) -> int:
    return append_audit_row(
        connection, {"what": event, "document_id": document_id, "collection": collection, "sha256": sha256}
    )  # fmt: skip


def record_answer(connection: Connection, answer_id: str, content_digest: str) -> int:
    """Record an answer by the digest of its record, and return the row's number."""
    row = {"what": ANSWERED, "document_id": "", "collection": "", "sha256": ""}
    return append_audit_row(connection, {**row, "answer_id": answer_id, "content": content_digest})


def list_audit_entries(connection: Connection, document_id: str = "") -> list[AuditEntry]:
    """Return the entries of one document, or of all, in order."""
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
    linked = link_row(connection, {"at": current_timestamp(), "by_key": get_current_principal().audit_id, **row})
    connection.execute(insert(audit), linked)
    seq: int = linked["seq"]
    return seq
