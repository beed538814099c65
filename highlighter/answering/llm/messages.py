"""The messages sent to a language model, and the completion that is returned."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

SYSTEM_ROLE, USER_ROLE, ASSISTANT_ROLE = "system", "user", "assistant"

# Why a reply ended. Other reasons of providers are not changed.
FINISH_STOP, FINISH_LENGTH, FINISH_CONTENT_FILTER = "stop", "length", "content_filter"

# The schema of a reply: a pydantic model, a JSON schema or none.
Schema = type[BaseModel] | Mapping[str, Any]
ReplySchema = Schema | None


@dataclass(frozen=True, slots=True)
class Message:
    role: str
    text: str

    @property
    def encodable_text(self) -> str:
        """Return the text without unpaired surrogates, which cannot be encoded."""
        return self.text.encode("utf-8", "replace").decode("utf-8")


@dataclass(frozen=True, slots=True)
class CompletionRequest:
    """A request to a model of any provider."""

    messages: Sequence[Message]
    max_tokens: int
    temperature: float
    schema: ReplySchema = None


@dataclass(frozen=True, slots=True)
class CompletionPart:
    """A part of a reply, or the whole reply. Tokens and finish reason come with the last part."""

    text: str = ""
    tokens: int = 0  # input and output; 0 when the provider does not say
    finish_reason: str = ""
    omitted_parameters: frozenset[str] = frozenset()  # refused by the model and left out


@dataclass(frozen=True, slots=True)
class Completion:
    text: str
    model: str  # as in LLM_MODELS
    tokens: int = 0
    latency_ms: int = 0
    finish_reason: str = FINISH_STOP
    is_structured: bool = False  # the provider enforced the schema
    failed_attempts: tuple[str, ...] = ()  # a sentence for users about each


# Schemas in the form that providers accept.


def to_json_schema(reply_schema: Schema) -> dict[str, Any]:
    return dict(reply_schema) if isinstance(reply_schema, Mapping) else reply_schema.model_json_schema()


def make_schema_name(reply_schema: Schema) -> str:
    """Return the name of a schema: letters, digits and underscores, 64 at most, as providers require."""
    name = reply_schema.get("title", "") if isinstance(reply_schema, Mapping) else reply_schema.__name__
    return re.sub(r"\W+", "_", str(name), flags=re.ASCII)[:64] or "Answer"


def to_strict_schema(reply_schema: Schema) -> tuple[dict[str, Any], bool]:
    """Return a JSON schema and whether it is strict; a caller's schema may hold what providers do not enforce."""
    schema = to_json_schema(reply_schema)
    if isinstance(reply_schema, type) and issubclass(reply_schema, BaseModel):
        return _close_objects(schema), True
    return schema, False


def _close_objects(schema: Any) -> Any:
    """Require all properties of each object, and forbid others."""
    if isinstance(schema, list):
        return [_close_objects(item) for item in schema]
    if not isinstance(schema, Mapping):
        return schema
    closed = {name: _close_objects(value) for name, value in schema.items() if name != "default"}
    if closed.get("type") == "object" and isinstance(closed.get("properties"), Mapping):
        closed |= {"additionalProperties": False, "required": list(closed["properties"])}
    return closed
