"""Tests of the pages of notes, as a browser without a script uses them."""

from __future__ import annotations

import io
import re

import pytest
from pypdf import PdfReader

from tests.conftest import NOTE

FARE = "Tickets cost four pounds"
START = NOTE.index(FARE)


@pytest.fixture
def browsers(app):
    return app.test_client(), app.test_client()


def make(client, note, **fields):
    form = {"start": START, "end": START + len(FARE), "exact": FARE, "colour": "blue", **fields}
    return client.post(f"/documents/{note.id}/notes", data=form)


def list_texts(client, path):
    return re.findall(r'<p class="note-text">([^<]*)</p>', client.get(path).text)


def find_ids(client, path):
    return re.findall(r'data-note="(\w+)"', client.get(path).text)


def test_browser_without_key_gets_session_for_its_notes(browsers, note):
    client, other = browsers
    response = make(client, note, text="Dear!")
    assert (response.status_code, "highlighter_session" in response.headers["Set-Cookie"]) == (303, True)
    for path in (f"/documents/{note.id}/notes", "/notes", "/notes?q=dear"):
        assert list_texts(client, path) == ["Dear!"]
        assert list_texts(other, path) == []
    assert "No notes on this document yet" in other.get(f"/documents/{note.id}/notes").text
    assert "None of your notes" in client.get("/notes?q=cheap").text


def test_forms_change_delete_and_restore_and_lead_back_to_their_list(browsers, note):
    client, other = browsers
    make(client, note)
    (id,) = find_ids(client, "/notes")
    changed = client.post(f"/notes/{id}", data={"text": "Changed.", "colour": "pink", "shared": "1", "q": "four"})
    assert changed.headers["Location"] == "/notes?q=four"
    assert list_texts(other, f"/documents/{note.id}/notes") == ["Changed."]
    assert "Shared by another reader" in other.get(f"/documents/{note.id}/notes").text
    assert other.post(f"/notes/{id}/delete").status_code == 404
    deleted = client.post(f"/notes/{id}/delete", data={"document": note.id, "view": "page"})
    assert deleted.headers["Location"] == f"/documents/{note.id}/notes?view=page&deleted={id}"
    assert "Note deleted." in client.get(deleted.headers["Location"]).text
    assert find_ids(client, "/notes") == []
    client.post(f"/notes/{id}/restore")
    assert find_ids(client, "/notes") == [id]


def test_form_of_an_earlier_state_is_refused_with_a_page(client, note):
    make(client, note)
    (id,) = find_ids(client, "/notes")
    (tag,) = re.findall(r'name="tag" value="(\w+)"', client.get("/notes").text)
    form = {"colour": "blue", "tag": tag}
    assert client.post(f"/notes/{id}", data={**form, "text": "Dear."}).status_code == 303
    for fields in ({"q": "four"}, {"document": note.id}):
        refused = client.post(
            f"/notes/{id}", data={**form, **fields, "text": "Cheap.", "shared": "1", "colour": "pink"}
        )
        assert refused.status_code == 412
        assert "changed meanwhile" in refused.text
        assert list_texts(client, "/notes") == ["Dear."]
        # What the reader wrote is not lost: it is in the form, which replaces the newer state.
        assert re.search(r"<textarea[^>]*>Cheap\.</textarea>", refused.text)
        assert re.findall(r'value="(\w+)" checked', refused.text) == ["pink", "1"]  # the colour, and that it is shared
    (tag,) = re.findall(r'name="tag" value="(\w+)"', refused.text)
    assert client.post(f"/notes/{id}", data={**form, "tag": tag, "text": "Cheap."}).status_code == 303
    assert list_texts(client, "/notes") == ["Cheap."]


def test_page_view_gets_boxes_of_words(client, note):
    make(client, note)
    boxes = re.search(r'data-boxes="([^"]*)"', client.get(f"/documents/{note.id}/notes?view=page").text)[1]
    assert re.fullmatch(r"\[\[1, [\d.]+, [\d.]+, [\d.]+, [\d.]+\]\]", boxes)
    assert 'data-boxes="[]"' in client.get(f"/documents/{note.id}/notes").text


def test_notes_are_exported_as_markdown_with_links_and_without_markup(client, note):
    make(client, note, text="*Dear*\n<b>!")
    text = client.get(f"/documents/{note.id}/notes.md").text
    assert text.startswith("# note.txt\n")
    assert f"> {FARE}\n" in text
    assert "\\*Dear\\*  \n\\<b\\>!" in text
    link = re.search(r"\[page 1\]\(http://localhost(/[^)#]+)#note-\w+\)", text)[1]
    assert client.get(link).status_code == 200
    assert client.get("/notes.jsonld").json["items"][0]["target"]["styleClass"] == "blue"


def test_notes_are_annotations_of_pdf_in_their_colour(client, note):
    make(client, note, text="Dear!")
    with client.get(f"/documents/{note.id}/notes.pdf") as response:
        pdf = PdfReader(io.BytesIO(response.data))
    (annotation,) = [one.get_object() for one in pdf.pages[0]["/Annots"]]
    assert (annotation["/Subtype"], annotation["/Contents"]) == ("/Highlight", "Dear!")
    red, _, blue = map(float, annotation["/C"])
    assert red < blue


def test_note_that_is_markup_is_shown_as_text(client, note):
    make(client, note, text="<script>alert(1)</script>")
    for path in (f"/documents/{note.id}/notes", "/notes"):
        assert "<script>alert" not in client.get(path).text
        assert "&lt;script&gt;alert(1)" in client.get(path).text


@pytest.mark.parametrize("fields", [{"end": 10**6, "exact": ""}, {"text": "x" * 10_001}, {"colour": "mauve"}])
def test_invalid_form_is_refused_with_a_page(client, note, fields):
    response = make(client, note, **fields)
    assert (response.status_code, "data-sentence" in response.text) == (400, True)
