"""Attacks over HTTP, on every route: in the name of a visitor, by another host's name, by redirects and through caches."""

from __future__ import annotations

import re
from urllib.parse import unquote, urlsplit

import pytest
from werkzeug.test import EnvironBuilder, run_wsgi_app

from highlighter.store.schema import metadata
from tests.conftest import write_note
from tests.highlighter.web.auth.clients import client_with_key, running_app

EVIL = "evil.example"
COMPUTED_TABLES = {"evidence_scores", "chunk_terms", "marks", "leases"}
READING = {"GET", "HEAD", "OPTIONS"}
CROSS_SITE = [
    {"Origin": f"https://{EVIL}"},
    {"Origin": "null"},
    {"Origin": f"http://localhost.{EVIL}"},
    {"Origin": f"http://{EVIL}", "Sec-Fetch-Site": "none"},
    {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors", "Content-Type": "text/plain"},
    {"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "navigate"},
]
HOSTS = [
    EVIL,
    f"localhost.{EVIL}",
    f"{EVIL}:80",
    "127.0.0.1.nip.io",
    f"localhost@{EVIL}",
    f"localhost, {EVIL}",
    "0.0.0.0",
    "",
]
ASIDE = [f"//{EVIL}", f"/\\{EVIL}", f"\\\\{EVIL}", f"https://{EVIL}", f"/%2f{EVIL}", f"/%5c{EVIL}", f"javascript:alert(1)//{EVIL}",
         f"/\t/{EVIL}", f"//{EVIL}/%2e%2e", f"@{EVIL}", f".{EVIL}", f"http:{EVIL}", f"\r\nLocation: https://{EVIL}"]  # fmt: skip
PARAMETERS = "next url return return_to redirect continue view q quote doc document tag name page lang find from in hit start".split()


def list_routes(app) -> list[tuple[str, str]]:
    """Return each method and path of the application, the path's variables filled in."""
    filled = {"int": "1", "path": "highlighter", "any": "md"}
    routes = []
    for rule in app.url_map.iter_rules():
        path = re.sub(r"<any\((\w+).*?\):\w+>", r"\1", rule.rule)
        path = re.sub(r"<(?:(\w+):)?\w+>", lambda found: filled.get(found[1], "a" * 32), path)
        routes += [(method, path) for method in rule.methods - {"HEAD", "OPTIONS"}]
    return sorted(routes)


def test_page_of_another_site_cannot_write_anywhere(app, client):
    writing = [(method, path) for method, path in list_routes(app) if method not in READING]
    assert len(writing) > 30
    for method, path in writing:
        for headers in CROSS_SITE:
            assert client.open(path, method=method, headers=headers).status_code == 403, (method, path, headers)


def test_no_reading_request_changes_anything(app, client, services, note):
    """Images and links of other sites can make a browser send them. What was computed from documents is stored, as in a cache."""
    before = read_tables(services)
    for method, path in list_routes(app):
        if method == "GET" and "events" not in path:
            path = path.replace("a" * 32, note.id)
            with client.get(
                path, query_string={"q": "ferry", "_method": "DELETE"}, headers={"X-HTTP-Method-Override": "DELETE"}
            ):
                pass
    assert read_tables(services) == before


def read_tables(services) -> dict[str, list[tuple]]:
    """Return all rows of the catalog but those that are computed from others."""
    with services.catalog.engine.connect() as connection:
        return {
            table.name: sorted(map(repr, connection.execute(table.select())))
            for table in metadata.sorted_tables
            if table.name not in COMPUTED_TABLES
        }


def test_no_route_answers_under_the_name_of_another_host(app, client, note):
    for method, path in list_routes(app):
        for host in HOSTS[:3] if method != "GET" else HOSTS:
            refused = client.open(path.replace("a" * 32, note.id), method=method, headers={"Host": host})
            assert refused.status_code == 400, (method, path, host)
            assert note.name not in refused.text


def open_raw(app, path: str, **environ) -> tuple[str, str, str]:
    """Return the status, target and page of a path that is sent as it is."""
    path, _, query = path.partition("?")
    built = EnvironBuilder(method="GET", base_url="http://localhost/").get_environ()
    built |= {
        "PATH_INFO": unquote(path, "latin-1"),
        "QUERY_STRING": query,
        "RAW_URI": path,
        "REQUEST_URI": path,
        **environ,
    }
    parts, status, headers = run_wsgi_app(app.wsgi_app, built)
    page = b"".join(parts).decode("utf-8", "replace")
    return status, headers.get("Location", ""), page


def test_no_address_leads_to_another_host(app, note):
    paths = [
        f"{language}{aside}{rest}"
        for language in ("", "/zh-Hant")
        for aside in ASIDE
        for rest in ("", "/", "/documents/")
    ]
    paths += [f"/documents/{aside}" for aside in ASIDE]
    checked = 0
    for path in paths:
        _, target, page = open_raw(app, path)
        assert not leads_away(target), (path, target)
        targets = re.findall(r'(?:href|src|action)="([^"]*)"', page)
        checked += len(targets)
        assert [found for found in targets if leads_away(found)] == [], path
    assert checked > 100


def test_no_parameter_leads_to_another_host(app, client, note):
    for method, path in list_routes(app):
        if method != "GET" or "events" in path:
            continue
        for aside in ASIDE[:3]:
            answer = client.get(path.replace("a" * 32, note.id), query_string=dict.fromkeys(PARAMETERS, aside))
            with answer:
                assert not leads_away(answer.headers.get("Location", "")), (path, aside)
                assert EVIL not in urlsplit(answer.headers.get("Location", "")).netloc
    for path in (
        "/documents/tags/rename",
        f"/documents/{note.id}/retry",
        f"/documents/{note.id}/restore",
        "/answers/x/pin",
    ):
        for aside in ASIDE[:7]:
            answer = client.post(
                path, data=dict.fromkeys(PARAMETERS, aside), query_string=dict.fromkeys(PARAMETERS, aside)
            )
            assert not leads_away(answer.headers.get("Location", "")), (path, aside)


def leads_away(target: str) -> bool:
    """Return whether a browser would go to another host, or run the address. It takes \\ for / and drops control characters."""
    target = re.sub(r"[\t\r\n]", "", target.strip()).replace("\\", "/")
    parts = urlsplit(target)
    return (
        parts.scheme not in ("", "http", "data")
        or (bool(parts.netloc) and parts.hostname != "localhost")
        or target.startswith("//")
    )


def test_every_response_has_its_policy_and_no_nonce_twice(app, client, note):
    nonces = []
    for _, path in (route for route in list_routes(app) if route[0] == "GET" and "events" not in route[1]):
        with client.get(path.replace("a" * 32, note.id), query_string={"q": "ferry"}) as answer:
            policy = answer.headers["Content-Security-Policy"]
            assert "default-src 'none'" in policy
            assert policy.endswith("frame-ancestors 'self'"), path
            assert "unsafe-eval" not in policy
            assert not re.search(r"script-src[^;]*(unsafe-inline|\*|http|data:|'self')", policy), path
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
            nonces += re.findall(r"'nonce-([\w-]+)'", policy)
    nonces += re.findall(
        r"nonce-([\w-]+)", "".join(client.get("/documents").headers["Content-Security-Policy"] for _ in range(200))
    )
    assert len(nonces) > 60
    assert len(set(nonces)) == len(nonces)


@pytest.fixture
def tenants(tmp_path, embedder, process_pool):
    from ingest.pipeline import ingest_file

    with running_app(tmp_path, embedder) as app:
        embedder.load()
        ingest_file(write_note(tmp_path), app.services, process_pool, collection="alpha")
        yield app


def test_cached_page_of_one_key_is_never_shown_to_another(tenants):
    """The first key fills the caches; the others get what they would have got without it."""
    (note,) = tenants.services.catalog.documents()
    owner, other = (
        client_with_key(tenants, "admin", collections=["alpha"]),
        client_with_key(tenants, "read", collections=["beta"]),
    )
    anyone = tenants.test_client()
    paths = [f"/documents/{note.id}", f"/documents/{note.id}/chunks/0", f"/documents/{note.id}/chunks/0?q=ferry", f"/documents/{note.id}/pages/1.png",
             f"/documents/{note.id}/pdf", f"/documents/{note.id}/original", f"/api/v1/documents/{note.id}/text", "/search?q=ferry", "/documents"]  # fmt: skip
    for path in paths * 2:
        with owner.get(path) as shown:
            assert shown.status_code == 200, path
            assert "public" not in shown.headers.get("Cache-Control", ""), path
        with other.get(path) as hidden, anyone.get(path) as refused:
            assert hidden.status_code == (404 if note.id in path else 200), path
            assert "island" not in hidden.text
            assert refused.status_code == 401


def test_answers_packs_and_links_of_one_key_are_never_shown_to_another(tenants):
    """Also to those who know an ETag of the owner's response: an unchanged page would tell them that it is theirs to see."""
    (note,) = tenants.services.catalog.documents()
    question = "When does the ferry leave the island?"
    owner = client_with_key(tenants, "admin", collections=["alpha"])
    other = client_with_key(tenants, "read", "answer", collections=["beta"])
    answer = owner.post("/api/v1/answers", json={"question": question}).json["id"]
    link = owner.post("/api/v1/embed/links", json={"document_id": note.id, "may": ["view", "page"]}).json["path"]
    tags = {}
    paths = [f"/answers/{answer}", f"/api/v1/answers/{answer}", f"/api/v1/answers/{answer}/pack", f"/documents/{note.id}/pages/1.png",
             f"/documents/{note.id}/chunks/0?q=ferry", f"/documents/{note.id}/pdf", f"/documents/{note.id}/original",
             f"/api/v1/documents/{note.id}/text", f"{link}/{note.id}/pages/1.png", link]  # fmt: skip
    for path in paths:
        with owner.get(path) as shown:
            assert shown.status_code == 200, path
            assert "public" not in shown.headers.get("Cache-Control", ""), path
            tags[path] = {
                "If-None-Match": shown.headers.get("ETag", "*"),
                "If-Modified-Since": "Fri, 31 Dec 2100 23:59:59 GMT",
            }
    assert sum(tag["If-None-Match"] != "*" for tag in tags.values()) >= 2
    for path in (path for path in paths if not path.startswith(link)):
        for client, status in ((other, 404), (tenants.test_client(), 401)):
            for headers in ({}, tags[path], {"If-None-Match": "*"}):
                with client.get(path, headers=headers) as hidden:
                    assert (hidden.status_code, "island" in hidden.text) == (status, False), (path, headers)
    for path in (path.replace(link, f"{link}x") for path in paths if path.startswith(link)):
        for headers in ({}, tags[path.replace(f"{link}x", link)], {"If-None-Match": "*"}):
            with tenants.test_client().get(path, headers=headers) as hidden:
                assert (hidden.status_code, "island" in hidden.text) == (403, False), (path, headers)
    response = other.post("/api/v1/answers", json={"question": question})
    assert response.status_code == 200
    assert "seven" not in response.text  # the same question, and nothing of the answer that is known
    assert answer not in other.get("/answers").text


def test_headers_and_parameters_do_not_poison_what_others_are_shown(app, client, note, services, embedder):
    embedder.load()
    path = f"/documents/{note.id}/chunks/0?q=ferry"
    clean = re.sub(r"nonce=\"[\w-]+\"", "", client.get(path).text)
    for headers in (
        {"X-Forwarded-Host": EVIL}, {"X-Forwarded-Prefix": f"//{EVIL}"}, {"X-Forwarded-Proto": "javascript"}, {"X-Original-URL": "/documents"},
        {"Forwarded": f"host={EVIL}"}, {"X-Host": EVIL}, {"Accept-Language": '"><script>'}, {"X-Request-Id": "<script>"}, {"Range": "bytes=0-9"},
        {"Cookie": "lang=<script>; highlighter=x"}, {"Accept": "text/event-stream"}, {"X-Rewrite-URL": "/notes"}, {"Host": "LOCALHOST"},
    ):  # fmt: skip
        client.get(path, headers=headers)
        assert re.sub(r"nonce=\"[\w-]+\"", "", client.get(path).text) == clean, headers
    for more in ("&utm=<script>", f"&url=//{EVIL}", "&q=penguins", "&lang=x", ";q=penguins", "&q[]=x", "#&q=x", "&_=1"):
        client.get(path + more)
        assert re.sub(r"nonce=\"[\w-]+\"", "", client.get(path).text) == clean, more


def test_request_id_cannot_split_a_response_or_a_log_line(client):
    for sent in ("<script>", "a b", "é", "x" * 500, "a;b", '"'):
        got = client.get("/healthz", headers={"X-Request-Id": sent}).headers["X-Request-Id"]
        assert re.fullmatch(r"[\w.:/+=-]{1,200}", got, re.ASCII), sent
