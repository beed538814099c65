"""One name for a request: in its answer, in the problem it ends in, and in each line that is logged of it."""

from __future__ import annotations

import json
import logging

import pytest

from highlighter.request_ids import LOG_FORMAT, RequestIdFilter, get_request_id

LIST = "/api/v1/documents"


@pytest.fixture
def lines(caplog):
    before = caplog.handler.formatter
    caplog.handler.addFilter(RequestIdFilter())
    caplog.handler.setFormatter(logging.Formatter(LOG_FORMAT))
    yield lambda: caplog.text
    caplog.handler.filters.clear()
    caplog.handler.setFormatter(before)


def test_a_request_has_a_name_of_its_own(client):
    first, second = (client.get(path).headers["X-Request-Id"] for path in ("/documents", LIST))
    assert len(first) == 32
    assert first != second
    assert client.get("/documents", headers={"Host": "other.example"}).headers["X-Request-Id"]
    with client.get("/static/favicon.svg") as file:
        assert file.headers["X-Request-Id"]
    assert get_request_id() == ""


def test_one_that_was_given_is_kept_if_it_is_sane(client):
    for given in ("req-1", "a/b:c=d+e@f._", "x" * 100):
        assert client.get(LIST, headers={"X-Request-Id": given}).headers["X-Request-Id"] == given
    for given in ("", " ", "x" * 101, "<script>", "a b", 'a"b', "é", "-x"):
        assert client.get(LIST, headers={"X-Request-Id": given}).headers["X-Request-Id"] != given


def test_problems_say_it(client):
    refused = client.get(f"{LIST}/nothing", headers={"X-Request-Id": "req-2"})
    assert (refused.status_code, refused.json["request_id"]) == (404, "req-2")


def test_so_do_those_that_end_a_stream_and_the_log(app, lines, monkeypatch):
    def fail(*_):
        raise RuntimeError("broken")
        yield

    monkeypatch.setattr(app.services.answer_pipeline, "_gather_passages", fail)
    asked = {"question": "Who?", "stream": True}
    with app.test_client().post("/api/v1/answers", json=asked, headers={"X-Request-Id": "req-3"}) as answer:
        told = json.loads(answer.text.rpartition("event: error\ndata: ")[2])
    assert told["request_id"] == "req-3"
    assert "ERROR highlighter.web.answer_delivery [req-3] An answer broke off" in lines()
