"""Tests of the pages of lists: cursors and Link headers, while entries come and go."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest

from highlighter.store.audit_log import compute_digest
from highlighter.web.api.pagination import encode_cursor
from tests.highlighter.web.auth.clients import client_with_key


def read_links(response):
    """Return the links of a response by their relation, as paths."""
    found = re.findall(r'<([^>]*)>; rel="(\w+)"', response.headers["Link"])
    return {name: f"{urlsplit(url).path}?{urlsplit(url).query}" for url, name in found}


def walk(client, path, between=lambda response: None):
    """Return the responses of all pages, each reached by the link of the one before."""
    responses = [client.get(path)]
    while next_path := read_links(responses[-1]).get("next"):
        between(responses[-1])
        responses.append(client.get(next_path))
    return responses


@pytest.fixture
def register(services):
    """A function that adds documents without reading them."""

    def register(*names):
        catalog = services.catalog
        return [catalog.register("default", compute_digest(name), name, "txt", 1).id for name in names]

    return register


def test_pages_of_documents_stay_while_documents_come_and_go(client, services, register):
    names = list("abcdefg")
    register(*names)

    def change(page):
        """Delete the last document of a page, after which the next page begins, and add one before all."""
        services.delete_document(page.json["documents"][-1]["document_id"])
        register(f"0 {page.json['next_cursor']}")

    pages = walk(client, "/api/v1/documents?limit=2", change)
    listed = [document["name"] for page in pages for document in page.json["documents"]]
    assert sorted(listed) == names
    assert [len(page.json["documents"]) for page in pages] == [2, 2, 2, 1]
    assert pages[-1].json["next_cursor"] is None
    first = client.get(read_links(pages[-1])["first"]).json
    assert first["documents"][0]["name"].startswith("0 ")


def test_filters_hold_for_every_page(client, register):
    register("oak", "oaks", "ash", "oakum")
    pages = walk(client, "/api/v1/documents?limit=1&name=oak&state=queued")
    assert sorted(page.json["documents"][0]["name"] for page in pages) == ["oak", "oaks", "oakum"]
    assert {page.json["total"] for page in pages} == {3}


def test_pages_of_notes_stay_while_notes_come_and_go(client, note):
    def add(words):
        body = {"target": {"selector": {"type": "TextQuoteSelector", "exact": words}}}
        return client.post(f"/api/v1/documents/{note.id}/notes", json=body).json["note_id"]

    ids = [add(words) for words in ("The ferry", "leaves", "Tickets", "four pounds", "on board")]
    pages = walk(client, "/api/v1/notes?limit=2", lambda _: client.delete(f"/api/v1/notes/{ids[1]}"))
    assert [item["note_id"] for page in pages for item in page.json["items"]] == ids


def test_pages_of_answers_follow_pinned_ones(app):
    client = client_with_key(app, "read", "answer")
    ask = {"sources": [{"text": "The fee is ten pounds."}]}
    ids = [client.post("/api/v1/answers", json={"question": f"Is it {n}?", **ask}).json["id"] for n in range(4)]
    app.services.answer_history.pin(ids[1], f"key {app.services.api_keys.list_keys()[0].id}", True)
    pages = walk(client, "/api/v1/answers?limit=1")
    assert [page.json["answers"][0]["id"] for page in pages] == [ids[1], ids[3], ids[2], ids[0]]
    assert pages[0].json["answers"][0]["pinned"]
    assert client.get(pages[0].json["answers"][0]["links"]["answer"]).json["question"] == "Is it 1?"
    assert client.get("/api/v1/answers?q=2?").json["answers"][0]["id"] == ids[2]
    assert client_with_key(app, "read").get("/api/v1/answers").json["answers"] == []


def test_matches_in_a_document_have_pages(client, note):
    pages = walk(client, f"/api/v1/documents/{note.id}/find?q=the&limit=2")
    assert sum(len(page.json["spans"]) for page in pages) == pages[0].json["count"] > 2


@pytest.mark.parametrize(
    "cursor", ["x", "é", encode_cursor([1, 2, 3]), encode_cursor(["a"]), encode_cursor(["", "", "\ud800"])]
)
def test_wrong_cursor_is_refused(client, cursor):
    for path in ("documents", "notes", "answers"):
        assert client.get(f"/api/v1/{path}", query_string={"cursor": cursor}).status_code == 400
