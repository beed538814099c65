"""Tests of feedback, by JSON and by the form of the page."""

from __future__ import annotations

import re
from email.utils import parsedate_to_datetime

import pytest

from highlighter.store.feedback import list_current_feedback

FEEDBACK = {"question": "When does the ferry leave?", "chunk_index": 0, "start": 0, "end": 52, "verdict": "wrong"}


@pytest.fixture
def send(client, note):
    return lambda **changes: client.post("/api/v1/feedback", json={**FEEDBACK, "document_id": note.id, **changes})


@pytest.fixture
def form(note):
    return {"document": note.id, "chunk": "0", "v": str(note.pipeline), "span": "0-52", "lit": "0-52 53-80",
            "question": FEEDBACK["question"], "verdict": "wrong", "back": f"/documents/{note.id}/chunks/0?q=x"}  # fmt: skip


def test_feedback_is_recorded_and_withdrawn(send, client, services):
    answer = send(highlighted=[[0, 52]], note="Not asked for.")
    assert (answer.status_code, "Deprecation" in answer.headers) == (201, False)
    assert [
        (entry.verdict, entry.span, entry.highlighted) for entry in list_current_feedback(services.catalog.engine)
    ] == [("wrong", (0, 52), ((0, 52),))]
    assert client.delete(f"/api/v1/feedback/{answer.json['id']}").status_code == 204
    assert list_current_feedback(services.catalog.engine) == []
    assert client.delete("/api/v1/feedback/unheard-of").status_code == 404


def test_earlier_name_of_highlighted_spans_is_announced_to_end(send, services):
    answer = send(lit=[[0, 52]])
    assert [entry.highlighted for entry in list_current_feedback(services.catalog.engine)] == [((0, 52),)]
    assert answer.headers["Deprecation"] == "@1795392000"  # RFC 9745: a date of RFC 9651
    assert parsedate_to_datetime(answer.headers["Sunset"]).year == 2028
    assert 'rel="deprecation"' in answer.headers["Link"]


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({"verdict": "undone"}, 422), ({"note": "x" * 1001}, 422), ({"question": " "}, 422), ({"more": 1}, 422),
        ({"end": 10**6}, 400), ({"start": 52}, 400), ({"lit": [[5, 5]]}, 400), ({"chunk_index": 99}, 404),
        ({"document_id": "nothing"}, 404),
    ],
)  # fmt: skip
def test_invalid_feedback_is_refused(send, services, changes, status):
    answer = send(**changes)
    assert answer.status_code in (status, 400 if status == 422 else status)
    assert answer.json["detail"]
    assert list_current_feedback(services.catalog.engine) == []


def test_longest_note_is_accepted(send):
    assert send(note="x" * 1000).status_code == 201


def test_feedback_form_leads_to_page_with_way_back_and_note(client, form, services):
    answer = client.post("/feedback", data=form)
    page = answer.get_data(as_text=True)
    assert answer.status_code == 201
    assert f'href="{form["back"]}"' in page
    assert 'name="note"' in page
    undo = re.search(r'action="(/feedback/\w+/undo)"', page)[1]
    assert "Feedback withdrawn" in client.post(undo, data={"back": form["back"]}).get_data(as_text=True)
    assert list_current_feedback(services.catalog.engine) == []


@pytest.mark.parametrize("back", ["//evil.example/", "https://evil.example/", "/\\evil.example", "javascript:alert(1)"])
def test_way_back_stays_on_the_site(client, form, back):
    page = client.post("/feedback", data={**form, "back": back}).get_data(as_text=True)
    assert "evil" not in page
    assert 'href="javascript' not in page


@pytest.mark.parametrize("changes", [{"span": "x"}, {"span": ""}, {"lit": "9-1"}, {"verdict": ""}, {"chunk": "x"}])
def test_invalid_feedback_form_is_refused(client, form, changes):
    assert client.post("/feedback", data={**form, **changes}).status_code in (400, 404)
