"""Questions to chosen documents and tags: in the address, in the form, in the answer and its follow-up."""

from __future__ import annotations

import html
import re
from dataclasses import replace

import pytest

from highlighter.store.document_metadata import add_tags
from ingest.pipeline import ingest_file
from tests.highlighter.web.pages.test_document_routes import TICKET, text


@pytest.fixture
def rival(tmp_path, services, process_pool):
    """A second document that answers the same question otherwise."""
    path = tmp_path / "rival.txt"
    path.write_text("Tickets cost nine pounds and are sold in the harbour office.", encoding="utf-8")
    return ingest_file(path, services, process_pool).document


def list_chips(page):
    """Return the chosen sources of a page: (field, value)."""
    form = page.partition("data-question>")[2].partition("</form>")[0]
    return re.findall(r'data-source><input type="hidden" name="(\w+)" value="([^"]*)"', form)


def test_question_is_answered_from_chosen_document_and_so_is_its_follow_up(client, note, rival):
    page = text(client.get(f"/?doc={note.id}"))
    assert list_chips(page) == [("doc", note.id)]
    answered = text(client.post("/", data={"question": TICKET, "doc": note.id}))
    assert "four pounds" in answered
    assert "nine pounds" not in answered
    assert list_chips(answered) == [("doc", note.id)]
    stored = text(client.get(html.unescape(re.search(r'href="(/answers/\w+)" data-share', answered)[1])))
    assert list_chips(stored) == [("doc", note.id)]
    assert f'href="/?doc={note.id}" data-new-conversation' in stored


def test_question_is_answered_from_documents_with_tag(client, services, note, rival):
    add_tags(services.catalog.engine, [rival.id], ["new prices"])
    page = text(client.get("/?tag=new+prices"))
    assert list_chips(page) == [("tag", "new prices")]
    answered = text(client.post("/", data={"question": TICKET, "tag": "new prices"}))
    assert "nine pounds" in answered
    assert "four pounds" not in answered


def test_each_chip_links_to_rest_of_sources(client, note, rival):
    page = text(client.get(f"/?doc={note.id}&doc={rival.id}&doc={note.id}&tag=x&collection=default"))
    assert list_chips(page) == [("doc", note.id), ("doc", rival.id), ("tag", "x")]
    rest = [html.unescape(link) for link in re.findall(r'<a href="([^"]+)"[^>]*data-leave-out', page)]
    assert rest[0] == f"/?doc={rival.id}&tag=x&collection=default"
    assert rest[2] == f"/?doc={note.id}&doc={rival.id}&collection=default"


def test_deleted_document_stays_chosen_and_is_named_so(client, services, note, rival):
    services.delete_document(note.id)
    page = text(client.get(f"/?doc={note.id}"))
    assert list_chips(page) == [("doc", note.id)]
    assert "Deleted document" in page
    assert "nine pounds" not in text(client.post("/", data={"question": TICKET, "doc": note.id}))


def test_superseded_document_is_replaced_by_current_version(client, services, process_pool, note, note_path):
    note_path.write_text("Tickets cost five pounds from May.", encoding="utf-8")
    newer = ingest_file(note_path, services, process_pool).document
    assert list_chips(text(client.get(f"/?doc={note.id}"))) == [("doc", newer.id)]


def test_link_of_unstored_answer_names_its_sources(client, services, note):
    services.settings = replace(services.settings, keep_answers=False)
    answered = text(client.post("/", data={"question": TICKET, "doc": note.id}))
    (link,) = re.findall(r'href="([^"]+)" data-share', answered)
    assert html.unescape(link) == f"/?q=How+much+is+a+ticket%3F&doc={note.id}"
