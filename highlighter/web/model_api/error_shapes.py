"""Errors of the model APIs, in the shape of the vendor whose API the path belongs to: their SDKs read no other."""

from __future__ import annotations

from typing import Any

from flask import Request

from highlighter.errors import HighlighterError
from highlighter.web.api_paths import MODEL_API_PREFIXES
from highlighter.web.model_api import anthropic_shapes, gemini_shapes, openai_shapes

GEMINI_PREFIX, MESSAGES_PATH = "/v1beta/", "/v1/messages"
ANTHROPIC_HEADER = "Anthropic-Version"  # every request of its SDKs has it, /v1/models too


def is_model_api_path(path: str) -> bool:
    return path.startswith(MODEL_API_PREFIXES)


def build_model_error(err: HighlighterError, request: Request) -> dict[str, Any]:
    """Return an error of a model API, for routes that do not exist, too."""
    if request.path.startswith(GEMINI_PREFIX):
        return gemini_shapes.build_error(err)
    if request.path.startswith(MESSAGES_PATH) or ANTHROPIC_HEADER in request.headers:
        return anthropic_shapes.build_error(err)
    body = openai_shapes.build_error(err)
    if err.status == 404 and request.routing_exception:
        body["error"]["code"] = "unknown_url"
    return body
