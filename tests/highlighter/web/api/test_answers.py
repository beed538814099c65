"""Tests of POST /api/v1/answers."""

from __future__ import annotations

import json

import pytest

from highlighter.app import create_app
from tests.highlighter.web.auth.clients import client_with_secret, running_app

DELAY = "How much does the Contractor pay for each day of delay?"


@pytest.fixture
def sample_client(sampled):
    return create_app(sampled).test_client()


def test_citations_of_answer_lead_to_their_sentences(sample_client):
    answer = sample_client.post("/api/v1/answers", json={"question": DELAY}).json
    citation = answer["citations"][0]
    assert "£4,200" in citation["quote"]
    assert answer["text"][citation["start"] : citation["end"]] == citation["label"]
    with sample_client.get(citation["links"]["view"]) as page:
        assert "£4,200" in page.text.partition("<mark")[2].partition("</mark>")[0]
    with sample_client.get(citation["chunk_file_path"]) as pdf:
        assert pdf.data.startswith(b"%PDF")
    with sample_client.get(citation["links"]["pdf"]) as pdf:
        assert pdf.data.startswith(b"%PDF")


@pytest.mark.parametrize(
    "options", [{"json": {"question": DELAY, "stream": True}}, {"headers": {"Accept": "text/event-stream"}}]
)
def test_stream_ends_with_the_whole_answer(sample_client, options):
    with sample_client.post("/api/v1/answers", **{"json": {"question": DELAY}, **options}) as response:
        assert response.mimetype == "text/event-stream"
        events = [_event(block) for block in response.text.split("\n\n") if block]
    names = [name for name, _ in events]
    assert names[:2] == ["sub_questions", "evidence"]
    assert names[-1] == "done"
    done = events[-1][1]
    assert "".join(body["text"] for name, body in events if name == "token") == done["text"]
    assert [body for name, body in events if name == "citation"] == done["citations"]


def test_disconnected_client_releases_stream_slot(sample_client):
    with sample_client.post("/api/v1/answers", json={"question": DELAY, "stream": True}) as response:
        assert "event: sub_questions" in next(iter(response.response)).decode()
        assert sample_client.application.stream_slots.in_use == 1
    assert sample_client.application.stream_slots.in_use == 0


def test_revoked_key_stops_running_stream(tmp_path, embedder):
    body = {"question": DELAY, "sources": [{"text": "For each day of delay the Contractor pays £9."}], "stream": True}
    with running_app(tmp_path, embedder) as app:
        key, secret = app.services.api_keys.create_key("A reader", ["answer"])
        with client_with_secret(app, secret).post("/api/v1/answers", json=body) as response:
            events = iter(response.response)
            assert b"event: sub_questions" in next(events)
            app.services.api_keys.revoke_key(key.id)
            name, data = _event(b"".join(events).decode().strip())
    assert (name, data["status"]) == ("error", 401)
    assert "no longer valid" in data["detail"]
    assert app.stream_slots.in_use == 0


def test_failed_answer_releases_stream_slot(tmp_path, embedder):
    with running_app(tmp_path, embedder, prompts_dir=tmp_path / "nothing") as app:
        responses = [
            app.test_client().post("/api/v1/answers", json={"question": DELAY, "stream": True}) for _ in range(2)
        ]
    assert [response.status_code for response in responses] == [500, 500]
    assert app.stream_slots.in_use == 0


def test_client_without_free_slot_is_told_when_to_retry(sample_client):
    while sample_client.application.stream_slots.acquire():
        pass
    refused = sample_client.post("/api/v1/answers", json={"question": DELAY, "stream": True})
    assert (refused.status_code, refused.headers["Retry-After"]) == (503, "5")


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({}, "question"), ({"question": ""}, "empty"), ({"question": "x" * 20_000}, "longer"),
        ({"question": "a?", "mode": "poetic"}, "mode"), ({"question": "a?", "schema": "Nothing"}, "schema"),
        ({"question": "a?", "sources": [{"document_id": "no"}]}, "document"), ({"question": "a?", "who": 1}, "who"),
    ],
)  # fmt: skip
def test_invalid_request_gets_problem_that_names_the_field(sample_client, body, message):
    response = sample_client.post("/api/v1/answers", json=body)
    assert 400 <= response.status_code < 500
    assert message in json.dumps(response.json).lower()


def test_filter_without_match_and_long_history_give_a_refusal(sample_client):
    history = [{"question": "Who?", "answer": "Nobody."}] * 1000
    body = {"question": DELAY, "history": history, "filters": {"nothing": "such"}}
    answer = sample_client.post("/api/v1/answers", json=body)
    assert answer.status_code == 200
    assert answer.json["refused"]
    assert answer.json["refusal_reason"]


def _event(block: str) -> tuple[str, dict]:
    name, data = block.split("\n")
    return name.removeprefix("event: "), json.loads(data.removeprefix("data: "))


def test_citation_has_section_address_and_metadata_of_its_document(sampled, sample_client):
    hit = sample_client.post("/api/v1/search", json={"question": DELAY, "limit": 1}).json["hits"][0]
    metadata = {"doc_url": "https://dms.example/contract", "client": "Harbour Ltd"}
    sample_client.patch(f"/api/v1/documents/{hit['document_id']}", json={"metadata": metadata})
    answer = sample_client.post("/api/v1/answers", json={"question": DELAY}).json
    citation = next(one for one in answer["citations"] if one["document_id"] == hit["document_id"])
    assert (citation["doc_url"], citation["section"]) == (metadata["doc_url"], hit["section"])
    assert citation["section"]
    assert citation["metadata"].items() >= metadata.items()
    assert sample_client.get(f"/api/v1/answers/{answer['id']}").json["citations"] == answer["citations"]


def test_request_names_its_refusal_model_and_limit(client):
    def ask(**options):
        sources = [{"text": "The bar opens at six."}]
        return client.post("/api/v1/answers", json={"question": "Who wrote Hamlet?", "sources": sources, **options})

    refused = ask(refusal="Bitte fragen Sie die Bibliothek.", model="extractive").json
    assert (refused["refused"], refused["text"]) == (True, "Bitte fragen Sie die Bibliothek.")
    unknown = ask(model="openai/none")
    assert (unknown.status_code, "extractive" in unknown.json["detail"]) == (400, True)
    assert ask(refusal="two\nlines").status_code == ask(min_grounding=2).status_code == 400
