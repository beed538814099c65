"""Responses to requests with an Idempotency-Key, stored for a day, so that a request that is sent again has no second effect.

A response belongs to the key or browser session that sent the request. Responses that name a document are deleted with it.
"""

from __future__ import annotations

import hashlib
import re
import time
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, Engine, delete, func, select

from highlighter.store.audit_log import DELETED
from highlighter.store.database import write_transaction
from highlighter.store.inserts import insert_missing
from highlighter.store.leases import Lease
from highlighter.store.schema import audit, idempotent_responses

STORED_SECONDS = 24 * 3600
_ID = re.compile(r"\b[0-9a-f]{32}\b")  # of a document, among others


@dataclass(frozen=True, slots=True)
class RequestKey:
    """The Idempotency-Key of a request, and who sent it."""

    owner: str
    value: str


@dataclass(frozen=True, slots=True)
class StoredResponse:
    """A response, and the SHA-256 of the request that it belongs to."""

    request: str
    status: int
    headers: dict[str, str]
    body: str


def find_response(engine: Engine, key: RequestKey) -> StoredResponse | None:
    """Return the response to an earlier request with the same key; None when there is none, or it is too old."""
    row_key = _is_row_of(key) & (idempotent_responses.c.expires > time.time())
    with engine.connect() as connection:
        row = connection.execute(select(idempotent_responses).where(row_key)).first()
    return StoredResponse(row.request, row.status, row.headers, row.body) if row else None


def find_last_audit_row(engine: Engine) -> int:
    """Return the number of the last row of the audit, which tells what is deleted while a request is carried out."""
    with engine.connect() as connection:
        return connection.scalar(select(func.max(audit.c.seq))) or 0


def save_response(engine: Engine, key: RequestKey, response: StoredResponse, audit_seq: int) -> None:
    """Store a response under the key of its request, in place of one that is too old.

    `audit_seq` is the last row of the audit when the request came. A response that names a document which was deleted since
    is not stored, as nothing would delete it before its time.
    """
    ids = sorted(set(_ID.findall(response.body)))
    row = {
        "owner": key.owner, "idempotency_key": key.value, "request": response.request, "status": response.status,
        "headers": response.headers, "ids": " ".join(ids), "body": response.body,
        "expires": time.time() + STORED_SECONDS,
    }  # fmt: skip
    with write_transaction(engine) as connection:
        deleted = select(audit.c.document_id).where(audit.c.seq > audit_seq, audit.c.what == DELETED)
        if not set(ids).isdisjoint(connection.scalars(deleted)):
            return
        connection.execute(delete(idempotent_responses).where(_is_row_of(key), _is_overdue()))
        connection.execute(insert_missing(idempotent_responses).values(row))


def lease_request(engine: Engine, key: RequestKey) -> Lease:
    """Return the lease that a request with this key needs, so that no two of them run at once in any process."""
    digest = hashlib.sha256(f"{key.owner}\0{key.value}".encode()).hexdigest()[:32]
    return Lease(engine, f"request {digest}")


def remove_responses_naming(connection: Connection, document_id: str) -> None:
    """Delete the responses that hold words of a document, in the transaction that deletes the document."""
    connection.execute(
        delete(idempotent_responses).where(idempotent_responses.c.ids.contains(document_id, autoescape=True))
    )


def remove_overdue_responses(engine: Engine) -> int:
    """Delete the responses that were stored for a day, and return how many."""
    with engine.connect() as connection:  # most often there is none, and no write lock is needed
        if connection.scalar(select(idempotent_responses.c.status).where(_is_overdue()).limit(1)) is None:
            return 0
    with write_transaction(engine) as connection:
        return connection.execute(delete(idempotent_responses).where(_is_overdue())).rowcount


def _is_row_of(key: RequestKey) -> ColumnElement[bool]:
    return (idempotent_responses.c.owner == key.owner) & (idempotent_responses.c.idempotency_key == key.value)


def _is_overdue() -> ColumnElement[bool]:
    return idempotent_responses.c.expires <= time.time()
