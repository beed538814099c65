"""Errors as RFC 9457 problems, and validation errors as one sentence that names the parameter."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from highlighter.errors import BadRequest, GroundingError, HighlighterError
from highlighter.request_ids import request_id

MEDIA_TYPE = "application/problem+json"


class Invalid(BadRequest):
    """A request that does not fit its model; `errors` says which parameter, and why."""

    def __init__(self, errors: list[dict[str, str]]):
        super().__init__(" ".join(f"{_of(error['parameter'])}{error['message']}." for error in errors))
        self.errors = errors


def invalid(err: ValidationError) -> Invalid:
    return Invalid([{"parameter": _name(error), "message": _message(error)} for error in err.errors()])


def problem(err: HighlighterError) -> dict[str, Any]:
    body = {"type": "about:blank", "title": err.title, "status": err.status, "detail": err.detail}
    if isinstance(err, Invalid):
        body["errors"] = err.errors
    if isinstance(err, GroundingError):
        body["reasons"] = err.reasons
    if request_id():
        body["request_id"] = request_id()
    return body


def _of(parameter: str) -> str:
    return f"{parameter} " if parameter else ""


def _name(error: Any) -> str:
    return ".".join(map(str, error["loc"]))  # empty for what concerns the request as a whole


def _message(error: Any) -> str:
    context = error.get("ctx", {})
    match error["type"]:
        case "missing":
            return "is missing"
        case "string_too_long":
            return f"is longer than {context['max_length']:,} characters"
        case "string_too_short":
            return "is empty"
        case "value_error":
            return str(context.get("error", error["msg"]))
        case _:
            return f"does not fit: {error['msg'][:1].lower()}{error['msg'][1:]}"
