"""The authentication of requests by API keys, before anything else of a request is read."""

from __future__ import annotations

from flask import Flask, Response, g, request

from highlighter.access import ANONYMOUS, LOCAL_OPERATOR, Principal, get_current_principal, set_current_principal
from highlighter.access_mode import is_loopback, is_open
from highlighter.errors import (
    CpuBudgetExceeded,
    HighlighterError,
    InsufficientScope,
    KeyRequired,
    MethodNotAllowed,
    RateLimitExceeded,
    Unavailable,
)
from highlighter.locale import N_
from highlighter.request_ids import REQUEST_ID_HEADER, begin_request, end_request, get_request_id
from highlighter.settings import KEYS_NEVER
from highlighter.store.keys import KEY_PREFIX
from highlighter.web.api_paths import MODEL_API_PREFIXES, is_api_path
from highlighter.web.application import current_services
from highlighter.web.auth.browser_session import add_session
from highlighter.web.auth.required_scopes import get_alternative_scope, get_required_scope
from highlighter.web.public_address import ENVIRON_IS_FORWARDED

KEY_NEEDED_MESSAGE = 'A key is needed: send it as "Authorization: Bearer hk_...". The administrator issues keys.'
INVALID_KEY_MESSAGE = N_("This key is unknown, revoked or expired. Ask the administrator for a new key.")
KEY_NEEDED_MESSAGE_FOR_PAGES = N_(
    "A key is needed. When the browser asks, enter the key as the password, with any user name. "
    "The administrator issues keys."
)
VENDOR_KEY_HEADERS = ("X-Api-Key", "X-Goog-Api-Key")
# Pages below /api/: a browser opens them, so it has to ask for the key.
API_PAGE_ENDPOINTS = ("api.reference", "api.chunk_highlight")


def reset_principal() -> None:
    """Make the principal anonymous until the request is authenticated, whatever this thread did before."""
    g.previous_principal = get_current_principal()
    set_current_principal(ANONYMOUS)
    begin_request(request.headers.get(REQUEST_ID_HEADER, ""))


def authenticate() -> None:
    """Set the current principal; raise KeyRequired or InsufficientScope when the request is not allowed."""
    required_scope = get_required_scope(request.endpoint, request.method)
    if required_scope is None:
        return
    principal = add_session(_find_principal())
    set_current_principal(principal)
    alternative = get_alternative_scope(request.endpoint)
    if not principal.has_scope(required_scope) and not (alternative and principal.has_scope(alternative)):
        raise InsufficientScope(required_scope, is_page_request())


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
        case RateLimitExceeded() | Unavailable() | CpuBudgetExceeded() if err.retry_after:
            return {"Retry-After": str(err.retry_after)}
        case MethodNotAllowed():
            return {"Allow": ", ".join(err.allowed_methods)}
    return {}


def _find_principal() -> Principal:
    services, key = current_services(), _read_key()
    # A proxy before an open service may forward keys of its own, which are none of ours.
    if _is_local() and is_open(services.settings, services.api_keys) and not key.startswith(f"{KEY_PREFIX}_"):
        return LOCAL_OPERATOR
    principal = services.api_keys.find_principal(key) if key else None
    if principal is None:
        message_without_key = KEY_NEEDED_MESSAGE_FOR_PAGES if is_page_request() else KEY_NEEDED_MESSAGE
        raise KeyRequired(INVALID_KEY_MESSAGE if key else message_without_key, is_page_request(), bool(key))
    return principal


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
