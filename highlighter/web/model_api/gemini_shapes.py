"""Answers in the shape of Gemini's API: a text without markers, with grounding metadata that counts UTF-8 bytes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from highlighter.answering.answer import Answer, AnswerEvent, DoneEvent, TokenEvent
from highlighter.errors import HighlighterError
from highlighter.models import Citation
from highlighter.urls import Links
from highlighter.web.model_api.citation_links import (
    describe_answer,
    format_citation_title,
    get_citation_url,
    split_cited_parts,
)
from highlighter.web.model_api.event_texts import write_event

ERROR_STATUSES = {400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 403: "PERMISSION_DENIED", 404: "NOT_FOUND", 413: "INVALID_ARGUMENT", 429: "RESOURCE_EXHAUSTED", 503: "UNAVAILABLE"}  # fmt: skip


def build_generated_content(answer: Answer, model: str, links: Links) -> dict[str, Any]:
    return {**_build_end(answer, links, answer.text), "modelVersion": model}


def build_grounding_metadata(answer: Answer, links: Links) -> dict[str, Any]:
    """Return a chunk for each cited sentence, and a support for each part of the text that ends with citations."""
    chunks: dict[str, dict[str, Any]] = {}
    supports = []
    for part in split_cited_parts(answer):
        keys = [_add_chunk(chunks, citation, links) for citation in part.citations]
        if keys and part.start < part.end:
            indexes = list(dict.fromkeys(list(chunks).index(key) for key in keys))
            supports.append(
                {"segment": _build_segment(answer.text, part.start, part.end), "groundingChunkIndices": indexes}
            )
    return {"groundingChunks": list(chunks.values()), "groundingSupports": supports}


def build_error(err: HighlighterError) -> dict[str, Any]:
    status = ERROR_STATUSES.get(err.status, "INTERNAL" if err.status >= 500 else "INVALID_ARGUMENT")
    return {"error": {"code": err.status, "message": str(err.detail), "status": status}}


class ContentStream:
    """Writes the events of generated content; the last one has the grounding metadata."""

    def __init__(self, model: str, links: Links):
        self._model, self._links = model, links

    def write(self, event: AnswerEvent) -> Iterator[str]:
        match event:
            case TokenEvent(text) if text:
                yield self._write({"candidates": [_build_candidate(text)]})
            case DoneEvent(answer):
                yield self._write(_build_end(answer, self._links, ""))

    @staticmethod
    def write_error(err: HighlighterError) -> str:
        return write_event(build_error(err))

    def _write(self, body: dict[str, Any]) -> str:
        return write_event({**body, "modelVersion": self._model})


def _build_end(answer: Answer, links: Links, text: str) -> dict[str, Any]:
    """Return the end of an answer, or the whole, with its text."""
    candidate = _build_candidate(text)
    candidate |= {"finishReason": "STOP", "groundingMetadata": build_grounding_metadata(answer, links)}
    tokens = answer.tokens_used
    usage = {"promptTokenCount": 0, "candidatesTokenCount": tokens, "totalTokenCount": tokens}
    return {
        "candidates": [candidate], "usageMetadata": usage, "responseId": answer.id,
        "highlighter": describe_answer(answer, links),
    }  # fmt: skip


def _build_candidate(text: str) -> dict[str, Any]:
    return {"index": 0, "content": {"role": "model", "parts": [{"text": text}]}}


def _add_chunk(chunks: dict[str, dict[str, Any]], citation: Citation, links: Links) -> str:
    """Add the cited sentence, unless it is there, and return its key."""
    url = get_citation_url(citation, links)
    key = f"{url} {citation.quote}"
    chunks.setdefault(
        key, {"retrievedContext": {"uri": url, "title": format_citation_title(citation), "text": citation.quote}}
    )
    return key


def _build_segment(text: str, start: int, end: int) -> dict[str, Any]:
    first, last = len(text[:start].encode()), len(text[:end].encode())
    return {"partIndex": 0, "startIndex": first, "endIndex": last, "text": text[start:end]}
