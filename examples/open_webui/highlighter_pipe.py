"""
title: Highlighter
author: Highlighter
version: 1.0.0
license: Apache-2.0
description: Ask the library of Highlighter as a model: each citation opens its sentence, highlighted in the document.
requirements: httpx
"""

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import httpx
from pydantic import BaseModel, Field

EventEmitter = Callable[[dict[str, Any]], Awaitable[None]]
MODEL_NAME = "highlighter"


class Pipe:
    """A model for the whole library, and one for each collection."""

    class Valves(BaseModel):
        """The settings, which administrators change in Open WebUI."""

        HIGHLIGHTER_URL: str = Field("http://127.0.0.1:8000", description="where this server reaches Highlighter")
        HIGHLIGHTER_KEY: str = Field("", description="a key with the scopes read and answer; empty for an open service")
        READER_URL: str = Field("", description="where readers reach Highlighter, if that is another address")
        SECONDS: float = Field(120, description="how long Highlighter may be silent")

    def __init__(self) -> None:
        self.valves = self.Valves()

    async def pipes(self) -> list[dict[str, str]]:
        """Return the models; where Highlighter does not answer, one model that says so."""
        try:
            async with self._connect() as client:
                response = await client.get("/v1/models")
                response.raise_for_status()
        except httpx.HTTPError as err:
            return [{"id": MODEL_NAME, "name": f"Highlighter (not reachable: {err or type(err).__name__})"}]
        names = [model["id"] for model in response.json()["data"]]
        return [{"id": name, "name": f"Highlighter{name.removeprefix(MODEL_NAME)}"} for name in names]

    async def pipe(
        self,
        body: dict[str, Any],
        __event_emitter__: EventEmitter | None = None,
        __task__: str | None = None,
        __user__: dict[str, Any] | None = None,
    ) -> AsyncIterator[str] | str:
        """Return the answer to the last message, piece by piece; its citations are sent as events."""
        if __task__:  # a title, tags or a follow-up question: the library has no answer to these
            return ""
        return self._stream_answer(_build_request(body), __event_emitter__)

    async def _stream_answer(self, request: dict[str, Any], emit: EventEmitter | None) -> AsyncIterator[str]:
        numbers: dict[str, int] = {}  # of the cited sentences, by their links
        try:
            async with self._connect() as client, client.stream("POST", "/v1/messages", json=request) as response:
                if response.is_error:
                    await response.aread()
                    yield _describe_error(response)
                    return
                async for line in response.aiter_lines():
                    if line.startswith("data:"):
                        event = json.loads(line.removeprefix("data:"))
                        for piece in await self._read_event(event, numbers, emit):
                            yield piece
        except httpx.HTTPError as err:
            yield f"\n\nHighlighter does not answer: {err or type(err).__name__}."

    async def _read_event(self, event: dict[str, Any], numbers: dict[str, int], emit: EventEmitter | None) -> list[str]:
        """Return the text of an event; for a citation its number, after its source is sent."""
        if event["type"] == "error":
            return [f"\n\nHighlighter: {event['error']['message']}"]
        delta = event.get("delta", {})
        if delta.get("type") == "text_delta":
            return [delta["text"]]
        if delta.get("type") != "citations_delta":
            return []
        citation = delta["citation"]
        link = self._get_reader_link(citation["source"])
        if link not in numbers:
            numbers[link] = len(numbers) + 1
            if emit:
                await emit({"type": "source", "data": _build_source(citation, link, numbers[link])})
        return [f" [{numbers[link]}]"]

    def _get_reader_link(self, link: str) -> str:
        address, reader_address = self.valves.HIGHLIGHTER_URL.rstrip("/"), self.valves.READER_URL.rstrip("/")
        return reader_address + link.removeprefix(address) if reader_address and link.startswith(address) else link

    def _connect(self) -> httpx.AsyncClient:
        key = self.valves.HIGHLIGHTER_KEY
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        return httpx.AsyncClient(
            base_url=self.valves.HIGHLIGHTER_URL.rstrip("/"), headers=headers, timeout=self.valves.SECONDS
        )


def _build_request(body: dict[str, Any]) -> dict[str, Any]:
    """Return the conversation as Highlighter takes it: text alone, under the name of its model."""
    messages = [
        {"role": message["role"], "content": _read_text(message.get("content"))} for message in body["messages"]
    ]
    return {
        "model": body["model"].partition(".")[2] or MODEL_NAME,  # Open WebUI puts the id of this function before it
        "system": "\n\n".join(message["content"] for message in messages if message["role"] == "system"),
        "messages": [message for message in messages if message["role"] in ("user", "assistant")],
        "stream": True,
    }


def _read_text(content: Any) -> str:
    """Return the text of a message, without its images."""
    if isinstance(content, list):
        return "\n".join(part["text"] for part in content if part.get("type") == "text")
    return content or ""


def _build_source(citation: dict[str, Any], link: str, number: int) -> dict[str, Any]:
    """Return a source as Open WebUI shows it: it numbers them by `metadata.source`, and links to the URL."""
    title = citation["title"]
    return {
        "source": {"id": f"{number}. {title}", "name": title, "url": link},
        "document": [citation["cited_text"]],
        "metadata": [{"source": f"{number}. {title}", "name": title, "source_url": link}],
    }


def _describe_error(response: httpx.Response) -> str:
    try:
        return f"Highlighter: {response.json()['error']['message']}"
    except (ValueError, KeyError, TypeError):
        return f"Highlighter answered {response.status_code}."
