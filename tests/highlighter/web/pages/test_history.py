"""The history of answers: by key or browser session, searched, pinned, deleted and restored."""

from __future__ import annotations

import html
import re

import pytest

from highlighter.access import VisibleCollections
from highlighter.app import create_app
from highlighter.store.audit_verification import verify_audit
from ingest.pipeline import ingest_file
from tests.highlighter.web.auth.clients import client_with_key

TICKET = "How much is a ticket?"
DOGS = "Do DOGS travel free? 狗"


def ask(client, question):
    with client.post("/", data={"question": question}) as reply:
        assert reply.status_code == 200
        return re.search(r'data-turn="(\w+)"', reply.text)[1]


def list_questions(client, query=""):
    with client.get(f"/answers{query}") as reply:
        assert reply.status_code == 200
        return [
            html.unescape(question) for question in re.findall(r'<h2><a href="/answers/\w+"[^>]*>(.*?)</a>', reply.text)
        ]


@pytest.fixture
def browsers(services, note):
    app = create_app(services)
    return app.test_client(), app.test_client()


def test_history_lists_the_questions_of_this_browser_with_date_and_verdict(browsers):
    client, other = browsers
    assert "No answers yet" in client.get("/answers").text
    for question in (TICKET, DOGS):
        ask(client, question)
    page = client.get("/answers").text
    assert list_questions(client) == [DOGS, TICKET]
    assert re.search(r'<time datetime="20\d\d-[^"]+">20\d\d-\d\d-\d\d \d\d:\d\d UTC</time>', page)
    assert "Question answered" in page
    assert list_questions(client, "?q=dogs") == list_questions(client, "?q=狗") == [DOGS]
    assert list_questions(client, "?q=%25") == []
    assert list_questions(client, "?limit=1") == [DOGS]
    assert list_questions(other) == []
    assert "Set-Cookie" not in client.get("/").headers


def test_answers_are_pinned_deleted_and_restored_by_their_asker_alone(browsers, services):
    client, other = browsers
    first = ask(client, TICKET)
    ask(client, DOGS)
    ask(other, "Who?")
    for action in ({"pin": "pinned"}, {"hide": "hidden"}):
        for name, field in action.items():
            assert other.post(f"/answers/{first}/{name}", data={field: "1"}).status_code == 404
    assert client.post(f"/answers/{first}/pin", data={"pinned": "1"}).location == "/answers"
    assert list_questions(client) == [TICKET, DOGS]
    reply = client.post(f"/answers/{first}/hide", data={"hidden": "1", "q": "a"})
    assert reply.location == f"/answers?q=a&deleted={first}"
    assert "Undo" in client.get(reply.location).text
    assert list_questions(client) == [DOGS]
    assert client.get(f"/answers/{first}").status_code == 200  # the audit still has it
    with services.catalog.engine.connect() as connection:
        assert verify_audit(connection).discrepancies == ()
    client.post(f"/answers/{first}/hide", data={"hidden": "0"})
    assert list_questions(client) == [TICKET, DOGS]


def test_key_sees_its_own_answers_over_collections_that_it_may_see(services, note, tmp_path, process_pool):
    (tmp_path / "other.txt").write_text("Dogs travel free of charge.", encoding="utf-8")
    ingest_file(tmp_path / "other.txt", services, process_pool, collection="rules")
    app = create_app(services)
    client, colleague = (client_with_key(app, "admin", name=name) for name in "ab")
    ask(client, DOGS)
    client.post("/api/v1/answers", json={"question": TICKET})
    assert list_questions(client) == [TICKET, DOGS]
    assert list_questions(colleague) == []
    key = services.api_keys.list_keys()[0].id
    history = services.answer_history.list_items(f"key {key}", VisibleCollections(frozenset({"default"})), "", 9)
    assert history == []  # both were searched for in every collection
    assert "Set-Cookie" not in client.post("/", data={"question": TICKET}).headers


def test_question_that_was_removed_with_its_document_is_not_shown(browsers, services, note):
    client, _ = browsers
    quoting = "Is it so that tickets cost four pounds and are sold on board?"
    ask(client, quoting)
    assert list_questions(client, "?q=pounds") == [quoting]
    services.delete_document(note.id)
    assert list_questions(client) == ["A question that was removed with the document it quoted"]
    assert list_questions(client, "?q=pounds") == []


def ask_follow_up(client, previous, question):
    turn = {"asked": TICKET, "answered": "Four pounds.", "previous": previous}
    with client.post("/", data={"question": question, **turn}) as reply:
        return re.search(r'data-turn="(\w+)"', reply.text)[1]


def test_shared_follow_up_leads_to_the_answer_before_it(browsers):
    client, other = browsers
    first = ask(client, TICKET)
    assert "Continues a conversation" not in other.get(f"/answers/{first}").text
    page = other.get(f"/answers/{ask_follow_up(client, first, DOGS)}").text
    assert re.search(
        rf'Continues a conversation\. The question before: <a href="/answers/{first}"[^>]*>{re.escape(TICKET)}', page
    )


@pytest.mark.parametrize("previous", ["", "nothing", "x" * 5000, "<b>"])
def test_follow_up_of_an_answer_that_cannot_be_read_has_no_link(browsers, previous):
    page = browsers[1].get(f"/answers/{ask_follow_up(browsers[0], previous, DOGS)}").text
    assert "Continues a conversation." in page
    assert "The question before" not in page


def test_follow_up_keeps_the_question_before_it_from_readers_who_may_not_see_it(services, note, tmp_path, process_pool):
    (tmp_path / "other.txt").write_text("Dogs travel free of charge.", encoding="utf-8")
    ingest_file(tmp_path / "other.txt", services, process_pool, collection="rules")
    app = create_app(services)
    asker, reader = client_with_key(app, "admin"), client_with_key(app, "read", collections=["rules"])
    first = ask(asker, TICKET)
    turn = {"asked": TICKET, "answered": "Four pounds.", "previous": first, "collection": "rules"}
    with asker.post("/", data={"question": DOGS, **turn}) as reply:
        follow_up = re.search(r'data-turn="(\w+)"', reply.text)[1]
    assert f'href="/answers/{first}"' in asker.get(f"/answers/{follow_up}").text
    page = reader.get(f"/answers/{follow_up}").text
    assert "Continues a conversation." in page
    assert TICKET not in page
    assert first not in page
