"""The texts that a caller of the service can write, as the OpenAPI document that it publishes lists them."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from io import BytesIO
from typing import Any

PATH, QUERY, HEADER, JSON, FORM = "path", "query", "header", "application/json", "multipart/form-data"
ITEM, VALUE = "[]", "*"  # steps into a list, and into an object with any keys
ANY_KEY = "client"
# What a text needs beside it, by the steps to both, and what a field replaces.
BESIDE = {
    ("history", ITEM): {"question": "When does it leave?"},
    ("selector",): {"type": "TextQuoteSelector"},
    ("selector", ITEM): {"type": "TextQuoteSelector"},
}
REPLACED = {"responses": "response"}
QUERY_EXAMPLES = {"start": "0", "end": "5", "q": "ferry"}
METHODS = ("get", "post", "put", "patch", "delete")


@dataclass(frozen=True)
class TextField:
    """A text of one operation. `steps` lead to it: names of fields, ITEM and VALUE."""

    method: str
    path: str
    place: str
    steps: tuple[str, ...]
    limit: int | None  # the largest number of characters that the document states
    takes_anything: bool = False  # any JSON, whose texts are limited as a whole

    def __str__(self) -> str:
        return f"{self.method} {self.path} {'.'.join(self.steps)}"

    @property
    def name(self) -> str:
        return next(step for step in reversed(self.steps) if step not in (ITEM, VALUE))


def list_text_fields(document: dict[str, Any]) -> list[TextField]:
    """Return every text of every operation: of paths, queries, headers and bodies."""
    fields = (
        TextField(method, path, place, steps, limit, takes_anything)
        for path, operations in document["paths"].items()
        for method, operation in operations.items()
        if method in METHODS
        for place, name, schema in _list_schemas(operation)
        for steps, limit, takes_anything in _find_texts(document, schema, (name,) if name else ())
    )
    return list(dict.fromkeys(fields))


def _list_schemas(operation: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for parameter in operation.get("parameters", ()):
        yield parameter["in"], parameter["name"], parameter["schema"]
    for media_type, content in operation.get("requestBody", {}).get("content", {}).items():
        yield media_type, "", content["schema"]


def _find_texts(
    document: dict[str, Any], schema: dict[str, Any], steps: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], int | None, bool]]:
    """Yield the steps to each text of a schema with its limit, and whether it is any JSON."""
    if "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    if options := schema.get("anyOf") or schema.get("oneOf"):
        for option in options:
            yield from _find_texts(document, option, steps)
    elif schema.get("type") == "string" and schema.get("format") != "binary":
        yield steps, _find_limit(schema), False
    elif schema.get("type") == "array":
        yield from _find_texts(document, schema["items"], (*steps, ITEM))
    elif schema.get("properties"):
        for name, part in schema["properties"].items():
            yield from _find_texts(document, part, (*steps, name))
    elif isinstance(values := schema.get("additionalProperties"), dict):
        yield from _find_texts(document, values, (*steps, VALUE))
    elif "type" not in schema or schema["type"] == "object":
        yield steps, None, True


def _find_limit(schema: dict[str, Any]) -> int | None:
    if "const" in schema:
        return len(schema["const"])
    if "enum" in schema:
        return max(map(len, schema["enum"]))
    return schema.get("maxLength")


def send_text(client: Any, document: dict[str, Any], ids: dict[str, str], field: TextField, value: Any) -> Any:
    """Send the example of an operation with a text of the caller's own. `ids` are what paths and bodies name."""
    operation = document["paths"][field.path][field.method]
    content = operation.get("requestBody", {}).get("content", {})
    names = {**ids, **({field.name: value} if field.place == PATH else {})}
    options: dict[str, Any] = {}
    if JSON in content:
        body = deepcopy(content[JSON]["example"])
        body |= {name: id for name, id in ids.items() if name in body}
        body.pop(REPLACED.get(field.steps[0]), None)
        options["json"] = _put(body, field.steps, value) if field.place == JSON else body
    elif FORM in content:
        options["data"] = {"file": (BytesIO(b"It rains."), "rain.txt")} | (
            {field.name: value} if field.place == FORM else {}
        )
    parameters = {parameter["name"] for parameter in operation["parameters"] if parameter["in"] == QUERY}
    query = {name: example for name, example in QUERY_EXAMPLES.items() if name in parameters}
    options["query_string"] = query | ({field.name: value} if field.place == QUERY else {})
    if field.place == HEADER:
        options["headers"] = {field.name: value}
    return client.open(field.path.format_map(names), method=field.method.upper(), **options)


def _put(part: Any, steps: tuple[str, ...], value: Any, before: tuple[str, ...] = ()) -> Any:
    """Return a part of a body with a value where steps lead to; what is missing on the way is made."""
    if not steps:
        return value
    step, others = steps[0], steps[1:]
    if step == ITEM:
        first = part[0] if isinstance(part, list) and part else part
        return [_put(first, others, value, (*before, step))]
    known = part if isinstance(part, dict) else {}
    beside = next((more for end, more in BESIDE.items() if before[-len(end) :] == end), {})
    key = ANY_KEY if step == VALUE else step
    return {**beside, **known, key: _put(known.get(key), others, value, (*before, step))}
