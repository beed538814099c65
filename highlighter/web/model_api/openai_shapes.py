"""Answers in the shapes of OpenAI's API: chat completions and responses, whole."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from highlighter.answering.answer import Answer
from highlighter.errors import HighlighterError
from highlighter.models import Citation
from highlighter.urls import Links
from highlighter.web.model_api.citation_links import describe_answer, format_citation_title, get_citation_url

FILE_CITATION, URL_CITATION = "file_citation", "url_citation"
ERROR_TYPES = {400: "invalid_request_error", 401: "authentication_error", 403: "permission_error", 404: "not_found_error", 413: "invalid_request_error", 429: "rate_limit_error"}  # fmt: skip


def build_chat_completion(answer: Answer, model: str, links: Links) -> dict[str, Any]:
    annotations = [build_chat_annotation(citation, links) for citation in answer.citations]
    message = {"role": "assistant", "content": answer.text, "refusal": None, "annotations": annotations}
    return {
        "id": f"chatcmpl-{answer.id}", "object": "chat.completion", "created": int(time.time()), "model": model,
        "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": "stop"}],
        "usage": build_chat_usage(answer), "highlighter": describe_answer(answer, links),
    }  # fmt: skip


def build_chat_annotation(citation: Citation, links: Links) -> dict[str, Any]:
    return {"type": URL_CITATION, URL_CITATION: _describe_link(citation, links)}


def build_chat_usage(answer: Answer) -> dict[str, int]:
    return {"prompt_tokens": 0, "completion_tokens": answer.tokens_used, "total_tokens": answer.tokens_used}


def build_response(
    response_id: str, model: str, status: str, items: Sequence[dict[str, Any]] = (), answer: Answer | None = None
) -> dict[str, Any]:
    """Return a response with its output items; with its answer, the number of tokens, too."""
    tokens = answer.tokens_used if answer else 0
    usage = {
        "input_tokens": 0, "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0}, "output_tokens": tokens,
        "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": tokens,
    }  # fmt: skip
    return {
        "id": response_id, "object": "response", "created_at": int(time.time()), "status": status, "model": model,
        "output": list(items), "error": None, "incomplete_details": None, "instructions": None, "metadata": {},
        "parallel_tool_calls": False, "temperature": None, "tool_choice": "none", "tools": [], "top_p": None,
        "usage": usage if answer else None,
    }  # fmt: skip


def build_message_item(item_id: str, status: str, parts: Sequence[dict[str, Any]]) -> dict[str, Any]:
    return {"id": item_id, "type": "message", "role": "assistant", "status": status, "content": list(parts)}


def build_text_part(text: str, annotations: Sequence[dict[str, Any]] = ()) -> dict[str, Any]:
    return {"type": "output_text", "text": text, "annotations": list(annotations), "logprobs": []}


def build_annotations(citation: Citation, links: Links) -> list[dict[str, Any]]:
    """Return the link to the cited sentence, and for a stored document its file."""
    annotations: list[dict[str, Any]] = [{"type": URL_CITATION, **_describe_link(citation, links)}]
    if citation.document_id:
        annotations.append(
            {
                "type": FILE_CITATION,
                "file_id": citation.document_id,
                "filename": citation.filename,
                "index": citation.end,
            }
        )
    return annotations


def build_error(err: HighlighterError) -> dict[str, Any]:
    kind = ERROR_TYPES.get(err.status, "server_error" if err.status >= 500 else "invalid_request_error")
    code = "model_not_found" if err.status == 404 else None
    return {"error": {"message": str(err.detail), "type": kind, "param": None, "code": code}}


def _describe_link(citation: Citation, links: Links) -> dict[str, Any]:
    return {
        "start_index": citation.start, "end_index": citation.end,
        "url": get_citation_url(citation, links), "title": format_citation_title(citation),
    }  # fmt: skip
