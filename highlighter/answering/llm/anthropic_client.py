"""The client of Anthropic's models, by Anthropic's SDK."""

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
from highlighter.answering.llm.messages import (
    FINISH_CONTENT_FILTER,
    FINISH_LENGTH,
    FINISH_STOP,
    SYSTEM_ROLE,
    CompletionPart,
    CompletionRequest,
    to_json_schema,
)
from highlighter.answering.llm.model_client import ModelClient, classify_text_reply

_FINISH_REASONS = {
    "end_turn": FINISH_STOP,
    "stop_sequence": FINISH_STOP,
    "max_tokens": FINISH_LENGTH,
    "refusal": FINISH_CONTENT_FILTER,
}


class AnthropicClient(ModelClient):
    """A model of Anthropic."""

    sdk_package = "anthropic"
    sdk_resource = "anthropic.resources.messages"
    optional_parameters = {  # noqa: RUF012 - never changed
        "temperature": ("temperature",),
        "output_config": ("output_config", "output_format", "json_schema", "schema", "structured"),
    }
    schema_parameter = "output_config"

    def build_arguments(self, request: CompletionRequest) -> dict[str, Any]:
        system = "\n\n".join(message.encodable_text for message in request.messages if message.role == SYSTEM_ROLE)
        arguments: dict[str, Any] = {
            "model": self.model,
            "max_tokens": request.max_tokens,
            "messages": [
                {"role": message.role, "content": message.encodable_text}
                for message in request.messages
                if message.role != SYSTEM_ROLE
            ],
            "temperature": request.temperature,
        }
        if system:
            arguments["system"] = system
        if request.schema is not None:
            from anthropic import transform_schema

            schema = transform_schema(to_json_schema(request.schema))
            arguments["output_config"] = {"format": {"type": "json_schema", "schema": schema}}
        return arguments

    def request_completion(self, sdk: Any, arguments: dict[str, Any]) -> CompletionPart:
        reply = sdk.messages.create(**_prepare_arguments(arguments))
        if isinstance(reply, str):
            raise classify_text_reply(reply)
        if not isinstance(reply.content, list):
            raise CompletionMalformed()
        text = "".join(block.text for block in reply.content if block.type == "text")
        tokens = (reply.usage.input_tokens or 0) + (reply.usage.output_tokens or 0) if reply.usage else 0
        return CompletionPart(text, tokens, _FINISH_REASONS.get(reply.stop_reason, reply.stop_reason or ""))

    def request_stream(self, sdk: Any, arguments: dict[str, Any], limits: CallLimits) -> Iterator[CompletionPart]:
        input_tokens = output_tokens = 0
        finish_reason, has_begun = "", False
        with sdk.messages.create(**_prepare_arguments(arguments), stream=True) as events:
            if "html" in events.response.headers.get("content-type", ""):
                raise CompletionIsWebPage()
            for event in events:
                has_begun = True
                if event.type == "message_start":
                    input_tokens = event.message.usage.input_tokens or 0
                elif event.type == "content_block_delta" and event.delta.type == "text_delta":
                    yield CompletionPart(event.delta.text)
                elif event.type == "message_delta":
                    output_tokens = event.usage.output_tokens or 0
                    finish_reason = event.delta.stop_reason or finish_reason
        if not finish_reason:
            raise CompletionCutShort() if has_begun else CompletionEmpty()
        yield CompletionPart("", input_tokens + output_tokens, _FINISH_REASONS.get(finish_reason, finish_reason))

    def create_sdk_client(self, module: Any, limits: CallLimits) -> Any:
        from highlighter.answering.llm import http_transport

        return module.Anthropic(
            api_key=self.secret.reveal(), base_url=self.base_url, max_retries=0, timeout=limits.seconds,
            http_client=http_transport.build_http_client(limits),
        )  # fmt: skip


def _prepare_arguments(arguments: dict[str, Any]) -> dict[str, Any]:
    """Move the temperature to the extra body: the SDK dropped the parameter, which older models still accept."""
    arguments = dict(arguments)
    if "temperature" in arguments:
        arguments["extra_body"] = {"temperature": arguments.pop("temperature")}
    return arguments
