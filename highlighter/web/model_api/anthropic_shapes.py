"""Answers in the shape of Anthropic's Messages API: text blocks with the citations that they rest on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

from highlighter.answering.answer import Answer, AnswerEvent, CitationEvent, DoneEvent, SubQuestionsEvent, TokenEvent
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

ERROR_TYPES = {400: "invalid_request_error", 401: "authentication_error", 403: "permission_error", 404: "not_found_error", 413: "request_too_large", 429: "rate_limit_error", 503: "overloaded_error"}  # fmt: skip


def build_message(answer: Answer, model: str, links: Links) -> dict[str, Any]:
    """Return an answer as a message. A block ends where citations stand, and has these."""
    blocks = []
    for part in split_cited_parts(answer):
        block = _build_block(answer.text[part.start : part.end])
        if part.citations:
            block["citations"] = [build_citation(citation, links) for citation in part.citations]
        blocks.append(block)
    message = _build_envelope(model)
    message |= {"id": f"msg_{answer.id}", "content": blocks, "stop_reason": "end_turn"}
    return message | {"usage": _build_usage(answer.tokens_used), "highlighter": describe_answer(answer, links)}


def build_citation(citation: Citation, links: Links) -> dict[str, Any]:
    """Return a citation as one of a search result, whose source is the link to the sentence."""
    return {
        "type": "search_result_location", "source": get_citation_url(citation, links), "title": format_citation_title(citation),
        "cited_text": citation.quote, "search_result_index": citation.source, "start_block_index": 0, "end_block_index": 1,
    }  # fmt: skip


def build_error(err: HighlighterError) -> dict[str, Any]:
    kind = ERROR_TYPES.get(err.status, "api_error" if err.status >= 500 else "invalid_request_error")
    return {"type": "error", "error": {"type": kind, "message": str(err.detail)}}


class MessageStream:
    """Writes the events of a message: a new block begins with the text after a citation."""

    def __init__(self, model: str, links: Links):
        self._model, self._links = model, links
        self._index, self._is_open, self._is_cited = -1, False, False

    def write(self, event: AnswerEvent) -> Iterator[str]:
        match event:
            case SubQuestionsEvent():
                yield _write("message_start", message=_build_envelope(self._model))
            case TokenEvent(text) if text:
                if self._is_cited:
                    yield from self._close_block()
                yield from self._open_block()
                yield self._write_delta({"type": "text_delta", "text": text})
            case CitationEvent(citation):
                yield from self._open_block()
                yield self._write_delta({"type": "citations_delta", "citation": build_citation(citation, self._links)})
                self._is_cited = True
            case DoneEvent(answer):
                yield from self._close_block()
                delta = {"stop_reason": "end_turn", "stop_sequence": None}
                yield _write("message_delta", delta=delta, usage=_build_usage(answer.tokens_used))
                yield _write("message_stop")

    @staticmethod
    def write_error(err: HighlighterError) -> str:
        return write_event(build_error(err), "error")

    def _open_block(self) -> Iterator[str]:
        if not self._is_open:
            self._index, self._is_open, self._is_cited = self._index + 1, True, False
            block = {"type": "text", "text": "", "citations": []}
            yield _write("content_block_start", index=self._index, content_block=block)

    def _close_block(self) -> Iterator[str]:
        if self._is_open:
            self._is_open = False
            yield _write("content_block_stop", index=self._index)

    def _write_delta(self, delta: dict[str, Any]) -> str:
        return _write("content_block_delta", index=self._index, delta=delta)


def _build_block(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def _build_envelope(model: str) -> dict[str, Any]:
    return {
        "id": f"msg_{uuid4().hex}", "type": "message", "role": "assistant", "model": model, "content": [],
        "stop_reason": None, "stop_sequence": None, "usage": _build_usage(0),
    }  # fmt: skip


def _build_usage(tokens: int) -> dict[str, int]:
    return {"input_tokens": 0, "output_tokens": tokens}


def _write(kind: str, **fields: Any) -> str:
    return write_event({"type": kind, **fields}, kind)
