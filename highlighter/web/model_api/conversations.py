"""The requests of model APIs: a conversation, whose last message is the question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator
from pydantic.alias_generators import to_camel

from highlighter.answering.request import QuestionRequest
from highlighter.errors import BadRequest, NotFound
from highlighter.schemas.answers import MAX_TURN_CHARACTERS, MAX_TURNS

# The model; "highlighter/contracts" answers from the collection "contracts" alone.
MODEL_NAME = "highlighter"
MIN_ANSWER_TOKENS, MAX_ANSWER_TOKENS = 16, 8_000
MAX_MODEL_CHARACTERS = 200
TEXT_TYPES = ("text", "input_text", "output_text")
# Parts of earlier turns that are neither question nor answer.
SKIPPED_TYPES = (
    "refusal", "thinking", "redacted_thinking", "reasoning", "tool_use", "tool_result", "server_tool_use", "tool_call",
    "web_search_tool_result", "function_call", "function_call_output",
)  # fmt: skip
SKIPPED_GEMINI_FIELDS = ("functionCall", "functionResponse", "executableCode", "codeExecutionResult")
SYSTEM_ROLES = ("system", "developer")
GEMINI_ROLES = {"user": "user", "model": "assistant", "function": "tool"}

Content = str | list[dict[str, Any]] | None


class ConversationMessage(BaseModel):
    """A message of a conversation. Fields of other features are ignored."""

    model_config = ConfigDict(extra="ignore")

    # Items of the Responses API that are no messages have no role.
    role: Literal["system", "developer", "user", "assistant", "tool", "function"] = "tool"
    content: Content = None


class ModelRequest(BaseModel):
    """What all model APIs ask for: a model, how long and how free its answer is, and whether it is streamed."""

    model_config = ConfigDict(extra="ignore")

    model: str = Field(min_length=1, max_length=MAX_MODEL_CHARACTERS)
    temperature: float | None = Field(None, ge=0, le=2)
    stream: bool | None = False


class ChatRequest(ModelRequest):
    """A request for a chat completion of OpenAI's API."""

    messages: list[ConversationMessage] = Field(min_length=1, max_length=MAX_TURNS)
    max_tokens: int | None = Field(None, ge=1)
    max_completion_tokens: int | None = Field(None, ge=1)
    n: Literal[1] | None = None
    stream_options: dict[str, Any] | None = None

    @property
    def has_usage(self) -> bool:
        """Return whether a stream ends with the number of tokens."""
        return bool((self.stream_options or {}).get("include_usage"))


class ResponseRequest(ModelRequest):
    """A request of OpenAI's Responses API."""

    input: str | list[ConversationMessage] = Field(min_length=1)
    instructions: str | None = None
    max_output_tokens: int | None = Field(None, ge=1)
    previous_response_id: str | None = None


class MessageRequest(ModelRequest):
    """A request of Anthropic's Messages API."""

    messages: list[ConversationMessage] = Field(min_length=1, max_length=MAX_TURNS)
    system: Content = None
    max_tokens: int | None = Field(None, ge=1)


class GeminiContent(BaseModel):
    """A turn of a conversation with Gemini."""

    model_config = ConfigDict(extra="ignore")

    role: Literal["user", "model", "function"] = "user"
    parts: list[dict[str, Any]] = Field([], max_length=1_000)

    def to_message(self, role: str = "", is_history: bool = False) -> ConversationMessage:
        """Return the turn as a message, without thoughts and tools of earlier turns; raise BadRequest for other parts."""
        parts = [part for part in self.parts if not (is_history and _is_skipped(part))]
        if any(not isinstance(part.get("text"), str) for part in parts):
            raise BadRequest("A message has a part without text. Only text is read.")
        text = "".join(part["text"] for part in parts)
        return ConversationMessage.model_validate({"role": role or GEMINI_ROLES[self.role], "content": text})


class GenerationConfig(BaseModel):
    """The options of a request to Gemini that are used."""

    model_config = ConfigDict(extra="ignore", alias_generator=to_camel, populate_by_name=True)

    temperature: float | None = Field(None, ge=0, le=2)
    max_output_tokens: int | None = Field(None, ge=1)


class GeminiRequest(BaseModel):
    """A request of Gemini's API; the model is in its path."""

    model_config = ConfigDict(extra="ignore", alias_generator=to_camel, populate_by_name=True)

    contents: list[GeminiContent] = Field(min_length=1, max_length=MAX_TURNS)
    system_instruction: GeminiContent | None = None
    generation_config: GenerationConfig = Field(default_factory=lambda: GenerationConfig.model_validate({}))

    def list_messages(self) -> list[ConversationMessage]:
        system = [self.system_instruction.to_message("system")] if self.system_instruction else []
        history = [content.to_message(is_history=True) for content in self.contents[:-1]]
        return [*system, *history, self.contents[-1].to_message()]

    @field_validator("system_instruction", mode="before")
    @classmethod
    def _ignore_role(cls, value: Any) -> Any:
        """Return a system instruction without its role, which clients set to anything."""
        return {name: field for name, field in value.items() if name != "role"} if isinstance(value, dict) else value


@dataclass(frozen=True, slots=True)
class AnswerOptions:
    """What a request says beside its messages."""

    model: str
    instructions: str = ""
    max_tokens: int | None = None
    temperature: float | None = None
    has_markers: bool = True  # whether the text has citation markers: not where blocks carry the citations


def build_question(messages: Sequence[ConversationMessage], options: AnswerOptions) -> QuestionRequest:
    """Return the question that a conversation ends with, with the turns before it and the system's messages.

    Raises NotFound for an unknown model, and BadRequest where the last message is no question.
    """
    collection = parse_model_name(options.model)
    spoken = [message for message in messages if message.role in ("user", "assistant")]
    if not spoken or spoken[-1].role != "user":
        raise BadRequest("The last message must be the user's: it is the question.")
    system_texts = [read_text(message.content) for message in messages if message.role in SYSTEM_ROLES]
    max_tokens = options.max_tokens
    return QuestionRequest(
        question=read_text(spoken[-1].content).strip(),
        history=tuple(_pair_turns(spoken[:-1])),
        filters={"collection": collection} if collection else {},
        instructions="\n\n".join(filter(None, [options.instructions, *system_texts])),
        include_citations=options.has_markers,
        max_tokens=max_tokens and min(max(max_tokens, MIN_ANSWER_TOKENS), MAX_ANSWER_TOKENS),
        temperature=options.temperature or 0.0,
    )


def parse_model_name(model: str) -> str:
    """Return the collection that a model answers from, "" for all; raise NotFound for a model of another name."""
    name, separator, collection = model.partition("/")
    if name != MODEL_NAME or (separator and not collection):
        raise NotFound(f"No model is called {model}. Use {MODEL_NAME}, or {MODEL_NAME}/COLLECTION.")
    return collection


def read_text(content: Content) -> str:
    """Return a content as text; raise BadRequest for images, files and other things that are no text."""
    if content is None or isinstance(content, str):
        return content or ""
    others = [str(part.get("type")) for part in content if part.get("type") not in TEXT_TYPES]
    if others:
        raise BadRequest(f"A message has a part of the type {others[0][:50]}. Only text is read.")
    return "".join(_read_part(part) for part in content)


def _is_skipped(part: Mapping[str, Any]) -> bool:
    return bool(part.get("thought")) or any(name in part for name in SKIPPED_GEMINI_FIELDS)


def _read_part(part: Mapping[str, Any]) -> str:
    text = part.get("text")
    return text if isinstance(text, str) else ""


def _pair_turns(messages: Sequence[ConversationMessage]) -> list[tuple[str, str]]:
    """Return questions with their answers; a question without an answer stays alone."""
    turns: list[tuple[str, str]] = []
    for message in messages:
        content = message.content
        if isinstance(content, list):
            content = [part for part in content if part.get("type") not in SKIPPED_TYPES]
        text = read_text(content)[:MAX_TURN_CHARACTERS]
        if not text.strip():
            continue
        if message.role == "user":
            turns.append((text, ""))
        elif turns:
            question, answer = turns[-1]
            turns[-1] = question, f"{answer}\n\n{text}" if answer else text
    return turns
