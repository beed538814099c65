"""The id of a request in its response, in its problem details and in each line of its log."""

from __future__ import annotations

import json
import logging

import pytest

from highlighter.monitoring.logs import TEXT_FORMAT
from highlighter.request_ids import RequestIdFilter, get_request_id

DOCUMENTS_PATH = "/api/v1/documents"


@pytest.fixture
def get_log(caplog):
    before = caplog.handler.formatter
    caplog.handler.addFilter(RequestIdFilter())
    caplog.handler.setFormatter(logging.Formatter(TEXT_FORMAT))
    yield lambda: caplog.text
    caplog.handler.filters.clear()
    caplog.handler.setFormatter(before)


def test_each_response_has_its_own_request_id(client):
    first, second = (client.get(path).headers["X-Request-Id"] for path in ("/documents", DOCUMENTS_PATH))
    assert len(first) == 32
    assert first != second
    assert client.get("/documents", headers={"Host": "other.example"}).headers["X-Request-Id"]
    with client.get("/static/favicon.svg") as file:
        assert file.headers["X-Request-Id"]
    assert get_request_id() == ""


def test_valid_id_from_the_caller_is_used(client):
    for request_id in ("req-1", "a/b:c=d+e@f._", "x" * 100):
        assert client.get(DOCUMENTS_PATH, headers={"X-Request-Id": request_id}).headers["X-Request-Id"] == request_id
    for request_id in ("", " ", "x" * 101, "<script>", "a b", 'a"b', "é", "-x"):
        assert client.get(DOCUMENTS_PATH, headers={"X-Request-Id": request_id}).headers["X-Request-Id"] != request_id


def test_problem_details_contain_the_request_id(client):
    refused = client.get(f"{DOCUMENTS_PATH}/nothing", headers={"X-Request-Id": "req-2"})
    assert (refused.status_code, refused.json["request_id"]) == (404, "req-2")


def test_problem_that_ends_a_stream_and_the_log_contain_the_request_id(app, get_log, monkeypatch):
    def fail(*_):
        raise RuntimeError("broken")
        yield

    monkeypatch.setattr(app.services.answer_pipeline, "_gather_passages", fail)
    request_body = {"question": "Who?", "stream": True}
    with app.test_client().post("/api/v1/answers", json=request_body, headers={"X-Request-Id": "req-3"}) as answer:
        problem = json.loads(answer.text.rpartition("event: error\ndata: ")[2])
    assert problem["request_id"] == "req-3"
    assert "ERROR highlighter.web.answer_delivery [req-3] An answer broke off" in get_log()
