"""Models that are asked as OpenAI's are: by its SDK, wherever they run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from highlighter.answering.llm.call_limits import CallLimits
from highlighter.answering.llm.errors import (
    CompletionCutShort,
    CompletionEmpty,
    CompletionIsWebPage,
    CompletionMalformed,
)
from highlighter.answering.llm.messages import CompletionPart, CompletionRequest, make_schema_name, to_strict_schema
from highlighter.answering.llm.model_client import ModelClient

# OpenAI's newer models take only the one name for the limit of a reply; everybody else knows the other.
OPENAI_API_URL = "https://api.openai.com/"


class OpenAIClient(ModelClient):
    sdk_package = "openai"
    sdk_resource = "openai.resources.chat.completions"
    # What a model may not take, and can be asked without; beside it the words by which a refusal of it is known.
    optional_parameters = {  # noqa: RUF012 - nobody changes it
        "temperature": ("temperature",),
        "stream_options": ("stream_options", "include_usage"),
        "response_format": ("response_format", "json_schema", "schema", "structured"),
    }
    schema_parameter = "response_format"

    def build_arguments(self, request: CompletionRequest) -> dict[str, Any]:
        limit = "max_completion_tokens" if self.base_url.startswith(OPENAI_API_URL) else "max_tokens"
        asked = {
            "model": self.model,
            "messages": [{"role": message.role, "content": message.encodable_text} for message in request.messages],
            "temperature": request.temperature,
            limit: request.max_tokens,
        }
        if request.schema is not None:
            schema, is_strict = to_strict_schema(request.schema)
            named = {"name": make_schema_name(request.schema), "schema": schema, "strict": is_strict}
            asked["response_format"] = {"type": "json_schema", "json_schema": named}
        return asked

    def request_completion(self, sdk: Any, arguments: dict[str, Any]) -> CompletionPart:
        reply = sdk.chat.completions.create(**arguments)
        if isinstance(reply, str):  # what is not sent as JSON comes back as it is
            raise (
                CompletionIsWebPage()
                if "<html" in reply[:1000].lower()
                else (CompletionMalformed() if reply.strip() else CompletionEmpty())
            )
        choice = (reply.choices or [None])[0]
        if choice is None or choice.message is None:
            raise CompletionMalformed()
        text = choice.message.content or getattr(choice.message, "refusal", None) or ""
        tokens = reply.usage.total_tokens if reply.usage else 0
        return CompletionPart(text, tokens or 0, choice.finish_reason or "")

    def request_stream(self, sdk: Any, arguments: dict[str, Any], limits: CallLimits) -> Iterator[CompletionPart]:
        tokens, finish, begun = 0, "", False
        with sdk.chat.completions.create(**arguments, stream=True) as chunks:
            if "html" in chunks.response.headers.get("content-type", ""):
                raise CompletionIsWebPage()
            for chunk in chunks:
                begun = True
                if chunk.usage:
                    tokens = chunk.usage.total_tokens or 0
                for choice in (chunk.choices or [])[:1]:
                    finish = choice.finish_reason or finish
                    delta = choice.delta
                    yield CompletionPart((delta.content or getattr(delta, "refusal", None) or "") if delta else "")
        if not finish:  # a connection that is closed looks like an end
            raise CompletionCutShort() if begun else CompletionEmpty()
        yield CompletionPart("", tokens, finish)

    def streaming_arguments(self, arguments: dict[str, Any]) -> dict[str, Any]:
        return arguments | {"stream_options": {"include_usage": True}}

    def replace_refused(self, refused: str, arguments: dict[str, Any]) -> dict[str, Any] | None:
        for one, other in (("max_tokens", "max_completion_tokens"), ("max_completion_tokens", "max_tokens")):
            if one in arguments and one in refused and f"'{one}'" in refused:
                return {other if name == one else name: value for name, value in arguments.items()}
        return None

    def create_sdk_client(self, module: Any, limits: CallLimits) -> Any:
        from highlighter.answering.llm import http_transport

        return module.OpenAI(
            api_key=self.secret.reveal() or "none", base_url=self.base_url, max_retries=0, timeout=limits.seconds,
            http_client=http_transport.build_http_client(limits),
        )  # fmt: skip
