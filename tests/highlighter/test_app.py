"""Headers, host and origin checks, limits and errors of the application, on any route."""

from __future__ import annotations

import io

import pytest

from highlighter.app import create_app
from highlighter.overload import ENVIRON_OVERLOADED
from highlighter.services import Services
from highlighter.settings import Settings


@pytest.mark.parametrize(
    "origin", ["http://[", "http://[::1", "null", "", "://", "http://", "http://evil.example\\@localhost"]
)
def test_malformed_origin_is_refused(client, origin):
    client.application.config["TESTING"] = False  # errors are answered as in production
    for path in ("/documents", "/api/v1/search"):
        assert client.post(path, headers={"Origin": origin}).status_code == 403


def test_cross_site_writes_are_refused(client):
    for path in ("/documents", "/api/v1/documents", "/api/v1/highlight"):
        answer = client.post(path, headers={"Origin": "https://evil.example"})
        assert answer.status_code == 403
    for site in ("cross-site", "same-site"):  # for a browser that sends no Origin
        assert client.post("/documents", headers={"Sec-Fetch-Site": site}).status_code == 403
    assert client.post("/documents", headers={"Origin": "null"}).status_code == 403  # a frame without an origin
    same_origin = client.post(
        "/documents",
        headers={"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"},
        data={"file": (io.BytesIO(b"Some words."), "a.txt")},
    )
    assert same_origin.status_code == 303


def test_loopback_server_refuses_other_hosts(client):
    assert client.get("/documents", headers={"Host": "rebound.example"}).status_code == 400
    assert client.get("/documents", headers={"Host": "127.0.0.1:8000"}).status_code == 200


@pytest.mark.parametrize(
    "host", ["LOCALHOST", "Localhost:8000", "127.0.0.2", "[::1]", "[::1]:8000", "[0:0:0:0:0:0:0:1]"]
)
def test_loopback_server_answers_every_spelling_of_its_host(client, host):
    assert client.get("/documents", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "[::2]",
        "[::1",
        "::1.rebound.example",
        "localhost.rebound.example",
        "[::1].rebound.example",
        "1",
        "a..b",
        "a" * 99,
    ],
)
def test_loopback_server_refuses_hosts_that_look_like_loopback(client, host):
    assert client.get("/documents", headers={"Host": host}).status_code == 400


@pytest.mark.parametrize("address", ["::1", "127.0.0.2", "localhost"])
def test_page_is_answered_at_every_loopback_address(services, tmp_path, address):
    settings = Settings.from_environment({"HOST": address, "DATA_DIR": str(tmp_path / "data")})
    client = create_app(Services(settings, services.embedder)).test_client()
    host = f"[{address}]:8000" if ":" in address else f"{address}:8000"
    assert client.get("/documents", headers={"Host": host}).status_code == 200
    assert client.get("/documents", headers={"Host": "rebound.example"}).status_code == 400


def test_only_trusted_hosts_are_answered(services, tmp_path):
    environment = {
        "DATA_DIR": str(tmp_path / "data"),
        "TRUSTED_HOSTS": "Papers.example, [fd00::5], .teams.example, bücher.example",
    }
    client = create_app(Services(Settings.from_environment(environment), services.embedder)).test_client()
    for trusted in "papers.example PAPERS.example:8443 [fd00::5]:8000 a.teams.example xn--bcher-kva.example".split():
        assert client.get("/documents", headers={"Host": trusted}).status_code == 200, trusted
    for other in "other.example localhost [fd00::6] myteams.example papers.example.rebound.example".split():
        assert client.get("/documents", headers={"Host": other}).status_code == 400, other
    problem = client.get("/api/v1/documents", headers={"Host": "other.example"})
    assert (problem.status_code, problem.mimetype) == (400, "application/problem+json")
    assert "TRUSTED_HOSTS names those" in problem.get_json()["detail"]


def test_unexpected_error_reveals_no_details(app, client, monkeypatch):
    def fail(*_):
        raise RuntimeError("secret inside")

    app.config["TESTING"] = False
    monkeypatch.setattr("highlighter.web.pages.library_routes.listing.list_documents", fail)
    answer = client.get("/documents")
    assert answer.status_code == 500
    assert "secret" not in answer.get_data(as_text=True)
    assert "wrong on the server" in answer.get_data(as_text=True)


@pytest.mark.parametrize("path", ["/", "/api/v1/documents"])
def test_request_without_room_is_refused_with_a_time_to_come_again(client, path, caplog):
    refused = client.get(path, environ_overrides={ENVIRON_OVERLOADED: True})
    assert (refused.status_code, refused.headers["Retry-After"]) == (503, "2")
    assert "The service is busy" in refused.text
    assert caplog.records == []
    assert client.get("/healthz", environ_overrides={ENVIRON_OVERLOADED: True}).status_code == 200


def test_upload_that_is_too_large_is_refused_before_it_is_read(services, tmp_path):
    settings = Settings(data_dir=tmp_path / "data", max_upload_mb=1)
    client = create_app(Services(settings, services.embedder)).test_client()
    with client.post("/documents", data=bytes(3 << 20), content_type="multipart/form-data; boundary=x") as answer:
        assert answer.status_code == 413
        assert "upload limit" in answer.get_data(as_text=True)


def _form(*parts: bytes) -> bytes:
    return b"".join(b"--x\r\nContent-Disposition: form-data; name=a" + part + b"\r\n" for part in parts) + b"--x--\r\n"


@pytest.mark.parametrize(
    ("body", "limit"),
    [
        (_form(*[b"\r\n\r\n1"] * 51), "at most 50 parts"),
        (_form(b"\r\nX: " + b"1" * 600_000 + b"\r\n\r\n"), "headers of a part of a form can have at most 500 kB"),
        (_form(b"\r\n\r\n" + b"1" * 600_000), "field of a form can have at most 500 kB"),
        (_form(b"; filename=a.txt\r\n\r\n" + b"1" * (2 << 20)), "upload limit of 1 MB"),
    ],
    ids=["parts", "headers", "fields", "bytes"],
)
@pytest.mark.parametrize("chunked", [False, True])
def test_request_that_is_too_large_names_the_exceeded_limit(services, tmp_path, body, limit, chunked):
    settings = Settings(data_dir=tmp_path / "data", max_upload_mb=1)
    client = create_app(Services(settings, services.embedder)).test_client()
    sent = {"content_type": "multipart/form-data; boundary=x", "input_stream": io.BytesIO(body)}
    if not chunked:
        sent["content_length"] = len(body)
    answer = client.post("/api/v1/documents", **sent, environ_overrides={"wsgi.input_terminated": chunked})
    assert answer.status_code == 413
    assert limit in answer.json["detail"]


def test_responses_forbid_content_type_sniffing(client, note):
    for path in ("/documents", f"/documents/{note.id}/original", "/api/v1/openapi.json", "/static/viewer.js"):
        with client.get(path) as answer:
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
            assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
