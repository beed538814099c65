"""The OpenAPI library: pydantic models check requests, and make the document."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from spectree import SpecTree
from spectree.model_adapter.pydantic_adapter import PydanticModelAdapter
from spectree.models import Tag
from spectree.plugins.flask_plugin import FlaskPlugin

from highlighter.quotes.anchors import ANNOTATION_MEDIA_TYPE as ANNOTATIONS
from highlighter.schemas.search import Problem
from highlighter.web.event_stream import EVENT_STREAM_MEDIA_TYPE as EVENTS
from highlighter.web.problems import PROBLEM_MEDIA_TYPE as PROBLEM
from highlighter.web.problems import convert_validation_error

DOCUMENTS_TAG, HIGHLIGHTS_TAG, SEARCH_TAG = Tag(name="documents"), Tag(name="highlights"), Tag(name="search")
QUOTES_TAG, ANSWERS_TAG, EMBED_TAG = Tag(name="quotes"), Tag(name="answers"), Tag(name="embed")


class _ErrorAdapter(PydanticModelAdapter):
    def validation_errors(self, err):
        """Without what was sent, which may be a file and no JSON."""
        return err.errors(include_input=False, include_url=False, include_context=False)


class _PassthroughPlugin(FlaskPlugin):
    def validate_response(self, resp, *how):
        """An answer that a view has made itself goes out as it is. The library would make another of its bytes: reading a
        stream to its end first, and losing whoever is to hear that it was closed."""
        return (resp, None) if self.is_app_response(resp) else super().validate_response(resp, *how)


def _raise_invalid_request(_request, _response, err, _instance, _adapter) -> None:
    if err is not None:
        raise convert_validation_error(err)


spec = SpecTree(
    "flask",
    _PassthroughPlugin,
    title="Highlighter",
    version="1",
    path="openapi",  # served by our own route: a path of spectree's hides every route that begins with it
    page_templates={},
    mode="strict",
    before=_raise_invalid_request,
    model_adapter=_ErrorAdapter(),
    validation_error_status=400,
    validation_error_model=Problem,
    naming_strategy=lambda model: model.__name__,
    nested_naming_strategy=lambda _parent, child: child,
)


# The OpenAPI document as it is handed out: what the library cannot know of it added, media types, refusals, keys.


HTML, JSON, ZIP = "text/html", "application/json", "application/zip"
_PROBLEM_CONTENT = {"schema": {"$ref": "#/components/schemas/Problem"}}
_TEXT_CONTENT, _BINARY_CONTENT = {"schema": {"type": "string"}}, {"schema": {"type": "string", "format": "binary"}}
_KEY_SECURITY_SCHEME = {
    "type": "http",
    "scheme": "bearer",
    "description": "A key, made by `python -m highlighter keys make`; none is needed while the service is open.",
}
# What answers besides, or instead of, a model as JSON: (method, path, status) -> media types.
_ADDITIONAL_MEDIA_TYPES = {
    ("get", "/api/v1/chunks/highlight", "200"): {HTML: _TEXT_CONTENT},
    ("get", "/api/v1/answers/{answer_id}/pack", "200"): {ZIP: _BINARY_CONTENT},
    ("get", "/api/v1/documents/{document_id}/events", "200"): {EVENTS: {}},
    ("post", "/api/v1/answers", "200"): {EVENTS: {}},
}
_REPLACEMENT_MEDIA_TYPES = {("get", "/api/v1/documents/{document_id}/annotations", "200"): ANNOTATIONS}
# A page for people, so what it refuses it says to people, too.
_HTML_PATHS = ("/api/v1/chunks/highlight",)


def complete_openapi(generated: dict[str, Any]) -> dict[str, Any]:
    """`made`: as the library makes it of routes and models."""
    document = deepcopy(generated)
    document["components"]["securitySchemes"] = {"key": _KEY_SECURITY_SCHEME}
    document["security"] = [{"key": []}]
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            responses = operation["responses"]
            for status, answer in responses.items():
                if answer.get("content", {}).get(JSON) == _PROBLEM_CONTENT:
                    answer["content"] = {PROBLEM: _PROBLEM_CONTENT}
                if (method, path, status) in _REPLACEMENT_MEDIA_TYPES:
                    answer["content"] = {_REPLACEMENT_MEDIA_TYPES[method, path, status]: answer["content"][JSON]}
            for (its_method, its_path, status), media in _ADDITIONAL_MEDIA_TYPES.items():
                if (its_method, its_path) == (method, path):
                    answer = responses.setdefault(status, {"description": "OK"})
                    answer["content"] = answer.get("content", {}) | media
            refused = {HTML: _TEXT_CONTENT} if path in _HTML_PATHS else {PROBLEM: _PROBLEM_CONTENT}
            responses["default"] = {"description": "What is wrong, in one sentence", "content": refused}
    return document
