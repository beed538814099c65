"""The rate limit of requests: each is counted by its API key, or by its address where it has no key."""

from __future__ import annotations

from flask import request

from highlighter.access import get_current_principal
from highlighter.web.application import current_application
from highlighter.web.auth.required_scopes import get_required_scope


def enforce_rate_limit() -> None:
    """Raise RateLimitExceeded when the caller of the request has made too many."""
    scope = get_required_scope(request.endpoint, request.method)
    if scope is not None:
        key = get_current_principal().key
        current_application().rate_limiter.count_request(scope, f"key {key}" if key else f"from {request.remote_addr}")
