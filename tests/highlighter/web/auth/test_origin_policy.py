"""Tests of CORS: pages of listed origins can use the API with a key that the page itself sends."""

from __future__ import annotations

from base64 import b64encode

import pytest

from highlighter.settings import Settings, SettingsError
from tests.highlighter.web.auth.clients import running_app

CHAT, EVIL = "https://chat.example", "https://evil.example"
SEARCH, QUESTION = "/api/v1/search", {"question": "How much is a ticket?"}
ALLOW_ORIGIN = "Access-Control-Allow-Origin"


@pytest.fixture(params=[(CHAT,), ("*",)], ids=["named", "any"])
def origins(request):
    return request.param


@pytest.fixture
def app(tmp_path, embedder, origins):
    with running_app(tmp_path, embedder, cors_origins=origins) as application:
        yield application


@pytest.fixture
def secret(app):
    return app.services.api_keys.create_key("Chat", ["read"])[1]


def send(app, origin, authorization="", path=SEARCH, **headers):
    all_headers = {"Origin": origin, "Sec-Fetch-Site": "cross-site", **headers}
    if authorization:
        all_headers["Authorization"] = authorization
    return app.test_client().post(path, json=QUESTION, headers=all_headers)


def preflight(app, origin, path=SEARCH, headers="authorization, content-type"):
    all_headers = {"Origin": origin, "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": headers}
    return app.test_client().options(path, headers=all_headers)


def test_page_of_listed_origin_can_use_api_with_key(app, secret):
    preflight_response = preflight(app, CHAT)
    assert preflight_response.status_code == 204
    assert preflight_response.headers[ALLOW_ORIGIN] == CHAT
    assert "Authorization" in preflight_response.headers["Access-Control-Allow-Headers"]
    answer = send(app, CHAT, f"Bearer {secret}")
    assert answer.status_code == 200
    assert answer.headers[ALLOW_ORIGIN] == CHAT
    assert "Origin" in answer.headers["Vary"]
    assert "X-Request-Id" in answer.headers["Access-Control-Expose-Headers"]
    assert "Access-Control-Allow-Credentials" not in {*answer.headers.keys(), *preflight_response.headers.keys()}


@pytest.mark.parametrize("header", ["x-api-key", "x-goog-api-key"])
def test_page_of_listed_origin_can_use_model_api_with_key_in_a_vendors_header(app, header):
    key = app.services.api_keys.create_key("Chat", ["read", "answer"])[1]
    allowed_request = preflight(app, CHAT, "/v1/models", f"anthropic-version, {header}")
    assert allowed_request.status_code == 204
    assert allowed_request.headers[ALLOW_ORIGIN] == CHAT
    allowed = allowed_request.headers["Access-Control-Allow-Headers"].lower()
    assert {"anthropic-version", header} <= set(allowed.split(", "))
    headers = {"Origin": CHAT, "Sec-Fetch-Site": "cross-site"}
    answer = app.test_client().get("/v1/models", headers={**headers, header: key})
    assert (answer.status_code, answer.headers.get(ALLOW_ORIGIN)) == (200, CHAT)
    elsewhere = app.test_client().get(SEARCH, headers={**headers, "Origin": EVIL, header: key})
    assert elsewhere.status_code == 401


def test_page_of_listed_origin_can_read_why_key_was_refused(app, secret):
    refused = send(app, CHAT, "Bearer hk_wrong")
    assert refused.status_code == 401
    assert refused.headers[ALLOW_ORIGIN] == CHAT


def test_stored_password_does_not_authorize_page_of_other_origin(app, secret):
    stored_password = "Basic " + b64encode(f"me:{secret}".encode()).decode()
    assert send(app, "http://localhost", stored_password, **{"Sec-Fetch-Site": "same-origin"}).status_code == 200
    refused = send(app, CHAT, stored_password)
    assert refused.status_code == 403
    assert ALLOW_ORIGIN not in refused.headers
    read = app.test_client().get("/api/v1/documents", headers={"Origin": CHAT, "Authorization": stored_password})
    assert ALLOW_ORIGIN not in read.headers


def test_other_origins_cannot_use_pages_and_forms(app, secret):
    assert send(app, CHAT, f"Bearer {secret}", path="/documents").status_code == 403
    assert ALLOW_ORIGIN not in app.test_client().get("/healthz", headers={"Origin": CHAT}).headers


@pytest.mark.parametrize("origins", [(CHAT,)])
def test_page_of_unlisted_origin_is_refused(app, secret):
    for origin in (EVIL, "null", f"{CHAT}.evil.example", CHAT.replace("https", "http"), f"{CHAT}:8443"):
        assert preflight(app, origin).status_code == 403
        assert ALLOW_ORIGIN not in preflight(app, origin).headers
        refused = send(app, origin, f"Bearer {secret}")
        assert refused.status_code == 403
        assert ALLOW_ORIGIN not in refused.headers


@pytest.mark.parametrize("origins", [(CHAT,)])
def test_open_service_allows_listed_origin_without_key(app):
    assert send(app, CHAT).headers[ALLOW_ORIGIN] == CHAT
    assert send(app, EVIL).status_code == 403


@pytest.mark.parametrize("origins", [("*",)])
def test_open_service_allows_no_origin_for_wildcard(app):
    """Otherwise any page in the reader's browser could read and write what is on this machine."""
    assert send(app, EVIL).status_code == 403
    assert preflight(app, EVIL, headers="content-type").status_code == 403
    for authorization in ({}, {"Authorization": "Bearer x"}):
        assert (
            ALLOW_ORIGIN
            not in app.test_client().get("/api/v1/documents", headers={"Origin": EVIL, **authorization}).headers
        )
    assert send(app, EVIL, "Bearer x").status_code == 403


@pytest.mark.parametrize("origins", [()])
def test_no_origin_is_allowed_by_default(app, secret):
    assert preflight(app, CHAT).status_code == 403
    assert send(app, CHAT, f"Bearer {secret}").status_code == 403
    assert "Vary" not in app.test_client().get("/api/v1/documents", headers={"Origin": CHAT}).headers


@pytest.mark.parametrize("origin", ["chat.example", "https://chat.example/path", "https://*.example", "ftp://x"])
def test_invalid_origin_in_settings_is_reported(origin):
    with pytest.raises(SettingsError, match="CORS_ORIGINS"):
        Settings.from_environment({"CORS_ORIGINS": origin})
