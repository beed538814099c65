"""Tests of notes over HTTP, as Web Annotations."""

from __future__ import annotations

import pytest

from highlighter.quotes.anchors import ANNOTATION_MEDIA_TYPE
from highlighter.store.notes import COLOURS
from tests.conftest import NOTE

FARE = "Tickets cost four pounds"
START = NOTE.index(FARE)
QUOTE = {"type": "TextQuoteSelector", "exact": FARE}
POSITION = {"type": "TextPositionSelector", "start": START, "end": START + len(FARE)}


@pytest.fixture
def send(client, note):
    def send(selector=QUOTE, **fields):
        target = {"selector": selector, "styleClass": fields.pop("colour", "green"), "source": "https://example.org/x"}
        body = {"@context": "http://www.w3.org/ns/anno.jsonld", "type": "Annotation", "target": target, **fields}
        return client.post(f"/api/v1/documents/{note.id}/notes", json=body)

    return send


@pytest.mark.parametrize(
    "body", ["Dear?", {"type": "TextualBody", "value": "Dear?"}, [{"value": "Dear?"}, {"purpose": "x"}]]
)
@pytest.mark.parametrize("selector", [QUOTE, POSITION, [QUOTE, POSITION], [QUOTE, {"type": "XPathSelector"}]])
def test_annotation_of_other_tools_becomes_note(send, client, body, selector):
    answer = send(selector, body=body)
    assert (answer.status_code, answer.content_type) == (201, ANNOTATION_MEDIA_TYPE)
    stored = client.get(answer.headers["Location"]).json
    assert stored == answer.json
    assert stored["target"]["selector"][1] == POSITION | {"end": START + len(FARE)}
    assert stored["target"]["selector"][0]["exact"] == FARE
    assert (stored["body"][0]["value"], stored["target"]["styleClass"]) == ("Dear?", "green")
    assert client.get(stored["view"].partition("#")[0]).status_code == 200


def test_exported_notes_can_be_imported_again(send, client, note):
    for colour in COLOURS:
        assert send(colour=colour, body=colour).status_code == 201
    exported = client.get(f"/api/v1/documents/{note.id}/notes").json["items"]
    for item in exported:
        assert client.delete(f"/api/v1/notes/{item['note_id']}").status_code == 204
        assert client.post(f"/api/v1/documents/{note.id}/notes", json=item).status_code == 201
    again = client.get(f"/api/v1/documents/{note.id}/notes").json["items"]
    changing = ("id", "note_id", "view", "created", "modified")
    assert [[value for name, value in item.items() if name not in changing] for item in again] == [
        [value for name, value in item.items() if name not in changing] for item in exported
    ]


def test_note_is_changed_deleted_and_restored(send, client):
    url = send().headers["Location"]
    assert client.get(url).json["motivation"] == "highlighting"
    changed = client.put(url, json={"body": "Now with words.", "shared": True}).json
    assert (changed["motivation"], changed["shared"], changed["target"]["styleClass"]) == ("commenting", True, "green")
    assert client.put(url, json={"target": {"styleClass": "pink"}}).json["body"][0]["value"] == "Now with words."
    assert client.delete(url).status_code == 204
    assert [client.get(url).status_code, client.delete(url).status_code] == [404, 404]
    assert client.post(f"{url}/restore").json["target"]["styleClass"] == "pink"


def test_change_from_an_earlier_state_is_refused(send, client):
    made = send()
    url, tag = made.headers["Location"], made.headers["ETag"]
    assert client.get(url).headers["ETag"] == tag
    changed = client.put(url, json={"body": "Dear."}, headers={"If-Match": tag})
    assert changed.status_code == 200
    for answer in (
        client.put(url, json={"body": "Cheap."}, headers={"If-Match": tag}),
        client.delete(url, headers={"If-Match": tag}),
    ):
        assert (answer.status_code, answer.json["type"]) == (412, "urn:highlighter:problem:precondition-failed")
    assert client.get(url).json["body"][0]["value"] == "Dear."
    for match in (f"W/{changed.headers['ETag']}", "*"):  # weak where the response was compressed
        headers = {"If-Match": match}
        assert client.put(url, json={"body": "Dear."}, headers=headers).status_code == 200
    assert client.delete(url, headers={"If-Match": "*"}).status_code == 204


def test_own_notes_are_listed_in_pages(send, client):
    for words in ("first", "second", "third"):
        send(body=words)
    pages = [client.get(f"/api/v1/notes?limit=2&offset={offset}").json for offset in (0, 2)]
    texts = [[item["body"][0]["value"] for item in page["items"]] for page in pages]
    assert ([len(page) for page in texts], sorted(texts[0] + texts[1])) == ([2, 1], ["first", "second", "third"])
    assert pages[1]["total"] == 3
    assert client.get("/api/v1/notes?q=THIRD").json["total"] == 1


@pytest.mark.parametrize(
    ("fields", "status", "sentence"),
    [
        ({"selector": {**POSITION, "end": 10**6}}, 400, "out of range"),
        ({"selector": []}, 400, "Select the words"),
        ({"body": "x" * 10_001}, 400, "the limit is 10,000"),
        ({"colour": "mauve"}, 400, "yellow, green, blue, pink"),
        ({"shared": "perhaps"}, 422, "shared"),
    ],
)
def test_invalid_note_is_a_problem(send, client, fields, status, sentence):
    answer = send(**fields)
    assert answer.status_code in (status, 400)
    assert sentence in answer.json["detail"]
    assert client.get("/api/v1/notes").json["total"] == 0


def test_note_on_deleted_document_is_a_problem(client, note, services):
    services.soft_delete(note.id)
    answer = client.post(f"/api/v1/documents/{note.id}/notes", json={"target": {"selector": QUOTE}})
    assert (answer.status_code, "was deleted" in answer.json["detail"]) == (404, True)
