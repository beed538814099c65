"""The session of a browser without a key, where nobody signs in: a random cookie, by which its answers are listed for it.

It authorizes nothing. What belongs to it stays with the browser, and is not moved to a person who signs in there later.
"""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import replace

from flask import Response, after_this_request, request

from highlighter.access import Principal, get_current_principal, set_current_principal
from highlighter.locale.language_negotiation import ENVIRON_ROOT

SESSION_COOKIE = "highlighter_session"
SESSION_SECONDS = 365 * 24 * 3600
MAX_COOKIE_CHARACTERS = 100


def add_session(principal: Principal) -> Principal:
    """Return a principal without a key or a person with the session of its browser. Only the cookie's digest is stored."""
    cookie = request.cookies.get(SESSION_COOKIE, "")[:MAX_COOKIE_CHARACTERS]
    return principal if principal.history_owner or not cookie else replace(principal, session=_compute_digest(cookie))


def begin_session() -> None:
    """Give the browser of the current request a session, unless it has one, a key or a person who has signed in."""
    principal = get_current_principal()
    if principal.history_owner:
        return
    cookie = secrets.token_urlsafe(24)
    set_current_principal(replace(principal, session=_compute_digest(cookie)))

    @after_this_request
    def set_cookie(response: Response) -> Response:
        response.set_cookie(
            SESSION_COOKIE, cookie, SESSION_SECONDS, secure=request.is_secure, httponly=True, samesite="Lax",
            path=request.environ.get(ENVIRON_ROOT) or "/",
        )  # fmt: skip
        return response


def _compute_digest(cookie: str) -> str:
    return hashlib.sha256(cookie.encode("utf-8", "replace")).hexdigest()[:32]
