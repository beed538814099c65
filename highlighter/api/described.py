"""The OpenAPI document as it is handed out: what the library cannot know of it added, media types, refusals, keys."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from highlighter.api.events import MEDIA_TYPE as EVENTS
from highlighter.api.problems import MEDIA_TYPE as PROBLEM
from highlighter.citations.anchors import MEDIA_TYPE as ANNOTATIONS

HTML, JSON, ZIP = "text/html", "application/json", "application/zip"
_A_PROBLEM = {"schema": {"$ref": "#/components/schemas/Problem"}}
_TEXT, _FILE = {"schema": {"type": "string"}}, {"schema": {"type": "string", "format": "binary"}}
_KEYS = {
    "type": "http",
    "scheme": "bearer",
    "description": "A key, made by `python -m highlighter keys make`; none is needed while the service is open.",
}
# What answers besides, or instead of, a model as JSON: (method, path, status) -> media types.
_OTHERS = {
    ("get", "/api/v1/chunks/highlight", "200"): {HTML: _TEXT},
    ("get", "/api/v1/answers/{answer_id}/pack", "200"): {ZIP: _FILE},
    ("get", "/api/v1/documents/{document_id}/events", "200"): {EVENTS: {}},
    ("post", "/api/v1/answers", "200"): {EVENTS: {}},
}
_INSTEAD = {("get", "/api/v1/documents/{document_id}/annotations", "200"): ANNOTATIONS}
# A page for people, so what it refuses it says to people, too.
_PAGES = ("/api/v1/chunks/highlight",)


def described(made: dict[str, Any]) -> dict[str, Any]:
    """`made`: as the library makes it of routes and models."""
    document = deepcopy(made)
    document["components"]["securitySchemes"] = {"key": _KEYS}
    document["security"] = [{"key": []}]
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            responses = operation["responses"]
            for status, answer in responses.items():
                if answer.get("content", {}).get(JSON) == _A_PROBLEM:
                    answer["content"] = {PROBLEM: _A_PROBLEM}
                if (method, path, status) in _INSTEAD:
                    answer["content"] = {_INSTEAD[method, path, status]: answer["content"][JSON]}
            for (its_method, its_path, status), media in _OTHERS.items():
                if (its_method, its_path) == (method, path):
                    answer = responses.setdefault(status, {"description": "OK"})
                    answer["content"] = answer.get("content", {}) | media
            refused = {HTML: _TEXT} if path in _PAGES else {PROBLEM: _A_PROBLEM}
            responses["default"] = {"description": "What is wrong, in a sentence", "content": refused}
    return document
