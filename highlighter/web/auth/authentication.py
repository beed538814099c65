"""The authentication of requests by API keys or as a person, before anything else of a request is read."""

from __future__ import annotations

from urllib.parse import quote

from flask import Flask, Response, g, redirect, request
from werkzeug.wrappers import Response as BaseResponse

from highlighter.access import ANONYMOUS, LOCAL_OPERATOR, Principal, get_current_principal, set_current_principal
from highlighter.access_mode import is_open
from highlighter.errors import (
    HighlighterError,
    InsufficientScope,
    KeyRequired,
    MethodNotAllowed,
    NoAccess,
    SignInRequired,
)
from highlighter.locale import N_
from highlighter.origins import is_loopback
from highlighter.request_ids import REQUEST_ID_HEADER, begin_request, end_request, get_request_id
from highlighter.settings import KEYS_NEVER
from highlighter.sign_in.people import Person, build_principal
from highlighter.store.keys import KEY_PREFIX
from highlighter.web.api_paths import MODEL_API_PREFIXES, is_api_path
from highlighter.web.application import current_services
from highlighter.web.auth.browser_session import add_session
from highlighter.web.auth.people import find_person
from highlighter.web.auth.required_scopes import SIGN_IN_ENDPOINTS, get_alternative_scope, get_required_scope
from highlighter.web.public_address import ENVIRON_IS_FORWARDED
from highlighter.web.request_context import get_links

KEY_NEEDED_MESSAGE = 'A key is needed: send it as "Authorization: Bearer hk_...". The administrator issues keys.'
INVALID_KEY_MESSAGE = N_("This key is unknown, revoked or expired. Ask the administrator for a new key.")
KEY_NEEDED_MESSAGE_FOR_PAGES = N_(
    "A key is needed. When the browser asks, enter the key as the password, with any user name. "
    "The administrator issues keys."
)
SIGN_IN_NEEDED_MESSAGE = N_("You are not signed in, or no longer. Reload the page to sign in.")
NO_ACCESS_MESSAGE = N_("You are signed in, but may not do this. Ask whoever runs this service for access.")
KEY_ENDPOINT = "sign_in_pages.use_key"  # where a browser asks for a key although people can sign in
VENDOR_KEY_HEADERS = ("X-Api-Key", "X-Goog-Api-Key")
# Pages below /api/: a browser opens them, so it has to ask for the key.
API_PAGE_ENDPOINTS = ("api.reference", "api.chunk_highlight")


def reset_principal() -> None:
    """Make the principal anonymous until the request is authenticated, whatever this thread did before."""
    g.previous_principal = get_current_principal()
    set_current_principal(ANONYMOUS)
    begin_request(request.headers.get(REQUEST_ID_HEADER, ""))


def authenticate() -> BaseResponse | None:
    """Set the current principal, or send a browser to the sign-in page.

    Raises KeyRequired, InsufficientScope or NoAccess when the request is not allowed.
    """
    required_scope = get_required_scope(request.endpoint, request.method)
    if required_scope is None:
        if request.endpoint in SIGN_IN_ENDPOINTS:
            g.person = find_person()
        return None
    g.person = None if _is_own_key(_read_key()) else find_person()
    if g.person is not None:
        set_current_principal(_require_principal_of(g.person, required_scope))
        return None
    if _can_send_to_sign_in():
        return redirect(get_links().sign_in(_get_wanted_path()), 303)
    principal = add_session(_find_principal())
    set_current_principal(principal)
    alternative = get_alternative_scope(request.endpoint)
    if not principal.has_scope(required_scope) and not (alternative and principal.has_scope(alternative)):
        raise InsufficientScope(required_scope, is_page_request())
    return None


def _require_principal_of(person: Person, required_scope: str) -> Principal:
    """Return the principal of a person for this request; raise NoAccess where none of their groups may do it."""
    sign_in = current_services().sign_in
    grants = sign_in.rules.list_grants(person.groups) if sign_in else []
    for scope in filter(None, (required_scope, get_alternative_scope(request.endpoint))):
        principal = build_principal(person, grants, scope)
        if principal is not None:
            return principal
    contact = sign_in.rules.contact if sign_in else ""
    raise NoAccess(
        N_("You are signed in, but may not do this. Ask {contact} for access.", contact=contact)
        if contact
        else NO_ACCESS_MESSAGE
    )


def _can_send_to_sign_in() -> bool:
    """Return whether a browser opens a page of this service and nobody is signed in there.

    Scripts and frames are answered with an error: they would show the sign-in page where it cannot be used.
    """
    if current_services().sign_in is None or request.method not in ("GET", "HEAD"):
        return False
    is_document = request.headers.get("Sec-Fetch-Dest", "document") == "document"
    return is_document and is_page_request() and request.endpoint != KEY_ENDPOINT and not _read_key()


def _get_wanted_path() -> str:
    """Return the path of the request as its browser knows it, with the query."""
    query = request.query_string.decode("ascii", "replace")
    return f"{quote(request.script_root + request.path)}{'?' if query else ''}{query}"


def register_request_teardown(app: Flask) -> None:
    """Restore the previous principal of the thread at the end of each request."""

    @app.teardown_request
    def restore(_error: BaseException | None) -> None:
        if "previous_principal" in g:
            set_current_principal(g.pop("previous_principal"))
        end_request()


def add_request_id_header(response: Response) -> Response:
    if not get_request_id():  # refused for its Host header, before reset_principal began the request
        begin_request()
    response.headers[REQUEST_ID_HEADER] = get_request_id()
    return response


def build_error_headers(err: HighlighterError) -> dict[str, str]:
    """Return the headers that HTTP asks for with an error: how to authenticate, when to retry, and which methods there are."""
    match err:
        case KeyRequired() | InsufficientScope() if err.www_authenticate:
            return {"WWW-Authenticate": err.www_authenticate}
        case MethodNotAllowed():
            return {"Allow": ", ".join(err.allowed_methods)}
    return {"Retry-After": str(err.retry_after)} if err.retry_after else {}


def _find_principal() -> Principal:
    services, key = current_services(), _read_key()
    if _is_local() and is_open(services.settings, services.api_keys) and not _is_own_key(key):
        return LOCAL_OPERATOR
    principal = services.api_keys.find_principal(key) if key else None
    if principal is None and not key and services.sign_in and is_page_request() and request.endpoint != KEY_ENDPOINT:
        raise SignInRequired(SIGN_IN_NEEDED_MESSAGE)
    if principal is None:
        message_without_key = KEY_NEEDED_MESSAGE_FOR_PAGES if is_page_request() else KEY_NEEDED_MESSAGE
        raise KeyRequired(INVALID_KEY_MESSAGE if key else message_without_key, is_page_request(), bool(key))
    return principal


def _is_own_key(key: str) -> bool:
    """Return whether a text looks like a key to this service: a proxy may forward credentials of its own."""
    return key.startswith(f"{KEY_PREFIX}_")


def _is_local() -> bool:
    """Return whether this machine's users make the request, or a proxy that may do so without a key (REQUIRE_KEYS=0)."""
    if request.environ.get(ENVIRON_IS_FORWARDED):
        return current_services().settings.require_keys == KEYS_NEVER
    return is_loopback(request.remote_addr or "127.0.0.1")


def _read_key() -> str:
    """Return the key of the request: a bearer token, or the password that a browser sends; "" for none."""
    authorization = request.authorization
    if authorization is None:
        return read_vendor_key()
    if authorization.type == "bearer":
        return authorization.token or ""
    return (authorization.password or "") if authorization.type == "basic" else ""


def read_vendor_key() -> str:
    """Return the key in the header in which clients of Anthropic's and Gemini's API send it; "" for none."""
    headers = VENDOR_KEY_HEADERS if request.path.startswith(MODEL_API_PREFIXES) else ()
    return next((request.headers[name] for name in headers if name in request.headers), "")


def is_page_request() -> bool:
    """Return whether a person with a browser made the request, and not a program."""
    return not is_api_path(request.path) or request.endpoint in API_PAGE_ENDPOINTS
