"""Tests of signed links and the API keys that created them."""

from __future__ import annotations

import pytest

from ingest.pipeline import ingest_file
from tests.highlighter.web.auth.clients import client_with_key, running_app

HOST = "https://chat.example"
SENTENCE = "Tickets cost four pounds and are sold on board."


@pytest.fixture
def app(tmp_path, embedder, process_pool):
    file = tmp_path / "fares.txt"
    file.write_text(SENTENCE, encoding="utf-8")
    with running_app(tmp_path, embedder, rate_link="3/hour") as application:
        ingest_file(file, application.services, process_pool)
        yield application


@pytest.fixture
def reader(app):
    """A client without a key."""
    return app.test_client()


def link(key, **fields) -> dict:
    return key.post("/api/v1/embed/links", json={"quote": SENTENCE, "origins": [HOST], **fields}).json


def test_signed_link_ends_with_its_key(app, reader):
    key, other = client_with_key(app, "read", name="Chat"), client_with_key(app, "read")
    revoked_link, other_link = link(key), link(other)
    assert reader.get(revoked_link["path"]).status_code == 200
    (id,) = (key.id for key in app.services.api_keys.list_keys() if key.name == "Chat")
    app.services.api_keys.revoke_key(id)
    refused = reader.get(revoked_link["path"])
    assert (refused.status_code, SENTENCE in refused.text) == (403, False)
    assert "This link is no longer valid" in refused.text
    assert HOST in refused.headers["Content-Security-Policy"]  # so that the host page can show the error
    assert reader.get("/embed/oembed", query_string={"url": revoked_link["url"]}).status_code == 403
    assert reader.get(other_link["path"]).status_code == 200


def test_signed_link_has_its_own_rate_limit(app, reader):
    key = client_with_key(app, "read")
    busy_link, idle_link = link(key), link(key, expires_in=60)
    card = {"query_string": {"url": busy_link["url"]}}
    assert [reader.get(busy_link["path"]).status_code for _ in range(4)] == [200, 200, 200, 429]
    refused = reader.get("/embed/oembed", **card)
    assert (refused.status_code, int(refused.headers["Retry-After"]) > 3500) == (429, True)
    assert HOST in reader.get(busy_link["path"]).headers["Content-Security-Policy"]
    assert reader.get(idle_link["path"]).status_code == 200
    assert key.get("/api/v1/documents").status_code == 200
