"""The API over HTTP."""

from __future__ import annotations

import io
import re

import pytest

from tests.conftest import NOTE

TICKET = "How much is a ticket?"


def highlight(client, **query):
    return client.get("/api/v1/chunks/highlight", query_string=query)


def test_the_highlight_endpoint_answers_a_page_with_the_sentence_lit(client, note):
    answer = highlight(client, document_id=note.id, chunk_index=0, sub_question=TICKET)
    assert answer.status_code == 200
    assert answer.mimetype == "text/html"
    page = answer.get_data(as_text=True)
    assert re.findall(r"<mark[^>]*>(.*?)</mark>", page) == ["Tickets cost four pounds and are sold on board."]
    assert "note.txt" in page
    assert f"/documents/{note.id}/chunks/0.pdf" in page


def test_raw_cosine_can_be_asked_for(client, note):
    cosine = highlight(client, document_id=note.id, chunk_index=0, sub_question=TICKET, method="cosine")
    score = re.search(r'data-score="([\d.]+)"', cosine.get_data(as_text=True)).group(1)
    answer = client.post(
        "/api/v1/highlight", json={"question": TICKET, "document_id": note.id, "chunk_index": 0, "method": "cosine"}
    )
    assert score == f"{max(s['score'] for s in answer.json['sentences']):.2f}"
    assert all(s["score"] == s["similarity"] for s in answer.json["sentences"])


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ({"chunk_index": 0, "sub_question": "who?"}, "document_id is missing"),
        ({"document_id": "x", "sub_question": "who?"}, "chunk_index is missing"),
        ({"document_id": "x", "chunk_index": 0}, "sub_question is missing"),
        ({"document_id": "x", "chunk_index": 0, "sub_question": "  "}, "sub_question is empty"),
        ({"document_id": "x", "chunk_index": 0, "sub_question": "q" * 2001}, "longer than 2,000 characters"),
        ({"document_id": "x" * 65, "chunk_index": 0, "sub_question": "who?"}, "document_id is longer"),
        ({"document_id": "x", "chunk_index": -1, "sub_question": "who?"}, "chunk_index"),
        ({"document_id": "x", "chunk_index": "one", "sub_question": "who?"}, "chunk_index"),
    ],
)
def test_missing_and_wrong_parameters_are_named_on_a_page(client, query, says):
    answer = highlight(client, **query)
    assert answer.status_code == 400
    assert answer.mimetype == "text/html"
    assert says in answer.get_data(as_text=True)


def test_an_unknown_document_or_chunk_is_a_page_that_says_which(client, note):
    for document, chunk, says in (("nobody", 0, "Document nobody was not found"), (note.id, 5, "no chunk 5")):
        answer = highlight(client, document_id=document, chunk_index=chunk, sub_question="who?")
        assert answer.status_code == 404
        assert answer.mimetype == "text/html"
        assert says in answer.get_data(as_text=True)


def test_it_says_why_when_asked_to(client):
    body = {"question": "When does Alice leave?", "text": "Alice leaves at noon. Bob stays.", "explain": True}
    first, second = client.post("/api/v1/highlight", json=body).json["sentences"]
    assert first["because"]["shared"] == ["Alice", "leaves"]
    assert "does not contain the names in the question" in second["because"]["speaks_against"]


def test_a_text_of_ones_own_is_highlighted(client):
    text = "  Alice leaves at noon.\nBob stays at home. "
    answer = client.post("/api/v1/highlight", json={"question": "When does Alice leave?", "text": text})
    assert answer.status_code == 200
    assert set(answer.json) == {"sentences", "threshold", "method", "degraded", "links"}
    assert answer.json["links"] == {}
    first, second = answer.json["sentences"]
    assert set(first) == {"index", "start", "end", "text", "similarity", "score", "highlighted", "page", "because"}
    assert first["because"] is None
    assert text[first["start"] : first["end"]] == first["text"] == "Alice leaves at noon."
    assert (first["highlighted"], second["highlighted"]) == (True, False)
    assert (answer.json["threshold"], answer.json["method"]) == (0.5, "evidence")


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ({"question": "who?"}, "give either text, or document_id and chunk_index"),
        ({"question": "who?", "text": "a", "document_id": "b", "chunk_index": 0}, "give either text"),
        ({"question": "who?", "document_id": "b"}, "give either text"),
        ({"text": "a"}, "question is missing"),
        ({"question": "q" * 2001, "text": "a"}, "question is longer than 2,000 characters"),
        ({"question": "who?", "text": "t" * 200_001}, "text is longer than 200,000 characters"),
        ({"question": "who?", "text": "a", "colour": "red"}, "colour"),
        ({"question": "who?", "text": "a", "method": "magic"}, "method"),
        ([1, 2], "request"),
    ],
)
def test_a_wrong_body_is_a_problem_that_names_what_is_wrong(client, body, says):
    answer = client.post("/api/v1/highlight", json=body)
    assert answer.status_code == 400
    assert answer.mimetype == "application/problem+json"
    assert set(answer.json) >= {"type", "title", "status", "detail"}
    assert says in str(answer.json)


def test_what_is_not_json_is_refused(client):
    assert client.post("/api/v1/highlight", data="a=1").status_code == 415
    torn = client.post("/api/v1/highlight", data="{", content_type="application/json")
    assert (torn.status_code, torn.json["detail"]) == (400, "The body is not JSON.")
    assert client.post("/api/v1/documents", json={}).status_code == 415
    assert client.post("/api/v1/documents", data={"other": (io.BytesIO(b"x"), "x")}).status_code == 400
    assert (
        client.post(
            "/api/v1/documents", data={"file": "words, not a file"}, content_type="multipart/form-data"
        ).status_code
        == 400
    )


def test_an_upload_is_accepted_and_followed(client, services):
    sent = client.post("/api/v1/documents", data={"file": (io.BytesIO(NOTE.encode()), "note.txt")})
    assert sent.status_code == 202
    assert sent.headers["Location"] == sent.json["links"]["state"]
    services.ingest_queue._executor.shutdown(wait=True)
    state = client.get(sent.headers["Location"]).json
    assert (state["state"], state["name"], state["progress"]) == ("ready", "note.txt", None)
    assert state["sentences"] > 0


def test_an_unknown_document_is_a_problem(client):
    answer = client.get("/api/v1/documents/nobody")
    assert answer.status_code == 404
    assert answer.mimetype == "application/problem+json"
    assert "nobody" in answer.json["detail"]
    assert client.get("/api/v1/nowhere").json["status"] == 404


def test_a_method_that_is_not_allowed_is_a_problem(client):
    answer = client.delete("/api/v1/highlight")
    assert (answer.status_code, answer.mimetype) == (405, "application/problem+json")


def test_every_route_is_in_the_openapi_document(app, client):
    paths = client.get("/api/v1/openapi.json").json["paths"]
    rules = {re.sub(r"<(\w+:)?(\w+)>", r"{\2}", rule.rule) for rule in app.url_map.iter_rules()}
    assert set(paths) == {rule for rule in rules if rule.startswith("/api/")} - {"/api/v1/openapi.json", "/api/v1/"}


def test_every_operation_is_on_the_page_for_people(client):
    page = client.get("/api/v1/").get_data(as_text=True)
    assert "as <code>where</code> of a search" in page
    for path, methods in client.get("/api/v1/openapi.json").json["paths"].items():
        for method in methods:
            assert f"{method.upper()} {path}" in page


def test_brackets_without_end_are_no_json(client):
    torn = client.post("/api/v1/highlight", data="[" * 100_000, content_type="application/json")
    assert torn.status_code == 400


def test_more_sentences_than_can_be_read_at_once_are_refused(client):
    text = " ".join(f"It rained on day {n}." for n in range(5001))
    answer = client.post("/api/v1/highlight", json={"question": "When did it rain?", "text": text})
    assert answer.status_code == 400
    assert "5,001 sentences; the limit is 5,000" in answer.json["detail"]
