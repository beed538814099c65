"""The person who makes a request: signed in by a proxy that names them in a header, or by the cookie of a session."""

from __future__ import annotations

from flask import Response, request

from highlighter.locale.language_negotiation import ENVIRON_ROOT
from highlighter.sign_in.people import MAX_NAME_CHARACTERS, PROXY, Person, compute_person_id
from highlighter.web.application import current_services
from highlighter.web.public_address import ENVIRON_IS_FROM_PROXY

SIGN_IN_COOKIE = "highlighter_sign_in"
HOST_PREFIX = "__Host-"  # browsers take such a cookie only from this host itself, and not from its subdomains
MAX_COOKIE_CHARACTERS = 100
MAX_GROUPS_CHARACTERS = 20_000


def find_person() -> Person | None:
    """Return the person who is signed in; None for nobody, or where people cannot sign in."""
    services = current_services()
    if services.sign_in is None:
        return None
    person = _read_proxy_headers()
    if person is not None or services.sign_in.provider is None:
        return person
    cookie = request.cookies.get(name_cookie(SIGN_IN_COOKIE), "")
    return services.people.find_session(cookie) if 0 < len(cookie) <= MAX_COOKIE_CHARACTERS else None


def set_sign_in_cookie(response: Response, secret: str) -> None:
    """Give the browser its session; earlier ones of it are not used again."""
    set_cookie(response, SIGN_IN_COOKIE, secret, current_services().settings.session_hours * 3600)


def set_cookie(response: Response, name: str, value: str, seconds: int) -> None:
    """Set a cookie that scripts cannot read and that no form of another site sends; with 0 seconds, remove it."""
    response.set_cookie(
        name_cookie(name), value, seconds, secure=request.is_secure, httponly=True, samesite="Lax", path=_get_cookie_path(),
    )  # fmt: skip


def name_cookie(name: str) -> str:
    """Return the name under which a cookie is stored: with the prefix that ties it to this host where browsers take it."""
    return f"{HOST_PREFIX}{name}" if request.is_secure and _get_cookie_path() == "/" else name


def _get_cookie_path() -> str:
    return request.environ.get(ENVIRON_ROOT) or "/"


def _read_proxy_headers() -> Person | None:
    """Return the person whom a trusted proxy names. Headers of any other client are not read."""
    settings = current_services().settings
    if not settings.auth_user_header or not request.environ.get(ENVIRON_IS_FROM_PROXY):
        return None
    user = _decode(request.headers.get(settings.auth_user_header, "")).strip()
    # Two headers, one of them the client's own, arrive as one with a comma.
    if not user or "," in user or len(user) > MAX_NAME_CHARACTERS or not user.isprintable():
        return None
    listed = request.headers.get(settings.auth_groups_header, "") if settings.auth_groups_header else ""
    groups = (name.strip() for name in _decode(listed[:MAX_GROUPS_CHARACTERS]).split(","))
    person = Person(compute_person_id(PROXY, user), user, frozenset(filter(None, groups)))
    current_services().people.remember(person)
    return person


def _decode(value: str) -> str:
    """Return a header as the UTF-8 that proxies write it in; WSGI hands it over as Latin-1."""
    return value.encode("latin-1", "replace").decode("utf-8", "replace")
