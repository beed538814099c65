"""Tests of highlights, uploads and errors of the API."""

from __future__ import annotations

import io
import re

import pytest

from tests.conftest import NOTE

TICKET = "How much is a ticket?"


def highlight(client, **query):
    return client.get("/api/v1/chunks/highlight", query_string=query)


def test_chunk_highlight_returns_page_with_highlighted_sentence(client, note):
    response = highlight(client, document_id=note.id, chunk_index=0, sub_question=TICKET)
    assert response.status_code == 200
    assert response.mimetype == "text/html"
    page = response.get_data(as_text=True)
    assert re.findall(r"<mark[^>]*>(.*?)</mark>", page) == ["Tickets cost four pounds and are sold on board."]
    assert "note.txt" in page
    assert f"/documents/{note.id}/chunks/0.pdf" in page


def test_cosine_method_scores_by_similarity(client, note):
    question = "How much do tickets cost?"
    cosine = highlight(client, document_id=note.id, chunk_index=0, sub_question=question, method="cosine")
    score = re.search(r'data-score="([\d.]+)"', cosine.get_data(as_text=True)).group(1)
    response = client.post(
        "/api/v1/highlight", json={"question": question, "document_id": note.id, "chunk_index": 0, "method": "cosine"}
    )
    assert score == f"{max(s['score'] for s in response.json['sentences']):.2f}"
    assert all(s["score"] == s["similarity"] for s in response.json["sentences"])


@pytest.mark.parametrize(
    ("query", "message"),
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
def test_chunk_highlight_names_missing_and_invalid_parameters(client, query, message):
    response = highlight(client, **query)
    assert response.status_code == 400
    assert response.mimetype == "text/html"
    assert message in response.get_data(as_text=True)


def test_chunk_highlight_names_unknown_document_or_chunk(client, note):
    for document, chunk, message in (("nobody", 0, "Document nobody was not found"), (note.id, 5, "no section 6")):
        response = highlight(client, document_id=document, chunk_index=chunk, sub_question="who?")
        assert response.status_code == 404
        assert response.mimetype == "text/html"
        assert message in response.get_data(as_text=True)


def test_explain_gives_reasons_for_each_sentence(client):
    body = {"question": "When does Alice leave?", "text": "Alice leaves at noon. Bob stays.", "explain": True}
    first, second = client.post("/api/v1/highlight", json=body).json["sentences"]
    assert first["because"]["shared"] == ["Alice", "leaves"]
    assert "does not contain the names in the question" in second["because"]["speaks_against"]


def test_highlighted_sentence_has_its_language(client):
    text = "The hall is opened by the caretaker. Der Mieter zahlt die Miete bis zum dritten Werktag eines Monats."
    answer = client.post("/api/v1/highlight", json={"question": "When is the rent due?", "text": text}).json
    assert [sentence["language"] for sentence in answer["sentences"]] == ["en", "de"]


def test_text_of_caller_is_highlighted(client):
    text = "  Alice leaves at noon.\nBob stays at home. "
    response = client.post("/api/v1/highlight", json={"question": "When does Alice leave?", "text": text})
    assert response.status_code == 200
    assert set(response.json) == {"sentences", "threshold", "method", "degraded", "links"}
    assert response.json["links"] == {}
    first, second = response.json["sentences"]
    assert set(first) == {
        "index",
        "start",
        "end",
        "text",
        "similarity",
        "score",
        "highlighted",
        "page",
        "language",
        "because",
        "cells",
        "instructs_software",
    }
    assert first["because"] is None
    assert first["language"] is None  # so few words may be of several languages
    assert text[first["start"] : first["end"]] == first["text"] == "Alice leaves at noon."
    assert (first["highlighted"], second["highlighted"]) == (True, False)
    assert (response.json["threshold"], response.json["method"]) == (0.5, "evidence")


@pytest.mark.parametrize(
    ("body", "message"),
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
def test_invalid_body_gets_problem_that_names_the_field(client, body, message):
    response = client.post("/api/v1/highlight", json=body)
    assert response.status_code == 400
    assert response.mimetype == "application/problem+json"
    assert set(response.json) >= {"type", "title", "status", "detail"}
    assert message in str(response.json)


def test_other_media_types_are_refused(client):
    assert client.post("/api/v1/highlight", data="a=1").status_code == 415
    malformed = client.post("/api/v1/highlight", data="{", content_type="application/json")
    assert (malformed.status_code, malformed.json["detail"]) == (400, "The body is not JSON.")
    assert client.post("/api/v1/documents", json={}).status_code == 415
    assert client.post("/api/v1/documents", data={"other": (io.BytesIO(b"x"), "x")}).status_code == 400
    assert (
        client.post(
            "/api/v1/documents", data={"file": "words, not a file"}, content_type="multipart/form-data"
        ).status_code
        == 400
    )


def test_upload_is_accepted_and_its_state_can_be_followed(client, services):
    accepted = client.post("/api/v1/documents", data={"file": (io.BytesIO(NOTE.encode()), "note.txt")})
    assert accepted.status_code == 202
    assert accepted.headers["Location"] == accepted.json["links"]["state"]
    services.ingest_queue._executor.shutdown(wait=True)
    state = client.get(accepted.headers["Location"]).json
    assert (state["state"], state["name"], state["progress"]) == ("ready", "note.txt", None)
    assert state["sentences"] > 0


def test_unknown_document_gets_problem(client):
    response = client.get("/api/v1/documents/nobody")
    assert response.status_code == 404
    assert response.mimetype == "application/problem+json"
    assert "nobody" in response.json["detail"]
    assert client.get("/api/v1/nowhere").json["status"] == 404


def test_method_that_is_not_allowed_gets_problem(client):
    response = client.delete("/api/v1/highlight")
    assert (response.status_code, response.mimetype) == (405, "application/problem+json")
    assert response.headers["Allow"] == "OPTIONS, POST"
    assert response.json["type"] == "urn:highlighter:problem:method-not-allowed"
    assert "Use OPTIONS, POST." in response.json["detail"]
    assert client.put("/api/v1/highlight").status_code == 405  # without a body, too


def test_openapi_document_has_every_route(app, client):
    paths = client.get("/api/v1/openapi.json").json["paths"]
    rules = {re.sub(r"<(\w+:)?(\w+)>", r"{\2}", rule.rule) for rule in app.url_map.iter_rules()}
    assert set(paths) == {rule for rule in rules if rule.startswith("/api/")} - {"/api/v1/openapi.json", "/api/v1/"}


def test_generated_clients_and_linters_find_what_they_need(client):
    """The rules of Redocly and Spectral that the document broke: names, descriptions, errors, items and servers."""
    document = client.get("/api/v1/openapi.json", base_url="http://127.0.0.1:8000").json
    assert document["servers"] == [{"url": "http://127.0.0.1:8000"}]
    tags = {tag["name"]: tag["description"] for tag in document["tags"]}
    operations = [operation for methods in document["paths"].values() for operation in methods.values()]
    ids = [operation["operationId"] for operation in operations]
    assert len(set(ids)) == len(ids) > 30
    for operation in operations:
        name = operation["operationId"]
        assert all(operation[part] for part in ("summary", "description", "tags")), name
        assert all(tags[tag] for tag in operation["tags"]), name
        assert any(status.startswith("4") for status in operation["responses"]), name
        assert all(parameter["description"] for parameter in operation["parameters"]), name
    schemas = [part for part in iterate_objects(document) if part.get("type") in ("array", "string")]
    for schema in schemas:
        assert schema["type"] != "array" or "items" in schema, schema
        assert isinstance(schema.get("default", ""), str | list), schema
        if "pattern" in schema and "default" in schema:
            assert re.search(schema["pattern"], schema["default"]), schema
    used = {part["$ref"] for part in iterate_objects(document) if "$ref" in part}
    assert used == {f"#/components/schemas/{name}" for name in document["components"]["schemas"]}


def test_examples_of_the_openapi_document_are_valid_requests(client):
    """An example is refused at most for the document that it names, never for its shape."""
    for path, methods in client.get("/api/v1/openapi.json").json["paths"].items():
        for method, operation in methods.items():
            body = operation.get("requestBody", {}).get("content", {}).get("application/json")
            if body:
                response = client.open(re.sub(r"{\w+}", "none", path), method=method.upper(), json=body["example"])
                assert response.status_code in (200, 201, 404), (operation["operationId"], response.text)


def iterate_objects(value):
    """Iterate over all objects within a JSON value."""
    if isinstance(value, dict):
        yield value
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from iterate_objects(part)


def test_reference_page_has_every_operation(client):
    page = client.get("/api/v1/").get_data(as_text=True)
    assert "as <code>where</code> of a search" in page
    for path, methods in client.get("/api/v1/openapi.json").json["paths"].items():
        for method in methods:
            assert f"{method.upper()} {path}" in page


def test_deeply_nested_json_is_refused(client):
    malformed = client.post("/api/v1/highlight", data="[" * 100_000, content_type="application/json")
    assert malformed.status_code == 400


def test_text_with_too_many_sentences_is_refused(client):
    text = " ".join(f"It rained on day {n}." for n in range(5001))
    response = client.post("/api/v1/highlight", json={"question": "When did it rain?", "text": text})
    assert response.status_code == 400
    assert "5,001 sentences; the limit is 5,000" in response.json["detail"]
