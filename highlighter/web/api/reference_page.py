"""From the OpenAPI document to what a page of documentation loops over: plain values, no markup."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

HTTP_METHODS = ("get", "post", "put", "delete")


@dataclass(frozen=True, slots=True)
class OperationField:
    name: str
    kind: str
    required: bool
    about: str


@dataclass(frozen=True, slots=True)
class Operation:
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
    """Every operation, in the order of its path; `base` is where the service is, for the examples."""
    return [
        _build_operation(spec, path, method, described, base)
        for path, methods in sorted(spec["paths"].items())
        for method, described in methods.items()
        if method in HTTP_METHODS
    ]


def _build_operation(spec: dict, path: str, method: str, operation: dict, base: str) -> Operation:
    parameters = tuple(
        OperationField(p["name"], _name_type(spec, p["schema"]), p.get("required", False), _describe_field(p))
        for p in operation["parameters"]
    )
    media, body = _get_body_fields(spec, operation)
    answers = tuple(
        (status, tuple(_iterate_fields(spec, content.get("schema", {}))))
        for status, answer in sorted(operation["responses"].items())
        for content in list(answer.get("content", {}).values())[:1]
    )
    return Operation(
        method.upper(),
        path,
        next(iter(operation.get("tags", [])), ""),
        operation.get("summary", ""),
        operation.get("description", ""),
        parameters,
        body,
        answers,
        _build_curl_example(method, path, parameters, media, body, base),
    )


def _get_body_fields(spec: dict, operation: dict) -> tuple[str, tuple[OperationField, ...]]:
    for media, content in operation.get("requestBody", {}).get("content", {}).items():
        return media, tuple(_iterate_fields(spec, content["schema"]))
    return "", ()


def _iterate_fields(spec: dict, schema: dict) -> Iterator[OperationField]:
    schema = _resolve_schema(spec, schema)
    required = schema.get("required", [])
    for name, value in schema.get("properties", {}).items():
        yield OperationField(name, _name_type(spec, value), name in required, _describe_field(value))


def _resolve_schema(spec: dict, schema: dict) -> dict:
    while "$ref" in schema:
        schema = spec["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return schema


def _name_type(spec: dict, schema: dict) -> str:
    """A type in a word or two: "text", "list of SentenceOut", "evidence or cosine"."""
    if "$ref" in schema:
        return schema["$ref"].rpartition("/")[2]
    if "anyOf" in schema:
        kinds = [_name_type(spec, choice) for choice in schema["anyOf"] if choice.get("type") != "null"]
        return " or ".join(dict.fromkeys(kinds))
    if "enum" in schema:
        return " or ".join(map(str, schema["enum"]))
    if schema.get("type") == "array":
        return f"list of {_name_type(spec, schema.get('items', {}))}"
    if schema.get("format") == "binary":
        return "file"
    return {"string": "text", "integer": "whole number", "number": "number", "boolean": "true or false"}.get(
        schema.get("type", ""), schema.get("type", "anything")
    )


def _describe_field(field: dict) -> str:
    """What it means, and the bounds it is held to."""
    schema = field.get("schema", field)
    bounds = [
        f"{word} {schema[key]:,}"
        for key, word in (("maxLength", "at most"), ("maximum", "at most"), ("minimum", "at least"))
        if key in schema and schema[key] < 2**31 - 1 and not (key == "minimum" and schema[key] == 0)
    ]
    return "; ".join(filter(None, [field.get("description", ""), *bounds]))


def _build_curl_example(method: str, path: str, parameters, media: str, body, base: str) -> str:
    query = "&".join(f"{p.name}=..." for p in parameters if p.required and f"{{{p.name}}}" not in path)
    address = f"'{base}{path}{'?' + query if query else ''}'"
    flags = "" if method in ("get", "post") else f"-X {method.upper()} "
    if media.startswith("multipart"):
        return f"curl -F file=@contract.pdf {address}"
    if body:
        sent = json.dumps({field.name: "..." for field in body if field.required} or {body[0].name: "..."})
        return f"curl -H 'content-type: application/json' -d '{sent}' {address}"
    return f"curl {flags}{address}"
