"""The OpenAPI document: what spectree generates, with what it cannot know of media types, errors, keys, names and examples."""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from flask import Flask

from highlighter.quotes.anchors import ANNOTATION_MEDIA_TYPE
from highlighter.web.api.idempotency import (
    IDEMPOTENCY_KEY_HEADER,
    IDEMPOTENCY_KEY_PATTERN,
    MAX_IDEMPOTENCY_KEY_CHARACTERS,
    REPLAYED_HEADER,
    accepts_idempotency_key,
)
from highlighter.web.api.openapi import spec
from highlighter.web.api.operation_texts import (
    OPERATION_IDS,
    PARAMETER_DESCRIPTIONS,
    REQUEST_EXAMPLES,
    TAG_DESCRIPTIONS,
)
from highlighter.web.auth.required_scopes import get_required_scope
from highlighter.web.event_stream import EVENT_STREAM_MEDIA_TYPE
from highlighter.web.problems import PROBLEM_MEDIA_TYPE

_INFO = {
    "description": "Takes documents in and, for every citation of them, shows the sentence that carries it, in its place.",
    "contact": {"name": "Whoever runs this service"},
    "license": {"name": "Apache 2.0", "identifier": "Apache-2.0"},
}
_SCHEMA_PREFIX = "#/components/schemas/"
MAX_ID_CHARACTERS = 64  # nothing has a longer id, so that a longer one is not found
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
    ("get", "/api/v1/documents/{document_id}/events", "200"): {EVENT_STREAM_MEDIA_TYPE: _TEXT_CONTENT},
    ("post", "/api/v1/answers", "200"): {EVENT_STREAM_MEDIA_TYPE: _TEXT_CONTENT},
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
# Lists whose responses lead to their first and next page.
_PAGED_OPERATIONS = frozenset({"listAnswers", "listDocuments", "findInDocument", "listNotes", "listWebhookDeliveries"})
_LINK_HEADER = {
    "description": 'the first page, and the next where there is one: `<URL>; rel="first", <URL>; rel="next"` (RFC 8288)',
    "schema": {"type": "string"},
}
_IDEMPOTENCY_KEY_PARAMETER = {
    "name": IDEMPOTENCY_KEY_HEADER,
    "in": "header",
    "required": False,
    "description": "a text of your own for this request alone, such as a UUID: sent again within a day, the request has no "
    "second effect and gets the same response",
    "schema": {"type": "string", "pattern": IDEMPOTENCY_KEY_PATTERN, "maxLength": MAX_IDEMPOTENCY_KEY_CHARACTERS},
}
_IDEMPOTENCY_ERRORS = {
    "409": "The same request is still being answered, or what it is about is not ready",
    "422": "This Idempotency-Key was sent with another request, or the answer is not grounded",
}
_REPLAYED_RESPONSE_HEADER = {
    "description": "`true` where an earlier request with the same Idempotency-Key got this response",
    "schema": {"type": "string"},
}
# A page for people, whose errors are pages, too.
_HTML_PATHS = ("/api/v1/chunks/highlight",)


def build_openapi(app: Flask, server_url: str) -> dict[str, Any]:
    """Return the OpenAPI document of an application that clients reach at a URL."""
    document: dict[str, Any] = deepcopy(spec.spec)
    document["info"] |= _INFO
    document["servers"] = [{"url": server_url}]
    document["components"]["securitySchemes"] = {"key": _KEY_SECURITY_SCHEME}
    document["security"] = [{"key": []}]
    document["tags"] = [{"name": tag["name"], "description": TAG_DESCRIPTIONS[tag["name"]]} for tag in document["tags"]]
    endpoints = _find_endpoints(app)
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            _complete_responses(operation["responses"], method, path)
            _complete_operation(operation, method, path, endpoints[method, path])
            if accepts_idempotency_key(app.view_functions[endpoints[method, path]]):
                _describe_idempotency(operation)
    for schema in document["components"]["schemas"].values():
        _name_items(schema)
    _remove_unused_schemas(document)
    return document


def _find_endpoints(app: Flask) -> dict[tuple[str, str], str]:
    """Return the endpoint of each method and path, as the OpenAPI document writes them."""
    return {
        (method.lower(), re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule)): rule.endpoint
        for rule in app.url_map.iter_rules()
        for method in rule.methods or ()
    }


def _complete_operation(operation: dict[str, Any], method: str, path: str, endpoint: str) -> None:
    """Add the id, the required scope, the descriptions of parameters, and an example of the body."""
    operation["operationId"] = OPERATION_IDS[method, path]
    scope = f"The key needs the scope `{get_required_scope(endpoint, method.upper())}`."
    operation["description"] = f"{operation.get('description') or operation['summary']} {scope}"
    for parameter in operation["parameters"]:
        if not parameter.get("description"):
            parameter["description"] = PARAMETER_DESCRIPTIONS[parameter["name"]]
        if parameter["in"] == "path" and parameter["schema"]["type"] == "string":
            parameter["schema"]["maxLength"] = MAX_ID_CHARACTERS
    if operation["operationId"] in _PAGED_OPERATIONS:
        operation["responses"]["200"].setdefault("headers", {})["Link"] = _LINK_HEADER
    body = operation.get("requestBody", {}).get("content", {}).get(JSON_MEDIA_TYPE)
    if body:
        body["example"] = REQUEST_EXAMPLES[operation["operationId"]]


def _describe_idempotency(operation: dict[str, Any]) -> None:
    """Add the header with which an operation may be sent again, and what follows from it."""
    operation["parameters"].append(_IDEMPOTENCY_KEY_PARAMETER)
    for status, response in operation["responses"].items():
        if status.startswith("2"):
            response.setdefault("headers", {})[REPLAYED_HEADER] = _REPLAYED_RESPONSE_HEADER
    for status, description in _IDEMPOTENCY_ERRORS.items():
        operation["responses"][status] = {
            "description": description,
            "content": {PROBLEM_MEDIA_TYPE: _PROBLEM_CONTENT},
        }


def _complete_responses(responses: dict[str, Any], method: str, path: str) -> None:
    """Add the other media types of responses, and the errors of all operations."""
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
    is_page = path in _HTML_PATHS
    error_content = {HTML_MEDIA_TYPE: _TEXT_CONTENT} if is_page else {PROBLEM_MEDIA_TYPE: _PROBLEM_CONTENT}
    for status, description in {"400": "The request is wrong", "default": "What is wrong, in one sentence"}.items():
        responses[status] = {"description": description, **responses.get(status, {}), "content": error_content}


def _name_items(schema: Any) -> None:
    """Describe tuples of equal items as arrays, which generators of clients know, and leave out defaults that do not fit."""
    for part in _iterate_schemas(schema):
        items = part.get("prefixItems", [])
        if items and all(item == items[0] for item in items):
            part["items"] = part.pop("prefixItems")[0]
        is_text = part.get("type") == "string"
        if "default" in part and is_text and (not part["default"] or not isinstance(part["default"], str)):
            del part["default"]


def _iterate_schemas(value: Any) -> Iterator[dict[str, Any]]:
    """Iterate over all objects within a part of the document."""
    if isinstance(value, dict):
        yield value
    if isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _iterate_schemas(part)


def _remove_unused_schemas(document: dict[str, Any]) -> None:
    """Remove the models of query parameters, which the document has as parameters."""
    schemas = document["components"]["schemas"]
    while True:
        used = {part["$ref"] for part in _iterate_schemas(document) if isinstance(part.get("$ref"), str)}
        unused = [name for name in schemas if _SCHEMA_PREFIX + name not in used]
        if not unused:
            return
        for name in unused:
            del schemas[name]
