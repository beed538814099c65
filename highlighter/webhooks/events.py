"""The events that webhooks are told, and the messages about them."""

from __future__ import annotations

import json
from typing import Any

from highlighter.answering.records import AnswerStore
from highlighter.errors import NotFound
from highlighter.models import FAILED as FAILED_STATE
from highlighter.models import PARTIAL, READABLE, READY, UNREADABLE, Document
from highlighter.store.audit_log import ANSWERED, DELETED, FAILED, INGESTED, AuditEntry
from highlighter.store.catalog import Catalog
from highlighter.store.webhooks import Delivery, NewDelivery, Webhook
from highlighter.urls import Links
from highlighter.webhooks.event_types import (
    ANSWER_CREATED,
    DOCUMENT_DELETED,
    DOCUMENT_FAILED,
    DOCUMENT_PARTIAL,
    DOCUMENT_READY,
)

DELETED_STATE = "deleted"
_TYPES_OF_STATES = {READY: DOCUMENT_READY, PARTIAL: DOCUMENT_PARTIAL}


class EventReader:
    """Reads events from rows of the audit, and describes them when they are sent."""

    def __init__(self, catalog: Catalog, answers: AnswerStore, links: Links):
        self._catalog, self._answers, self._links = catalog, answers, links

    def read_event(self, entry: AuditEntry, webhook: Webhook) -> NewDelivery | None:
        """Return the event of a row of the audit; None when the webhook is not told of it."""
        if entry.what == ANSWERED:
            new = self._read_answer_event(entry, webhook)
        elif entry.collection in webhook.visible:
            new = self._read_document_event(entry)
        else:
            return None
        return new if new and new.type in webhook.events else None

    def _read_document_event(self, entry: AuditEntry) -> NewDelivery | None:
        if entry.what == DELETED:
            return _build_document_event(DOCUMENT_DELETED, entry, DELETED_STATE)
        document = self._catalog.document(entry.document_id)
        if document is None:  # the row of its deletion follows
            return None
        if entry.what == FAILED:
            state = document.state if document.state in UNREADABLE else FAILED_STATE
            return _build_document_event(DOCUMENT_FAILED, entry, state)
        # Of a document that is processed again, the row at the end of that follows.
        type = _TYPES_OF_STATES.get(document.state, "") if entry.what == INGESTED else ""
        return _build_document_event(type, entry, document.state) if type else None

    def _read_answer_event(self, entry: AuditEntry, webhook: Webhook) -> NewDelivery | None:
        try:
            self._answers.load(entry.answer_id, webhook.visible)
        except NotFound:  # it rests on another collection
            return None
        return NewDelivery(ANSWER_CREATED, entry.at, answer_id=entry.answer_id)

    def build_message(self, delivery: Delivery) -> bytes:
        """Return the body of a message: what is known of the document now. Nothing of it was stored with the delivery."""
        data: dict[str, Any] = {"webhook_id": delivery.webhook_id}
        if delivery.document_id:
            data = self._describe_document(delivery)
        elif delivery.answer_id:
            links = {
                "self": self._links.answer(delivery.answer_id),
                "answer": self._links.answer_json(delivery.answer_id),
            }
            data = {"answer_id": delivery.answer_id, "links": links}
        return json.dumps({"type": delivery.type, "timestamp": delivery.at, "data": data}, ensure_ascii=False).encode()

    def _describe_document(self, delivery: Delivery) -> dict[str, Any]:
        data: dict[str, Any] = {
            "document_id": delivery.document_id, "collection": delivery.collection, "sha256": delivery.sha256,
            "state": delivery.document_state, "links": {},
        }  # fmt: skip
        document = self._catalog.document(delivery.document_id)
        if document is None or delivery.document_state == DELETED_STATE:
            return data
        return data | self._describe_stored_document(document)

    def _describe_stored_document(self, document: Document) -> dict[str, Any]:
        links = {"state": self._links.document_json(document.id)}
        if document.state in READABLE:
            links["self"] = self._links.document(document.id)
        return {
            "name": document.name, "reason": document.reason or None, "pages": document.pages,
            "version": document.version, "metadata": document.meta, "links": links,
        }  # fmt: skip


def _build_document_event(type: str, entry: AuditEntry, state: str) -> NewDelivery:
    return NewDelivery(type, entry.at, entry.document_id, entry.collection, entry.sha256, state)
