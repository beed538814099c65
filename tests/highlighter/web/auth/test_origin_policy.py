"""Pages of other origins: those that are named, to the API, with a key that the page itself holds."""

from __future__ import annotations

from base64 import b64encode

import pytest

from highlighter.settings import Settings, SettingsError
from tests.highlighter.web.auth.clients import served

CHAT, EVIL = "https://chat.example", "https://evil.example"
SEARCH, ASKED = "/api/v1/search", {"question": "How much is a ticket?"}
ALLOW = "Access-Control-Allow-Origin"


@pytest.fixture(params=[(CHAT,), ("*",)], ids=["named", "any"])
def origins(request):
    return request.param


@pytest.fixture
def app(tmp_path, embedder, origins):
    with served(tmp_path, embedder, cors_origins=origins) as made:
        yield made


@pytest.fixture
def shown(app):
    return app.services.api_keys.create_key("Chat", ["read"])[1]


def sent(app, origin, authorization="", path=SEARCH, **headers):
    how = {"Origin": origin, "Sec-Fetch-Site": "cross-site", **headers}
    if authorization:
        how["Authorization"] = authorization
    return app.test_client().post(path, json=ASKED, headers=how)


def preflight(app, origin, path=SEARCH, headers="authorization, content-type"):
    how = {"Origin": origin, "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": headers}
    return app.test_client().options(path, headers=how)


def test_a_listed_page_reads_and_writes_with_its_key(app, shown):
    asked = preflight(app, CHAT)
    assert asked.status_code == 204
    assert asked.headers[ALLOW] == CHAT
    assert "Authorization" in asked.headers["Access-Control-Allow-Headers"]
    answer = sent(app, CHAT, f"Bearer {shown}")
    assert answer.status_code == 200
    assert answer.headers[ALLOW] == CHAT
    assert "Origin" in answer.headers["Vary"]
    assert "X-Request-Id" in answer.headers["Access-Control-Expose-Headers"]
    assert "Access-Control-Allow-Credentials" not in {*answer.headers.keys(), *asked.headers.keys()}


def test_it_may_read_why_it_was_refused(app, shown):
    refused = sent(app, CHAT, "Bearer hk_wrong")
    assert refused.status_code == 401
    assert refused.headers[ALLOW] == CHAT


def test_a_password_that_the_browser_kept_lets_no_other_page_in(app, shown):
    kept = "Basic " + b64encode(f"me:{shown}".encode()).decode()
    assert sent(app, "http://localhost", kept, **{"Sec-Fetch-Site": "same-origin"}).status_code == 200
    refused = sent(app, CHAT, kept)
    assert refused.status_code == 403
    assert ALLOW not in refused.headers
    read = app.test_client().get("/api/v1/documents", headers={"Origin": CHAT, "Authorization": kept})
    assert ALLOW not in read.headers


def test_pages_and_their_forms_stay_shut(app, shown):
    assert sent(app, CHAT, f"Bearer {shown}", path="/documents").status_code == 403
    assert ALLOW not in app.test_client().get("/healthz", headers={"Origin": CHAT}).headers


@pytest.mark.parametrize("origins", [(CHAT,)])
def test_an_unlisted_page_is_refused(app, shown):
    for origin in (EVIL, "null", f"{CHAT}.evil.example", CHAT.replace("https", "http"), f"{CHAT}:8443"):
        assert preflight(app, origin).status_code == 403
        assert ALLOW not in preflight(app, origin).headers
        refused = sent(app, origin, f"Bearer {shown}")
        assert refused.status_code == 403
        assert ALLOW not in refused.headers


@pytest.mark.parametrize("origins", [(CHAT,)])
def test_while_all_is_open_who_is_named_is_let_in(app):
    assert sent(app, CHAT).headers[ALLOW] == CHAT
    assert sent(app, EVIL).status_code == 403


@pytest.mark.parametrize("origins", [("*",)])
def test_while_all_is_open_any_is_nobody(app):
    """Else whatever page its reader opens could read and write what is on this machine."""
    assert sent(app, EVIL).status_code == 403
    assert preflight(app, EVIL, headers="content-type").status_code == 403
    for shown in ({}, {"Authorization": "Bearer x"}):
        assert ALLOW not in app.test_client().get("/api/v1/documents", headers={"Origin": EVIL, **shown}).headers
    assert sent(app, EVIL, "Bearer x").status_code == 403


@pytest.mark.parametrize("origins", [()])
def test_unless_it_is_set_nobody_is_let_in(app, shown):
    assert preflight(app, CHAT).status_code == 403
    assert sent(app, CHAT, f"Bearer {shown}").status_code == 403
    assert "Vary" not in app.test_client().get("/api/v1/documents", headers={"Origin": CHAT}).headers


@pytest.mark.parametrize("said", ["chat.example", "https://chat.example/path", "https://*.example", "ftp://x"])
def test_what_is_no_origin_is_named(said):
    with pytest.raises(SettingsError, match="CORS_ORIGINS"):
        Settings.from_environment({"CORS_ORIGINS": said})
