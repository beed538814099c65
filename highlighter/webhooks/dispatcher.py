"""The work of one process for all webhooks: queue what happened, send it, and send it again where that failed."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

from sqlalchemy import Engine

from highlighter.outgoing_addresses import AllowedHosts
from highlighter.store import webhooks
from highlighter.store.audit_log import current_timestamp
from highlighter.store.leases import Lease
from highlighter.store.webhooks import (
    DELIVERED,
    FAILED_FOR_GOOD,
    MAX_RETRY_PAUSE_SECONDS,
    WAITING,
    Delivery,
    NewDelivery,
    Webhook,
)
from highlighter.webhooks.event_types import PING
from highlighter.webhooks.events import EventReader
from highlighter.workers.daemon_executor import DaemonExecutor

log = logging.getLogger(__name__)

LEASE_NAME = "webhooks"
# Seconds after each failed attempt until the next one: together nearly a day.
RETRY_PAUSES_SECONDS = (5, 60, 300, 1_800, 7_200, 18_000, MAX_RETRY_PAUSE_SECONDS, MAX_RETRY_PAUSE_SECONDS)
MAX_WEBHOOKS_AT_ONCE = 4
# What one webhook gets in one run, so that a slow one does not hold up the others for long.
MAX_DELIVERIES_PER_RUN, MAX_SECONDS_PER_RUN = 50, 15.0


class WebhookDispatcher:
    """Queues and sends the events of all webhooks. Of several processes, each may queue, and the one with the lease sends.

    The lease is taken only while there is something to send: each write to the catalog makes all caches of it worthless.
    """

    def __init__(
        self, engine: Engine, events: EventReader, allowed: AllowedHosts, is_key_valid: Callable[[str], bool]
    ) -> None:
        """Take `is_key_valid`, which tells whether the API key that created a webhook may still read."""
        self._engine, self._events, self._allowed, self._is_key_valid = engine, events, allowed, is_key_valid
        self._lease = Lease(engine, LEASE_NAME)
        self._read_positions: dict[str, int] = {}  # by webhook, the last row of the audit that this process looked at

    def run(self) -> None:
        """Queue what happened, and send what is due unless another process does."""
        active = self.queue_all_events()
        due_ids = webhooks.list_ids_with_due_deliveries(self._engine) if active else set()
        due = [webhook for webhook in active if webhook.id in due_ids]
        if due and self._lease.acquire():
            try:
                with DaemonExecutor(min(len(due), MAX_WEBHOOKS_AT_ONCE), "webhook") as executor:
                    list(executor.map(self.send_due, due))
            finally:
                self._lease.release()

    def close(self) -> None:
        """Leave the work to another process."""
        self._lease.release()

    def queue_all_events(self) -> list[Webhook]:
        """Queue what happened for each webhook that is told of events, and return these webhooks.

        This comes before a document is deleted, too: what became of it could not be read afterwards.
        """
        active = [webhook for webhook in webhooks.list_webhooks(self._engine) if self._is_active(webhook)]
        for webhook in active:
            self.queue_events(webhook)
        return active

    def queue_events(self, webhook: Webhook) -> None:
        """Queue what happened since the last time, in one transaction with the position in the audit."""
        after_seq = max(webhook.audit_seq, self._read_positions.get(webhook.id, 0))
        entries, last_seq = webhooks.list_unqueued_events(self._engine, after_seq)
        found = [new for entry in entries if (new := self._events.read_event(entry, webhook))]
        webhooks.queue_deliveries(self._engine, webhook, found, last_seq)
        # Where another process was faster, it may have queued less than this one found: the rest is read again.
        if not found:
            self._read_positions[webhook.id] = last_seq

    def send_due(self, webhook: Webhook) -> None:
        """Send what is due, in order, until an attempt fails: a receiver that is down is asked once in each run."""
        end = time.monotonic() + MAX_SECONDS_PER_RUN
        for delivery in webhooks.list_due_deliveries(self._engine, webhook.id, MAX_DELIVERIES_PER_RUN):
            if not self._lease.is_held or time.monotonic() > end or not self._send(webhook, delivery):
                return

    def ping(self, webhook: Webhook) -> Delivery:
        """Send a message without an event at once, and return how that ended. It is not sent again."""
        delivery = webhooks.add_delivery(self._engine, webhook.id, NewDelivery(PING, current_timestamp()))
        self._send(webhook, delivery, is_last_attempt=True)
        return webhooks.find_delivery(self._engine, delivery.id) or delivery

    def _is_active(self, webhook: Webhook) -> bool:
        return not webhook.disabled and self._is_key_valid(webhook.key)

    def _send(self, webhook: Webhook, delivery: Delivery, is_last_attempt: bool = False) -> bool:
        # Importing the HTTP library takes longer than the commands that send nothing.
        from highlighter.webhooks.sender import GONE, send_message

        body = self._events.build_message(delivery)
        result = send_message(webhook.url, webhook.secret, delivery.id, body, self._allowed)
        state, due = DELIVERED, None
        if result.problem:
            pauses = () if is_last_attempt else RETRY_PAUSES_SECONDS[delivery.attempts :]
            state, due = (WAITING, time.time() + pauses[0]) if pauses else (FAILED_FOR_GOOD, None)
            log.warning("Message %s to webhook %s: %s", delivery.id, webhook.id, result.problem)
        webhooks.record_attempt(self._engine, delivery.id, state, due, result.status, result.problem)
        if result.status == GONE:
            log.warning("The receiver of webhook %s wants no more messages", webhook.id)
            webhooks.disable_webhook(self._engine, webhook.id)
        return not result.problem
