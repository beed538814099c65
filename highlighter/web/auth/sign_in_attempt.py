"""The attempt to sign in that a browser has begun: its secrets and the page that was wanted, in a cookie for some minutes.

The cookie is not signed: it is good only in the browser that holds it, and what it says is believed by that browser alone.
Whoever could write it there could as well begin an attempt of their own.
"""

from __future__ import annotations

import hmac
import json
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass

from flask import Response, request

from highlighter.sign_in.openid_provider import Attempt, SignInFailed
from highlighter.web.auth.people import name_cookie, set_cookie

ATTEMPT_COOKIE = "highlighter_sign_in_attempt"
ATTEMPT_SECONDS = 600
MAX_COOKIE_CHARACTERS = 4_000


@dataclass(frozen=True, slots=True)
class BegunAttempt:
    """An attempt with the path that the browser is sent to when it has succeeded."""

    attempt: Attempt
    return_path: str


def begin_attempt(return_path: str) -> BegunAttempt:
    state, nonce, code_verifier = (secrets.token_urlsafe(32) for _ in range(3))
    return BegunAttempt(Attempt(state, nonce, code_verifier), return_path)


def store_attempt(response: Response, begun: BegunAttempt) -> None:
    attempt = begun.attempt
    values = [attempt.state, attempt.nonce, attempt.code_verifier, begun.return_path]
    set_cookie(response, ATTEMPT_COOKIE, urlsafe_b64encode(json.dumps(values).encode()).decode(), ATTEMPT_SECONDS)


def remove_attempt(response: Response) -> None:
    set_cookie(response, ATTEMPT_COOKIE, "", 0)


def read_attempt(state: str) -> BegunAttempt:
    """Return the attempt of this browser; raise SignInFailed unless it has begun the one that this state belongs to."""
    try:
        cookie = request.cookies[name_cookie(ATTEMPT_COOKIE)][:MAX_COOKIE_CHARACTERS]
        own_state, nonce, code_verifier, return_path = map(str, json.loads(urlsafe_b64decode(cookie)))
    except (KeyError, TypeError, ValueError) as err:
        raise SignInFailed(
            "This sign-in was begun in another browser, has ended, or took longer than 10 minutes. Sign in again."
        ) from err
    if not state or not hmac.compare_digest(state.encode(), own_state.encode()):
        raise SignInFailed("This sign-in was followed by another one in the same browser. Sign in again.")
    return BegunAttempt(Attempt(own_state, nonce, code_verifier), return_path)
