"""
title: Highlighter: check citations
author: Highlighter
version: 1.0.0
license: Apache-2.0
description: Check the citations of any model's answer: a verdict on each, and a link to the sentence in the library of Highlighter.
requirements: httpx
"""

import re
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import urljoin

import httpx
from pydantic import BaseModel, Field

EventEmitter = Callable[[dict[str, Any]], Awaitable[None]]
Record = dict[str, Any]
NUMBER = re.compile(r"\[(\d+)")


class Filter:
    """A filter for models that answer from files which the library of Highlighter has as well."""

    class Valves(BaseModel):
        """The settings, which administrators change in Open WebUI."""

        HIGHLIGHTER_URL: str = Field("http://127.0.0.1:8000", description="where this server reaches Highlighter")
        HIGHLIGHTER_KEY: str = Field("", description="a key with the scope read; empty for an open service")
        READER_URL: str = Field("", description="where readers reach Highlighter, if that is another address")
        SECONDS: float = Field(60, description="how long a check may take")
        LIST_CITATIONS: bool = Field(True, description="list the checked citations below the answer")
        priority: int = Field(0, description="filters run in the order of their numbers")

    def __init__(self) -> None:
        self.valves = self.Valves()

    async def outlet(
        self,
        body: Record,
        __event_emitter__: EventEmitter | None = None,
        __user__: Record | None = None,
    ) -> Record:
        """Return the chat with verdicts and links on the citations of its last answer; without sources, as it is."""
        message = (body.get("messages") or [{}])[-1]
        sources, text = message.get("sources") or [], message.get("content")
        if message.get("role") != "assistant" or not sources or not isinstance(text, str):
            return body
        try:
            checked = await self._check(text, sources)
        except httpx.HTTPError as err:
            await _report(__event_emitter__, f"Highlighter did not check the citations: {err or type(err).__name__}")
            return body
        self._mark_sources(sources, checked)
        if self.valves.LIST_CITATIONS and (
            lines := [self._format_line(entry, checked) for entry in checked["citations"]]
        ):
            message["content"] = f"{text}\n\n**Checked by Highlighter**\n\n" + "\n".join(dict.fromkeys(lines))
        supported = sum(claim["verdict"] == "supported" for claim in checked["claims"])
        await _report(__event_emitter__, f"Highlighter: {supported} of {len(checked['claims'])} claims supported")
        return body

    async def _check(self, text: str, sources: list[Record]) -> Record:
        key = self.valves.HIGHLIGHTER_KEY
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        async with httpx.AsyncClient(headers=headers, timeout=self.valves.SECONDS) as client:
            response = await client.post(
                f"{self.valves.HIGHLIGHTER_URL.rstrip('/')}/api/v1/citations/native",
                json={"response": {"content": text, "sources": sources}},
            )
        response.raise_for_status()
        return response.json()["responses"][0]

    def _mark_sources(self, sources: list[Record], checked: Record) -> None:
        """Add links, verdicts and cited sentences to the passages of the sources that the answer cites."""
        for number, passages in enumerate(_group_passages(sources), 1):
            citations = [entry for entry in checked["citations"] if _is_of(entry, number, passages) and entry["place"]]
            if not citations:
                continue
            link, verdicts = self._get_link(citations[0]), [entry["verdict"] for entry in citations]
            for source, metadata in passages:
                name = metadata.get("name") or source.get("source", {}).get("name", "")
                # A file_id would lead to the file as Open WebUI has it.
                metadata["highlighter"] = {
                    "file_id": metadata.pop("file_id", None),
                    "citations": [
                        {"verdict": entry["verdict"], "sentence": entry["place"]["text"], "link": self._get_link(entry)}
                        for entry in citations
                    ],
                }
                metadata["source_url"] = link
                metadata["name"] = " · ".join([name, *dict.fromkeys(filter(None, verdicts))])
                source["source"] = {**source.get("source", {}), "name": metadata["name"], "url": link}

    def _format_line(self, citation: Record, checked: Record) -> str:
        """Return a line of the list: the place that a citation leads to, the verdict on its claim, and why."""
        place = citation["place"]
        marker = f"{citation['marker']['text']} " if citation["marker"] else ""
        claim = checked["claims"][citation["claim"]] if citation["claim"] is not None else {}
        why = claim.get("why") or citation["reason"] or (f"“{place['text'].strip()}”" if place else "")
        title = (
            f"[{place['name']}, page {place['page']}]({self._get_link(citation)})"
            if place
            else citation["source"]["name"]
        )
        return f"- {marker}{title}: " + " · ".join(filter(None, [citation["verdict"], " ".join(why.split())[:300]]))

    def _get_link(self, citation: Record) -> str:
        """Return the link to the sentence, which Highlighter gives relative to itself, as readers open it."""
        address = self.valves.READER_URL or self.valves.HIGHLIGHTER_URL
        return urljoin(f"{address.rstrip('/')}/", citation["place"]["links"]["view"])


def _group_passages(sources: list[Record]) -> list[list[tuple[Record, Record]]]:
    """Return the passages in the order of the numbers that Open WebUI gives their sources."""
    groups: dict[str, list[tuple[Record, Record]]] = {}
    for source in sources:
        metadata = source.setdefault("metadata", [])
        for index in range(len(source.get("document") or [])):
            if index == len(metadata):
                metadata.append({})
            key = metadata[index].get("source") or source.get("source", {}).get("id") or "N/A"
            groups.setdefault(key, []).append((source, metadata[index]))
    return list(groups.values())


def _is_of(citation: Record, number: int, passages: list[tuple[Record, Record]]) -> bool:
    """Return whether a citation names a source: by its number, or by its name where the answer has no numbers."""
    if citation["marker"]:
        cited = NUMBER.match(citation["marker"]["text"])
        return cited is not None and int(cited[1]) == number
    names = {metadata.get("name") or source.get("source", {}).get("name") for source, metadata in passages}
    return citation["source"]["name"] in names


async def _report(emit: EventEmitter | None, text: str) -> None:
    if emit:
        await emit({"type": "status", "data": {"description": text, "done": True}})
