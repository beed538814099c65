"""Tests of POST /api/v1/search."""

from __future__ import annotations

import pytest

QUICK = "Who is the captain?"  # a sentence of the hit is highlighted by the quick scoring of searches alone
WEAK = "ferry timetable on Sunday"  # no sentence of the hit is highlighted
TICKET = "How much is a ticket?"


def search(client, **body):
    return client.post("/api/v1/search", json=body)


def test_links_of_hit_lead_to_its_sentence(client, note, services):
    services.catalog._update_document(note.id, meta={"doc_url": "https://example.org/ferry", "year": 2024})
    answer = search(client, question=TICKET)
    assert answer.status_code == 200
    assert answer.json["degraded"] is None
    (hit,) = answer.json["hits"]
    assert (hit["document_id"], hit["name"], hit["chunk_index"], hit["pages"]) == (note.id, "note.txt", 0, [1])
    assert hit["doc_url"] == "https://example.org/ferry"
    assert 0.25 <= hit["score"] <= 1
    best = hit["sentences"][0]
    assert best["text"] == "Tickets cost four pounds and are sold on board."
    assert hit["text"][best["start"] - hit["start"] : best["end"] - hit["start"]] == best["text"]
    for name, link in hit["links"].items():
        with client.get(link) as page:
            assert page.status_code == 200, name
    assert 'id="mark-1"' in client.get(hit["links"]["self"]).get_data(as_text=True)
    assert "<mark" in client.get(hit["links"]["highlight"]).get_data(as_text=True)


def test_hit_without_highlight_leads_to_its_page(client, note):
    (hit,) = search(client, question=QUICK).json["hits"]
    assert hit["sentences"][0]["highlighted"]
    for name in ("self", "highlight"):  # though the section by itself highlights nothing for this
        assert "data-current" in client.get(hit["links"][name]).get_data(as_text=True)
    body = {"question": QUICK, "document_id": note.id, "chunk_index": 0}
    highlights = client.post("/api/v1/highlight", json=body).json
    assert highlights["links"]["self"].endswith("#page-1")
    (hit,) = search(client, question=WEAK).json["hits"]
    assert not hit["sentences"][0]["highlighted"]
    assert hit["links"]["self"].endswith("#page-1")


def test_filters_limit_and_minimum_score_apply(client, note, services):
    services.catalog._update_document(note.id, meta={"year": 2024})
    assert len(search(client, question=TICKET, where={"year": [2023, 2024]}).json["hits"]) == 1
    assert search(client, question=TICKET, where={"year": 2023}).json["hits"] == []
    assert len(search(client, question=TICKET, collection="default").json["hits"]) == 1
    assert search(client, question=TICKET, collection="other").json["hits"] == []
    assert search(client, question=TICKET, min_score=1).json["hits"] == []


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({}, "question"),
        ({"question": " "}, "question"),
        ({"question": "q" * 2001}, "longer than 2,000 characters"),
        ({"question": "q", "limit": 0}, "limit"),
        ({"question": "q", "limit": 101}, "limit"),
        ({"question": "q", "min_score": 2}, "min_score"),
        ({"question": "q", "where": {"a": {"b": 1}}}, "where"),
        ({"question": "q", "where": "a=b"}, "where"),
        ({"question": "q", "colour": "red"}, "colour"),
    ],
)
def test_invalid_request_gets_problem_that_names_the_field(client, body, message):
    answer = search(client, **body)
    assert (answer.status_code, answer.mimetype) == (400, "application/problem+json")
    assert message in str(answer.json)


def test_problem_names_the_ids_of_its_messages(client):
    missing = client.get("/api/v1/documents/0/rectangles?start=0&end=1").json["messages"]
    assert [(message["id"], message["values"]) for message in missing] == [
        ("Document {id} was not found. It may have been deleted, or the link is incomplete.", {"id": "0"})
    ]
    assert client.post("/api/v1/search", json={"colour": "red"}).json["messages"] == []  # a finished sentence has no id
