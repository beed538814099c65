"""The rate limit of requests: each is counted by its API key or its person, or by its address where it has neither."""

from __future__ import annotations

from flask import request

from highlighter.access import INGEST, get_current_principal
from highlighter.web.application import current_application
from highlighter.web.auth.required_scopes import SIGN_IN_ENDPOINTS, get_required_scope


def enforce_rate_limit() -> None:
    """Raise RateLimitExceeded when the caller of the request has made too many."""
    is_sign_in = request.endpoint in SIGN_IN_ENDPOINTS  # each may ask the provider, and write
    scope = INGEST if is_sign_in else get_required_scope(request.endpoint, request.method)
    if scope is not None:
        principal = get_current_principal()
        owner = principal.history_owner if principal.key or principal.person else ""
        current_application().rate_limiter.count_request(scope, owner or f"from {request.remote_addr}")
