"""The types of the events that webhooks are told."""

from __future__ import annotations

DOCUMENT_READY, DOCUMENT_PARTIAL, DOCUMENT_FAILED, DOCUMENT_DELETED, ANSWER_CREATED = EVENT_TYPES = (
    "document.ready", "document.partial", "document.failed", "document.deleted", "answer.created"
)  # fmt: skip
PING = "ping"  # a message without an event, on request
