"""Signed links and the keys they were made with: a link ends with its key, and is counted by itself."""

from __future__ import annotations

import pytest

from ingest.pipeline import ingest_file
from tests.highlighter.web.auth.clients import served, with_key

HOST = "https://chat.example"
SAID = "Tickets cost four pounds and are sold on board."


@pytest.fixture
def app(tmp_path, embedder, process_pool):
    file = tmp_path / "fares.txt"
    file.write_text(SAID, encoding="utf-8")
    with served(tmp_path, embedder, rate_link="3/hour") as made:
        ingest_file(file, made.services, process_pool)
        yield made


@pytest.fixture
def reading(app):
    """Somebody without any key."""
    return app.test_client()


def link(key, **what) -> dict:
    return key.post("/api/v1/embed/links", json={"quote": SAID, "origins": [HOST], **what}).json


def test_a_link_ends_with_the_key_that_it_was_made_with(app, reading):
    key, other = with_key(app, "read", name="Chat"), with_key(app, "read")
    ending, staying = link(key), link(other)
    assert reading.get(ending["path"]).status_code == 200
    (id,) = (one.id for one in app.services.api_keys.list_keys() if one.name == "Chat")
    app.services.api_keys.revoke_key(id)
    over = reading.get(ending["path"])
    assert (over.status_code, SAID in over.text) == (403, False)
    assert "This link is no longer valid" in over.text
    assert HOST in over.headers["Content-Security-Policy"]  # whose page may be told so
    assert reading.get("/embed/oembed", query_string={"url": ending["url"]}).status_code == 403
    assert reading.get(staying["path"]).status_code == 200


def test_a_link_is_counted_by_itself_and_takes_nothing_from_its_key(app, reading):
    key = with_key(app, "read")
    hasty, calm = link(key), link(key, expires_in=60)
    card = {"query_string": {"url": hasty["url"]}}
    assert [reading.get(hasty["path"]).status_code for _ in range(4)] == [200, 200, 200, 429]
    refused = reading.get("/embed/oembed", **card)
    assert (refused.status_code, int(refused.headers["Retry-After"]) > 3500) == (429, True)
    assert HOST in reading.get(hasty["path"]).headers["Content-Security-Policy"]
    assert reading.get(calm["path"]).status_code == 200
    assert key.get("/api/v1/documents").status_code == 200
