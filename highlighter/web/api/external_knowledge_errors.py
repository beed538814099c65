"""Errors of Dify's External Knowledge API: `error_code` and `error_msg`, with the codes that Dify's documentation suggests."""

from __future__ import annotations

from typing import Any

from flask import request

from highlighter.errors import Forbidden, HighlighterError, KeyRequired, NotFound

WRONG_AUTHORIZATION_FORMAT, AUTHORIZATION_FAILED, UNKNOWN_KNOWLEDGE = 1001, 1002, 2001


def build_external_knowledge_error(err: HighlighterError) -> dict[str, Any]:
    return {"error_code": _choose_code(err), "error_msg": str(err.detail)}


def choose_external_knowledge_status(err: HighlighterError) -> int:
    """Return 403 for a refused key: where Dify is told of an endpoint, it takes any other status for a key that works."""
    return Forbidden.status if isinstance(err, KeyRequired) else err.status


def _choose_code(err: HighlighterError) -> int:
    """Return the code of Dify for an error that it has one for, and the HTTP status for any other."""
    if isinstance(err, KeyRequired):
        authorization = request.authorization
        is_bearer = authorization is not None and authorization.type == "bearer" and bool(authorization.token)
        return AUTHORIZATION_FAILED if is_bearer else WRONG_AUTHORIZATION_FORMAT
    if isinstance(err, Forbidden):
        return AUTHORIZATION_FAILED
    return UNKNOWN_KNOWLEDGE if isinstance(err, NotFound) else err.status
