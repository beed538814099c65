"""POST /api/v1/answers over HTTP."""

from __future__ import annotations

import json

import pytest

from highlighter.app import create_app
from tests.highlighter.web.auth.clients import served, showing

DELAY = "How much does the Contractor pay for each day of delay?"


@pytest.fixture
def asking(sampled):
    return create_app(sampled).test_client()


def test_an_answer_and_where_its_citations_lead(asking):
    answer = asking.post("/api/v1/answers", json={"question": DELAY}).json
    citation = answer["citations"][0]
    assert "£4,200" in citation["quote"]
    assert answer["text"][citation["start"] : citation["end"]] == citation["label"]
    with asking.get(citation["links"]["view"]) as page:
        assert "£4,200" in page.text.partition("<mark")[2].partition("</mark>")[0]
    with asking.get(citation["chunk_file_path"]) as pdf:
        assert pdf.data.startswith(b"%PDF")
    with asking.get(citation["links"]["pdf"]) as pdf:
        assert pdf.data.startswith(b"%PDF")


@pytest.mark.parametrize(
    "how", [{"json": {"question": DELAY, "stream": True}}, {"headers": {"Accept": "text/event-stream"}}]
)
def test_a_stream_ends_with_the_same_answer(asking, how):
    with asking.post("/api/v1/answers", **{"json": {"question": DELAY}, **how}) as reply:
        assert reply.mimetype == "text/event-stream"
        events = [_event(block) for block in reply.text.split("\n\n") if block]
    names = [name for name, _ in events]
    assert names[:2] == ["sub_questions", "evidence"]
    assert names[-1] == "done"
    done = events[-1][1]
    assert "".join(body["text"] for name, body in events if name == "token") == done["text"]
    assert [body for name, body in events if name == "citation"] == done["citations"]


def test_who_goes_before_the_end_gives_the_line_back(asking):
    with asking.post("/api/v1/answers", json={"question": DELAY, "stream": True}) as reply:
        assert "event: sub_questions" in next(iter(reply.response)).decode()
        assert asking.application.stream_slots.in_use == 1
    assert asking.application.stream_slots.in_use == 0


def test_an_answer_is_told_no_further_once_its_key_is_revoked(tmp_path, embedder):
    asked = {"question": DELAY, "sources": [{"text": "For each day of delay the Contractor pays £9."}], "stream": True}
    with served(tmp_path, embedder) as app:
        key, shown = app.services.api_keys.create_key("A reader", ["answer"])
        with showing(app, shown).post("/api/v1/answers", json=asked) as reply:
            told = iter(reply.response)
            assert b"event: sub_questions" in next(told)
            app.services.api_keys.revoke_key(key.id)
            name, body = _event(b"".join(told).decode().strip())
    assert (name, body["status"]) == ("error", 401)
    assert "no longer valid" in body["detail"]
    assert app.stream_slots.in_use == 0


def test_what_fails_before_it_begins_gives_the_line_back(tmp_path, embedder):
    with served(tmp_path, embedder, prompts_dir=tmp_path / "nothing") as app:
        ways = [app.test_client().post("/api/v1/answers", json={"question": DELAY, "stream": True}) for _ in range(2)]
    assert [one.status_code for one in ways] == [500, 500]
    assert app.stream_slots.in_use == 0


def test_who_finds_every_line_taken_is_told_when_to_come_again(asking):
    while asking.application.stream_slots.acquire():
        pass
    refused = asking.post("/api/v1/answers", json={"question": DELAY, "stream": True})
    assert (refused.status_code, refused.headers["Retry-After"]) == (503, "5")


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({}, "question"), ({"question": ""}, "empty"), ({"question": "x" * 20_000}, "longer"),
        ({"question": "a?", "mode": "poetic"}, "mode"), ({"question": "a?", "schema": "Nothing"}, "schema"),
        ({"question": "a?", "sources": [{"document_id": "no"}]}, "document"), ({"question": "a?", "who": 1}, "who"),
    ],
)  # fmt: skip
def test_what_cannot_be_answered_is_told_in_words(asking, body, said):
    reply = asking.post("/api/v1/answers", json=body)
    assert 400 <= reply.status_code < 500
    assert said in json.dumps(reply.json).lower()


def test_filters_that_fit_nothing_and_a_thousand_turns_are_no_error(asking):
    history = [{"question": "Who?", "answer": "Nobody."}] * 1000
    body = {"question": DELAY, "history": history, "filters": {"nothing": "such"}}
    answer = asking.post("/api/v1/answers", json=body)
    assert answer.status_code == 200
    assert answer.json["refused"]
    assert answer.json["refusal_reason"]


def _event(block: str) -> tuple[str, dict]:
    name, data = block.split("\n")
    return name.removeprefix("event: "), json.loads(data.removeprefix("data: "))
