"""The state of a document as server-sent events, from a server with few threads."""

from __future__ import annotations

import json
from itertools import islice

import pytest

from highlighter.app import create_app
from highlighter.services import Services
from highlighter.settings import Settings
from highlighter.web import event_stream
from tests.highlighter.web.auth.clients import client_with_secret

HASH = "ab" * 32


@pytest.fixture
def queued(services):
    """Return a document that stays queued."""
    return services.catalog.register("default", HASH, "a.txt", "txt", 1)


def read_events(response) -> list[dict[str, str]]:
    """Return the events of an ended stream, each with its fields."""
    blocks = response.get_data(as_text=True).split("\n\n")
    events = [dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":")) for block in blocks]
    return [event for event in events if "data" in event]


def test_final_state_is_sent_once_and_reconnect_gets_204(client, note):
    url = f"/api/v1/documents/{note.id}/events"
    with client.get(url) as response:
        (event,) = read_events(response)
        assert "retry: 1000" in response.get_data(as_text=True)
    assert json.loads(event["data"])["state"] == "ready"
    again = client.get(url, headers={"Last-Event-ID": event["id"]})
    assert (again.status_code, again.data) == (204, b"")


def test_client_without_free_slot_gets_current_state(services, queued):
    """With one thread there is no slot, as an open stream would block all other requests."""
    settings = Settings(data_dir=services.settings.data_dir, threads=1)
    client = create_app(Services(settings, services.embedder)).test_client()
    url = f"/api/v1/documents/{queued.id}/events"
    with client.get(url) as response:
        assert response.status_code == 200
        (event,) = read_events(response)
    assert json.loads(event["data"])["state"] == "queued"
    with client.get(url, headers={"Last-Event-ID": event["id"]}) as response:
        assert (response.status_code, read_events(response)) == (200, [])
    services.catalog.set_progress(queued.id, "embedding", 1, 2)
    with client.get(url, headers={"Last-Event-ID": event["id"]}) as response:
        (event,) = read_events(response)
    assert json.loads(event["data"])["progress"] == {"stage": "embedding", "done": 1, "total": 2}


def test_revoked_key_stops_running_stream(app, services, queued):
    key, secret = services.api_keys.create_key("A reader", ["read"])
    with client_with_secret(app, secret).get(f"/api/v1/documents/{queued.id}/events") as response:
        events = iter(response.response)
        assert b"data: " in b"".join(islice(events, 2))
        services.api_keys.revoke_key(key.id)
        services.catalog.set_progress(queued.id, "embedding", 1, 2)
        assert b"data: " not in b"".join(islice(events, 3))


def test_streams_take_at_most_half_of_the_threads():
    slots = event_stream.StreamSlots(8)
    assert [slots.acquire() for _ in range(6)] == [True] * 4 + [False] * 2
    slots.release()
    assert slots.acquire()


def test_ended_stream_releases_its_slot(client, note):
    for _ in range(12):
        with client.get(f"/api/v1/documents/{note.id}/events") as response:
            response.get_data()
    assert client.application.stream_slots.in_use == 0


def test_events_are_sent_as_they_happen(client, services, queued):
    with client.get(f"/api/v1/documents/{queued.id}/events") as response:
        lines = (line.decode() for line in response.response)
        assert '"state":"queued"' in next(line for line in lines if "data: " in line)
        services.catalog.set_progress(queued.id, "embedding", 1, 2)
        assert '"state":"reading"' in next(line for line in lines if "data: " in line)
        services.delete_document(queued.id)
        assert next(line for line in lines if "data: " in line).endswith('data: {"state": "deleted"}\n\n')
    assert client.application.stream_slots.in_use == 0


def test_disconnected_client_releases_its_slot(client, queued):
    with client.get(f"/api/v1/documents/{queued.id}/events") as response:
        next(iter(response.response))
        assert client.application.stream_slots.in_use == 1
    assert client.application.stream_slots.in_use == 0


def test_events_are_in_openapi_document(client):
    assert "/api/v1/documents/{document_id}/events" in client.get("/api/v1/openapi.json").json["paths"]


def test_stop_of_server_ends_stream_of_queued_document(client, services, queued):
    with client.get(f"/api/v1/documents/{queued.id}/events") as response:
        events = iter(response.response)
        next(events)
        services.stop_background_work()
        assert len(list(events)) <= 2  # those on their way; without the stop, events go on


def test_applications_count_their_streams_separately(app, services):
    other_app = create_app(services)
    while app.stream_slots.acquire():
        pass
    assert other_app.stream_slots.acquire()
