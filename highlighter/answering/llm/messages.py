"""What is said to a language model, and what it says back."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

SYSTEM_ROLE, USER_ROLE, ASSISTANT_ROLE = "system", "user", "assistant"

# How a reply ended. Anything else that a provider says is kept as it is.
FINISH_STOP, FINISH_LENGTH, FINISH_CONTENT_FILTER = "stop", "length", "content_filter"

# A shape that a reply is to have: a pydantic model, or a JSON schema.
ReplySchema = type[BaseModel] | Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class Message:
    role: str
    text: str

    @property
    def encodable_text(self) -> str:
        """Without halves of characters, which cannot be sent."""
        return self.text.encode("utf-8", "replace").decode("utf-8")


@dataclass(frozen=True, slots=True)
class CompletionRequest:
    """One question to a model, whoever it is."""

    messages: Sequence[Message]
    max_tokens: int
    temperature: float
    schema: ReplySchema = None


@dataclass(frozen=True, slots=True)
class CompletionPart:
    """A piece of a reply, or the whole of it. Tokens and finish are said once, with the last one."""

    text: str = ""
    tokens: int = 0  # read and written; 0: the provider does not say
    finish_reason: str = ""
    omitted_parameters: frozenset[str] = frozenset()  # what the model would not take, and was asked without


@dataclass(frozen=True, slots=True)
class Completion:
    text: str
    model: str  # as in LLM_MODELS
    tokens: int = 0
    latency_ms: int = 0
    finish_reason: str = FINISH_STOP
    is_structured: bool = False  # the provider held it to the schema asked for
    failed_attempts: tuple[str, ...] = ()  # of tries that failed before: one sentence each, fit to be shown


# The shape asked of a reply, as providers want to have it.


def to_json_schema(reply_schema: ReplySchema) -> dict[str, Any]:
    return dict(reply_schema) if isinstance(reply_schema, Mapping) else reply_schema.model_json_schema()


def make_schema_name(reply_schema: ReplySchema) -> str:
    """Letters, digits and underscores, 64 at most: more a provider does not take."""
    name = reply_schema.get("title", "") if isinstance(reply_schema, Mapping) else reply_schema.__name__
    return re.sub(r"\W+", "_", str(name), flags=re.ASCII)[:64] or "Answer"


def to_strict_schema(reply_schema: ReplySchema) -> tuple[dict[str, Any], bool]:
    """A shape of ours is held to the letter; a schema of the caller's own may hold what a provider does not enforce."""
    schema = to_json_schema(reply_schema)
    if isinstance(reply_schema, type) and issubclass(reply_schema, BaseModel):
        return _close_objects(schema), True
    return schema, False


def _close_objects(schema: Any) -> Any:
    """Each object with all its properties, and no others."""
    if isinstance(schema, list):
        return [_close_objects(item) for item in schema]
    if not isinstance(schema, Mapping):
        return schema
    closed = {name: _close_objects(value) for name, value in schema.items() if name != "default"}
    if closed.get("type") == "object" and isinstance(closed.get("properties"), Mapping):
        closed |= {"additionalProperties": False, "required": list(closed["properties"])}
    return closed
