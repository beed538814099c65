"""Tests of people whom a proxy has signed in: its headers are believed, and those of nobody else."""

from __future__ import annotations

import pytest

from highlighter.access_mode import describe_access_mode
from highlighter.settings import Settings
from tests.highlighter.web.auth.clients import client_with_key, running_app

PROXY, ANYBODY = "10.0.0.7", "203.0.113.5"
LIST = "/api/v1/documents"
RULES = '[groups.readers]\nscopes = ["read"]\ncollections = ["alpha"]\n[groups.operators]\nscopes = ["admin"]\ncollections = "*"'
ANN = {"X-Forwarded-User": "ann@example.org", "X-Forwarded-Groups": "staff, readers"}


def make_app(folder, embedder, **environment):
    (folder / "rules.toml").write_text(RULES, encoding="utf-8")
    names = {"AUTH_USER_HEADER": "X-Forwarded-User", "AUTH_GROUPS_HEADER": "X-Forwarded-Groups"}
    given = {**names, "ACCESS_RULES": str(folder / "rules.toml"), **environment}
    settings = Settings.from_environment(given)
    changed = (
        "auth_user_header",
        "auth_groups_header",
        "auth_sign_out_url",
        "access_rules",
        "trusted_proxies",
        "trusted_hosts",
        "rate_read",
    )
    return running_app(folder, embedder, ocr=False, **{name: getattr(settings, name) for name in changed})


@pytest.fixture(scope="module")
def trusting_app(tmp_path_factory, embedder):
    trusted = {
        "TRUSTED_PROXIES": PROXY,
        "TRUSTED_HOSTS": "localhost, papers.example",
        "AUTH_SIGN_OUT_URL": "/oauth2/sign_out",
    }
    with make_app(tmp_path_factory.mktemp("headers"), embedder, **trusted) as application:
        yield application


def send(app, path=LIST, peer=PROXY, headers=ANN, method="GET", **sent):
    return app.test_client().open(path, method=method, headers=headers, environ_overrides={"REMOTE_ADDR": peer}, **sent)


def test_proxy_names_the_person_and_their_groups(trusting_app):
    assert send(trusting_app).status_code == 200
    page = send(trusting_app, "/documents")
    assert "Signed in as ann@example.org" in page.text
    assert 'href="/oauth2/sign_out"' in page.text
    assert send(trusting_app, "/metrics").status_code == 403
    assert send(trusting_app, "/metrics", headers={**ANN, "X-Forwarded-Groups": "operators"}).status_code == 200


@pytest.mark.parametrize("peer", [ANYBODY, "127.0.0.1", "10.0.0.8"])
def test_headers_of_others_are_not_believed(trusting_app, peer):
    for headers in (ANN, {**ANN, "X-Forwarded-For": PROXY}):
        assert send(trusting_app, peer=peer, headers=headers).status_code == 401


@pytest.mark.parametrize("user", ["", "  ", "root,ann@example.org", "x" * 201, "a\x00b"])
def test_header_that_names_nobody_or_two_people_is_not_believed(trusting_app, user):
    """A proxy that adds its header to the client's own makes them one, with a comma."""
    environ = {"REMOTE_ADDR": PROXY, "HTTP_X_FORWARDED_USER": user, "HTTP_X_FORWARDED_GROUPS": "operators"}
    assert trusting_app.test_client().get(LIST, environ_overrides=environ).status_code == 401


def test_name_is_read_as_utf8(trusting_app):
    environ = {
        "REMOTE_ADDR": PROXY,
        "HTTP_X_FORWARDED_USER": "王小明".encode().decode("latin-1"),
        "HTTP_X_FORWARDED_GROUPS": "readers",
    }
    assert "Signed in as 王小明" in trusting_app.test_client().get("/documents", environ_overrides=environ).text


def test_person_without_a_group_is_told_whom_to_ask(trusting_app):
    refused = send(trusting_app, "/documents", headers={"X-Forwarded-User": "bob"})
    assert refused.status_code == 403
    assert "Ask whoever runs this service" in refused.text


def test_write_needs_the_origin_of_this_service(trusting_app):
    """The browser of a person whom the proxy knows sends its cookie for any page."""
    question = {"question": "ferry"}
    for headers in ({}, {"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "same-site"}):
        assert (
            send(trusting_app, "/api/v1/search", headers={**ANN, **headers}, method="POST", json=question).status_code
            == 403
        )
    own = {**ANN, "Origin": "http://localhost"}
    assert send(trusting_app, "/api/v1/search", headers=own, method="POST", json=question).status_code == 200


def test_key_beside_the_headers_counts_first(trusting_app):
    key = client_with_key(trusting_app, "read", collections=["beta"])
    sent = {**ANN, "X-Forwarded-Groups": "operators", "Authorization": key.environ_base["HTTP_AUTHORIZATION"]}
    assert send(trusting_app, "/metrics", headers=sent).status_code == 403
    assert send(trusting_app, headers=sent).status_code == 200


def test_password_that_the_proxy_passes_on_is_no_key(trusting_app):
    assert send(trusting_app, headers={**ANN, "Authorization": "Basic YW5uOnNlY3JldA=="}).status_code == 200


def test_page_says_where_to_sign_in(trusting_app):
    sent = trusting_app.test_client().get("/documents", headers={"Sec-Fetch-Dest": "document"})
    assert sent.headers["Location"] == "/sign-in?next=%2Fdocuments"
    assert "usually open this service" in trusting_app.test_client().get("/sign-in").text
    assert trusting_app.test_client().get("/sign-in/start").status_code == 404


def test_sign_in_stays_below_the_path_of_the_proxy(trusting_app):
    forwarded = {
        "X-Forwarded-For": ANYBODY,
        "X-Forwarded-Host": "papers.example",
        "X-Forwarded-Proto": "https",
        "X-Forwarded-Prefix": "/papers",
    }
    sent = send(trusting_app, "/zh-Hant/documents?tag=x", headers=forwarded)
    assert sent.headers["Location"] == "/papers/zh-Hant/sign-in?next=%2Fpapers%2Fzh-Hant%2Fdocuments%3Ftag%3Dx"
    page = send(trusting_app, "/zh-Hant/sign-in?next=/papers/zh-Hant/documents", headers=forwarded)
    assert "/papers/zh-Hant/use-key?next=%2Fpapers%2Fzh-Hant%2Fdocuments" in page.text
    assert send(trusting_app, "/documents", headers={**forwarded, **ANN}).status_code == 200


def test_without_trusted_proxies_headers_are_ignored_and_the_operator_is_told(tmp_path, embedder):
    with make_app(tmp_path, embedder) as app:
        assert send(app, peer="127.0.0.1").status_code == 401
        description = describe_access_mode(app.services.settings, app.services.api_keys)
        assert "X-Forwarded-User is ignored" in description
        assert "TRUSTED_PROXIES" in description


def test_each_person_has_a_rate_limit_of_their_own(tmp_path, embedder):
    with make_app(tmp_path, embedder, TRUSTED_PROXIES=PROXY, RATE_READ="2/minute", TRUSTED_HOSTS="localhost") as app:
        people = [{**ANN, "X-Forwarded-User": name} for name in ("ann", "bob", "ann", "ann", "bob")]
        assert [send(app, headers=person).status_code for person in people] == [200, 200, 200, 429, 200]


def test_service_without_sign_in_has_no_sign_in_pages(client):
    for path in ("/sign-in", "/sign-in/start", "/sign-in/callback?code=1&state=2", "/signed-out"):
        assert client.get(path).status_code == 404
    assert client.post("/sign-out").status_code == 404
