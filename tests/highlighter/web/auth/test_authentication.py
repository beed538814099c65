"""Who is let in: everybody on this machine while there are no keys, else whoever shows one, to what it is for."""

from __future__ import annotations

import io
from base64 import b64encode

import pytest

from highlighter.access import LOCAL_OPERATOR, get_current_principal
from highlighter.access_mode import describe_access_mode
from highlighter.web.auth.required_scopes import REQUIRED_SCOPES, SIGNED_LINK_BLUEPRINTS, get_required_scope
from highlighter.web.problems import PROBLEM_MEDIA_TYPE
from tests.conftest import NOTE
from tests.highlighter.web.auth.clients import served, showing, with_key

LIST = "/api/v1/documents"


def test_on_loopback_without_keys_all_is_open(client, note):
    assert client.get(LIST).json["total"] == 1
    assert client.get("/documents").status_code == 200


def test_open_is_only_for_this_machine_even_if_it_listens_to_more(client):
    elsewhere = client.get(LIST, environ_base={"REMOTE_ADDR": "192.0.2.7"})
    assert elsewhere.status_code == 401


def test_once_there_is_a_key_it_is_asked_for(app, client, note):
    key = with_key(app)
    assert client.get(LIST).status_code == 401
    assert key.get(LIST).json["total"] == 1
    services = app.services
    services.api_keys.revoke_key(services.api_keys.list_keys()[0].id)
    assert key.get(LIST).status_code == 401
    assert client.get(LIST).status_code == 401  # the last one revoked opens no door


def test_beyond_loopback_nothing_is_answered_without_a_key(tmp_path, embedder):
    with served(tmp_path, embedder, host="0.0.0.0", require_keys="0") as app:
        client = app.test_client()
        for path in (LIST, "/", "/documents", "/nowhere", "/api/v1/nowhere", "/api/v1/openapi.json"):
            assert client.get(path).status_code == 401, path
        assert client.post("/api/v1/answers", json={"question": "Who?"}).status_code == 401
        assert client.delete(f"{LIST}/1234").status_code == 401
        assert client.get("/healthz").text == "well\n"
        with client.get("/static/highlighter.css") as style:
            assert style.status_code == 200
        assert "keys make NAME" in describe_access_mode(app.services.settings, app.services.api_keys)
        assert with_key(app).get(LIST).status_code == 200


@pytest.mark.parametrize(("required", "answered"), [("0", 200), ("1", 401), ("auto", 401)])
def test_keys_can_be_asked_for_always_or_never_on_loopback(tmp_path, embedder, required, answered):
    with served(tmp_path, embedder, require_keys=required) as app:
        mine = with_key(app, collections=["mine"])
        assert app.test_client().get(LIST).status_code == answered
        assert mine.get(LIST).status_code == 200
        assert mine.post(LIST, data={}).status_code == 403  # a key that is shown counts, asked for or not
        assert showing(app, "hk_000000000000_" + "x" * 43).get(LIST).status_code == 401


def test_another_s_password_says_nothing_to_an_open_service(client):
    """What stands before it may send on what was shown to it."""
    assert client.get(LIST, headers={"Authorization": "Basic " + b64encode(b"me:mine").decode()}).status_code == 200
    assert client.get(LIST, headers={"Authorization": "Bearer somebody-else-s"}).status_code == 200


def test_programs_are_told_what_to_send(app, client):
    with_key(app)
    refused = client.get(LIST)
    assert (refused.status_code, refused.mimetype) == (401, PROBLEM_MEDIA_TYPE)
    assert refused.headers["WWW-Authenticate"] == 'Bearer realm="Highlighter"'
    assert "Authorization: Bearer" in refused.json["detail"]
    wrong = showing(app, "wrong").get(LIST)
    assert 'error="invalid_token"' in wrong.headers["WWW-Authenticate"]
    assert "revoked" in wrong.json["detail"]


def test_people_are_asked_by_their_browser_and_give_the_key_as_password(app, client, note):
    _, shown = app.services.api_keys.create_key("Me", ["read"])
    for path in ("/", "/documents", f"/documents/{note.id}", "/api/v1/", "/api/v1/chunks/highlight", "/nowhere"):
        asked = client.get(path)
        assert (asked.status_code, asked.mimetype) == (401, "text/html"), path
        assert asked.headers["WWW-Authenticate"].startswith("Basic realm=")
        assert "as the password" in asked.text
    basic = {"Authorization": "Basic " + b64encode(f"anybody:{shown}".encode()).decode()}
    assert client.get("/documents", headers=basic).status_code == 200
    assert client.get(LIST, headers=basic).json["total"] == 1


def test_a_key_does_what_its_scopes_say_and_no_more(app, note):
    read, ingest, answer, admin = (with_key(app, scope) for scope in ("read", "ingest", "answer", "admin"))
    asked = {"question": "How much is a ticket?"}
    for sent, allowed in (
        (lambda key: key.get(LIST), (read, admin)),
        (lambda key: key.post("/api/v1/search", json=asked), (read, admin)),
        (lambda key: key.post("/api/v1/answers", json=asked), (answer, admin)),
        (lambda key: key.post("/", data=asked), (answer, admin)),
        (lambda key: key.post(LIST, data={"file": (io.BytesIO(NOTE.encode()), "note.txt")}), (ingest, admin)),
        (lambda key: key.get(f"/documents/{note.id}/delete"), (admin,)),
        (lambda key: key.delete(f"{LIST}/{note.id}"), (admin,)),
    ):
        for key in (read, ingest, answer, admin):
            assert (sent(key).status_code < 300) == (key in allowed)
    refused = read.post("/api/v1/answers", json=asked)
    assert (refused.status_code, refused.mimetype) == (403, PROBLEM_MEDIA_TYPE)
    assert "scope answer" in refused.json["detail"]
    assert 'scope="answer"' in refused.headers["WWW-Authenticate"]


def test_a_route_that_writes_and_is_in_no_table_needs_everything(app):
    assert get_required_scope("new.route", "POST") == "admin"
    assert get_required_scope("new.route", "GET") == "read"
    known = {rule.endpoint for rule in app.url_map.iter_rules()}
    for rule in app.url_map.iter_rules():
        if (
            rule.methods & {"POST", "PUT", "PATCH", "DELETE"}
            and rule.endpoint.partition(".")[0] not in SIGNED_LINK_BLUEPRINTS
        ):
            assert rule.endpoint in REQUIRED_SCOPES, f"{rule.endpoint} writes: say in gate/needs.py what it needs"
    assert set(REQUIRED_SCOPES) - known <= {"embed_api.links"}


def test_a_file_goes_where_its_key_may_put_it(app):
    key = with_key(app, "ingest", "read", collections=["harbour"])

    def send(**more):
        return key.post(LIST, data={"file": (io.BytesIO(NOTE.encode()), "note.txt"), **more})

    assert send().json["collection"] == "harbour"
    assert send(collection="harbour").status_code == 202
    refused = send(collection="default")
    assert refused.status_code == 403
    assert refused.json["detail"].endswith("to the collection default.")
    form = key.post("/documents", data={"file": (io.BytesIO(b"Other words."), "other.txt")})
    assert form.status_code == 303
    assert {document.collection for document in app.services.catalog.documents()} == {"harbour"}
    app.services.ingest_queue._executor.shutdown(wait=True)  # they are read in other threads
    assert {one.by_key for one in app.services.catalog.audit_entries() if one.document_id} == {
        app.services.api_keys.list_keys()[0].id
    }


def test_whoever_was_answered_is_forgotten(app, note):
    key = with_key(app, "read", "answer", collections=["nothing"])
    assert key.get(LIST).json["total"] == 0
    with key.post("/api/v1/answers", json={"question": "How much is a ticket?", "stream": True}) as answer:
        assert "event: done" in answer.text
    (by,) = [one.by_key for one in app.services.catalog.audit_entries() if one.answer_id]
    assert by == app.services.api_keys.list_keys()[0].id
    assert get_current_principal() == LOCAL_OPERATOR
