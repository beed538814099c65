"""The shape asked of a reply, as providers want to have it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

from highlighter.generation.talking.calls import Shape


def as_schema(shape: Shape) -> dict[str, Any]:
    return dict(shape) if isinstance(shape, Mapping) else shape.model_json_schema()


def name_of(shape: Shape) -> str:
    """Letters, digits and underscores, 64 at most: more a provider does not take."""
    name = shape.get("title", "") if isinstance(shape, Mapping) else shape.__name__
    return re.sub(r"\W+", "_", str(name), flags=re.ASCII)[:64] or "Answer"


def strict(shape: Shape) -> tuple[dict[str, Any], bool]:
    """A shape of ours is held to the letter; a schema of the caller's own may hold what a provider does not enforce."""
    schema = as_schema(shape)
    if isinstance(shape, type) and issubclass(shape, BaseModel):
        return _closed(schema), True
    return schema, False


def _closed(schema: Any) -> Any:
    """Each object with all its properties, and no others."""
    if isinstance(schema, list):
        return [_closed(item) for item in schema]
    if not isinstance(schema, Mapping):
        return schema
    closed = {name: _closed(value) for name, value in schema.items() if name != "default"}
    if closed.get("type") == "object" and isinstance(closed.get("properties"), Mapping):
        closed |= {"additionalProperties": False, "required": list(closed["properties"])}
    return closed
