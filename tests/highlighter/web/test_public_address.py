"""Tests of the service behind proxies: whose headers are believed, and that all links lead to where clients see it."""

from __future__ import annotations

import re
import uuid

import pytest

from highlighter.access_mode import describe_access_mode
from highlighter.settings import Settings, SettingsError
from ingest.pipeline import ingest_file
from tests.conftest import NOTE
from tests.highlighter.web.auth.clients import client_with_key, running_app

PROXY, OTHER_PROXY, CLIENT = "10.0.0.7", "10.0.1.9", "203.0.113.5"
FORWARDED = {
    "X-Forwarded-For": CLIENT, "X-Forwarded-Host": "papers.example", "X-Forwarded-Proto": "https", "X-Forwarded-Prefix": "/papers",
}  # fmt: skip
PUBLIC = "https://papers.example/papers"
LINK = re.compile(r'(?:href|src|action|poster|formaction|content|data-[\w-]+)="(/[^"]*|https?://[^"]*)"')
PAGES = ("/", "/?q=How+much+does+a+ticket+cost", "/documents", "/search?q=ticket", "/open", "/answers", "/notes", "/api/v1/",
         "/documents/{id}", "/documents/{id}/chunks/0?q=ticket", "/documents/{id}/chunks/0?view=page", "/documents/{id}/delete",
         "/documents/{id}/notes", "/nowhere")  # fmt: skip


def make_app(tmp_path, embedder, **environment):
    settings = Settings.from_environment(environment)
    names = ("public_url", "trusted_proxies", "proxy_headers", "trusted_hosts", "require_keys")
    changed = {name: getattr(settings, name) for name in names}
    return running_app(tmp_path, embedder, ocr=False, **changed)


@pytest.fixture(scope="module")
def behind_proxy(tmp_path_factory, embedder, process_pool):
    """An application behind a trusted proxy that lets people in without keys, with a note and the id of the note."""
    trusted = {"TRUSTED_PROXIES": f"{PROXY}, 10.0.1.0/24", "TRUSTED_HOSTS": "papers.example", "REQUIRE_KEYS": "0"}
    folder = tmp_path_factory.mktemp("proxy")
    with make_app(folder, embedder, **trusted) as app:
        (folder / "note.txt").write_text(NOTE, encoding="utf-8")
        yield app, ingest_file(folder / "note.txt", app.services, process_pool).document.id


def request_page(app, path, headers, peer=PROXY, method="GET", **sent):
    return app.test_client().open(path, method=method, headers=headers, environ_overrides={"REMOTE_ADDR": peer}, **sent)


def read_server_url(app, headers, peer=PROXY):
    """Return the address that the OpenAPI document names, which is where the service believes to be."""
    response = request_page(app, "/api/v1/openapi.json", {"Host": "papers.example", **headers}, peer)
    return response.json["servers"][0]["url"]


@pytest.mark.parametrize("path", PAGES)
def test_every_link_of_a_page_stays_below_the_prefix(behind_proxy, path):
    app, document_id = behind_proxy
    page = request_page(app, path.format(id=document_id), FORWARDED)
    assert page.status_code == (404 if path == "/nowhere" else 200)
    links = LINK.findall(page.text)
    assert len(links) > 5
    outside = [link for link in links if not link.startswith(("/papers/", f"{PUBLIC}/"))]
    assert [link for link in outside if not link.startswith("https://www.w3.org/")] == []


def test_redirects_locations_and_cookies_stay_below_the_prefix(behind_proxy):
    app, document_id = behind_proxy
    added = [
        request_page(app, "/api/v1", FORWARDED),
        request_page(app, f"/documents/{document_id}?page=1", FORWARDED),
        request_page(app, "/open?quote=Tickets+cost+four+pounds+and+are+sold+on+board.", FORWARDED),
        request_page(app, f"/zh-Hant/documents/{document_id}/pages?page=1", FORWARDED),
    ]
    assert [response.status_code // 100 for response in added] == [3] * 4
    assert all(response.location.startswith(("/papers/", f"{PUBLIC}/")) for response in added)
    state = request_page(app, f"/api/v1/documents/{document_id}", FORWARDED).json
    assert all(link.startswith(("/papers/", PUBLIC)) for link in state["links"].values() if link)
    answer = request_page(app, "/", FORWARDED, method="POST", data={"question": "How much does a ticket cost?"})
    cookie = answer.headers["Set-Cookie"]
    assert "Path=/papers;" in cookie
    assert "Secure;" in cookie


def test_signed_links_and_cards_are_at_the_public_address(behind_proxy):
    app, document_id = behind_proxy
    body = {"document_id": document_id, "quote": "Tickets cost four pounds", "origins": ["https://chat.example"]}
    link = request_page(app, "/api/v1/embed/links", FORWARDED, method="POST", json=body).json
    assert link["url"].startswith(f"{PUBLIC}/embed/")
    viewer = request_page(app, link["path"].removeprefix("/papers"), FORWARDED)
    assert viewer.status_code == 200
    assert all(url.startswith(("/papers/", f"{PUBLIC}/")) for url in LINK.findall(viewer.text))
    card = request_page(app, "/embed/oembed", FORWARDED, query_string={"url": link["url"]}).json
    assert card["provider_url"].startswith("https://papers.example/")
    assert f'src="{PUBLIC}/embed/' in card["html"]
    pages_card = request_page(
        app, "/oembed", FORWARDED, query_string={"url": f"{PUBLIC}/documents/{document_id}/chunks/0"}
    )
    assert pages_card.status_code == 200


def test_headers_of_other_addresses_change_nothing(behind_proxy):
    app, document_id = behind_proxy
    key = {"Authorization": f"Bearer {app.services.api_keys.create_key('A reader', ['read'])[1]}"}
    for peer in ("203.0.113.9", "10.0.2.1", "::1", "127.0.0.1", "no address"):
        assert read_server_url(app, {**FORWARDED, **key}, peer) == "http://papers.example", peer
    page = request_page(app, f"/documents/{document_id}", {"Host": "papers.example", **FORWARDED}, "127.0.0.1")
    assert "/papers/" not in page.text
    assert (
        request_page(app, "/documents", {"Host": "papers.example", "X-Forwarded-For": "127.0.0.1"}, CLIENT).status_code
        == 401
    )


@pytest.mark.parametrize(
    ("headers", "url"),
    [
        ({"X-Forwarded-Proto": "https"}, "https://papers.example"),
        ({"X-Forwarded-Proto": "javascript"}, "http://papers.example"),
        ({"X-Forwarded-Prefix": "/a/b/"}, "http://papers.example/a/b"),
        ({"X-Forwarded-Prefix": "/"}, "http://papers.example"),
        ({"X-Forwarded-Prefix": "//evil.example"}, "http://papers.example"),
        ({"X-Forwarded-Prefix": "/a/../b"}, "http://papers.example"),
        ({"X-Forwarded-Prefix": "evil.example"}, "http://papers.example"),
        ({"X-Forwarded-Prefix": '/"><script>'}, "http://papers.example"),
        # A client wrote the first entries: its address is what the proxy appended, and so are scheme and path.
        ({"X-Forwarded-For": f"127.0.0.1, {CLIENT}", "X-Forwarded-Proto": "http, https"}, "https://papers.example"),
        # Two trusted proxies, both of which append.
        ({"X-Forwarded-For": f"127.0.0.1, {CLIENT}, {OTHER_PROXY}", "X-Forwarded-Prefix": "/x, /outer, /inner"}, "http://papers.example/outer"),
    ],
)  # fmt: skip
def test_only_what_trusted_proxies_wrote_is_believed(behind_proxy, headers, url):
    assert read_server_url(behind_proxy[0], headers) == url


@pytest.fixture(scope="module")
def behind_standard_proxy(tmp_path_factory, embedder):
    """An application behind proxies that write the header Forwarded, and pass on X-Forwarded headers as clients sent them."""
    trusted = {"TRUSTED_PROXIES": f"{PROXY}, 10.0.1.0/24", "TRUSTED_HOSTS": "papers.example", "REQUIRE_KEYS": "0"}
    with make_app(tmp_path_factory.mktemp("standard"), embedder, PROXY_HEADERS="forwarded", **trusted) as app:
        yield app


@pytest.mark.parametrize(
    ("forwarded", "url", "client"),
    [
        (f"for={CLIENT};proto=https;host=papers.example;by={PROXY}", "https://papers.example", CLIENT),
        (f'For="{CLIENT}:4711"; Proto=HTTPS', "https://papers.example", CLIENT),
        ('for="[2001:db8::5]:4711";proto=https', "https://papers.example", "2001:db8::5"),
        ("for=_hidden;proto=https", "https://papers.example", PROXY),
        ("for=unknown;proto=javascript", "http://papers.example", PROXY),
        # A client wrote the first element; the second proxy names neither scheme nor host.
        (f"for=127.0.0.1;proto=http;host=evil.example, for={CLIENT};proto=https, for={OTHER_PROXY}", "https://papers.example", CLIENT),
        (f"for=127.0.0.1;host=evil.example, for={CLIENT}", "http://papers.example", CLIENT),
        # Open quotations and nonsense, written by a client before what the proxy appended.
        (f'for=127.0.0.1;host=evil.example, x=", for={CLIENT};proto=https', "http://papers.example", PROXY),
        (f'for=127.0.0.1, x="\\", for="{CLIENT}"', "http://papers.example", PROXY),
        (f'for="127.0.0.1, for=";;==,, for={CLIENT}', "http://papers.example", CLIENT),
        ("", "http://papers.example", PROXY),
    ],
)  # fmt: skip
def test_standard_header_is_read_where_proxies_write_it(behind_standard_proxy, forwarded, url, client, monkeypatch):
    app = behind_standard_proxy
    assert read_server_url(app, {**FORWARDED, "X-Forwarded-Host": "evil.example", "Forwarded": forwarded}) == url
    counted = []
    monkeypatch.setattr(app.rate_limiter, "count_request", lambda _scope, caller: counted.append(caller))
    headers = {"Host": "papers.example", "X-Forwarded-For": "127.0.0.1", "Forwarded": forwarded}
    request_page(app, "/documents", headers)
    assert counted == [f"from {client}"]


def test_standard_header_is_not_read_where_proxies_write_others(behind_proxy):
    forwarded = {"Forwarded": "for=127.0.0.1;proto=https;host=evil.example"}
    assert read_server_url(behind_proxy[0], forwarded) == "http://papers.example"
    assert read_server_url(behind_proxy[0], {**FORWARDED, **forwarded}) == PUBLIC


@pytest.mark.parametrize("client", [CLIENT, f"{CLIENT}:4711", "[2001:db8::5]:4711", "2001:db8::5"])
def test_requests_are_counted_by_the_address_of_the_client(behind_proxy, client, monkeypatch):
    app = behind_proxy[0]
    counted = []
    monkeypatch.setattr(app.rate_limiter, "count_request", lambda _scope, caller: counted.append(caller))
    request_page(
        app, "/documents", {**FORWARDED, "X-Forwarded-For": f"{uuid.uuid4()}, 127.0.0.1, {client}, {OTHER_PROXY}"}
    )
    assert counted == [f"from {re.sub(':4711|[][]', '', client)}"]


def test_forwarded_host_must_be_a_trusted_one(behind_proxy):
    response = request_page(behind_proxy[0], "/documents", {**FORWARDED, "X-Forwarded-Host": "evil.example"})
    assert (response.status_code, "evil.example" in response.text) == (400, True)


def test_forwarded_requests_need_a_key_unless_none_ever_does(tmp_path, embedder, behind_proxy):
    with make_app(tmp_path, embedder, TRUSTED_PROXIES="127.0.0.1", TRUSTED_HOSTS="papers.example") as app:
        assert request_page(app, "/documents", {}, "127.0.0.1").status_code == 400  # the host "localhost" is not listed
        local = {"Host": "papers.example"}
        assert request_page(app, "/documents", local, "127.0.0.1").status_code == 200
        assert request_page(app, "/documents", FORWARDED, "127.0.0.1").status_code == 401
        spoofed = {**FORWARDED, "X-Forwarded-For": "127.0.0.1"}
        assert request_page(app, "/documents", spoofed, "127.0.0.1").status_code == 401
        other_header = {**local, "Forwarded": "for=127.0.0.1"}
        assert request_page(app, "/documents", other_header, "127.0.0.1").status_code == 401
        assert "forwards needs a key" in describe_access_mode(app.services.settings, app.services.api_keys)
    app = behind_proxy[0]
    assert "forwards needs a key" not in describe_access_mode(app.services.settings, app.services.api_keys)


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "papers.example"])
def test_public_url_begins_all_links_whatever_the_proxy_passes_on(tmp_path, embedder, host):
    with make_app(tmp_path, embedder, PUBLIC_URL="https://Papers.example:443/papers/") as app:
        client = client_with_key(app, "admin")
        for headers in ({"Host": host}, {"Host": host, **FORWARDED, "X-Forwarded-Prefix": "/other"}):
            assert client.get("/api/v1/openapi.json", headers=headers).json["servers"] == [{"url": PUBLIC}]
            page = client.get("/documents", headers=headers).text
            assert all(link.startswith("/papers/") for link in LINK.findall(page))
        assert client.get("/api/v1", headers={"Host": host}).location == f"{PUBLIC}/api/v1/"
        for origin, status in (("https://papers.example", 400), (f"http://{host}", 400), ("https://evil.example", 403)):
            headers = {"Host": host, "Origin": origin, "Sec-Fetch-Site": "same-origin"}
            assert client.post("/documents", headers=headers).status_code == status, origin
        assert client.get("/documents", headers={"Host": "evil.example"}).status_code == 400


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("PUBLIC_URL", "papers.example/papers"), ("PUBLIC_URL", "https://papers.example/a//b"), ("PUBLIC_URL", "https://a/../b"),
        ("PUBLIC_URL", "https://papers.example/?q=1"), ("TRUSTED_PROXIES", "nginx"), ("TRUSTED_PROXIES", "10.0.0.0/99"),
        ("PROXY_HEADERS", "both"),
    ],
)  # fmt: skip
def test_settings_that_name_no_address_are_refused(variable, value):
    with pytest.raises(SettingsError, match=variable):
        Settings.from_environment({variable: value})
