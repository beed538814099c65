"""Errors as problem details (RFC 9457); a validation error is one sentence that names the parameter."""

from __future__ import annotations

import traceback
from typing import Any

from flask import Request
from pydantic import ValidationError

from highlighter.errors import BadRequest, GroundingError, HighlighterError, TooLarge
from highlighter.locale import is_message_id
from highlighter.locale.user_message import list_messages
from highlighter.request_ids import get_request_id

PROBLEM_MEDIA_TYPE = "application/problem+json"
PROBLEM_TYPE_PREFIX, UNTYPED_PROBLEM = "urn:highlighter:problem:", "about:blank"


class InvalidRequest(BadRequest):
    """A request that does not fit its model. `errors` names the parameters and what is wrong with them."""

    def __init__(self, errors: list[dict[str, str]]):
        super().__init__(
            " ".join(f"{_format_parameter_prefix(error['parameter'])}{error['message']}." for error in errors)
        )
        self.errors = errors


def convert_validation_error(err: ValidationError) -> InvalidRequest:
    """Return the error of a request model as an error of the API."""
    return InvalidRequest(
        [
            {"parameter": _get_parameter_name(error), "message": _describe_validation_error(error)}
            for error in err.errors()
        ]
    )


def serialize_problem(err: HighlighterError) -> dict[str, Any]:
    """Return the problem details of an error, with the request's id."""
    problem_type = f"{PROBLEM_TYPE_PREFIX}{err.problem_type}" if err.problem_type else UNTYPED_PROBLEM
    body = {"type": problem_type, "title": err.title, "status": err.status, "detail": err.detail}
    body["messages"] = [message for message in list_messages(err.detail) if is_message_id(message["id"])]
    if isinstance(err, InvalidRequest):
        body["errors"] = err.errors
    if isinstance(err, GroundingError):
        body["reasons"] = err.reasons
    if get_request_id():
        body["request_id"] = get_request_id()
    return body


def _format_parameter_prefix(parameter: str) -> str:
    return f"{parameter} " if parameter else ""


def _get_parameter_name(error: Any) -> str:
    return ".".join(map(str, error["loc"]))  # empty where the request as a whole is wrong


def _describe_validation_error(error: Any) -> str:
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


def describe_exceeded_limit(err: Exception, request: Request) -> TooLarge:
    """Return Werkzeug's 413 as an error that names the exceeded limit, known only from the function that raised it."""
    kilobytes = (request.max_form_memory_size or 0) // 1000
    match [frame.f_code.co_name for frame, _ in traceback.walk_tb(err.__traceback__)][-1:]:
        case ["next_event"]:
            return TooLarge(f"A form can have at most {request.max_form_parts} parts.")
        case ["receive_data"]:
            return TooLarge(f"The headers of a part of a form can have at most {kilobytes} kB.")
        case ["parse"]:
            return TooLarge(f"A field of a form can have at most {kilobytes} kB. Files can be larger.")
    megabytes = (request.max_content_length or 0) // (1 << 20)
    return TooLarge(f"Larger than the upload limit of {megabytes} MB.")
