"""The operations of the OpenAPI document as plain values, for the template of the reference page."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

HTTP_METHODS = ("get", "post", "put", "patch", "delete")
_TYPE_NAMES = {"string": "text", "integer": "whole number", "number": "number", "boolean": "true or false"}

JsonObject = dict[str, Any]


@dataclass(frozen=True, slots=True)
class OperationField:
    """A parameter of an operation, or a field of its request or response."""

    name: str
    kind: str
    required: bool
    about: str


@dataclass(frozen=True, slots=True)
class Operation:
    """A method and path of the API, with its fields and an example."""

    method: str
    path: str
    tag: str
    summary: str
    about: str
    parameters: tuple[OperationField, ...]
    body: tuple[OperationField, ...]
    answers: tuple[tuple[str, tuple[OperationField, ...]], ...]  # (status, fields)
    example: str


def list_operations(spec: dict[str, Any], base: str) -> list[Operation]:
    """Return every operation in the order of the paths; `base` is the URL of the service, for the examples."""
    return [
        _build_operation(spec, path, method, operation, base)
        for path, methods in sorted(spec["paths"].items())
        for method, operation in methods.items()
        if method in HTTP_METHODS
    ]


def _build_operation(spec: JsonObject, path: str, method: str, operation: JsonObject, base: str) -> Operation:
    parameters = tuple(
        OperationField(
            name=parameter["name"],
            kind=_name_type(spec, parameter["schema"]),
            required=parameter.get("required", False),
            about=_describe_field(parameter),
        )
        for parameter in operation["parameters"]
    )
    media_type, body = _get_body_fields(spec, operation)
    answers = tuple(
        (status, tuple(_iterate_fields(spec, content.get("schema", {}))))
        for status, response in sorted(operation["responses"].items())
        for content in list(response.get("content", {}).values())[:1]
    )
    return Operation(
        method=method.upper(),
        path=path,
        tag=next(iter(operation.get("tags", [])), ""),
        summary=operation.get("summary", ""),
        about=operation.get("description", ""),
        parameters=parameters,
        body=body,
        answers=answers,
        example=_build_curl_example(method, base + path, parameters, media_type, body),
    )


def _get_body_fields(spec: JsonObject, operation: JsonObject) -> tuple[str, tuple[OperationField, ...]]:
    """Return the media type and the fields of an operation's request body."""
    for media_type, content in operation.get("requestBody", {}).get("content", {}).items():
        return media_type, tuple(_iterate_fields(spec, content["schema"]))
    return "", ()


def _iterate_fields(spec: JsonObject, schema: JsonObject) -> Iterator[OperationField]:
    schema = _resolve_schema(spec, schema)
    required = schema.get("required", [])
    for name, value in schema.get("properties", {}).items():
        yield OperationField(name, _name_type(spec, value), name in required, _describe_field(value))


def _resolve_schema(spec: JsonObject, schema: JsonObject) -> JsonObject:
    while "$ref" in schema:
        schema = spec["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return schema


def _name_type(spec: JsonObject, schema: JsonObject) -> str:
    """Return a short name of a type: "text", "list of SentenceOut", "evidence or cosine"."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "anyOf" in schema:
        kinds = [_name_type(spec, choice) for choice in schema["anyOf"] if choice.get("type") != "null"]
        return " or ".join(dict.fromkeys(kinds))
    if "enum" in schema:
        return " or ".join(map(str, schema["enum"]))
    if schema.get("type") == "array":
        return f"list of {_name_type(spec, schema.get('items', {}))}"
    if schema.get("format") == "binary":
        return "file"
    return _TYPE_NAMES.get(schema.get("type", ""), str(schema.get("type", "anything")))


def _describe_field(field: JsonObject) -> str:
    """Return the description of a field, with its bounds."""
    schema = field.get("schema", field)
    bounds = [
        f"{word} {schema[key]:,}"
        for key, word in (("maxLength", "at most"), ("maximum", "at most"), ("minimum", "at least"))
        if key in schema and schema[key] < 2**31 - 1 and not (key == "minimum" and schema[key] == 0)
    ]
    return "; ".join(filter(None, [field.get("description", ""), *bounds]))


def _build_curl_example(
    method: str,
    url: str,
    parameters: Sequence[OperationField],
    media_type: str,
    body: Sequence[OperationField],
) -> str:
    """Return a curl command that calls an operation, with "..." for values."""
    query_names = [field.name for field in parameters if field.required and f"{{{field.name}}}" not in url]
    quoted_url = f"'{url}{'?' if query_names else ''}{'&'.join(f'{name}=...' for name in query_names)}'"
    if media_type.startswith("multipart"):
        return f"curl -F file=@contract.pdf {quoted_url}"
    if body:
        example_body = json.dumps({field.name: "..." for field in body if field.required} or {body[0].name: "..."})
        return f"curl -H 'content-type: application/json' -d '{example_body}' {quoted_url}"
    flags = "" if method in ("get", "post") else f"-X {method.upper()} "
    return f"curl {flags}{quoted_url}"
