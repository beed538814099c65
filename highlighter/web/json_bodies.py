"""The JSON bodies of requests in the shapes of other products, whose clients send any content type and unknown fields."""

from __future__ import annotations

from typing import TypeVar

from flask import request
from pydantic import BaseModel, ValidationError

from highlighter.errors import BadRequest, TooLarge
from highlighter.web.problems import convert_validation_error

MAX_REQUEST_BYTES = 4_000_000
Body = TypeVar("Body", bound=BaseModel)


def read_body(model: type[Body]) -> Body:
    """Return the body of the request; raise BadRequest where it does not fit, TooLarge where it is too large."""
    if request.content_length and request.content_length > MAX_REQUEST_BYTES:
        raise TooLarge(f"The request has {request.content_length:,} bytes; the limit is {MAX_REQUEST_BYTES:,}.")
    try:
        content = request.get_json(silent=True, force=True)
    except RecursionError:  # thousands of nested brackets
        content = None
    if not isinstance(content, dict):
        raise BadRequest("The body is not a JSON object.")
    try:
        return model.model_validate(content)
    except ValidationError as err:
        raise convert_validation_error(err) from err
