"""Tests of what is sent to webhooks: what happened, signed, once it happened, and again where that failed."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import update

from highlighter.access import VisibleCollections
from highlighter.answering.request import CallerSource, QuestionRequest
from highlighter.client import WrongSignature, verify_webhook
from highlighter.outgoing_addresses import AllowedHosts
from highlighter.services import Services
from highlighter.store import webhooks
from highlighter.store.database import write_transaction
from highlighter.store.leases import Lease
from highlighter.store.schema import webhook_deliveries
from highlighter.store.webhooks import DELIVERED, FAILED_FOR_GOOD, STORED_DAYS, WAITING, WebhookFields
from highlighter.webhooks.dispatcher import LEASE_NAME, RETRY_PAUSES_SECONDS
from highlighter.webhooks.event_types import EVENT_TYPES
from highlighter.webhooks.signatures import create_secret
from ingest.pipeline import ingest_file


@pytest.fixture
def add_webhook(services, receiver):
    def add_webhook(events=EVENT_TYPES, collections=None, key="", url=receiver.url):
        fields = WebhookFields(url, tuple(events), collections, create_secret(), key=key)
        return webhooks.create_webhook(services.catalog.engine, fields)

    return add_webhook


@pytest.fixture
def ingest(services, process_pool, tmp_path):
    def ingest(text, name="tide.txt", collection="default"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return ingest_file(path, services, process_pool, collection).document

    return ingest


def list_deliveries(services, webhook):
    return webhooks.list_deliveries(services.catalog.engine, webhook.id, 100)


def make_due(services):
    """Let the time come at which what failed is sent again."""
    with write_transaction(services.catalog.engine) as connection:
        is_waiting = webhook_deliveries.c.due.is_not(None)
        connection.execute(update(webhook_deliveries).where(is_waiting).values(due=0.0))


def test_states_of_documents_are_told(services, receiver, add_webhook, ingest):
    webhook = add_webhook()
    services.webhook_dispatcher.run()
    assert receiver.messages == []
    document = ingest("The tide turns at noon.")
    ingest(b"%PDF-1.4 damaged", "broken.pdf")
    services.webhook_dispatcher.run()
    services.delete_document(document.id)
    services.webhook_dispatcher.run()
    assert receiver.types == ["document.ready", "document.failed", "document.deleted"]
    ready, failed, deleted = (message["data"] for message in receiver.messages)
    assert (ready["document_id"], ready["name"], ready["state"], ready["pages"]) == (
        document.id,
        "tide.txt",
        "ready",
        1,
    )
    assert (failed["state"], bool(failed["reason"])) == ("damaged", True)
    assert deleted == {
        "document_id": document.id, "collection": "default", "sha256": document.sha256, "state": "deleted", "links": {},
    }  # fmt: skip
    assert {delivery.state for delivery in list_deliveries(services, webhook)} == {DELIVERED}


def test_document_that_is_deleted_at_once_was_ready_before(services, receiver, add_webhook, ingest):
    add_webhook()
    services.delete_document(ingest("The tide turns at noon.").id)
    services.webhook_dispatcher.run()
    assert receiver.types == ["document.ready", "document.deleted"]


def test_messages_are_signed(services, receiver, add_webhook, ingest):
    webhook = add_webhook()
    ingest("The tide turns at noon.")
    services.webhook_dispatcher.run()
    headers, body = receiver.headers[0], receiver.bodies[0]
    verify_webhook(webhook.secret, headers, body)
    (delivery,) = list_deliveries(services, webhook)
    assert headers["webhook-id"] == delivery.id
    for wrong in (
        (create_secret(), headers, body),
        (webhook.secret, headers, body + b" "),
        (webhook.secret, {**headers, "webhook-id": "msg_1"}, body),
        (webhook.secret, {**headers, "webhook-timestamp": "1614265330"}, body),
        (webhook.secret, {}, body),
    ):
        with pytest.raises(WrongSignature):
            verify_webhook(*wrong)


def test_only_wanted_events_of_visible_collections_are_told(services, receiver, add_webhook, ingest):
    add_webhook(events=["document.ready"], collections=frozenset({"tides"}))
    ingest("Secret.", "secret.txt", "harbour")
    ingest(b"%PDF-1.4 damaged", "broken.pdf", "tides")
    document = ingest("The tide turns at noon.", collection="tides")
    services.webhook_dispatcher.run()
    assert [message["data"]["document_id"] for message in receiver.messages] == [document.id]


def test_answers_are_told_where_their_sources_are_visible(services, receiver, add_webhook, ingest):
    add_webhook(events=["answer.created"], collections=frozenset({"tides"}))
    ingest("The tide turns at noon.", collection="tides")
    ingest("The bar opens at six.", "bar.txt", "harbour")
    answers = [
        services.answer_pipeline.answer(
            QuestionRequest("When does it open?", filters={"collection": name}),
            VisibleCollections(frozenset({name})),
        )
        for name in ("tides", "harbour")
    ]
    services.answer_pipeline.answer(QuestionRequest("Is it so?", sources=(CallerSource("It is so."),)))
    services.webhook_dispatcher.run()
    assert [message["data"]["answer_id"] for message in receiver.messages] == [answers[0].id]


def test_message_is_sent_again_until_it_is_accepted(services, receiver, add_webhook, ingest):
    webhook = add_webhook()
    receiver.statuses = [500, 302, 200]
    ingest("The tide turns at noon.")
    services.webhook_dispatcher.run()
    (delivery,) = list_deliveries(services, webhook)
    assert (delivery.state, delivery.attempts, delivery.status) == (WAITING, 1, 500)
    services.webhook_dispatcher.run()
    assert len(receiver.messages) == 1  # it is not due yet
    for _ in range(3):
        make_due(services)
        services.webhook_dispatcher.run()
    (delivery,) = list_deliveries(services, webhook)
    assert (delivery.state, delivery.attempts, delivery.status, delivery.problem) == (DELIVERED, 3, 200, "")
    assert len(receiver.messages) == 3  # a redirect is not followed
    assert len({headers["webhook-id"] for headers in receiver.headers}) == 1


def test_sending_ends_after_a_day_of_attempts(services, receiver, add_webhook, ingest):
    assert 0.9 * 86_400 < sum(RETRY_PAUSES_SECONDS) <= 86_400
    assert list(RETRY_PAUSES_SECONDS) == sorted(RETRY_PAUSES_SECONDS)
    webhook = add_webhook()
    receiver.statuses = [503] * 20
    ingest("The tide turns at noon.")
    for _ in range(12):
        services.webhook_dispatcher.run()
        make_due(services)
    (delivery,) = list_deliveries(services, webhook)
    assert (delivery.state, delivery.due) == (FAILED_FOR_GOOD, None)
    assert delivery.attempts == len(receiver.messages) == len(RETRY_PAUSES_SECONDS) + 1


def test_nothing_is_lost_by_a_restart(services, receiver, add_webhook, ingest, embedder):
    add_webhook()
    ingest("The tide turns at noon.")  # by a process that stops before it has sent anything
    services.close()
    restarted = Services(services.settings, embedder)
    restarted.webhook_dispatcher.run()
    restarted.webhook_dispatcher.run()
    restarted.close()
    assert receiver.types == ["document.ready"]


def test_delivery_is_not_late_by_the_hours_that_the_clock_was_set_back(services, receiver, add_webhook, ingest):
    add_webhook()
    receiver.statuses = [500]
    ingest("The tide turns at noon.")
    services.webhook_dispatcher.run()
    with write_transaction(services.catalog.engine) as connection:
        connection.execute(update(webhook_deliveries).values(due=webhook_deliveries.c.due + 365 * 86_400))
    services.webhook_dispatcher.run()
    assert receiver.types == ["document.ready"] * 2


def test_only_one_process_sends(services, receiver, add_webhook, ingest, embedder):
    add_webhook()
    other = Services(services.settings, embedder)
    ingest("The tide turns at noon.")
    lease = Lease(services.catalog.engine, LEASE_NAME)  # of a process that sends just now
    assert lease.acquire()
    for process in (services, other):
        process.webhook_dispatcher.run()
    assert receiver.messages == []
    lease.release()
    for process in (services, other, services):
        process.webhook_dispatcher.run()
    other.close()
    assert receiver.types == ["document.ready"]


def test_nothing_is_written_without_an_event(services, receiver, add_webhook, ingest):
    add_webhook(events=["document.failed"])
    ingest("The tide turns at noon.")
    version = services.catalog.data_version()
    for _ in range(3):
        services.webhook_dispatcher.run()
    assert services.catalog.data_version() == version


def test_receiver_that_is_gone_is_told_nothing_more(services, receiver, add_webhook, ingest):
    webhook = add_webhook()
    receiver.statuses = [410]
    ingest("The tide turns at noon.")
    ingest("The bar opens at six.", "bar.txt")
    services.webhook_dispatcher.run()
    services.webhook_dispatcher.run()
    assert len(receiver.messages) == 1
    assert webhooks.find_webhook(services.catalog.engine, webhook.id).disabled
    assert {delivery.state for delivery in list_deliveries(services, webhook)} == {FAILED_FOR_GOOD}


def test_webhook_of_a_revoked_key_is_told_nothing(services, receiver, add_webhook, ingest):
    key, _ = services.api_keys.create_key("Harbour", ["admin"])
    add_webhook(key=key.id)
    services.api_keys.revoke_key(key.id)
    ingest("The tide turns at noon.")
    services.webhook_dispatcher.run()
    assert receiver.messages == []


def test_receiver_that_is_down_does_not_hold_up_the_others(services, receiver, add_webhook, ingest):
    down = add_webhook(url="http://127.0.0.1:9/hook")
    add_webhook()
    ingest("The tide turns at noon.")
    ingest("The bar opens at six.", "bar.txt")
    services.webhook_dispatcher.run()
    assert receiver.types == ["document.ready"] * 2
    assert sorted(delivery.attempts for delivery in list_deliveries(services, down)) == [0, 1]


def test_old_deliveries_are_removed(services, receiver, add_webhook, ingest, monkeypatch):
    webhook = add_webhook()
    ingest("The tide turns at noon.")
    services.webhook_dispatcher.run()
    assert webhooks.remove_old_deliveries(services.catalog.engine) == 0
    monkeypatch.setattr(webhooks, "STORED_DAYS", STORED_DAYS - 100)  # as if they were sent long ago
    assert webhooks.remove_old_deliveries(services.catalog.engine) == 1
    assert list_deliveries(services, webhook) == []


def test_private_address_behind_a_name_is_not_asked(services, receiver, add_webhook):
    port = receiver.url.split(":")[2]
    webhook = add_webhook(url=f"https://localhost:{port}")
    services.settings = replace(services.settings, webhook_hosts=AllowedHosts())
    delivery = services.webhook_dispatcher.ping(webhook)
    assert (delivery.state, delivery.status) == (FAILED_FOR_GOOD, 0)
    assert "no public address" in delivery.problem
    assert receiver.messages == []
