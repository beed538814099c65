"""Tests of sign-in with an OpenID provider, over HTTP: what is believed, what a session opens, and how it ends."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import re
from dataclasses import replace
from http.client import HTTPConnection
from ipaddress import ip_network
from urllib.parse import parse_qs, urlsplit

import pytest
from joserfc.jwk import ECKey, OctKey
from sqlalchemy import update

from highlighter.access_mode import describe_access_mode
from highlighter.secret import Secret
from highlighter.store.database import write_transaction
from highlighter.store.schema import sign_ins
from ingest.pipeline import ingest_file
from tests.highlighter.web.auth.clients import client_with_key, running_app
from tests.openid_server import CLIENT_ID, CLIENT_SECRET, OpenIdServer

RULES = """
contact = "library@example.org"
[groups.alpha]
scopes = ["read", "answer"]
collections = ["alpha"]
[groups.uploaders]
scopes = ["ingest"]
collections = ["beta"]
[groups.operators]
scopes = ["admin"]
collections = "*"
"""
LIST = "/api/v1/documents"
OWN_ORIGIN = {"Origin": "http://localhost"}


@pytest.fixture(scope="module")
def server():
    provider = OpenIdServer()
    yield provider
    provider.close()


@pytest.fixture(scope="module")
def shared_app(server, tmp_path_factory, embedder, process_pool):
    """An application with one document in the collection alpha and one in beta."""
    folder = tmp_path_factory.mktemp("people")
    (folder / "rules.toml").write_text(RULES, encoding="utf-8")
    settings = {
        "oidc_issuer": server.issuer, "oidc_client_id": CLIENT_ID, "oidc_client_secret": Secret(CLIENT_SECRET),
        "access_rules": folder / "rules.toml", "ocr": False, "trusted_hosts": ("localhost", "papers.example"),
        "trusted_proxies": (ip_network("10.0.0.7"),),
    }  # fmt: skip
    with running_app(folder, embedder, **settings) as app:
        for collection in ("alpha", "beta"):
            (folder / f"{collection}.txt").write_text(f"The {collection} ferry leaves at noon.", encoding="utf-8")
            ingest_file(folder / f"{collection}.txt", app.services, process_pool, collection)
        yield app


@pytest.fixture
def app(shared_app, server):
    yield shared_app
    server.reset()
    shared_app.services.sign_in.provider._metadata = {}  # the next test may publish something else


def follow_to_provider(client, wanted="/documents", **options):
    """Begin to sign in, and return the address to which the provider sends the browser back."""
    begun = client.get("/sign-in/start", query_string={"next": wanted}, **options)
    assert begun.status_code == 303
    return authorize(begun.headers["Location"])


def authorize(address):
    """Return the address to which the provider sends the browser back."""
    parts = urlsplit(address)
    connection = HTTPConnection(parts.netloc)
    connection.request("GET", f"{parts.path}?{parts.query}")
    location = connection.getresponse().headers["Location"]
    connection.close()
    return location


def sign_in(app, wanted="/documents"):
    """Return a client whose browser has signed in as the person whom the provider authenticates, and the last response."""
    client = app.test_client()
    address = urlsplit(follow_to_provider(client, wanted))
    return client, client.get(f"{address.path}?{address.query}")


def list_names(client):
    return [document["name"] for document in client.get(LIST).json["documents"]]


def test_browser_is_sent_to_sign_in_and_back_to_the_page_it_wanted(app):
    client = app.test_client()
    refused = client.get("/search?q=ferry+%26+tide", headers={"Sec-Fetch-Dest": "document"})
    assert refused.status_code == 303
    page = client.get(refused.headers["Location"])
    assert "Sign in with 127.0.0.1" in page.text
    (start,) = re.findall(r'href="(/sign-in/start[^"]*)"', page.text)
    begun = client.get(start.replace("&amp;", "&"))
    sent = parse_qs(urlsplit(begun.headers["Location"]).query)
    assert sent["scope"] == ["openid profile email"]
    assert sent["code_challenge_method"] == ["S256"]
    assert sent["redirect_uri"] == ["http://localhost/sign-in/callback"]
    back = urlsplit(authorize(begun.headers["Location"]))
    finished = client.get(f"{back.path}?{back.query}")
    assert (finished.status_code, finished.headers["Location"]) == (303, "/search?q=ferry+%26+tide")
    shown = client.get(finished.headers["Location"])
    assert shown.status_code == 200
    assert "Signed in as Ann Lee" in shown.text
    assert shown.headers["Cache-Control"] == "private, no-cache"


def test_groups_decide_what_a_person_sees_and_may_do(app, server):
    reader, _ = sign_in(app)
    assert list_names(reader) == ["alpha.txt"]
    server.user = {"sub": "bob", "name": "Bob", "groups": ["operators", "unknown"]}
    operator, _ = sign_in(app)
    assert {"alpha.txt", "beta.txt"} <= set(list_names(operator))
    assert operator.get("/metrics").status_code == 200
    assert reader.get("/metrics").status_code == 403
    server.user = {"sub": "cho", "name": "Cho", "groups": []}
    stranger, _ = sign_in(app)
    refused = stranger.get("/documents")
    assert refused.status_code == 403
    assert "Ask library@example.org for access" in refused.text
    assert "Signed in as Cho" in refused.text
    assert not re.search("alpha|operators", refused.text)


def test_scope_of_one_group_does_not_reach_the_collections_of_another(app, server):
    """To read alpha and to upload to beta is not to upload to alpha, nor to read beta."""
    server.user["groups"] = ["alpha", "uploaders"]
    client, _ = sign_in(app)
    assert list_names(client) == ["alpha.txt"]
    app.services.ingest_queue.close()  # not processed: what counts is who may
    for collection, status in (("alpha", 403), ("beta", 202)):
        upload = {"file": (io.BytesIO(b"Some words."), "new.txt"), "collection": collection}
        assert client.post(LIST, data=upload, headers=OWN_ORIGIN).status_code == status, collection


def test_cookie_of_session_is_kept_from_scripts_and_other_sites(app):
    client = app.test_client()
    address = urlsplit(follow_to_provider(client, base_url="https://localhost"))
    finished = client.get(f"{address.path}?{address.query}", base_url="https://localhost")
    (cookie,) = [text for text in finished.headers.getlist("Set-Cookie") if "sign_in=" in text]
    assert cookie.startswith("__Host-highlighter_sign_in=")
    assert {"Secure", "HttpOnly", "Path=/", "SameSite=Lax", "Max-Age=43200"} <= set(cookie.split("; "))


def test_service_below_a_path_of_a_proxy_signs_in_there(app):
    client = app.test_client(use_cookies=False)  # which would not send a cookie of another path
    forwarded = {"X-Forwarded-For": "203.0.113.5", "X-Forwarded-Host": "papers.example", "X-Forwarded-Proto": "https",
                 "X-Forwarded-Prefix": "/papers"}  # fmt: skip
    there = {"headers": forwarded, "environ_overrides": {"REMOTE_ADDR": "10.0.0.7"}}
    begun = client.get("/sign-in/start?next=/papers/zh-Hant/answers", **there)
    back = authorize(begun.headers["Location"])
    assert back.startswith("https://papers.example/papers/sign-in/callback?")
    cookies = dict(re.findall(r"([\w-]+)=([^;]*); .*Path=/papers", "\n".join(begun.headers.getlist("Set-Cookie"))))
    there["headers"] = {**forwarded, "Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items())}
    finished = client.get(f"/sign-in/callback?{urlsplit(back).query}", **there)
    assert finished.headers["Location"] == "/papers/zh-Hant/answers"
    (cookie,) = [text for text in finished.headers.getlist("Set-Cookie") if text.startswith("highlighter_sign_in=")]
    assert {"Secure", "HttpOnly", "Path=/papers", "SameSite=Lax"} <= set(cookie.split("; "))
    own = {**forwarded, "Cookie": cookie.partition(";")[0], "Origin": "https://papers.example"}
    done = client.post("/zh-Hant/sign-out", headers=own, environ_overrides={"REMOTE_ADDR": "10.0.0.7"})
    assert "https%3A%2F%2Fpapers.example%2Fpapers%2Fsigned-out" in done.headers["Refresh"]


FAULTS = {
    "a nonce of another attempt": {"claims": {"nonce": "another"}},
    "no nonce": {"claims": {"nonce": None}},
    "another audience": {"claims": {"aud": "another-service"}},
    "another audience beside a party of our name": {"claims": {"aud": "another-service", "azp": CLIENT_ID}},
    "two audiences and another party": {"claims": {"aud": [CLIENT_ID, "other"], "azp": "other"}},
    "another issuer": {"claims": {"iss": "https://evil.example"}},
    "no issuer": {"claims": {"iss": None}},
    "an end that is past": {"claims": {"exp": 1_700_000_000}},
    "no end": {"claims": {"exp": None}},
    "no subject": {"claims": {"sub": None}},
    "an empty subject": {"claims": {"sub": ""}},
    "an access token of another sign-in": {"claims": {"at_hash": "AAAAAAAAAAAAAAAAAAAAAA"}},
    "the signature of another key": {"signing_key": ECKey.generate_key("P-256", parameters={"kid": "first"})},
    "an unknown key": {"header": {"kid": "unknown"}},
    "a secret in place of a key": {"signing_key": OctKey.import_key(CLIENT_SECRET * 2), "header": {"alg": "HS256"}},
    "no signature": {"header": {"alg": "none"}},
}


@pytest.mark.parametrize("fault", FAULTS)
def test_id_token_is_refused_with(app, server, fault, monkeypatch):
    if fault == "no signature":
        monkeypatch.setattr("tests.openid_server.jwt.encode", encode_without_signature)
    for name, value in FAULTS[fault].items():
        setattr(server, name, value)
    client, finished = sign_in(app)
    assert finished.status_code == 400
    assert "could not be verified" in finished.text
    assert client.get(LIST).status_code == 401


def encode_without_signature(header, claims, _key, algorithms):
    parts = (base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=").decode() for part in (header, claims))
    return ".".join((*parts, ""))


def test_new_key_of_the_provider_is_fetched(app, server):
    sign_in(app)
    new_key = ECKey.generate_key("P-256", parameters={"kid": "second"})
    server.signing_key, server.published_keys, server.header = new_key, [server.key, new_key], {"kid": "second"}
    app.services.sign_in.provider._keys_time -= 61  # keys are fetched at most once a minute
    _, finished = sign_in(app)
    assert finished.status_code == 303


def test_attempt_is_good_once_and_in_its_browser_only(app, server):
    client = app.test_client()
    address = urlsplit(follow_to_provider(client))
    path = f"{address.path}?{address.query}"
    elsewhere = app.test_client().get(path)
    assert elsewhere.status_code == 400
    assert "another browser" in elsewhere.text
    assert client.get(path.replace("state=", "state=x")).status_code == 400
    stolen_attempt = client.get_cookie("highlighter_sign_in_attempt", path="/").value
    assert client.get(path).status_code == 303
    assert client.get(path).status_code == 400  # the cookie of the attempt is gone
    # With the cookie put back, and a provider that takes the code again, there is still no second session.
    client.set_cookie("highlighter_sign_in_attempt", stolen_attempt)
    server.codes[parse_qs(address.query)["code"][0]] = parse_authorization(app, stolen_attempt)
    again = client.get(path)
    assert again.status_code == 400
    assert "used before" in again.text


def parse_authorization(app, cookie):
    """Return the parameters by which the provider was asked in an attempt."""
    state, nonce, verifier, _ = json.loads(base64.urlsafe_b64decode(cookie))
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    return {"state": state, "nonce": nonce, "code_challenge": challenge, "client_id": CLIENT_ID,
            "redirect_uri": "http://localhost/sign-in/callback"}  # fmt: skip


@pytest.mark.parametrize("sent", ["error=access_denied", "code=", "code=x&iss=https://evil.example"])
def test_refusal_of_the_provider_is_told(app, sent):
    client = app.test_client()
    state = parse_qs(urlsplit(follow_to_provider(client)).query)["state"][0]
    refused = client.get(f"/sign-in/callback?state={state}&{sent}")
    assert refused.status_code == 400
    assert 'href="/sign-in"' in refused.text


@pytest.mark.parametrize("wanted", ["//evil.example", "/\\evil.example", "https://evil.example/", "/%2e%2e/x", "/..",
                                    "/a//evil.example", "javascript:alert(1)", "/x\r\nLocation: y", "", "documents"])  # fmt: skip
def test_sign_in_leads_to_no_other_site(app, wanted):
    _, finished = sign_in(app, wanted)
    assert finished.headers["Location"] == "/"


def test_session_is_new_after_each_sign_in_and_the_one_before_ends(app):
    """Nobody gets into the session of another by having planted its cookie."""
    client = app.test_client()
    client.set_cookie("highlighter_sign_in", "planted")
    for _ in range(2):
        before = client.get_cookie("highlighter_sign_in", path="/").value
        address = urlsplit(follow_to_provider(client))
        client.get(f"{address.path}?{address.query}")
        assert client.get(LIST).status_code == 200
        other = app.test_client()
        other.set_cookie("highlighter_sign_in", before)
        assert other.get(LIST).status_code == 401


def test_sign_out_ends_the_session_everywhere_and_leads_to_the_provider(app, server):
    client, _ = sign_in(app)
    cookie = client.get_cookie("highlighter_sign_in", path="/").value
    done = client.post("/sign-out", headers=OWN_ORIGIN)
    assert done.status_code == 200
    address = urlsplit(done.headers["Refresh"].removeprefix("0; url="))
    assert f"{address.scheme}://{address.netloc}{address.path}" == f"{server.issuer}/logout"
    sent = parse_qs(address.query)
    assert sent["post_logout_redirect_uri"] == ["http://localhost/signed-out"]
    assert sent["id_token_hint"][0].count(".") == 2
    stale = app.test_client()
    stale.set_cookie("highlighter_sign_in", cookie)
    assert stale.get(LIST).status_code == 401
    assert client.get_cookie("highlighter_sign_in", path="/") is None
    assert "Signed in as" not in done.text
    assert "Signed out" in client.get("/signed-out").text


def test_session_ends_when_its_hours_are_over(app):
    client, _ = sign_in(app)
    with write_transaction(app.services.catalog.engine) as connection:
        connection.execute(update(sign_ins).values(expires="2020-01-01T00:00:00+00:00"))
    assert client.get(LIST).status_code == 401
    assert client.get("/documents").headers["Location"] == "/sign-in?next=%2Fdocuments"


def test_running_answer_ends_with_the_session(app):
    client, _ = sign_in(app)
    sent = {"question": "When does the ferry leave?", "stream": True}
    with client.post("/api/v1/answers", json=sent, headers=OWN_ORIGIN, buffered=False) as answer:
        events = answer.response
        first = next(iter(events))
        (person,) = [one for one in app.services.people.list_people() if one.sessions]
        assert app.services.people.end_sessions_of(person.id) >= 1
        rest = "".join(part if isinstance(part, str) else part.decode() for part in events)
    assert first
    assert "no longer valid" in rest
    assert "event: done" not in rest


FORGED = [
    {"Origin": "https://evil.example"},
    {"Origin": "null"},
    {"Origin": "http://localhost.evil.example"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site", **OWN_ORIGIN},
    {"Sec-Fetch-Site": "none"},
    {},  # a browser always says where a write comes from
    {"Referer": "http://localhost/"},
]


def test_no_write_is_accepted_in_the_name_of_a_person_from_elsewhere(app, server):
    server.user = {"sub": "root", "name": "Root", "groups": ["operators"]}
    client, _ = sign_in(app)
    writes = 0
    for rule in app.url_map.iter_rules():
        if rule.endpoint.startswith("embed."):
            continue
        path = re.sub(r"<(?:\w+:)?\w+>", "a" * 32, rule.rule)
        for method in rule.methods & {"POST", "PUT", "PATCH", "DELETE"}:
            writes += 1
            for headers in FORGED:
                refused = client.open(path, method=method, headers=headers)
                assert refused.status_code == 403, (method, path, headers)
    assert writes > 30
    assert client.get(LIST).status_code == 200  # not even signed out
    for headers in (OWN_ORIGIN, {"Sec-Fetch-Site": "same-origin"}):
        assert client.post("/api/v1/search", json={"question": "ferry"}, headers=headers).status_code == 200


def test_page_of_a_listed_origin_gets_nothing_by_the_cookie_of_a_person(app, monkeypatch):
    client, _ = sign_in(app)
    monkeypatch.setattr(
        app.services, "settings", replace(app.services.settings, cors_origins=("https://chat.example",))
    )
    headers = {"Origin": "https://chat.example", "Sec-Fetch-Site": "same-site"}
    assert client.post("/api/v1/search", json={"question": "ferry"}, headers=headers).status_code == 403


def test_keys_work_as_before_and_before_a_session(app):
    client, _ = sign_in(app)
    key = client_with_key(app, "read", collections=["beta"])
    assert "beta.txt" in list_names(key)
    assert "alpha.txt" not in list_names(key)
    key_and_session = {"Authorization": key.environ_base["HTTP_AUTHORIZATION"]}
    listed = client.get(LIST, headers=key_and_session).json["documents"]
    assert {document["collection"] for document in listed} == {"beta"}
    wanted = app.test_client().get("/use-key?next=/documents")
    assert wanted.headers["WWW-Authenticate"].startswith("Basic realm=")
    assert key.get("/use-key?next=/documents").headers["Location"] == "/documents"


def test_scripts_and_frames_get_an_error_in_place_of_the_sign_in_page(app):
    client = app.test_client()
    for headers in ({"Sec-Fetch-Dest": "empty"}, {"Sec-Fetch-Dest": "iframe"}):
        refused = client.get("/documents", headers=headers)
        assert refused.status_code == 401
        assert refused.headers["WWW-Authenticate"] == 'Bearer realm="Highlighter"'  # no browser asks for a password
    assert client.get(LIST).status_code == 401


def test_history_notes_and_audit_belong_to_the_person_on_each_machine(app, server):
    first, _ = sign_in(app)
    second, _ = sign_in(app)
    server.user = {"sub": "ann", "name": "Another Ann", "groups": ["alpha"]}
    (document,) = first.get(LIST).json["documents"]
    answer = first.post("/api/v1/answers", json={"question": "When does the ferry leave?"}, headers=OWN_ORIGIN)
    target = {"target": {"selector": {"type": "TextPositionSelector", "start": 0, "end": 9}}, "shared": True}
    path = f"{LIST}/{document['document_id']}/notes"
    assert first.post(path, json=target, headers=OWN_ORIGIN).status_code == 201
    assert answer.json["id"] in second.get("/answers").text
    assert second.get("/api/v1/notes").json["total"] == 1
    server.user = {"sub": "dee", "name": "Dee", "groups": ["alpha"]}
    other, _ = sign_in(app)
    assert answer.json["id"] not in other.get("/answers").text
    assert other.get("/api/v1/notes").json["total"] == 0
    assert "Ann Lee" in other.get(path).text  # the author of a note that is shared
    (person,) = [one for one in app.services.people.list_people() if one.name == "Ann Lee"]
    entries = [entry for entry in app.services.catalog.audit_entries() if entry.answer_id == answer.json["id"]]
    assert [entry.by_key for entry in entries] == [person.audit_id]


def test_page_from_the_cache_shows_the_name_of_its_own_reader(app, server, embedder):
    embedder.load()
    first, _ = sign_in(app)
    server.user = {"sub": "eve", "name": "Eve <b>", "groups": ["alpha"]}
    second, _ = sign_in(app)
    (document,) = first.get(LIST).json["documents"]
    path = f"/documents/{document['document_id']}/chunks/0"
    for client, name in ((first, "Ann Lee"), (second, "Eve &lt;b&gt;")) * 2:
        assert f"Signed in as {name}" in client.get(path).text


def test_webhook_which_outlives_a_session_needs_a_key(app, server):
    server.user = {"sub": "root", "name": "Root", "groups": ["operators"]}
    client, _ = sign_in(app)
    webhook = {"url": "https://hooks.example/x", "events": ["document.ready"]}
    refused = client.post("/api/v1/webhooks", json=webhook, headers=OWN_ORIGIN)
    assert refused.status_code == 403
    assert "create it with a key" in refused.json["detail"]


def test_signed_link_opens_without_a_session(app):
    client, _ = sign_in(app)
    (document,) = client.get(LIST).json["documents"]
    link = client.post("/api/v1/embed/links", json={"document_id": document["document_id"]}, headers=OWN_ORIGIN)
    shown = app.test_client().get(link.json["path"], headers={"Sec-Fetch-Dest": "iframe"})
    assert shown.status_code == 200
    assert "Ann Lee" not in shown.text


def test_groups_and_name_may_come_from_userinfo_of_the_same_person(app, server):
    server.user_info = {"sub": "fay", "name": "Fay", "groups": ["alpha"]}
    server.user = {"sub": "fay"}
    client, _ = sign_in(app)
    assert list_names(client) == ["alpha.txt"]
    server.user_info = {"sub": "somebody-else", "groups": ["operators"]}
    assert sign_in(app)[1].status_code == 400


def test_provider_that_is_down_or_another_is_told_and_keys_still_work(app, server):
    for change in ({"down": True}, {"metadata": {"issuer": "https://evil.example"}}, {"metadata": {"jwks_uri": None}}):
        for name, value in change.items():
            setattr(server, name, value)
        refused = app.test_client().get("/sign-in/start")
        assert refused.status_code == 503
        assert "sign-in service does not answer" in refused.text
        server.reset()
    assert client_with_key(app).get(LIST).status_code == 200


def test_what_the_provider_publishes_is_fetched_once(app, server):
    for _ in range(3):
        sign_in(app)
    assert server.requests.count("/.well-known/openid-configuration") == server.requests.count("/keys") == 1


def test_operator_is_told_how_people_sign_in(app, server):
    description = describe_access_mode(app.services.settings, app.services.api_keys)
    assert f"People sign in at {server.issuer}." in description
    assert CLIENT_SECRET not in repr(app.services.settings)
