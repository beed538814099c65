"""Pages of other origins, as far as CORS_ORIGINS names them: to the API alone, with a key of theirs, never with ours.

Nothing that a browser sends by itself (the password kept for this service) lets another origin's page in.
"""

from __future__ import annotations

from flask import Response, request
from werkzeug.exceptions import SecurityError

from highlighter.access_mode import is_loopback
from highlighter.errors import Forbidden
from highlighter.origins import parse_host_name, strip_port
from highlighter.settings import Settings
from highlighter.store.keys import KEY_PREFIX
from highlighter.web.application import current_services

ANY_ORIGIN = "*"
_PREFLIGHT_HEADERS = {
    "Access-Control-Allow-Methods": "GET, POST, DELETE",
    "Access-Control-Allow-Headers": "Authorization, Content-Type, Last-Event-ID, X-Request-Id",
    "Access-Control-Max-Age": "600",
}
_EXPOSED_HEADERS = "ETag, Location, Retry-After, WWW-Authenticate, X-Request-Id"


def answer_preflight() -> Response | None:
    """A browser asks before it sends, and shows no key with that."""
    if request.method != "OPTIONS" or "Access-Control-Request-Method" not in request.headers or not _is_api_request():
        return None
    headers = request.headers.get("Access-Control-Request-Headers", "").lower()
    if not _is_origin_listed("authorization" in headers):
        raise Forbidden("Pages from this origin are not allowed: CORS_ORIGINS lists the allowed origins.")
    return Response(status=204, headers=_PREFLIGHT_HEADERS)


def refuse_cross_site_writes() -> None:
    """A page of another site must not send files or questions in a visitor's name."""
    origin = request.headers.get("Origin")
    writes = request.method not in ("GET", "HEAD", "OPTIONS")
    foreign = origin is not None and origin.partition("://")[2] != request.host
    # Browsers say this of every request, and no page can change it; whoever is no browser says nothing.
    foreign = foreign or request.headers.get("Sec-Fetch-Site") in ("cross-site", "same-site")
    if writes and foreign and not (_is_api_request() and _is_origin_allowed()):
        raise Forbidden("This request was sent from another site's page.")


def add_cors_headers(response: Response) -> Response:
    if current_services().settings.cors_origins and _is_api_request():
        response.vary.add("Origin")
        # Why a key is refused may be read, and no more; a preflight was decided by itself.
        told = response.status_code == 401 or "Access-Control-Allow-Methods" in response.headers
        if _is_origin_allowed() or (told and _is_origin_listed(True)):
            response.headers["Access-Control-Allow-Origin"] = request.headers["Origin"]
            response.headers["Access-Control-Expose-Headers"] = _EXPOSED_HEADERS
    return response


def _is_origin_allowed() -> bool:
    sent = request.authorization
    # The browser adds a password by itself, for whatever page; a Bearer key only the page can have added.
    # What is no key of ours proves nothing: an open service lets it in as it lets in whoever shows none.
    key = sent is not None and (sent.token or "").startswith(f"{KEY_PREFIX}_")
    return (sent is None or sent.type == "bearer") and _is_origin_listed(key)


def _is_origin_listed(has_key: bool) -> bool:
    """Every origin is let in only with a key of its own, so that no page finds an open service on its reader's machine."""
    origin, listed = request.headers.get("Origin"), current_services().settings.cors_origins
    return origin is not None and (origin in listed or (ANY_ORIGIN in listed and has_key))


def _is_api_request() -> bool:
    return request.path.startswith("/api/")


# Which host names the service answers to, so that no web page reaches it by a name of its own (DNS rebinding).


def refuse_untrusted_host() -> None:
    """Raise SecurityError for a Host header that names no host of ours. (Flask's TRUSTED_HOSTS cannot hold IPv6 addresses.)"""
    request.host = request.host.lower()  # names of hosts differ in no case; browsers write them so
    if not _is_trusted(request.host, current_services().settings):
        raise SecurityError(f"Host {request.host!r} is not trusted.")


def _is_trusted(host: str, settings: Settings) -> bool:
    name = strip_port(host)
    if settings.trusted_hosts:
        return any(_is_host_covered(trusted, name) for trusted in settings.trusted_hosts)
    return is_loopback(name) or not is_loopback(settings.host)


def _is_host_covered(trusted: str, name: str) -> bool:
    """A trusted name that begins with a dot stands for itself and for every name below it."""
    known = parse_host_name(trusted.removeprefix("."))
    return name == known or (trusted.startswith(".") and name.endswith(f".{known}"))
