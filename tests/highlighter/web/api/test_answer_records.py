"""Tests of stored answers: over HTTP, as a page, and as an evidence pack."""

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
def sample_client(sampled):
    return create_app(sampled).test_client()


def ask(client, question, **options):
    return client.post("/api/v1/answers", json={"question": question, **options}).json


def page(client, answer):
    with client.get(answer["links"]["self"]) as response:
        assert response.status_code == 200
        return response.text


@pytest.mark.parametrize("options", [{}, {"citation_style": "endnote"}, {"filters": {"nothing": "such"}}])
def test_stored_answer_equals_original(sample_client, options):
    answer = ask(sample_client, DELAY, **options)
    assert sample_client.get(f"/api/v1/answers/{answer['id']}").json == answer


def test_streamed_answer_is_stored(sample_client):
    with sample_client.post("/api/v1/answers", json={"question": DELAY, "stream": True}) as response:
        done = json.loads(response.text.rpartition("event: done\ndata: ")[2])
    assert sample_client.get(f"/api/v1/answers/{done['id']}").json == done


def test_answer_page_links_markers_to_highlighted_sentences(sample_client):
    answer = ask(sample_client, DELAY)
    html = page(sample_client, answer)
    (citation,) = answer["citations"]
    markers = re.findall(r'<a class="chip[^>]* href="([^"]*)"[^>]*>([^<]*)<', html)
    assert [(unescape(href), unescape(label).strip()) for href, label in markers] == [
        (citation["links"]["view"], "[1]")
    ]
    assert citation["quote"] in unescape(html)
    with sample_client.get(citation["links"]["view"]) as response:
        assert "£4,200" in response.text.partition("<mark")[2].partition("</mark>")[0]


def test_answer_page_shows_reason_of_refusal(sample_client):
    html = page(sample_client, ask(sample_client, "Who won the chess championship of 1972?"))
    assert "No document matches this question." in html


def test_unknown_answer_gets_404_with_explanation(sample_client):
    for url in ("/answers/nothing", "/api/v1/answers/nothing", "/api/v1/answers/nothing/pack"):
        with sample_client.get(url) as response:
            assert (response.status_code, "Answer nothing was not found." in response.text) == (404, True)


def test_answer_page_names_replaced_and_deleted_documents(client, services, process_pool, note, note_path):
    answer = ask(client, TICKET)
    note_path.write_text(NOTE.replace("four", "five"), encoding="utf-8")
    newer = ingest_file(note_path, services, process_pool).document
    html = page(client, answer)
    assert f'has a newer version: <a href="/documents/{newer.id}">version 2</a>' in html
    assert "four pounds" in html
    services.delete_document(note.id)
    html = page(client, answer)
    assert "A document used for this answer was deleted" in html
    assert "four pounds" not in html
    assert TICKET in html
    stored = client.get(f"/api/v1/answers/{answer['id']}").json
    assert (stored["text"], stored["citations"][0]["quote"], stored["citations"][0]["sha256"]) == ("", "", note.sha256)


def test_markers_do_not_link_to_soft_deleted_document(client, services, note):
    answer = ask(client, TICKET)
    services.soft_delete(note.id)
    html = page(client, answer)
    assert "was deleted and can no longer be opened" in html
    assert f'href="/documents/{note.id}' not in html


def test_answer_page_escapes_html(client):
    text = "The <script>alert(1)</script> fee is ten pounds."
    answer = ask(client, "What is the <b>fee?", sources=[{"text": text, "filename": "<img src=x>.txt"}])
    html = page(client, answer)
    assert "<script>alert" in answer["text"]
    assert not any(tag in html for tag in ("<script>alert", "<img", "<b>fee"))
    assert "&lt;script&gt;alert" in html


def test_evidence_pack_is_sent_as_zip_attachment(sample_client):
    answer = ask(sample_client, DELAY)
    with sample_client.get(f"{answer['links']['self'].replace('/answers', '/api/v1/answers')}/pack") as response:
        assert response.headers["Content-Disposition"].startswith("attachment; filename=answer-")
        assert response.content_length == len(response.data)
        with zipfile.ZipFile(io.BytesIO(response.data)) as archive:
            assert {"answer.html", "answer.md", "answer.docx", "manifest.json"} <= set(archive.namelist())
    assert list(sample_client.application.services.files.scratch.iterdir()) == []
