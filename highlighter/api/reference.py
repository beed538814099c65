"""From the OpenAPI document to what a page of documentation loops over: plain values, no markup."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

METHODS = ("get", "post", "put", "delete")


@dataclass(frozen=True, slots=True)
class Field:
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
    parameters: tuple[Field, ...]
    body: tuple[Field, ...]
    answers: tuple[tuple[str, tuple[Field, ...]], ...]  # (status, fields)
    example: str


def operations(spec: dict[str, Any], base: str) -> list[Operation]:
    """Every operation, in the order of its path; `base` is where the service is, for the examples."""
    return [
        _operation(spec, path, method, described, base)
        for path, methods in sorted(spec["paths"].items())
        for method, described in methods.items()
        if method in METHODS
    ]


def _operation(spec: dict, path: str, method: str, described: dict, base: str) -> Operation:
    parameters = tuple(
        Field(p["name"], _kind(spec, p["schema"]), p.get("required", False), _about(p)) for p in described["parameters"]
    )
    media, body = _body(spec, described)
    answers = tuple(
        (status, tuple(_fields(spec, content.get("schema", {}))))
        for status, answer in sorted(described["responses"].items())
        for content in list(answer.get("content", {}).values())[:1]
    )
    return Operation(
        method.upper(),
        path,
        next(iter(described.get("tags", [])), ""),
        described.get("summary", ""),
        described.get("description", ""),
        parameters,
        body,
        answers,
        _example(method, path, parameters, media, body, base),
    )


def _body(spec: dict, described: dict) -> tuple[str, tuple[Field, ...]]:
    for media, content in described.get("requestBody", {}).get("content", {}).items():
        return media, tuple(_fields(spec, content["schema"]))
    return "", ()


def _fields(spec: dict, schema: dict) -> Iterator[Field]:
    schema = _resolved(spec, schema)
    required = schema.get("required", [])
    for name, value in schema.get("properties", {}).items():
        yield Field(name, _kind(spec, value), name in required, _about(value))


def _resolved(spec: dict, schema: dict) -> dict:
    while "$ref" in schema:
        schema = spec["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return schema


def _kind(spec: dict, schema: dict) -> str:
    """A type in a word or two: "text", "list of SentenceOut", "evidence or cosine"."""
    if "$ref" in schema:
        return schema["$ref"].rpartition("/")[2]
    if "anyOf" in schema:
        kinds = [_kind(spec, choice) for choice in schema["anyOf"] if choice.get("type") != "null"]
        return " or ".join(dict.fromkeys(kinds))
    if "enum" in schema:
        return " or ".join(map(str, schema["enum"]))
    if schema.get("type") == "array":
        return f"list of {_kind(spec, schema.get('items', {}))}"
    if schema.get("format") == "binary":
        return "file"
    return {"string": "text", "integer": "whole number", "number": "number", "boolean": "true or false"}.get(
        schema.get("type", ""), schema.get("type", "anything")
    )


def _about(described: dict) -> str:
    """What it means, and the bounds it is held to."""
    schema = described.get("schema", described)
    bounds = [
        f"{word} {schema[key]:,}"
        for key, word in (("maxLength", "at most"), ("maximum", "at most"), ("minimum", "at least"))
        if key in schema and schema[key] < 2**31 - 1 and not (key == "minimum" and schema[key] == 0)
    ]
    return "; ".join(filter(None, [described.get("description", ""), *bounds]))


def _example(method: str, path: str, parameters, media: str, body, base: str) -> str:
    query = "&".join(f"{p.name}=..." for p in parameters if p.required and f"{{{p.name}}}" not in path)
    address = f"'{base}{path}{'?' + query if query else ''}'"
    flags = "" if method in ("get", "post") else f"-X {method.upper()} "
    if media.startswith("multipart"):
        return f"curl -F file=@contract.pdf {address}"
    if body:
        sent = json.dumps({field.name: "..." for field in body if field.required} or {body[0].name: "..."})
        return f"curl -H 'content-type: application/json' -d '{sent}' {address}"
    return f"curl {flags}{address}"
