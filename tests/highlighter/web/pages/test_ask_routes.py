"""The ask page over HTTP, without a browser."""

from __future__ import annotations

import html
import json
import re

import pytest

from highlighter.app import create_app
from tests.highlighter.web.pages.test_document_routes import text

DELAY = "How much does the Contractor pay for each day of delay?"


@pytest.fixture
def sample_client(sampled):
    return create_app(sampled).test_client()


def test_ask_page_is_at_root(client):
    page = text(client.get("/"))
    assert "Ask the documents" in page
    assert 'href="/documents"' in page
    assert text(client.get("/documents"))


def test_ask_page_of_empty_library_offers_samples(client):
    page = text(client.get("/"))
    assert "No documents yet" in page
    assert 'action="/samples"' in page


def test_samples_can_be_added(client, services):
    assert client.post("/samples").location == "/documents"
    names = {document.name for document in services.catalog.documents()}
    assert "Harbour Works Contract.pdf" in names
    assert "questions.json" not in names


def test_suggested_questions_are_about_different_samples(sample_client, sample_questions):
    suggestions = [
        html.unescape(question)
        for question in re.findall(r'name="question" value="([^"]+)"', text(sample_client.get("/")))
    ]
    files = [
        file
        for suggestion in suggestions
        for file, entries in sample_questions.items()
        if suggestion in [entry["question"] for entry in entries]
    ]
    assert len(suggestions) == 6
    assert len(set(files)) == 5  # those in English
    assert all(question.isascii() for question in suggestions)


def test_question_of_plain_form_is_answered_on_page(sample_client):
    page = text(sample_client.post("/", data={"question": DELAY}))
    chip = re.search(r'<a class="chip"[^>]*href="([^"]+)"', page)
    with sample_client.get(html.unescape(chip[1])) as viewer:
        assert "£4,200" in re.search(r"<mark[^>]*data-current[^>]*>([^<]*)", viewer.text)[1]
    assert "no AI model used" in page
    assert f'name="asked" value="{DELAY}"' in page  # for a follow-up


def test_stream_sends_html_for_each_event(sample_client):
    with sample_client.post("/", data={"question": DELAY}, headers={"Accept": "text/event-stream"}) as reply:
        events = [re.match(r"event: (\w+)\ndata: (.*)", block) for block in reply.text.split("\n\n") if block]
    parsed_events = [(event[1], json.loads(event[2])) for event in events]
    assert [name for name, _ in parsed_events][:2] == ["sub_questions", "evidence"]
    assert ['class="searching"' in body["html"] for _, body in parsed_events[:2]] == [True, False]
    done = parsed_events[-1][1]
    assert "".join(body["text"] for name, body in parsed_events if name == "token") == done["text"]
    for name, body in parsed_events:
        if name == "citation":
            assert 'data-number="1"' in body["html"]
            assert ">[1]<" in body["html"]
    assert 'data-answer="' in done["html"]
    with sample_client.get(done["url"]) as page:
        assert f'data-turn="{done["id"]}"' in page.text


@pytest.mark.parametrize(
    ("data", "message"),
    [({"question": " "}, "Enter a question"), ({"question": "x" * 20_000}, "20,000 characters"),
     ({"question": "a?", "mode": "poetic"}, "No mode"), ({"question": "a?", "format": "<b>"}, "No format")],
)  # fmt: skip
def test_invalid_question_is_refused_and_stays_in_form(sample_client, data, message):
    plain = sample_client.post("/", data=data)
    assert plain.status_code == 400
    assert message in re.search(r"data-sentence>(.*?)</p>", plain.text, re.S)[1]
    assert f">\n{data['question'].strip()}</textarea>" in plain.text
    streamed = sample_client.post("/", data=data, headers={"Accept": "text/event-stream"})
    assert streamed.status_code == 400
    assert message in re.search(r"data-sentence>(.*?)</p>", streamed.text, re.S)[1]


def test_links_of_long_question_work(sample_client):
    page = text(sample_client.post("/", data={"question": DELAY + " And who else?" * 200}))
    for address in re.findall(r'(?:data-frame|data-pdf|class="chip"[^>]* href)="([^"]+)"', page):
        with sample_client.get(html.unescape(address)) as reply:
            assert reply.status_code == 200


def test_refusal_is_a_page_with_next_step(sample_client):
    page = text(sample_client.post("/", data={"question": "Who won the chess championship of 1972?"}))
    assert "No answer" in page
    assert "Search all documents" in page


def test_get_request_with_question_starts_no_answer(sample_client):
    page = text(sample_client.get("/", query_string={"q": DELAY}))
    assert f">\n{DELAY}</textarea>" in page
    assert "data-answer=" not in page


def test_answer_that_is_not_stored_has_no_address(sample_client, sampled, monkeypatch):
    monkeypatch.setattr(sampled.answer_pipeline, "_save_answer", None)
    with sample_client.post("/", data={"question": DELAY}, headers={"Accept": "text/event-stream"}) as reply:
        assert json.loads(reply.text.rpartition("event: done\ndata: ")[2])["url"] == ""


def test_stored_answer_can_be_continued_without_script(sample_client):
    answer = sample_client.post("/api/v1/answers", json={"question": DELAY}).json
    page = text(sample_client.get(answer["links"]["self"]))
    assert f'name="asked" value="{DELAY}"' in page
    assert "£4,200" in re.search(r'name="answered" value="([^"]+)"', page)[1]
    refused = sample_client.post("/api/v1/answers", json={"question": "Who won the chess championship of 1972?"}).json
    assert 'name="asked"' not in text(sample_client.get(refused["links"]["self"]))


def test_only_pages_with_answers_may_frame_own_pages(sample_client):
    answer = sample_client.post("/api/v1/answers", json={"question": DELAY}).json
    for url in ("/", answer["links"]["self"]):
        policy = sample_client.get(url).headers["Content-Security-Policy"]
        assert "frame-src 'self'" in policy
        assert "frame-ancestors 'self'" in policy
    assert "frame-src" not in sample_client.get("/documents").headers["Content-Security-Policy"]


def test_options_stay_for_next_question(sample_client):
    page = text(sample_client.post("/", data={"question": DELAY, "citation_style": "footnote", "format": "bullets"}))
    assert '<option value="footnote" selected>' in page
    assert re.search(
        r'class="chip"[^>]*>\[1]<span class="visually-hidden">, <bdi>Harbour Works Contract.pdf</bdi>, page 2', page
    )


def test_conversation_keeps_last_turns_without_refusals(sample_client):
    turns = {"asked": [f"Question {n}?" for n in range(9)], "answered": ["Yes."] * 9}
    page = text(sample_client.post("/", data={"question": DELAY, **turns}))
    questions = re.findall(r'name="asked" value="([^"]+)"', page)
    assert questions == [*(f"Question {n}?" for n in range(5, 9)), DELAY]
    refused = text(sample_client.post("/", data={"question": "Who won the chess championship of 1972?"}))
    assert 'name="asked"' not in refused


def test_share_link_of_answer_works(sample_client, sampled):
    page = text(sample_client.post("/", data={"question": DELAY}))
    address = html.unescape(re.search(r'href="([^"]+)" data-share', page)[1])
    assert address.startswith(("/?q=How", "/answers/"))
    assert sample_client.get(address).status_code == 200
