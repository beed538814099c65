"""Following a document over server-sent events, by a server of few threads."""

from __future__ import annotations

import json
from itertools import islice

import pytest

from highlighter.app import create_app
from highlighter.services import Services
from highlighter.settings import Settings
from highlighter.web import event_stream
from tests.highlighter.web.auth.clients import showing

HASH = "ab" * 32


@pytest.fixture
def queued(services):
    """A document that nobody reads: it stays as it is."""
    return services.catalog.register("default", HASH, "a.txt", "txt", 1)


def told(answer) -> list[dict[str, str]]:
    """The events of a stream that has ended, each with its fields."""
    blocks = answer.get_data(as_text=True).split("\n\n")
    found = [dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":")) for block in blocks]
    return [event for event in found if "data" in event]


def test_what_has_ended_is_told_once_and_then_the_listener_is_sent_away(client, note):
    address = f"/api/v1/documents/{note.id}/events"
    with client.get(address) as answer:
        (event,) = told(answer)
        assert "retry: 1000" in answer.get_data(as_text=True)
    assert json.loads(event["data"])["state"] == "ready"
    again = client.get(address, headers={"Last-Event-ID": event["id"]})
    assert (again.status_code, again.data) == (204, b"")


def test_when_the_line_is_taken_the_state_is_told_and_nobody_is_refused(services, queued):
    """With one thread nobody may stay, for nobody else could be answered."""
    settings = Settings(data_dir=services.settings.data_dir, threads=1)
    client = create_app(Services(settings, services.embedder)).test_client()
    address = f"/api/v1/documents/{queued.id}/events"
    with client.get(address) as answer:
        assert answer.status_code == 200
        (event,) = told(answer)
    assert json.loads(event["data"])["state"] == "queued"
    with client.get(address, headers={"Last-Event-ID": event["id"]}) as answer:
        assert (answer.status_code, told(answer)) == (200, [])
    services.catalog.set_progress(queued.id, "embedding", 1, 2)
    with client.get(address, headers={"Last-Event-ID": event["id"]}) as answer:
        (event,) = told(answer)
    assert json.loads(event["data"])["progress"] == {"stage": "embedding", "done": 1, "total": 2}


def test_who_follows_is_told_no_more_once_their_key_is_revoked(app, services, queued):
    key, shown = services.api_keys.create_key("A reader", ["read"])
    with showing(app, shown).get(f"/api/v1/documents/{queued.id}/events") as answer:
        told = iter(answer.response)
        assert b"data: " in b"".join(islice(told, 2))
        services.api_keys.revoke_key(key.id)
        services.catalog.set_progress(queued.id, "embedding", 1, 2)
        assert b"data: " not in b"".join(islice(told, 3))


def test_half_of_the_threads_stay_free():
    slots = event_stream.StreamSlots(8)
    assert [slots.acquire() for _ in range(6)] == [True] * 4 + [False] * 2
    slots.release()
    assert slots.acquire()


def test_who_stays_gives_the_line_back_when_the_stream_ends(client, note):
    for _ in range(12):
        with client.get(f"/api/v1/documents/{note.id}/events") as answer:
            answer.get_data()
    assert client.application.stream_slots.in_use == 0


def test_events_come_as_they_happen_and_not_at_the_end(client, services, queued):
    with client.get(f"/api/v1/documents/{queued.id}/events") as answer:
        lines = (line.decode() for line in answer.response)
        assert '"state":"queued"' in next(line for line in lines if "data: " in line)
        services.catalog.set_progress(queued.id, "embedding", 1, 2)
        assert '"state":"reading"' in next(line for line in lines if "data: " in line)
        services.delete_document(queued.id)
        assert next(line for line in lines if "data: " in line).endswith('data: {"state": "deleted"}\n\n')
    assert client.application.stream_slots.in_use == 0


def test_who_goes_before_the_end_gives_the_line_back(client, queued):
    with client.get(f"/api/v1/documents/{queued.id}/events") as answer:
        next(iter(answer.response))
        assert client.application.stream_slots.in_use == 1
    assert client.application.stream_slots.in_use == 0


def test_it_is_in_the_description_all_the_same(client):
    assert "/api/v1/documents/{document_id}/events" in client.get("/api/v1/openapi.json").json["paths"]


def test_stop_ends_the_events_of_a_document_that_is_not_read_yet(client, services, queued):
    with client.get(f"/api/v1/documents/{queued.id}/events") as answer:
        told = iter(answer.response)
        next(told)
        services.stop_background_work()
        assert len(list(told)) <= 2  # what was about to be said; else it goes on for as long as anybody listens
