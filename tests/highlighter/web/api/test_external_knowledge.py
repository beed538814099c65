"""Tests of POST /retrieval, Dify's External Knowledge API."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest

from ingest.pipeline import ingest_file
from tests.highlighter.web.auth.clients import client_with_key, client_with_secret, running_app

QUERY = "How much is a ticket?"
SENTENCE = "Tickets cost four pounds and are sold on board."


def retrieve(client, knowledge_id="all", top_k=5, score_threshold=0.3, conditions=None, status=200, **fields):
    setting = {"top_k": top_k, "score_threshold": score_threshold}
    body = {"knowledge_id": knowledge_id, "query": QUERY, "retrieval_setting": setting, **fields}
    if conditions is not None:
        body["metadata_condition"] = {"logical_operator": "and", "conditions": conditions}
    response = client.post("/retrieval", json=body)
    assert response.status_code == status, response.json
    return response.json["records"] if status == 200 else (response.json["error_code"], response.json["error_msg"])


def make_condition(name, operator, value=None):
    return {"name": name, "comparison_operator": operator, "value": value}


def test_record_has_dify_fields_and_a_link_that_opens_the_sentence(client, note):
    (record,) = retrieve(client)
    assert set(record) == {"content", "score", "title", "metadata"}
    assert SENTENCE in record["content"]
    assert 0.3 <= record["score"] <= 1
    assert record["title"] == "note.txt, page 1"
    metadata = record["metadata"]
    assert (metadata["document_id"], metadata["page"], metadata["sentence"]) == (note.id, 1, SENTENCE)
    assert metadata["link"].startswith("http://localhost/documents/")
    with client.get(metadata["link"].removeprefix("http://localhost")) as page:
        assert 'id="mark-1"' in page.text
    start, end = map(int, parse_qs(urlsplit(metadata["link"]).query)["cited"][0].split("-"))
    assert client.get(f"/api/v1/documents/{note.id}/text").json["text"][start:end] == SENTENCE


def test_threshold_and_number_of_records_hold(client, note):
    assert retrieve(client, score_threshold=1.0) == []
    assert len(retrieve(client, top_k=10_000, score_threshold=0.0)) == 1
    assert len(retrieve(client, score_threshold=None)) == 1


def test_knowledge_id_is_a_collection_or_everything_that_the_key_may_read(app, note, tmp_path, process_pool):
    path = tmp_path / "timetable.txt"
    path.write_text("A ticket to the lighthouse costs nine pounds.", encoding="utf-8")
    other = ingest_file(path, app.services, process_pool, "lighthouse").document
    app.services.index.sync()
    limited, unlimited = client_with_key(app, "read", collections=["lighthouse"]), client_with_key(app, "read")
    found = lambda *arguments: {record["metadata"]["document_id"] for record in retrieve(*arguments)}  # noqa: E731
    assert (found(unlimited, "lighthouse"), found(unlimited, "default")) == ({other.id}, {note.id})
    assert found(unlimited, "all") == {note.id, other.id}
    # The collection "default" is unknown to this key, so that the name stands for everything.
    assert found(limited, "all") == found(limited, "default") == {other.id}
    code, message = retrieve(limited, "ferries", status=404)
    assert (code, message.startswith('There is no collection "ferries" that this key may read.')) == (2001, True)


def test_conditions_are_filters_of_metadata(client, note, services):
    services.catalog._update_document(note.id, meta={"year": 2024, "client": "Ferries", "tags": ["signed", "urgent"]})
    met = [
        [make_condition("year", "=", 2024.0)],
        [make_condition("client", "is", "Ferries"), make_condition("tags", "contains", "signed")],
        [make_condition(["client"], "in", ["Harbour", "Ferries"])],
        [make_condition("document_id", "is", note.id)],
        [],
    ]
    assert [len(retrieve(client, conditions=conditions)) for conditions in met] == [1] * len(met)
    assert retrieve(client, conditions=[make_condition("client", "is", "Harbour")]) == []
    either = [make_condition("client", "is", "Harbour"), make_condition("client", "is", "Ferries")]
    assert len(retrieve(client, metadata_condition={"logical_operator": "or", "conditions": either})) == 1
    assert len(retrieve(client, metadata_condition=None)) == 1


@pytest.mark.parametrize(
    ("conditions", "operator", "message"),
    [
        ([make_condition("client", "contains", "Fer")], "and", 'The operator "contains" is not supported for client.'),
        ([make_condition("year", "≥", 2020)], "and", 'The operator "≥" is not supported for year.'),
        ([make_condition("year", "is")], "and", "The condition on year has no value."),
        ([make_condition(["year", "client"], "is", "x")], "and", "Each condition needs the name of one field"),
        ([make_condition("a", "is", "x"), make_condition("b", "is", "x")], "or", 'joined by "or" must have the same name'),
        ([make_condition("a", "is", "x"), make_condition("a", "is", "y")], "and", "Give one condition for each name"),
    ],
)  # fmt: skip
def test_condition_that_no_filter_expresses_is_refused(client, note, conditions, operator, message):
    condition = {"logical_operator": operator, "conditions": conditions}
    code, error_message = retrieve(client, metadata_condition=condition, status=400)
    assert (code, message in error_message) == (400, True)


def test_refused_key_has_dify_code_and_status(tmp_path, embedder):
    with running_app(tmp_path, embedder, require_keys="1", rate_read="3/hour") as app:
        assert retrieve(app.test_client(), status=403)[0] == 1001
        basic = app.test_client()
        basic.environ_base["HTTP_AUTHORIZATION"] = "Basic dTpw"
        assert retrieve(basic, status=403)[0] == 1001
        assert retrieve(client_with_secret(app, "hk_unknown"), status=403)[0] == 1002
        code, message = retrieve(client_with_key(app, "answer"), status=403)
        assert (code, "needs the scope read" in message) == (1002, True)
        reader = client_with_key(app, "read")
        assert [len(retrieve(reader)) for _ in range(3)] == [0, 0, 0]  # the library is empty
        code, message = retrieve(reader, status=429)
        assert (code, "The limit is 3 requests" in message) == (429, True)


def test_endpoint_answers_the_probe_that_registers_it(client, note):
    """Dify sends no body then, and takes every status but 403, 404 and 502 for an endpoint that works."""
    probed = client.post("/retrieval")
    assert (probed.status_code, probed.json["error_code"]) == (400, 400)
    assert probed.json["error_msg"] == "The body is not a JSON object."
    missing = client.post("/retrieval", json={"query": QUERY, "retrieval_setting": {"top_k": 1}})
    assert (missing.status_code, missing.json["error_msg"]) == (400, "knowledge_id is missing.")
    wrong_method = client.get("/retrieval")
    assert (wrong_method.status_code, wrong_method.headers["Allow"]) == (405, "OPTIONS, POST")


def test_links_lead_below_the_public_address(tmp_path, embedder, process_pool):
    with running_app(tmp_path, embedder, ocr=False, public_url="https://papers.example/papers") as app:
        path = tmp_path / "note.txt"
        path.write_text(SENTENCE, encoding="utf-8")
        ingest_file(path, app.services, process_pool)
        app.services.index.sync()
        (record,) = retrieve(app.test_client())
        assert record["metadata"]["link"].startswith("https://papers.example/papers/documents/")
