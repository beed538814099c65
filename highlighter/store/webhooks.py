"""Webhooks and their deliveries. The audit is the queue of events: a webhook knows the last row that was queued for it.

So an event is neither lost nor queued twice, whichever process changed the document, and whenever a process stops.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, Engine, Row, delete, func, insert, select, update

from highlighter.access import VisibleCollections
from highlighter.store.audit_log import ANSWERED, DELETED, FAILED, INGESTED, AuditEntry, current_timestamp
from highlighter.store.database import write_transaction
from highlighter.store.schema import audit, webhook_deliveries, webhooks

WAITING, DELIVERED, FAILED_FOR_GOOD = DELIVERY_STATES = ("waiting", "delivered", "failed")
EVENTS_PER_QUERY = 500
STORED_DAYS = 14  # of deliveries that are not sent again
MAX_RETRY_PAUSE_SECONDS = 28_800
MAX_UNQUEUED_ROWS = 1_000  # of the audit without an event, before the position behind them is saved


@dataclass(frozen=True, slots=True)
class Webhook:
    """An address with the events that it is told."""

    id: str
    url: str
    events: tuple[str, ...]
    collections: frozenset[str] | None  # None: all
    description: str
    key: str  # the id of the API key that created it; empty: none
    created: str
    disabled: str  # since when nothing is sent; empty: it is sent to
    audit_seq: int
    secret: str = field(repr=False)

    @property
    def visible(self) -> VisibleCollections:
        return VisibleCollections(self.collections)


@dataclass(frozen=True, slots=True)
class NewDelivery:
    """An event to be sent to a webhook: what happened to which document or answer."""

    type: str
    at: str  # ISO 8601, UTC
    document_id: str = ""
    collection: str = ""
    sha256: str = ""
    document_state: str = ""
    answer_id: str = ""


@dataclass(frozen=True, slots=True)
class Delivery(NewDelivery):
    """An event that is sent to a webhook until the webhook has accepted it, or for about a day."""

    id: str = ""
    webhook_id: str = ""
    state: str = WAITING
    attempts: int = 0
    due: float | None = None  # seconds since 1970; None: it is not sent again
    status: int = 0  # of the last response; 0: there was none
    problem: str = ""  # why the last attempt failed


@dataclass(frozen=True, slots=True)
class WebhookFields:
    """What is said of a webhook when it is created."""

    url: str
    events: tuple[str, ...]
    collections: frozenset[str] | None
    secret: str = field(repr=False)
    description: str = ""
    key: str = ""


def create_webhook(engine: Engine, fields: WebhookFields) -> Webhook:
    """Store a webhook, which is told what happens from now on."""
    with write_transaction(engine) as connection:
        row = {
            "id": secrets.token_hex(8), "url": fields.url, "events": list(fields.events),
            "collections": None if fields.collections is None else sorted(fields.collections), "secret": fields.secret,
            "description": fields.description, "by_key": fields.key, "created": current_timestamp(), "disabled": "",
            "audit_seq": connection.scalar(select(func.max(audit.c.seq))) or 0,
        }  # fmt: skip
        connection.execute(insert(webhooks), row)
        return _webhook_from_row(connection.execute(select(webhooks).where(webhooks.c.id == row["id"])).one())


def list_webhooks(engine: Engine, visible: VisibleCollections = VisibleCollections()) -> list[Webhook]:
    """Return the webhooks of which a principal may know: those that are told of no collection beyond its own."""
    with engine.connect() as connection:
        rows = connection.execute(select(webhooks).order_by(webhooks.c.created, webhooks.c.id)).all()
    return [webhook for row in rows if _is_visible(webhook := _webhook_from_row(row), visible)]


def find_webhook(engine: Engine, id: str, visible: VisibleCollections = VisibleCollections()) -> Webhook | None:
    with engine.connect() as connection:
        row = connection.execute(select(webhooks).where(webhooks.c.id == id)).first()
    webhook = _webhook_from_row(row) if row else None
    return webhook if webhook and _is_visible(webhook, visible) else None


def delete_webhook(engine: Engine, id: str) -> None:
    """Delete a webhook and its deliveries."""
    with write_transaction(engine) as connection:
        connection.execute(delete(webhook_deliveries).where(webhook_deliveries.c.webhook_id == id))
        connection.execute(delete(webhooks).where(webhooks.c.id == id))


def disable_webhook(engine: Engine, id: str) -> None:
    """Send nothing more to a webhook, and drop what waits for it."""
    is_waiting = (webhook_deliveries.c.webhook_id == id) & webhook_deliveries.c.due.is_not(None)
    with write_transaction(engine) as connection:
        connection.execute(update(webhooks).where(webhooks.c.id == id).values(disabled=current_timestamp()))
        connection.execute(update(webhook_deliveries).where(is_waiting).values(state=FAILED_FOR_GOOD, due=None))


def _is_visible(webhook: Webhook, visible: VisibleCollections) -> bool:
    if visible.names is None:
        return True
    return webhook.collections is not None and webhook.collections <= visible.names


def _webhook_from_row(row: Row[Any]) -> Webhook:
    return Webhook(
        row.id, row.url, tuple(row.events), None if row.collections is None else frozenset(row.collections),
        row.description, row.by_key, row.created, row.disabled, row.audit_seq, row.secret,
    )  # fmt: skip


# -- events ----------------------------------------------------------------------------------------------------------


def list_unqueued_events(engine: Engine, after_seq: int) -> tuple[list[AuditEntry], int]:
    """Return the rows of the audit after a number that may be events, and the number of the last row looked at."""
    is_event = audit.c.what.in_((INGESTED, FAILED, DELETED, ANSWERED)) & (audit.c.seq > after_seq)
    columns = [audit.c[name] for name in AuditEntry._fields]
    with engine.connect() as connection:
        last = connection.scalar(select(func.max(audit.c.seq))) or 0
        query = select(*columns).where(is_event, audit.c.seq <= last).order_by(audit.c.seq).limit(EVENTS_PER_QUERY)
        entries = [AuditEntry(*row) for row in connection.execute(query)]
    return entries, entries[-1].seq if len(entries) == EVENTS_PER_QUERY else last


def queue_deliveries(engine: Engine, webhook: Webhook, deliveries: Sequence[NewDelivery], last_seq: int) -> bool:
    """Store the deliveries of the rows up to a number, unless another process has; return whether they were stored."""
    if not deliveries and last_seq - webhook.audit_seq < MAX_UNQUEUED_ROWS:
        return False
    is_as_read = (webhooks.c.id == webhook.id) & (webhooks.c.audit_seq == webhook.audit_seq)
    with write_transaction(engine) as connection:
        if connection.execute(update(webhooks).where(is_as_read).values(audit_seq=last_seq)).rowcount != 1:
            return False
        for new in deliveries:
            _insert_delivery(connection, webhook.id, new, due=time.time())
    return True


def add_delivery(engine: Engine, webhook_id: str, new: NewDelivery) -> Delivery:
    """Store a delivery that the caller sends at once. It is never due, so nobody else sends it."""
    with write_transaction(engine) as connection:
        id = _insert_delivery(connection, webhook_id, new, due=None)
        return _delivery_from_row(
            connection.execute(select(webhook_deliveries).where(webhook_deliveries.c.id == id)).one()
        )


def _insert_delivery(connection: Connection, webhook_id: str, new: NewDelivery, due: float | None) -> str:
    row = {
        "id": create_delivery_id(), "webhook_id": webhook_id, "type": new.type, "at": new.at, "document_id": new.document_id,
        "collection": new.collection, "sha256": new.sha256, "document_state": new.document_state,
        "answer_id": new.answer_id, "state": WAITING, "attempts": 0, "due": due, "status": 0, "problem": "",
    }  # fmt: skip
    connection.execute(insert(webhook_deliveries), row)
    return str(row["id"])


def create_delivery_id() -> str:
    """Return an id that nobody can guess, greater than those of earlier deliveries."""
    return f"msg_{time.time_ns():016x}{secrets.token_hex(8)}"


# -- deliveries ------------------------------------------------------------------------------------------------------


def _is_due() -> ColumnElement[bool]:
    """Return the condition of what is to be sent now: also what is due later than any pause, since the clock was set back."""
    now = time.time()
    return (webhook_deliveries.c.due <= now) | (webhook_deliveries.c.due > now + MAX_RETRY_PAUSE_SECONDS)


def list_ids_with_due_deliveries(engine: Engine) -> set[str]:
    """Return the ids of the webhooks to which something is to be sent now."""
    query = select(webhook_deliveries.c.webhook_id).where(_is_due()).distinct()
    with engine.connect() as connection:
        return set(connection.scalars(query))


def list_due_deliveries(engine: Engine, webhook_id: str, limit: int) -> list[Delivery]:
    """Return the deliveries that are to be sent now, in the order of their events."""
    is_due = (webhook_deliveries.c.webhook_id == webhook_id) & _is_due()
    query = select(webhook_deliveries).where(is_due).order_by(webhook_deliveries.c.id).limit(limit)
    with engine.connect() as connection:
        return [_delivery_from_row(row) for row in connection.execute(query)]


def list_deliveries(engine: Engine, webhook_id: str, limit: int, before: str = "", state: str = "") -> list[Delivery]:
    """Return deliveries of a webhook, the latest first: those in a state, and those before the delivery with an id."""
    query = select(webhook_deliveries).where(webhook_deliveries.c.webhook_id == webhook_id)
    if before:
        query = query.where(webhook_deliveries.c.id < before)
    if state:
        query = query.where(webhook_deliveries.c.state == state)
    with engine.connect() as connection:
        rows = connection.execute(query.order_by(webhook_deliveries.c.id.desc()).limit(limit))
        return [_delivery_from_row(row) for row in rows]


def find_delivery(engine: Engine, id: str) -> Delivery | None:
    with engine.connect() as connection:
        row = connection.execute(select(webhook_deliveries).where(webhook_deliveries.c.id == id)).first()
    return _delivery_from_row(row) if row else None


def record_attempt(engine: Engine, id: str, state: str, due: float | None, status: int, problem: str) -> None:
    """Record how an attempt to send a delivery ended, and when the next one is due."""
    values = {"state": state, "due": due, "status": status, "problem": str(problem)}
    is_delivery = webhook_deliveries.c.id == id
    with write_transaction(engine) as connection:
        attempts = webhook_deliveries.c.attempts + 1
        connection.execute(update(webhook_deliveries).where(is_delivery).values(attempts=attempts, **values))


def remove_old_deliveries(engine: Engine) -> int:
    """Delete the deliveries of some weeks ago that are not sent again, and return how many."""
    until = (datetime.now(UTC) - timedelta(days=STORED_DAYS)).isoformat(timespec="seconds")
    is_old = webhook_deliveries.c.due.is_(None) & (webhook_deliveries.c.at < until)
    with engine.connect() as connection:  # most often there is none, and no write lock is needed
        if connection.scalar(select(webhook_deliveries.c.id).where(is_old).limit(1)) is None:
            return 0
    with write_transaction(engine) as connection:
        return connection.execute(delete(webhook_deliveries).where(is_old)).rowcount


def _delivery_from_row(row: Row[Any]) -> Delivery:
    return Delivery(**row._mapping)
