"""The rules for requests from pages of other origins (CORS), and for the host names that the service answers to.

Pages of the origins in CORS_ORIGINS may use the API, with a key that the page itself sends. What a browser sends by itself
(its stored password for this service) never authorizes another origin's page.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from flask import Response, g, request
from werkzeug.exceptions import SecurityError

from highlighter.errors import Forbidden
from highlighter.origins import is_loopback, parse_host_name, strip_port
from highlighter.settings import Settings
from highlighter.store.keys import KEY_PREFIX
from highlighter.web.api_paths import is_api_path
from highlighter.web.application import current_services
from highlighter.web.auth.authentication import VENDOR_KEY_HEADERS, read_vendor_key
from highlighter.web.public_address import ENVIRON_RECEIVED_HOST

ANY_ORIGIN = "*"
_PREFLIGHT_HEADERS = {
    "Access-Control-Allow-Methods": "GET, POST, PUT, PATCH, DELETE",
    "Access-Control-Allow-Headers": "Authorization, Content-Type, Idempotency-Key, Last-Event-ID, X-Request-Id, "
    # of the SDKs of other vendors, for the model APIs
    "X-Api-Key, X-Goog-Api-Key, Anthropic-Version, Anthropic-Beta, Anthropic-Dangerous-Direct-Browser-Access, OpenAI-Beta, "
    "OpenAI-Organization, OpenAI-Project",
    "Access-Control-Max-Age": "600",
}
_EXPOSED_HEADERS = (
    "Deprecation, ETag, Idempotent-Replayed, Link, Location, Retry-After, Sunset, WWW-Authenticate, X-Request-Id"
)


def answer_preflight() -> Response | None:
    """Return the response to a CORS preflight, which carries no key; None for any other request."""
    if request.method != "OPTIONS" or "Access-Control-Request-Method" not in request.headers or not _is_api_request():
        return None
    headers = request.headers.get("Access-Control-Request-Headers", "").lower()
    key_headers = {"authorization", *map(str.lower, VENDOR_KEY_HEADERS)}
    if not _is_origin_listed(not key_headers.isdisjoint(headers.replace(" ", "").split(","))):
        raise Forbidden("Pages from this origin are not allowed: CORS_ORIGINS lists the allowed origins.")
    return Response(status=204, headers=_PREFLIGHT_HEADERS)


def refuse_cross_site_writes() -> None:
    """Raise Forbidden for a write from a page of another site, which would act in the name of its visitor."""
    origin = request.headers.get("Origin")
    is_write = request.method not in ("GET", "HEAD", "OPTIONS")
    hosts = (request.host, _get_received_host())
    is_cross_site = origin is not None and origin.partition("://")[2] not in hosts
    # Browsers add this header to every request, and no page can change it; other clients do not send it.
    is_cross_site = is_cross_site or request.headers.get("Sec-Fetch-Site") in ("cross-site", "same-site")
    if is_write and is_cross_site and not (_is_api_request() and _is_origin_allowed()):
        raise Forbidden("This request was sent from another site's page.")


def require_own_origin_of_people() -> None:
    """Raise Forbidden for a write in the name of a signed-in person that no page of this service has sent.

    Their browser adds the cookie by itself, as one does that a proxy has signed in: only where the request comes from, which
    browsers say of every write, tells who wanted it. CORS_ORIGINS allows nothing here: pages of others need a key.
    """
    if request.method in ("GET", "HEAD", "OPTIONS") or g.get("person") is None:
        return
    origin, site = request.headers.get("Origin"), request.headers.get("Sec-Fetch-Site")
    has_own_origin = origin is not None and origin.partition("://")[2] in (request.host, _get_received_host())
    if not (site == "same-origin" or (site is None and has_own_origin)):
        raise Forbidden("This request was not sent by a page of this service. Programs need a key.")


def add_cors_headers(response: Response) -> Response:
    if current_services().settings.cors_origins and _is_api_request():
        response.vary.add("Origin")
        # Without a valid key, a page may read only why its key was refused; a preflight is decided by itself.
        is_readable_without_key = response.status_code == 401 or "Access-Control-Allow-Methods" in response.headers
        if _is_origin_allowed() or (is_readable_without_key and _is_origin_listed(True)):
            response.headers["Access-Control-Allow-Origin"] = request.headers["Origin"]
            response.headers["Access-Control-Expose-Headers"] = _EXPOSED_HEADERS
    return response


def _is_origin_allowed() -> bool:
    authorization = request.authorization
    # A browser adds a stored password by itself, for any page; a bearer token only the page can have added.
    # A token that is not one of our keys proves nothing: an open service accepts it like a request without a key.
    # No page of another origin can send a header with a key unless the preflight allowed it.
    token = (authorization.token or "") if authorization else read_vendor_key()
    has_key = token.startswith(f"{KEY_PREFIX}_")
    return (authorization is None or authorization.type == "bearer") and _is_origin_listed(has_key)


def _is_origin_listed(has_key: bool) -> bool:
    """Return whether CORS_ORIGINS allows the origin of the request.

    "*" allows an origin only with a key, so that no page can read an open service on its visitor's machine.
    """
    origin, listed = request.headers.get("Origin"), current_services().settings.cors_origins
    return origin is not None and (origin in listed or (ANY_ORIGIN in listed and has_key))


def _is_api_request() -> bool:
    return is_api_path(request.path)


# Trusted hosts: a page cannot reach the service under a host name of its own (DNS rebinding).


def refuse_untrusted_host() -> None:
    """Raise SecurityError for an untrusted Host header. (Flask's TRUSTED_HOSTS cannot hold IPv6 addresses.)"""
    request.host = request.host.lower()  # host names are case-insensitive, and browsers send them in lower case
    host = _get_received_host()
    if not _is_trusted(host, current_services().settings):
        raise SecurityError(f"Host {host!r} is not trusted.")


def _get_received_host() -> str:
    """Return the host of the request itself, which differs from that of PUBLIC_URL where a proxy does not pass it on."""
    host: str = request.environ.get(ENVIRON_RECEIVED_HOST, request.host)
    return host.lower()


def _is_trusted(host: str, settings: Settings) -> bool:
    name = strip_port(host)
    if settings.public_url and name == strip_port(urlsplit(settings.public_url).netloc):
        return True
    if settings.trusted_hosts:
        return any(_is_host_covered(trusted, name) for trusted in settings.trusted_hosts)
    return is_loopback(name) or not is_loopback(settings.host)


def _is_host_covered(trusted: str, name: str) -> bool:
    """Return whether a trusted name covers a host. With a leading dot, the name covers itself and its subdomains."""
    trusted_name = parse_host_name(trusted.removeprefix("."))
    return name == trusted_name or (trusted.startswith(".") and name.endswith(f".{trusted_name}"))
