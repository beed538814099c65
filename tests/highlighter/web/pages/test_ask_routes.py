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
def asking(sampled):
    return create_app(sampled).test_client()


def test_the_page_is_at_the_root_and_leads_nowhere_else(client):
    page = text(client.get("/"))
    assert "Ask the documents" in page
    assert 'href="/documents"' in page
    assert text(client.get("/documents"))


def test_an_empty_library_says_what_to_do(client):
    page = text(client.get("/"))
    assert "No documents yet" in page
    assert 'action="/samples"' in page


def test_the_samples_come_in_from_the_empty_page(client, services):
    assert client.post("/samples").location == "/documents"
    names = {document.name for document in services.catalog.documents()}
    assert "Harbour Works Contract.pdf" in names
    assert "questions.json" not in names


def test_questions_to_try_are_about_different_samples(asking, sample_questions):
    tries = [html.unescape(found) for found in re.findall(r'name="question" value="([^"]+)"', text(asking.get("/")))]
    about = [file for one in tries for file, asked in sample_questions.items() if one in [q["question"] for q in asked]]
    assert len(tries) == len(set(about)) == 6


def test_a_question_sent_by_a_plain_form_is_answered_on_the_page(asking):
    page = text(asking.post("/", data={"question": DELAY}))
    chip = re.search(r'<a class="chip"[^>]*href="([^"]+)"', page)
    with asking.get(html.unescape(chip[1])) as viewer:
        assert "£4,200" in re.search(r"<mark[^>]*data-current[^>]*>([^<]*)", viewer.text)[1]
    assert "no AI model used" in page
    assert f'name="asked" value="{DELAY}"' in page  # for a follow-up


def test_a_stream_tells_the_page_what_to_show(asking):
    with asking.post("/", data={"question": DELAY}, headers={"Accept": "text/event-stream"}) as reply:
        events = [re.match(r"event: (\w+)\ndata: (.*)", block) for block in reply.text.split("\n\n") if block]
    told = [(event[1], json.loads(event[2])) for event in events]
    assert [name for name, _ in told][:2] == ["sub_questions", "evidence"]
    assert ['class="looking"' in body["html"] for _, body in told[:2]] == [True, False]
    done = told[-1][1]
    assert "".join(body["text"] for name, body in told if name == "token") == done["text"]
    for name, body in told:
        if name == "citation":
            label = done["text"][body["start"] : body["end"]]
            assert f">{label.strip('[]')}</a>" in body["html"]
    assert 'data-answer="' in done["html"]


@pytest.mark.parametrize(
    ("data", "said"),
    [({"question": " "}, "Enter a question"), ({"question": "x" * 20_000}, "20,000 characters"),
     ({"question": "a?", "mode": "poetic"}, "No mode"), ({"question": "a?", "format": "<b>"}, "No format")],
)  # fmt: skip
def test_what_cannot_be_asked_is_told_with_the_question_kept(asking, data, said):
    plain = asking.post("/", data=data)
    assert plain.status_code == 400
    assert said in re.search(r"data-sentence>(.*?)</p>", plain.text, re.S)[1]
    assert f">\n{data['question'].strip()}</textarea>" in plain.text
    streamed = asking.post("/", data=data, headers={"Accept": "text/event-stream"})
    assert streamed.status_code == 400
    assert said in re.search(r"data-sentence>(.*?)</p>", streamed.text, re.S)[1]


def test_the_links_of_a_long_question_lead_somewhere(asking):
    page = text(asking.post("/", data={"question": DELAY + " And who else?" * 200}))
    for address in re.findall(r'(?:data-frame|data-pdf|class="chip"[^>]* href)="([^"]+)"', page):
        with asking.get(html.unescape(address)) as reply:
            assert reply.status_code == 200


def test_a_refusal_is_a_page_with_its_reason(asking):
    page = text(asking.post("/", data={"question": "Who won the chess championship of 1972?"}))
    assert "No answer" in page
    assert "Search all documents" in page


def test_a_link_makes_nobody_work(asking):
    page = text(asking.get("/", query_string={"q": DELAY}))
    assert f">\n{DELAY}</textarea>" in page
    assert "data-answer=" not in page


def test_only_this_page_may_frame_and_only_pages_of_ours(asking):
    policy = asking.get("/").headers["Content-Security-Policy"]
    assert "frame-src 'self'" in policy
    assert "frame-ancestors 'self'" in policy
    assert "frame-src" not in asking.get("/documents").headers["Content-Security-Policy"]


def test_the_choices_hold_for_the_next_question(asking):
    page = text(asking.post("/", data={"question": DELAY, "citation_style": "footnote", "format": "bullets"}))
    assert '<option value="footnote" selected>' in page
    assert re.search(r'class="chip"[^>]*>1<span class="hush">, Harbour Works Contract.pdf, page 2', page)


def test_a_conversation_sends_its_last_turns_and_no_refusal(asking):
    turns = {"asked": [f"Question {n}?" for n in range(9)], "answered": ["Yes."] * 9}
    page = text(asking.post("/", data={"question": DELAY, **turns}))
    kept = re.findall(r'name="asked" value="([^"]+)"', page)
    assert kept == [*(f"Question {n}?" for n in range(5, 9)), DELAY]
    refused = text(asking.post("/", data={"question": "Who won the chess championship of 1972?"}))
    assert 'name="asked"' not in refused


def test_an_answer_is_linked_to_only_where_it_is_kept(asking, sampled):
    page = text(asking.post("/", data={"question": DELAY}))
    address = html.unescape(re.search(r'href="([^"]+)" data-share', page)[1])
    assert address.startswith(("/?q=How", "/answers/"))
    assert asking.get(address).status_code == 200
