"""Models of Anthropic, by its SDK."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from highlighter.generation.talking.asking import Asking
from highlighter.generation.talking.calls import AT_LENGTH, DONE, SYSTEM, WITHHELD, Call, Part
from highlighter.generation.talking.failures import CutShort, Empty, Malformed, WebPage
from highlighter.generation.talking.schemas import as_schema
from highlighter.generation.talking.watch import Watch

_FINISHES = {"end_turn": DONE, "stop_sequence": DONE, "max_tokens": AT_LENGTH, "refusal": WITHHELD}


class AnthropicStyle(Asking):
    package = "anthropic"
    resource = "anthropic.resources.messages"
    dispensable = {  # noqa: RUF012 - nobody changes it
        "temperature": ("temperature",),
        "output_config": ("output_config", "output_format", "json_schema", "schema", "structured"),
    }
    structure = "output_config"

    def arguments(self, call: Call) -> dict[str, Any]:
        system = "\n\n".join(message.sent for message in call.messages if message.role == SYSTEM)
        asked = {
            "model": self.model,
            "max_tokens": call.max_tokens,
            "messages": [
                {"role": message.role, "content": message.sent} for message in call.messages if message.role != SYSTEM
            ],
            "temperature": call.temperature,
        }
        if system:
            asked["system"] = system
        if call.schema is not None:
            from anthropic import transform_schema

            schema = transform_schema(as_schema(call.schema))
            asked["output_config"] = {"format": {"type": "json_schema", "schema": schema}}
        return asked

    def complete_by(self, sdk: Any, arguments: dict[str, Any]) -> Part:
        reply = sdk.messages.create(**_as_sent(arguments))
        if isinstance(reply, str):
            raise WebPage() if "<html" in reply[:1000].lower() else (Malformed() if reply.strip() else Empty())
        if not isinstance(reply.content, list):
            raise Malformed()
        text = "".join(block.text for block in reply.content if block.type == "text")
        tokens = (reply.usage.input_tokens or 0) + (reply.usage.output_tokens or 0) if reply.usage else 0
        return Part(text, tokens, _FINISHES.get(reply.stop_reason, reply.stop_reason or ""))

    def stream_by(self, sdk: Any, arguments: dict[str, Any], watch: Watch) -> Iterator[Part]:
        read = written = 0
        finish, begun = "", False
        with sdk.messages.create(**_as_sent(arguments), stream=True) as events:
            if "html" in events.response.headers.get("content-type", ""):
                raise WebPage()
            for event in events:
                begun = True
                if event.type == "message_start":
                    read = event.message.usage.input_tokens or 0
                elif event.type == "content_block_delta" and event.delta.type == "text_delta":
                    yield Part(event.delta.text)
                elif event.type == "message_delta":
                    written = event.usage.output_tokens or 0
                    finish = event.delta.stop_reason or finish
        if not finish:
            raise CutShort() if begun else Empty()
        yield Part("", read + written, _FINISHES.get(finish, finish))

    def client_of(self, module: Any, watch: Watch) -> Any:
        from highlighter.generation.talking import wire

        return module.Anthropic(
            api_key=self.secret.reveal(), base_url=self.base_url, max_retries=0, timeout=watch.seconds,
            http_client=wire.client(watch),
        )  # fmt: skip


def _as_sent(arguments: dict[str, Any]) -> dict[str, Any]:
    """The SDK no longer names the temperature, which only older models take; the interface still has it."""
    arguments = dict(arguments)
    if "temperature" in arguments:
        arguments["extra_body"] = {"temperature": arguments.pop("temperature")}
    return arguments
