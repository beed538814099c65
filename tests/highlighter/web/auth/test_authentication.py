"""Tests of authentication and scopes: open on this machine while no keys exist, else by key."""

from __future__ import annotations

import io
from base64 import b64encode

import pytest

from highlighter.access import LOCAL_OPERATOR, get_current_principal
from highlighter.access_mode import describe_access_mode
from highlighter.web.auth.required_scopes import (
    REQUIRED_SCOPES,
    SIGN_IN_ENDPOINTS,
    SIGNED_LINK_BLUEPRINTS,
    get_required_scope,
)
from highlighter.web.problems import PROBLEM_MEDIA_TYPE
from tests.conftest import NOTE
from tests.highlighter.web.auth.clients import client_with_key, client_with_secret, running_app

LIST = "/api/v1/documents"


def test_service_on_loopback_without_keys_is_open(client, note):
    assert client.get(LIST).json["total"] == 1
    assert client.get("/documents").status_code == 200


def test_open_service_is_open_for_this_machine_only(client):
    elsewhere = client.get(LIST, environ_base={"REMOTE_ADDR": "192.0.2.7"})
    assert elsewhere.status_code == 401


def test_key_is_required_once_a_key_exists(app, client, note):
    key = client_with_key(app)
    assert client.get(LIST).status_code == 401
    assert key.get(LIST).json["total"] == 1
    services = app.services
    services.api_keys.revoke_key(services.api_keys.list_keys()[0].id)
    assert key.get(LIST).status_code == 401
    assert client.get(LIST).status_code == 401  # revoking the last key does not open the service


def test_service_beyond_loopback_requires_key(tmp_path, embedder):
    with running_app(tmp_path, embedder, host="0.0.0.0", require_keys="0") as app:
        client = app.test_client()
        for path in (LIST, "/", "/documents", "/nowhere", "/api/v1/nowhere", "/api/v1/openapi.json"):
            assert client.get(path).status_code == 401, path
        assert client.post("/api/v1/answers", json={"question": "Who?"}).status_code == 401
        assert client.delete(f"{LIST}/1234").status_code == 401
        assert client.get("/healthz").text == "well\n"
        with client.get("/static/highlighter.css") as style:
            assert style.status_code == 200
        assert "keys make NAME" in describe_access_mode(app.services.settings, app.services.api_keys)
        assert client_with_key(app).get(LIST).status_code == 200


@pytest.mark.parametrize(("required", "answered"), [("0", 200), ("1", 401), ("auto", 401)])
def test_setting_requires_keys_on_loopback_always_or_never(tmp_path, embedder, required, answered):
    with running_app(tmp_path, embedder, require_keys=required) as app:
        limited_client = client_with_key(app, collections=["limited_client"])
        assert app.test_client().get(LIST).status_code == answered
        assert limited_client.get(LIST).status_code == 200
        assert (
            limited_client.post(LIST, data={}).status_code == 403
        )  # a presented key counts even where none is required
        assert client_with_secret(app, "hk_000000000000_" + "x" * 43).get(LIST).status_code == 401


def test_open_service_ignores_passwords_of_other_services(client):
    """A proxy before the service may forward its own credentials."""
    assert (
        client.get(LIST, headers={"Authorization": "Basic " + b64encode(b"me:limited_client").decode()}).status_code
        == 200
    )
    assert client.get(LIST, headers={"Authorization": "Bearer somebody-else-s"}).status_code == 200


def test_programs_get_bearer_challenge(app, client):
    client_with_key(app)
    refused = client.get(LIST)
    assert (refused.status_code, refused.mimetype) == (401, PROBLEM_MEDIA_TYPE)
    assert refused.headers["WWW-Authenticate"] == 'Bearer realm="Highlighter"'
    assert "Authorization: Bearer" in refused.json["detail"]
    wrong = client_with_secret(app, "wrong").get(LIST)
    assert 'error="invalid_token"' in wrong.headers["WWW-Authenticate"]
    assert "revoked" in wrong.json["detail"]


def test_browsers_get_basic_challenge_and_send_key_as_password(app, client, note):
    _, secret = app.services.api_keys.create_key("Me", ["read"])
    for path in ("/", "/documents", f"/documents/{note.id}", "/api/v1/", "/api/v1/chunks/highlight", "/nowhere"):
        refused = client.get(path)
        assert (refused.status_code, refused.mimetype) == (401, "text/html"), path
        assert refused.headers["WWW-Authenticate"].startswith("Basic realm=")
        assert "as the password" in refused.text
    basic = {"Authorization": "Basic " + b64encode(f"anybody:{secret}".encode()).decode()}
    assert client.get("/documents", headers=basic).status_code == 200
    assert client.get(LIST, headers=basic).json["total"] == 1


def test_key_is_limited_to_its_scopes(app, note):
    read, ingest, answer, admin = (client_with_key(app, scope) for scope in ("read", "ingest", "answer", "admin"))
    body = {"question": "How much is a ticket?"}
    for send, allowed in (
        (lambda key: key.get(LIST), (read, admin)),
        (lambda key: key.post("/api/v1/search", json=body), (read, admin)),
        (lambda key: key.post("/api/v1/answers", json=body), (answer, admin)),
        (lambda key: key.post("/", data=body), (answer, admin)),
        (lambda key: key.post(LIST, data={"file": (io.BytesIO(NOTE.encode()), "note.txt")}), (ingest, admin)),
        (lambda key: key.get(f"/documents/{note.id}/delete"), (admin,)),
        (lambda key: key.delete(f"{LIST}/{note.id}"), (admin,)),
    ):
        for key in (read, ingest, answer, admin):
            assert (send(key).status_code < 300) == (key in allowed)
    refused = read.post("/api/v1/answers", json=body)
    assert (refused.status_code, refused.mimetype) == (403, PROBLEM_MEDIA_TYPE)
    assert "scope answer" in refused.json["detail"]
    assert 'scope="answer"' in refused.headers["WWW-Authenticate"]


def test_unlisted_writing_route_requires_admin(app):
    assert get_required_scope("new.route", "POST") == "admin"
    assert get_required_scope("new.route", "GET") == "read"
    endpoints = {rule.endpoint for rule in app.url_map.iter_rules()}
    for rule in app.url_map.iter_rules():
        if (
            rule.methods & {"POST", "PUT", "PATCH", "DELETE"}
            and rule.endpoint.partition(".")[0] not in SIGNED_LINK_BLUEPRINTS
            and rule.endpoint not in SIGN_IN_ENDPOINTS
        ):
            assert rule.endpoint in REQUIRED_SCOPES, f"{rule.endpoint} writes: add it to required_scopes.py"
    assert set(REQUIRED_SCOPES) - endpoints <= {"embed_api.links"}


def test_upload_goes_into_collection_of_key(app):
    key = client_with_key(app, "ingest", "read", collections=["harbour"])

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
    app.services.ingest_queue._executor.shutdown(wait=True)  # documents are processed in other threads
    assert {entry.by_key for entry in app.services.catalog.audit_entries() if entry.document_id} == {
        app.services.api_keys.list_keys()[0].id
    }


def test_principal_is_reset_after_request(app, note):
    key = client_with_key(app, "read", "answer", collections=["nothing"])
    assert key.get(LIST).json["total"] == 0
    with key.post("/api/v1/answers", json={"question": "How much is a ticket?", "stream": True}) as answer:
        assert "event: done" in answer.text
    (key_id,) = [entry.by_key for entry in app.services.catalog.audit_entries() if entry.answer_id]
    assert key_id == app.services.api_keys.list_keys()[0].id
    assert get_current_principal() == LOCAL_OPERATOR
