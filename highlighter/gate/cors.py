"""Pages of other origins, as far as CORS_ORIGINS names them: to the API alone, with a key of theirs, never with ours.

Nothing that a browser sends by itself (the password kept for this service) lets another origin's page in.
"""

from __future__ import annotations

from flask import Response, current_app, request

from highlighter.errors import Forbidden
from highlighter.store.keys import PREFIX

ANY = "*"
_ALLOWED = {
    "Access-Control-Allow-Methods": "GET, POST, DELETE",
    "Access-Control-Allow-Headers": "Authorization, Content-Type, Last-Event-ID, X-Request-Id",
    "Access-Control-Max-Age": "600",
}
_SHOWN = "ETag, Location, Retry-After, WWW-Authenticate, X-Request-Id"


def answer_preflight() -> Response | None:
    """A browser asks before it sends, and shows no key with that."""
    if request.method != "OPTIONS" or "Access-Control-Request-Method" not in request.headers or not _to_the_api():
        return None
    headers = request.headers.get("Access-Control-Request-Headers", "").lower()
    if not _is_listed("authorization" in headers):
        raise Forbidden("Pages of this origin are not let in: CORS_ORIGINS names those that are.")
    return Response(status=204, headers=_ALLOWED)


def refuse_foreign_writes() -> None:
    """A page of another site must not send files or questions in a visitor's name."""
    origin = request.headers.get("Origin")
    writes = request.method not in ("GET", "HEAD", "OPTIONS")
    foreign = origin is not None and origin.partition("://")[2] != request.host
    # Browsers say this of every request, and no page can change it; whoever is no browser says nothing.
    foreign = foreign or request.headers.get("Sec-Fetch-Site") in ("cross-site", "same-site")
    if writes and foreign and not (_to_the_api() and _is_let_in()):
        raise Forbidden("This request was sent from another site's page.")


def add_cors(response: Response) -> Response:
    if current_app.services.settings.cors_origins and _to_the_api():
        response.vary.add("Origin")
        # Why a key is refused may be read, and no more; a preflight was decided by itself.
        told = response.status_code == 401 or "Access-Control-Allow-Methods" in response.headers
        if _is_let_in() or (told and _is_listed(True)):
            response.headers["Access-Control-Allow-Origin"] = request.headers["Origin"]
            response.headers["Access-Control-Expose-Headers"] = _SHOWN
    return response


def _is_let_in() -> bool:
    sent = request.authorization
    # The browser adds a password by itself, for whatever page; a Bearer key only the page can have added.
    # What is no key of ours proves nothing: an open service lets it in as it lets in whoever shows none.
    key = sent is not None and (sent.token or "").startswith(f"{PREFIX}_")
    return (sent is None or sent.type == "bearer") and _is_listed(key)


def _is_listed(with_key: bool) -> bool:
    """Every origin is let in only with a key of its own, so that no page finds an open service on its reader's machine."""
    origin, listed = request.headers.get("Origin"), current_app.services.settings.cors_origins
    return origin is not None and (origin in listed or (ANY in listed and with_key))


def _to_the_api() -> bool:
    return request.path.startswith("/api/")
