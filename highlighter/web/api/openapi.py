"""The OpenAPI document, and the validation of requests, both made from pydantic models by spectree."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from pydantic import ValidationError
from spectree import SpecTree
from spectree.model_adapter.pydantic_adapter import PydanticModelAdapter
from spectree.models import Tag
from spectree.plugins.flask_plugin import FlaskPlugin

from highlighter.quotes.anchors import ANNOTATION_MEDIA_TYPE
from highlighter.schemas.search import Problem
from highlighter.web.event_stream import EVENT_STREAM_MEDIA_TYPE
from highlighter.web.problems import PROBLEM_MEDIA_TYPE, convert_validation_error

DOCUMENTS_TAG, HIGHLIGHTS_TAG, SEARCH_TAG = Tag(name="documents"), Tag(name="highlights"), Tag(name="search")
QUOTES_TAG, ANSWERS_TAG, EMBED_TAG = Tag(name="quotes"), Tag(name="answers"), Tag(name="embed")
NOTES_TAG = Tag(name="notes")


class _ErrorAdapter(PydanticModelAdapter):
    def validation_errors(self, err: ValidationError) -> list[Any]:
        """Return the errors without their input, which may be a file and not JSON."""
        return err.errors(include_input=False, include_url=False, include_context=False)


class _PassthroughPlugin(FlaskPlugin):
    def validate_response(self, resp: Any, *arguments: Any) -> tuple[Any, Any]:
        """Validate the models that views return, and pass on responses that views have built.

        spectree would build a new response from the bytes of a built one. It would read a stream to its end first, and drop
        the functions that are called when the response is closed.
        """
        is_built: bool = self.is_app_response(resp)  # type: ignore[no-untyped-call]  # spectree does not type it
        return (resp, None) if is_built else super().validate_response(resp, *arguments)


def _raise_invalid_request(_request: Any, _response: Any, err: Any, _instance: Any, _adapter: Any) -> None:
    if err is not None:
        raise convert_validation_error(err)


# spectree evaluates the annotations of a view on each request: they name only types that the view's module imports.
spec = SpecTree(
    "flask",
    _PassthroughPlugin,
    title="Highlighter",
    version="1",
    path="openapi",  # served by our own route: a path of spectree would hide every route that begins with it
    page_templates={},
    mode="strict",
    before=_raise_invalid_request,
    model_adapter=_ErrorAdapter(),  # type: ignore[arg-type]  # its protocol asks for a base class of ValidationError
    validation_error_status=400,
    validation_error_model=Problem,
    naming_strategy=lambda model: model.__name__,
    nested_naming_strategy=lambda _parent, child: child,
)


# What spectree cannot know of the OpenAPI document: other media types than JSON, errors of all routes, and keys.

HTML_MEDIA_TYPE, JSON_MEDIA_TYPE, ZIP_MEDIA_TYPE = "text/html", "application/json", "application/zip"
_PROBLEM_CONTENT = {"schema": {"$ref": "#/components/schemas/Problem"}}
_TEXT_CONTENT, _BINARY_CONTENT = {"schema": {"type": "string"}}, {"schema": {"type": "string", "format": "binary"}}
_KEY_SECURITY_SCHEME = {
    "type": "http",
    "scheme": "bearer",
    "description": "A key, made by `python -m highlighter keys make`; none is needed while the service is open.",
}
# Media types of responses in addition to, or in place of, JSON, by (method, path, status).
_ADDITIONAL_MEDIA_TYPES = {
    ("get", "/api/v1/chunks/highlight", "200"): {HTML_MEDIA_TYPE: _TEXT_CONTENT},
    ("get", "/api/v1/answers/{answer_id}/pack", "200"): {ZIP_MEDIA_TYPE: _BINARY_CONTENT},
    ("get", "/api/v1/documents/{document_id}/events", "200"): {EVENT_STREAM_MEDIA_TYPE: {}},
    ("post", "/api/v1/answers", "200"): {EVENT_STREAM_MEDIA_TYPE: {}},
}
_REPLACEMENT_MEDIA_TYPES = {
    ("get", "/api/v1/documents/{document_id}/annotations", "200"): ANNOTATION_MEDIA_TYPE,
    ("get", "/api/v1/documents/{document_id}/notes", "200"): ANNOTATION_MEDIA_TYPE,
    ("post", "/api/v1/documents/{document_id}/notes", "201"): ANNOTATION_MEDIA_TYPE,
    ("get", "/api/v1/notes", "200"): ANNOTATION_MEDIA_TYPE,
    ("get", "/api/v1/notes/{note_id}", "200"): ANNOTATION_MEDIA_TYPE,
    ("put", "/api/v1/notes/{note_id}", "200"): ANNOTATION_MEDIA_TYPE,
    ("post", "/api/v1/notes/{note_id}/restore", "200"): ANNOTATION_MEDIA_TYPE,
}
# A page for people, whose errors are pages, too.
_HTML_PATHS = ("/api/v1/chunks/highlight",)


def complete_openapi(generated: dict[str, Any]) -> dict[str, Any]:
    """Return the document that spectree generated from routes and models, with media types, errors and keys added."""
    document = deepcopy(generated)
    document["components"]["securitySchemes"] = {"key": _KEY_SECURITY_SCHEME}
    document["security"] = [{"key": []}]
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            responses = operation["responses"]
            for status, response in responses.items():
                if response.get("content", {}).get(JSON_MEDIA_TYPE) == _PROBLEM_CONTENT:
                    response["content"] = {PROBLEM_MEDIA_TYPE: _PROBLEM_CONTENT}
                if (method, path, status) in _REPLACEMENT_MEDIA_TYPES:
                    media_type = _REPLACEMENT_MEDIA_TYPES[method, path, status]
                    response["content"] = {media_type: response["content"][JSON_MEDIA_TYPE]}
            for (other_method, other_path, status), content in _ADDITIONAL_MEDIA_TYPES.items():
                if (other_method, other_path) == (method, path):
                    response = responses.setdefault(status, {"description": "OK"})
                    response["content"] = response.get("content", {}) | content
            error_content = (
                {HTML_MEDIA_TYPE: _TEXT_CONTENT} if path in _HTML_PATHS else {PROBLEM_MEDIA_TYPE: _PROBLEM_CONTENT}
            )
            responses["default"] = {"description": "What is wrong, in one sentence", "content": error_content}
    return document
