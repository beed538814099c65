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


def post_to_flask(url: str, key: str, **options: Any) -> Post:
    app = Flask(__name__)
    app.register_blueprint(flask_routes.citation_routes(url, key, origins=[ORIGIN], **options), url_prefix="/citations")

    def post(path: str, body: dict[str, Any]) -> tuple[int, Any]:
        answer = app.test_client().post(f"/citations/{path}", json=body)
        return answer.status_code, answer.get_json()

    return post


def post_to_fastapi(url: str, key: str, **options: Any) -> Post:
    app = FastAPI()
    app.include_router(fastapi_routes.citation_routes(url, key, origins=[ORIGIN], **options), prefix="/citations")

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
    status, made = post("link", {"quote": SENTENCE, "scope": "collection", "origins": ["https://evil.example"]})
    assert (status, made["scope"], made["tier"]) == (200, "document", "exact")
    grant = remote_service[1].link_keys.verify(made["token"])
    assert grant.origins == (ORIGIN,)


def test_links_are_only_for_permitted_readers(routes, remote_service, key):
    wanted: list[dict[str, Any]] = []
    post = routes(remote_service[0], key, permit=lambda one: wanted.append(one))
    status, refused = post("link", {"quote": SENTENCE, "unheard_of": 1})
    assert (status, refused["detail"]) == (403, "You may not open this document.")
    assert wanted == [{"quote": SENTENCE}]


def test_refusals_of_service_are_passed_on(routes, remote_service, key):
    status, refused = routes(remote_service[0], key)("link", {"quote": "Penguins eat fish in winter."})
    assert (status, refused["status"]) == (404, 404)
    assert refused["detail"]
    assert routes(remote_service[0], "hk_wrong")("resolve", {"text": "[1]"})[0] == 401
    status, refused = routes(f"http://127.0.0.1:{free_port()}", key)("resolve", {"text": "[1]"})
    assert (status, refused["status"]) == (502, 502)
    assert "cannot be reached" in refused["detail"]


def test_documented_lines_make_the_routes(remote_service, key):
    guide = (ROOT / "docs" / "how-to" / "embed.md").read_text(encoding="utf-8")
    (lines,) = re.findall(r"```py\n(.*?)```", guide, re.S)
    app = Flask(__name__)
    exec(lines, {"app": app, "url": remote_service[0], "key": key})
    answer = app.test_client().post("/citations/link", json={"quote": SENTENCE})
    assert answer.get_json()["url"].startswith(f"{remote_service[0]}/embed/")
    assert app.test_client().post("/citations/link", data="{}", content_type="text/plain").status_code == 415
