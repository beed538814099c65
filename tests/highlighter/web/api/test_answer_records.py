"""An answer again: over HTTP the same object, as a page with its marks as links, as a pack."""

from __future__ import annotations

import io
import json
import re
import zipfile
from html import unescape

import pytest

from highlighter.app import create_app
from ingest.pipeline import ingest_file
from tests.conftest import NOTE

DELAY = "How much does the Contractor pay for each day of delay?"
TICKET = "How much is a ticket?"


@pytest.fixture
def asking(sampled):
    return create_app(sampled).test_client()


def ask(client, question, **how):
    return client.post("/api/v1/answers", json={"question": question, **how}).json


def page(client, answer):
    with client.get(answer["links"]["self"]) as reply:
        assert reply.status_code == 200
        return reply.text


@pytest.mark.parametrize("how", [{}, {"citation_style": "endnote"}, {"filters": {"nothing": "such"}}])
def test_the_same_object_comes_again(asking, how):
    answer = ask(asking, DELAY, **how)
    assert asking.get(f"/api/v1/answers/{answer['id']}").json == answer


def test_the_end_of_a_stream_comes_again_too(asking):
    with asking.post("/api/v1/answers", json={"question": DELAY, "stream": True}) as reply:
        done = json.loads(reply.text.rpartition("event: done\ndata: ")[2])
    assert asking.get(f"/api/v1/answers/{done['id']}").json == done


def test_the_page_shows_it_with_marks_that_lead_to_lit_sentences(asking):
    answer = ask(asking, DELAY)
    shown = page(asking, answer)
    (citation,) = answer["citations"]
    marks = re.findall(r'<a class="chip[^>]* href="([^"]*)"[^>]*>([^<]*)<', shown)
    assert [(unescape(href), unescape(label).strip()) for href, label in marks] == [
        (citation["links"]["view"], citation["label"].strip("[]"))
    ]
    assert citation["quote"] in unescape(shown)
    with asking.get(citation["links"]["view"]) as reply:
        assert "£4,200" in reply.text.partition("<mark")[2].partition("</mark>")[0]


def test_a_refusal_is_shown_with_its_reason(asking):
    shown = page(asking, ask(asking, "Who won the chess championship of 1972?"))
    assert "No document matches this question." in shown


def test_what_is_not_kept_is_told_in_words(asking):
    for address in ("/answers/nothing", "/api/v1/answers/nothing", "/api/v1/answers/nothing/pack"):
        with asking.get(address) as reply:
            assert (reply.status_code, "Answer nothing was not found." in reply.text) == (404, True)


def test_a_document_that_was_replaced_or_deleted_since_is_told_of(client, services, process_pool, note, tmp_path):
    answer = ask(client, TICKET)
    (tmp_path / "note.txt").write_text(NOTE.replace("four", "five"), encoding="utf-8")
    newer = ingest_file(tmp_path / "note.txt", services, process_pool).document
    shown = page(client, answer)
    assert f'has a newer version: <a href="/documents/{newer.id}">version 2</a>' in shown
    assert "four pounds" in shown
    services.delete_document(note.id)
    shown = page(client, answer)
    assert "A document used for this answer was deleted" in shown
    assert "four pounds" not in shown
    assert TICKET in shown
    again = client.get(f"/api/v1/answers/{answer['id']}").json
    assert (again["text"], again["citations"][0]["quote"], again["citations"][0]["sha256"]) == ("", "", note.sha256)


def test_of_one_that_is_leaving_no_mark_leads_to_it(client, services, note):
    answer = ask(client, TICKET)
    services.soft_delete(note.id)
    shown = page(client, answer)
    assert "was deleted and can no longer be opened" in shown
    assert f'href="/documents/{note.id}' not in shown


def test_what_an_answer_says_is_escaped(client):
    text = "The <script>alert(1)</script> fee is ten pounds."
    answer = ask(client, "What is the <b>fee?", sources=[{"text": text, "filename": "<img src=x>.txt"}])
    shown = page(client, answer)
    assert "<script>alert" in answer["text"]
    assert not any(tag in shown for tag in ("<script>alert", "<img", "<b>fee"))
    assert "&lt;script&gt;alert" in shown


def test_the_pack_is_a_zip_to_be_saved(asking):
    answer = ask(asking, DELAY)
    with asking.get(f"{answer['links']['self'].replace('/answers', '/api/v1/answers')}/pack") as reply:
        assert reply.headers["Content-Disposition"].startswith("attachment; filename=answer-")
        assert reply.content_length == len(reply.data)
        with zipfile.ZipFile(io.BytesIO(reply.data)) as made:
            assert {"answer.html", "answer.md", "answer.docx", "manifest.json"} <= set(made.namelist())
    assert list(asking.application.services.files.scratch.iterdir()) == []
