"""The client of models with OpenAI's interface, by OpenAI's SDK."""

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
from highlighter.answering.llm.model_client import ModelClient, classify_text_reply

# Newer models of OpenAI accept only `max_completion_tokens`; all other providers know `max_tokens`.
OPENAI_API_URL = "https://api.openai.com/"


class OpenAIClient(ModelClient):
    """A model with OpenAI's interface."""

    sdk_package = "openai"
    sdk_resource = "openai.resources.chat.completions"
    optional_parameters = {  # noqa: RUF012 - never changed
        "temperature": ("temperature",),
        "stream_options": ("stream_options", "include_usage"),
        "response_format": ("response_format", "json_schema", "schema", "structured"),
    }
    schema_parameter = "response_format"

    def build_arguments(self, request: CompletionRequest) -> dict[str, Any]:
        limit_parameter = "max_completion_tokens" if self.base_url.startswith(OPENAI_API_URL) else "max_tokens"
        arguments: dict[str, Any] = {
            "model": self.model,
            "messages": [{"role": message.role, "content": message.encodable_text} for message in request.messages],
            "temperature": request.temperature,
            limit_parameter: request.max_tokens,
        }
        if request.schema is not None:
            schema, is_strict = to_strict_schema(request.schema)
            response_schema = {"name": make_schema_name(request.schema), "schema": schema, "strict": is_strict}
            arguments["response_format"] = {"type": "json_schema", "json_schema": response_schema}
        return arguments

    def request_completion(self, sdk: Any, arguments: dict[str, Any]) -> CompletionPart:
        reply = sdk.chat.completions.create(**arguments)
        if isinstance(reply, str):  # the SDK returns a reply that is not JSON as text
            raise classify_text_reply(reply)
        choice = (reply.choices or [None])[0]
        if choice is None or choice.message is None:
            raise CompletionMalformed()
        text = choice.message.content or getattr(choice.message, "refusal", None) or ""
        tokens = reply.usage.total_tokens if reply.usage else 0
        return CompletionPart(text, tokens or 0, choice.finish_reason or "")

    def request_stream(self, sdk: Any, arguments: dict[str, Any], limits: CallLimits) -> Iterator[CompletionPart]:
        tokens, finish_reason, has_begun = 0, "", False
        with sdk.chat.completions.create(**arguments, stream=True) as chunks:
            if "html" in chunks.response.headers.get("content-type", ""):
                raise CompletionIsWebPage()
            for chunk in chunks:
                has_begun = True
                if chunk.usage:
                    tokens = chunk.usage.total_tokens or 0
                for choice in (chunk.choices or [])[:1]:
                    finish_reason = choice.finish_reason or finish_reason
                    delta = choice.delta
                    yield CompletionPart((delta.content or getattr(delta, "refusal", None) or "") if delta else "")
        if not finish_reason:  # a closed connection looks like the end of the stream
            raise CompletionCutShort() if has_begun else CompletionEmpty()
        yield CompletionPart("", tokens, finish_reason)

    def streaming_arguments(self, arguments: dict[str, Any]) -> dict[str, Any]:
        return arguments | {"stream_options": {"include_usage": True}}

    def replace_refused(self, refused: str, arguments: dict[str, Any]) -> dict[str, Any] | None:
        for name, other in (("max_tokens", "max_completion_tokens"), ("max_completion_tokens", "max_tokens")):
            if name in arguments and f"'{name}'" in refused:
                return {other if argument == name else argument: value for argument, value in arguments.items()}
        return None

    def create_sdk_client(self, module: Any, limits: CallLimits) -> Any:
        from highlighter.answering.llm import http_transport

        return module.OpenAI(
            api_key=self.secret.reveal() or "none", base_url=self.base_url, max_retries=0, timeout=limits.seconds,
            http_client=http_transport.build_http_client(limits),
        )  # fmt: skip
