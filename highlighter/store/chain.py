"""The rows of the audit as a chain: each holds the hash of the one before, so that none can be changed or taken out alone.

Rows of an earlier release have no hash. The first row of the chain holds the digest of all of them in place of a hash
before it, so from then on they are as fixed as the rest.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from sqlalchemy import Connection, select, text

from highlighter.store.schema import audit

BEFORE_THE_CHAIN = ("seq", "at", "what", "document_id", "collection", "sha256")
HASHED = (*BEFORE_THE_CHAIN, "answer_id", "content", "previous")
BY = "by_key"  # hashed as well, where a key stands: rows of before there were keys keep their hashes


class Head(NamedTuple):
    """The end of a chain at some time. Who keeps it elsewhere can prove that nothing before it was changed since."""

    seq: int
    hash: str
    at: str


def canonical(value: Any) -> str:
    """One way to write a value, so that the same value always has the same digest; and any text can be stored."""
    written = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), default=str)
    # Half a character (a lone surrogate) becomes the escape that JSON has for it, so reading it back gives it again.
    return written.encode("utf-8", "backslashreplace").decode("utf-8")


def digest(written: str) -> str:
    return hashlib.sha256(written.encode("utf-8", "backslashreplace")).hexdigest()


def row_hash(row: Mapping[str, Any]) -> str:
    names = (*HASHED, BY) if row.get(BY) else HASHED
    return digest(canonical([row[name] for name in names]))


def beginning(connection: Connection, first: int) -> str:
    """What the first row of the chain has before it."""
    query = select(*(audit.c[name] for name in BEFORE_THE_CHAIN)).where(audit.c.seq < first).order_by(audit.c.seq)
    return digest(canonical([list(row) for row in connection.execute(query)]))


def linked(connection: Connection, row: Mapping[str, Any]) -> dict[str, Any]:
    """The row as the next of the chain. The transaction holds the write lock, so no other comes between."""
    last = head(connection)
    made = {"answer_id": "", "content": "", BY: "", **row, "seq": counted(connection) + 1}
    made["previous"] = last.hash if last else beginning(connection, made["seq"])
    return {**made, "hash": row_hash(made)}


def head(connection: Connection) -> Head | None:
    query = select(audit.c.seq, audit.c.hash, audit.c.at).where(audit.c.hash != "")
    row = connection.execute(query.order_by(audit.c.seq.desc()).limit(1)).first()
    return Head(*row) if row else None


def counted(connection: Connection) -> int:
    """How many rows were ever written, as SQLite remembers it apart from the rows: more than there are, if some were cut off."""
    found = connection.execute(text("SELECT seq FROM sqlite_sequence WHERE name = 'audit'")).scalar()
    return found or 0


def exported(head: Head, key: str = "") -> dict[str, Any]:
    """A head as it is handed out: signed, where there is a key."""
    return {**head._asdict(), **({"signature": signature(head, key)} if key else {})}


def signature(head: Head, key: str) -> str:
    """By whoever holds the key (AUDIT_KEY): that this head was exported by this house."""
    return hmac.new(key.encode("utf-8", "surrogatepass"), canonical(list(head)).encode(), hashlib.sha256).hexdigest()
