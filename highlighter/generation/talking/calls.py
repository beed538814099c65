"""What is said to a language model, and what it says back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

SYSTEM, USER, ASSISTANT = "system", "user", "assistant"

# How a reply ended. Anything else that a provider says is kept as it is.
DONE, AT_LENGTH, WITHHELD = "stop", "length", "content_filter"

# A shape that a reply is to have: a pydantic model, or a JSON schema.
Shape = type[BaseModel] | Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class Message:
    role: str
    text: str

    @property
    def sent(self) -> str:
        """Without halves of characters, which cannot be sent."""
        return self.text.encode("utf-8", "replace").decode("utf-8")


@dataclass(frozen=True, slots=True)
class Call:
    """One question to a model, whoever it is."""

    messages: Sequence[Message]
    max_tokens: int
    temperature: float
    schema: Shape = None


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a reply, or the whole of it. Tokens and finish are said once, with the last one."""

    text: str = ""
    tokens: int = 0  # read and written; 0: the provider does not say
    finish: str = ""
    left_out: frozenset[str] = frozenset()  # what the model would not take, and was asked without


@dataclass(frozen=True, slots=True)
class Reply:
    text: str
    model: str  # as in LLM_MODELS
    tokens: int = 0
    latency_ms: int = 0
    finish: str = DONE
    structured: bool = False  # the provider held it to the schema asked for
    said: tuple[str, ...] = ()  # of tries that failed before: one sentence each, fit to be shown
