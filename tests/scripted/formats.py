"""The wire formats of OpenAI and Anthropic: an answer, a stream and an error."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

_ANTHROPIC_FINISHES = {"stop": "end_turn", "length": "max_tokens", "content_filter": "refusal"}


class OpenAI:
    @staticmethod
    def answer(model: str, text: str, finish: str, tokens: tuple[int, int]) -> dict[str, Any]:
        choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": finish}
        return {
            "id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": model, "choices": [choice],
            "usage": {"prompt_tokens": tokens[0], "completion_tokens": tokens[1], "total_tokens": sum(tokens)},
        }  # fmt: skip

    @staticmethod
    def pieces(model: str, pieces: list[str], tokens: tuple[int, int]) -> Iterator[bytes]:
        for piece in ["", *pieces]:
            yield OpenAI.event(model, {"index": 0, "delta": {"content": piece}, "finish_reason": None})

    @staticmethod
    def end(model: str, finish: str, tokens: tuple[int, int]) -> Iterator[bytes]:
        yield OpenAI.event(model, {"index": 0, "delta": {}, "finish_reason": finish})
        usage = {"prompt_tokens": tokens[0], "completion_tokens": tokens[1], "total_tokens": sum(tokens)}
        yield OpenAI.event(model, None, usage)
        yield b"data: [DONE]\n\n"

    @staticmethod
    def event(model: str, choice: dict[str, Any] | None, usage: dict[str, int] | None = None) -> bytes:
        chunk = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": model, "usage": usage}
        return b"data: " + json.dumps(chunk | {"choices": [choice] if choice else []}).encode() + b"\n\n"

    @staticmethod
    def error(message: str, parameter: str | None, status: int) -> dict[str, Any]:
        kind = "invalid_request_error" if status < 500 else "server_error"
        return {"error": {"message": message, "type": kind, "param": parameter, "code": None}}

    @staticmethod
    def error_event(message: str) -> bytes:
        return b"data: " + json.dumps(OpenAI.error(message, None, 500)).encode() + b"\n\n"

    malformed_event = b'data: {"choices": [{"delta": \n\n'


class Anthropic:
    @staticmethod
    def answer(model: str, text: str, finish: str, tokens: tuple[int, int]) -> dict[str, Any]:
        return {
            "id": "msg_1", "type": "message", "role": "assistant", "model": model,
            "content": [{"type": "text", "text": text}] if text else [],
            "stop_reason": _ANTHROPIC_FINISHES[finish], "stop_sequence": None,
            "usage": {"input_tokens": tokens[0], "output_tokens": tokens[1]},
        }  # fmt: skip

    @staticmethod
    def pieces(model: str, pieces: list[str], tokens: tuple[int, int]) -> Iterator[bytes]:
        message = Anthropic.answer(model, "", "stop", (tokens[0], 1)) | {"stop_reason": None}
        yield Anthropic.event("message_start", message=message)
        yield Anthropic.event("content_block_start", index=0, content_block={"type": "text", "text": ""})
        yield Anthropic.event("ping")
        for piece in pieces:
            yield Anthropic.event("content_block_delta", index=0, delta={"type": "text_delta", "text": piece})

    @staticmethod
    def end(model: str, finish: str, tokens: tuple[int, int]) -> Iterator[bytes]:
        yield Anthropic.event("content_block_stop", index=0)
        delta = {"stop_reason": _ANTHROPIC_FINISHES[finish], "stop_sequence": None}
        yield Anthropic.event("message_delta", delta=delta, usage={"output_tokens": tokens[1]})
        yield Anthropic.event("message_stop")

    @staticmethod
    def event(kind: str, **data: Any) -> bytes:
        return f"event: {kind}\ndata: {json.dumps({'type': kind, **data})}\n\n".encode()

    @staticmethod
    def error(message: str, parameter: str | None, status: int) -> dict[str, Any]:
        full_message = f"{parameter}: {message}" if parameter else message
        return {
            "type": "error",
            "error": {"type": "invalid_request_error" if status < 500 else "api_error", "message": full_message},
        }

    @staticmethod
    def error_event(message: str) -> bytes:
        return Anthropic.event("error", error={"type": "overloaded_error", "message": message})

    malformed_event = b'event: content_block_delta\ndata: {"type": \n\n'
