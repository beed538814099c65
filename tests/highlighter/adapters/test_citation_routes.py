"""The routes of Flask and FastAPI for pages with citations, against a service that requires a key."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from flask import Flask

from highlighter.adapters import fastapi_routes, flask_routes
from tests.browser.serving import ROOT, free_port
from tests.highlighter.adapters.conftest import SENTENCE

ORIGIN = "http://localhost:5500"
Post = Callable[[str, dict[str, Any]], tuple[int, Any]]


def make_flask_app(url: str, key: str, **options: Any) -> Flask:
    app = Flask(__name__)
    app.register_blueprint(flask_routes.citation_routes(url, key, origins=[ORIGIN], **options), url_prefix="/citations")
    return app


def make_fastapi_app(url: str, key: str, **options: Any) -> FastAPI:
    app = FastAPI()
    app.include_router(fastapi_routes.citation_routes(url, key, origins=[ORIGIN], **options), prefix="/citations")
    return app


def post_to_flask(url: str, key: str, **options: Any) -> Post:
    app = make_flask_app(url, key, **options)

    def post(path: str, body: dict[str, Any]) -> tuple[int, Any]:
        answer = app.test_client().post(f"/citations/{path}", json=body)
        return answer.status_code, answer.get_json()

    return post


def post_to_fastapi(url: str, key: str, **options: Any) -> Post:
    app = make_fastapi_app(url, key, **options)

    def post(path: str, body: dict[str, Any]) -> tuple[int, Any]:
        with TestClient(app) as client:
            answer = client.post(f"/citations/{path}", json=body)
        return answer.status_code, answer.json()

    return post


@pytest.fixture(params=[post_to_flask, post_to_fastapi])
def routes(request):
    return request.param


def test_routes_forward_with_key_and_decide_origin_and_scope(routes, remote_service, key):
    post = routes(remote_service[0], key, expires_in=60)
    status, resolved = post("resolve", {"text": f"{SENTENCE} [note.txt]"})
    assert (status, [one["filename"] for one in resolved["citations"]]) == (200, ["note.txt"])
    status, made = post("link", {"quote": SENTENCE})
    assert (status, made["scope"], made["tier"]) == (200, "document", "exact")
    grant = remote_service[1].link_keys.verify(made["token"])
    assert grant.origins == (ORIGIN,)


def test_links_are_only_for_permitted_readers(routes, remote_service, key):
    wanted: list[dict[str, Any]] = []
    post = routes(remote_service[0], key, permit=lambda one: wanted.append(one))
    status, refused = post("link", {"quote": SENTENCE, "page": None, "claim": "Alarms are tested."})
    assert (status, refused["detail"]) == (403, "You may not open this document.")
    assert wanted == [{"quote": SENTENCE, "question": "Alarms are tested."}]


@pytest.mark.parametrize("field", ["scope", "origins", "filename"])
def test_fields_that_are_not_for_pages_to_send_are_refused(routes, remote_service, key, field):
    status, refused = routes(remote_service[0], key)("link", {"quote": SENTENCE, field: "collection"})
    assert (status, refused["status"]) == (400, 400)
    assert refused["detail"].startswith(f"This route does not know the field {field}. Its fields are document_id, ")


@pytest.mark.parametrize(
    ("path", "body", "sentence"),
    [
        ("link", {"document_id": 5}, "document_id must be a text."),
        ("link", {"document_id": ["a"]}, "document_id must be a text."),
        ("link", {"quote": SENTENCE, "page": "2"}, "page must be a whole number."),
        ("link", {"quote": SENTENCE, "start": True}, "start must be a whole number."),
        ("link", {"claim": {}}, "claim must be a text."),
        ("resolve", {"text": []}, "text must be a text."),
        ("resolve", {"text": "[1]", "sources": "note.txt"}, "sources must be a list."),
    ],
)
def test_fields_of_other_types_reach_no_permit(routes, path, body, sentence):
    post = routes(f"http://127.0.0.1:{free_port()}", "", permit=lambda wanted: 1 // 0)
    status, refused = post(path, body)
    assert (status, refused["detail"]) == (400, sentence)


@pytest.mark.parametrize(
    ("content", "media_type", "refusal"),
    [
        (b"", "", (400, "The body is empty. Send a JSON object, as application/json.")),
        (b"{}", "text/plain", (415, "Send a JSON object, as application/json.")),
        (b"{", "application/json", (400, "The body is not valid JSON.")),
        (b'{"page": NaN}', "application/json", (400, "The body is not valid JSON.")),
        (b"[" * 100_000, "application/json", (400, "The body is not valid JSON.")),
        (b"[]", "application/json; charset=utf-8", (400, "The body must be a JSON object.")),
    ],
)
def test_both_frameworks_refuse_other_bodies_with_the_same_sentence(content, media_type, refusal):
    url = f"http://127.0.0.1:{free_port()}"
    in_flask = make_flask_app(url, "").test_client().post("/citations/link", data=content, content_type=media_type)
    assert (in_flask.status_code, in_flask.get_json()["detail"]) == refusal
    with TestClient(make_fastapi_app(url, "")) as client:
        in_fastapi = client.post("/citations/link", content=content, headers={"content-type": media_type})
    assert (in_fastapi.status_code, in_fastapi.json()["detail"]) == refusal


def test_refusals_of_service_are_passed_on(routes, remote_service, key):
    status, refused = routes(remote_service[0], key)("link", {"quote": "Penguins eat fish in winter."})
    assert (status, refused["status"]) == (404, 404)
    assert refused["detail"]
    assert routes(remote_service[0], "hk_wrong")("resolve", {"text": "[1]"})[0] == 401
    status, refused = routes(f"http://127.0.0.1:{free_port()}", key)("resolve", {"text": "[1]"})
    assert (status, refused["status"]) == (502, 502)
    assert "cannot be reached" in refused["detail"]


def test_documented_permit_asks_for_a_signed_in_reader_of_the_document(remote_service, key):
    guide = (ROOT / "docs" / "how-to" / "embed.md").read_text(encoding="utf-8")
    (lines,) = re.findall(r"```python3\n(.*?)```", guide, re.S)
    names = {"citation_routes": flask_routes.citation_routes, "url": remote_service[0], "key": key}
    names["DOCUMENTS_OF"] = {"ada": ["of-ada"]}
    exec(lines, names)
    app = make_flask_app(remote_service[0], key, permit=names["permit"])
    app.secret_key = "for this test"
    with app.test_client() as client:

        def status(**wanted: Any) -> int:
            return client.post("/citations/link", json=wanted).status_code

        assert status(document_id="of-ada") == 403
        with client.session_transaction() as session:
            session["user"] = "ada"
        assert [status(document_id="of-ada"), status(document_id="other"), status(quote=SENTENCE)] == [404, 403, 403]


def test_documented_lines_make_the_routes(remote_service, key):
    guide = (ROOT / "docs" / "how-to" / "embed.md").read_text(encoding="utf-8")
    (lines,) = re.findall(r"```py\n(.*?)```", guide, re.S)
    app = Flask(__name__)
    exec(lines, {"app": app, "url": remote_service[0], "key": key})
    answer = app.test_client().post("/citations/link", json={"quote": SENTENCE})
    assert answer.get_json()["url"].startswith(f"{remote_service[0]}/embed/")
    assert app.test_client().post("/citations/link", data="{}", content_type="text/plain").status_code == 415
