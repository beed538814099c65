"""Tests of the header Idempotency-Key: a request that is sent again has no second effect."""

from __future__ import annotations

import io

import pytest

from highlighter.access import DEFAULT_COLLECTION, LOCAL_OPERATOR, Principal, set_current_principal
from highlighter.app import create_app
from highlighter.store import idempotent_responses
from highlighter.store.idempotent_responses import RequestKey, lease_request, remove_overdue_responses
from tests.conftest import NOTE
from tests.highlighter.web.auth.clients import client_with_key, running_app

KEY = {"Idempotency-Key": '"8e03978e-40d5-43e8-bc93-6894a57f9324"'}
FARE = "Tickets cost four pounds"
PROBLEM = "urn:highlighter:problem:"
QUESTION = {"question": "How much is a ticket?", "sources": [{"text": NOTE}]}


@pytest.fixture
def add_note(client, note):
    def add_note(client=client, headers=KEY, words=FARE, body="Dear?"):
        json = {"body": body, "target": {"selector": {"type": "TextQuoteSelector", "exact": words}}}
        return client.post(f"/api/v1/documents/{note.id}/notes", json=json, headers=headers)

    return add_note


def count_notes(client):
    return client.get("/api/v1/notes").json["total"]


def test_same_request_is_carried_out_once(client, add_note):
    first, again = add_note(), add_note()
    assert (first.status_code, again.status_code, again.json) == (201, 201, first.json)
    assert again.headers["Location"] == first.headers["Location"]
    assert ("Idempotent-Replayed" in first.headers, again.headers["Idempotent-Replayed"]) == (False, "true")
    assert count_notes(client) == 1
    bare_key = {"Idempotency-Key": KEY["Idempotency-Key"].strip('"')}
    assert add_note(headers=bare_key).json == first.json
    assert add_note(headers={"Idempotency-Key": "another"}).json["note_id"] != first.json["note_id"]
    assert count_notes(client) == 2


def test_key_of_another_request_is_refused(client, add_note):
    add_note()
    refused = add_note(body="Cheap!")
    assert (refused.status_code, refused.json["type"]) == (422, f"{PROBLEM}idempotency-key-reused")
    assert count_notes(client) == 1


def test_request_that_is_still_answered_is_refused(services, client, add_note):
    running = lease_request(
        services.catalog.engine, RequestKey(LOCAL_OPERATOR.note_owner, KEY["Idempotency-Key"].strip('"'))
    )
    assert running.acquire()
    refused = add_note()
    assert (refused.status_code, refused.json["type"]) == (409, f"{PROBLEM}request-in-progress")
    assert refused.headers["Retry-After"] == "3"
    running.release()
    assert add_note().status_code == 201


def test_error_is_not_stored(add_note):
    assert add_note(words="Tickets cost nine pounds").status_code == 400
    assert add_note().status_code == 201


@pytest.mark.parametrize("key", ["", '""', "two words", "x" * 254, "é"])
def test_malformed_key_is_refused(client, add_note, key):
    assert add_note(headers={"Idempotency-Key": key.encode().decode("latin-1")}).status_code == 400
    assert count_notes(client) == 0


def test_key_belongs_to_whoever_sent_it(app, add_note):
    one, other = (client_with_key(app, "read", name=name) for name in ("One", "Other"))
    assert add_note(client=one).json["note_id"] != add_note(client=other).json["note_id"]
    assert add_note(client=other, body="Cheap!").status_code == 422


def test_response_is_not_sent_again_to_a_person_who_sees_other_collections_now(app, add_note):
    def let_person_see(*collections):
        person[:] = [Principal("Ann", frozenset(["read"]), frozenset(collections), person="ann")]

    person = []
    let_person_see(DEFAULT_COLLECTION, "alpha")
    app.before_request(lambda: set_current_principal(person[0]))
    app.teardown_request(lambda _: set_current_principal(LOCAL_OPERATOR))
    first = add_note()
    let_person_see("alpha", DEFAULT_COLLECTION)
    assert (first.status_code, add_note().json) == (201, first.json)
    let_person_see("alpha")
    refused = add_note()
    assert (refused.status_code, refused.json["type"]) == (422, f"{PROBLEM}idempotency-key-reused")
    assert FARE not in refused.text


def test_same_files_in_another_form_are_the_same_request(client, services):
    services.ingest_queue.close()  # not processed

    def upload(content, name="tide.txt"):
        data = {"file": (io.BytesIO(content), name), "collection": "tides"}
        return client.post("/api/v1/documents", data=data, headers=KEY)

    first, again = upload(b"High at noon."), upload(b"High at noon.")
    assert (again.status_code, again.json) == (202, first.json)
    assert upload(b"High at one.").status_code == upload(b"High at noon.", "other.txt").status_code == 422
    assert [document.name for document in services.catalog.documents()] == ["tide.txt"]


def test_stream_is_sent_again_as_it_was(client, services):
    def ask():
        with client.post("/api/v1/answers", json={**QUESTION, "stream": True}, headers=KEY) as response:
            return response.text, response.mimetype, response.headers.get("Idempotent-Replayed")

    first = ask()
    assert "event: done" in first[0]
    assert ask() == (*first[:2], "true")


def test_stream_that_broke_off_is_not_stored(client):
    with client.post("/api/v1/answers", json={**QUESTION, "stream": True}, headers=KEY) as response:
        assert "event: sub_questions" in next(iter(response.response)).decode()
    with client.post("/api/v1/answers", json={**QUESTION, "stream": True}, headers=KEY) as again:
        assert again.status_code == 200
        assert "Idempotent-Replayed" not in again.headers


def test_responses_about_a_document_are_deleted_with_it(client, note, add_note):
    assert add_note().status_code == 201
    assert client.delete(f"/api/v1/documents/{note.id}").status_code == 204
    assert add_note().status_code == 404


def test_response_about_a_document_that_is_deleted_meanwhile_is_not_stored(services, note, monkeypatch, add_note):
    """The note is made, then another process deletes the document, then the response is to be stored."""
    save = idempotent_responses.save_response

    def delete_and_save(*arguments):
        services.delete_document(note.id)
        save(*arguments)

    monkeypatch.setattr(idempotent_responses, "save_response", delete_and_save)
    assert add_note().status_code == 201
    assert add_note().status_code == 404


def test_responses_are_removed_after_their_time(services, add_note, monkeypatch):
    monkeypatch.setattr(idempotent_responses, "STORED_SECONDS", 0)
    assert add_note().json["note_id"] != add_note().json["note_id"]
    assert remove_overdue_responses(services.catalog.engine) == 1
    assert remove_overdue_responses(services.catalog.engine) == 0


def test_answers_that_are_not_stored_are_not_stored_for_this(tmp_path, embedder):
    with running_app(tmp_path, embedder, keep_answers=False) as app:
        client = app.test_client()
        first, again = (client.post("/api/v1/answers", json=QUESTION, headers=KEY) for _ in range(2))
        assert first.status_code == again.status_code == 200
        assert first.json["id"] != again.json["id"]


def test_replay_survives_a_restart(services, client, add_note):
    first = add_note()
    assert add_note(client=create_app(services).test_client()).json == first.json


def test_part_of_a_form_without_a_name_is_passed_over(client):
    parts = ("form-data", 'form-data; name="collection"', 'form-data; name="file"; filename="tide.txt"')
    body = "".join(f"--part\r\nContent-Disposition: {part}\r\n\r\nharbour\r\n" for part in parts) + "--part--\r\n"
    upload = {"data": body.encode(), "headers": KEY, "content_type": "multipart/form-data; boundary=part"}
    first, again = (client.post("/api/v1/documents", **upload) for _ in range(2))
    assert (first.status_code, again.json) == (202, first.json)
