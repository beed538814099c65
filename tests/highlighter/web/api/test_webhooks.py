"""Tests of /api/v1/webhooks."""

from __future__ import annotations

import ipaddress
from dataclasses import replace

import pytest

from highlighter.client import verify_webhook
from highlighter.outgoing_addresses import AllowedHosts
from highlighter.webhooks.event_types import EVENT_TYPES
from tests.highlighter.web.auth.clients import client_with_key
from tests.highlighter.webhooks.receiver import receiving

URL = "https://hooks.example.com/highlighter"


@pytest.fixture
def data_settings(data_settings):
    return replace(data_settings, webhook_hosts=AllowedHosts(networks=(ipaddress.ip_network("127.0.0.1"),)))


def create(client, **fields):
    return client.post("/api/v1/webhooks", json={"url": URL, **fields})


def test_secret_is_shown_once(client):
    created = create(client, events=["document.ready", "document.ready"], description="Intranet")
    assert created.status_code == 201
    webhook = dict(created.json)
    assert webhook.pop("secret").startswith("whsec_")
    assert (webhook["events"], webhook["collections"], webhook["disabled"]) == (["document.ready"], None, None)
    assert client.get(created.headers["Location"]).json == webhook
    assert client.get("/api/v1/webhooks").json == {"webhooks": [webhook]}
    assert create(client).json["events"] == list(EVENT_TYPES)


def test_ping_is_sent_at_once_and_listed(client):
    with receiving() as receiver:
        webhook = create(client, url=receiver.url).json
        receiver.statuses = [200, 500]
        accepted, refused = (client.post(webhook["links"]["ping"]).json for _ in range(2))
    verify_webhook(webhook["secret"], receiver.headers[0], receiver.bodies[0])
    assert receiver.types == ["ping", "ping"]
    assert (accepted["state"], accepted["status"], accepted["problem"]) == ("delivered", 200, None)
    assert (refused["state"], refused["status"], refused["next_attempt"]) == ("failed", 500, None)
    assert client.get(webhook["links"]["deliveries"]).json["deliveries"] == [refused, accepted]
    assert client.get(webhook["links"]["deliveries"] + "?state=failed").json["deliveries"] == [refused]
    page = client.get(webhook["links"]["deliveries"] + "?limit=1")
    assert page.json["deliveries"] == [refused]
    query = {"limit": 1, "cursor": page.json["next_cursor"]}
    assert client.get(webhook["links"]["deliveries"], query_string=query).json["deliveries"] == [accepted]


def test_deleted_webhook_is_gone(client):
    address = create(client).headers["Location"]
    assert client.delete(address).status_code == 204
    assert client.get(address).status_code == client.delete(address).status_code == 404
    assert client.get("/api/v1/webhooks").json == {"webhooks": []}


@pytest.mark.parametrize(
    "fields",
    [
        {"url": "http://hooks.example.com/"}, {"url": "https://169.254.169.254/latest/meta-data"}, {"url": "ftp://example.com"},
        {"events": []}, {"events": ["document.read"]}, {"collections": []}, {"secret": "whsec_x"},
    ],
)  # fmt: skip
def test_wrong_webhook_is_refused(client, fields):
    assert create(client, **fields).status_code == 400


def test_only_administrators_have_webhooks(app):
    reader = client_with_key(app, "read", "ingest", "answer")
    assert reader.get("/api/v1/webhooks").status_code == create(reader).status_code == 403


def test_limited_key_is_told_of_its_collections_alone(app, client):
    tides = client_with_key(app, "admin", collections=["tides"])
    assert create(tides, collections=["harbour"]).status_code == 403
    own, everything = create(tides).json, create(client_with_key(app, "admin")).json
    assert own["collections"] == ["tides"]
    assert [webhook["id"] for webhook in tides.get("/api/v1/webhooks").json["webhooks"]] == [own["id"]]
    assert tides.get(everything["links"]["self"]).status_code == 404
    assert tides.delete(everything["links"]["self"]).status_code == 404
