"""Models that are asked as OpenAI's are: by its SDK, wherever they run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from highlighter.generation.talking.asking import Asking
from highlighter.generation.talking.calls import Call, Part
from highlighter.generation.talking.failures import CutShort, Empty, Malformed, WebPage
from highlighter.generation.talking.schemas import name_of, strict
from highlighter.generation.talking.watch import Watch

# OpenAI's newer models take only the one name for the limit of a reply; everybody else knows the other.
OFFICIAL = "https://api.openai.com/"


class OpenAIStyle(Asking):
    package = "openai"
    resource = "openai.resources.chat.completions"
    # What a model may not take, and can be asked without; beside it the words by which a refusal of it is known.
    dispensable = {  # noqa: RUF012 - nobody changes it
        "temperature": ("temperature",),
        "stream_options": ("stream_options", "include_usage"),
        "response_format": ("response_format", "json_schema", "schema", "structured"),
    }
    structure = "response_format"

    def arguments(self, call: Call) -> dict[str, Any]:
        limit = "max_completion_tokens" if self.base_url.startswith(OFFICIAL) else "max_tokens"
        asked = {
            "model": self.model,
            "messages": [{"role": message.role, "content": message.sent} for message in call.messages],
            "temperature": call.temperature,
            limit: call.max_tokens,
        }
        if call.schema is not None:
            schema, is_strict = strict(call.schema)
            named = {"name": name_of(call.schema), "schema": schema, "strict": is_strict}
            asked["response_format"] = {"type": "json_schema", "json_schema": named}
        return asked

    def complete_by(self, sdk: Any, arguments: dict[str, Any]) -> Part:
        reply = sdk.chat.completions.create(**arguments)
        if isinstance(reply, str):  # what is not sent as JSON comes back as it is
            raise WebPage() if "<html" in reply[:1000].lower() else (Malformed() if reply.strip() else Empty())
        choice = (reply.choices or [None])[0]
        if choice is None or choice.message is None:
            raise Malformed()
        text = choice.message.content or getattr(choice.message, "refusal", None) or ""
        tokens = reply.usage.total_tokens if reply.usage else 0
        return Part(text, tokens or 0, choice.finish_reason or "")

    def stream_by(self, sdk: Any, arguments: dict[str, Any], watch: Watch) -> Iterator[Part]:
        tokens, finish, begun = 0, "", False
        with sdk.chat.completions.create(**arguments, stream=True) as chunks:
            if "html" in chunks.response.headers.get("content-type", ""):
                raise WebPage()
            for chunk in chunks:
                begun = True
                if chunk.usage:
                    tokens = chunk.usage.total_tokens or 0
                for choice in (chunk.choices or [])[:1]:
                    finish = choice.finish_reason or finish
                    delta = choice.delta
                    yield Part((delta.content or getattr(delta, "refusal", None) or "") if delta else "")
        if not finish:  # a connection that is closed looks like an end
            raise CutShort() if begun else Empty()
        yield Part("", tokens, finish)

    def streaming(self, arguments: dict[str, Any]) -> dict[str, Any]:
        return arguments | {"stream_options": {"include_usage": True}}

    def instead(self, refused: str, arguments: dict[str, Any]) -> dict[str, Any] | None:
        for one, other in (("max_tokens", "max_completion_tokens"), ("max_completion_tokens", "max_tokens")):
            if one in arguments and one in refused and f"'{one}'" in refused:
                return {other if name == one else name: value for name, value in arguments.items()}
        return None

    def client_of(self, module: Any, watch: Watch) -> Any:
        from highlighter.generation.talking import wire

        return module.OpenAI(
            api_key=self.secret.reveal() or "none", base_url=self.base_url, max_retries=0, timeout=watch.seconds,
            http_client=wire.client(watch),
        )  # fmt: skip
