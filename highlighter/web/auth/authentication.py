"""Who asks, and whether they may: the key is looked at before anything else is."""

from __future__ import annotations

from flask import Flask, Response, g, request

from highlighter.access import ANONYMOUS, LOCAL_OPERATOR, Principal, get_current_principal, set_current_principal
from highlighter.access_mode import is_loopback, is_open
from highlighter.errors import (
    CpuBudgetExceeded,
    HighlighterError,
    InsufficientScope,
    KeyRequired,
    RateLimitExceeded,
    Unavailable,
)
from highlighter.locale import N_
from highlighter.request_ids import REQUEST_ID_HEADER, begin_request, end_request, get_request_id
from highlighter.store.keys import KEY_PREFIX
from highlighter.web.application import current_services
from highlighter.web.auth.required_scopes import get_required_scope

KEY_NEEDED_MESSAGE = 'A key is needed: send it as "Authorization: Bearer hk_...". The administrator issues keys.'
INVALID_KEY_MESSAGE = N_("This key is unknown, revoked or expired. Ask the administrator for a new key.")
KEY_NEEDED_MESSAGE_FOR_PAGES = N_(
    "A key is needed. When the browser asks, enter the key as the password, with any user name. "
    "The administrator issues keys."
)
# They are in the API's folder, and are pages all the same: a browser opens them, and must ask for the key.
API_PAGE_ENDPOINTS = ("api.reference", "api.chunk_highlight")


def reset_principal() -> None:
    """Until it is known who asks, it is nobody, whatever this thread did before."""
    g.before = get_current_principal()
    set_current_principal(ANONYMOUS)
    begin_request(request.headers.get(REQUEST_ID_HEADER, ""))


def authenticate() -> None:
    """Sets the caller, or refuses."""
    needed = get_required_scope(request.endpoint, request.method)
    if needed is None:
        return
    caller = _find_principal()
    set_current_principal(caller)
    if not caller.has_scope(needed):
        raise InsufficientScope(needed, is_page_request())


def register_request_teardown(app: Flask) -> None:
    @app.teardown_request
    def restore(_error: BaseException | None) -> None:
        if "before" in g:
            set_current_principal(g.pop("before"))
        end_request()


def add_request_id_header(response: Response) -> Response:
    if not get_request_id():  # refused before it was anybody's, for the host it was sent to
        begin_request()
    response.headers[REQUEST_ID_HEADER] = get_request_id()
    return response


def build_error_headers(err: HighlighterError) -> dict[str, str]:
    """What HTTP wants said beside an error's own words."""
    match err:
        case KeyRequired() | InsufficientScope() if err.www_authenticate:
            return {"WWW-Authenticate": err.www_authenticate}
        case RateLimitExceeded() | Unavailable() | CpuBudgetExceeded() if err.retry_after:
            return {"Retry-After": str(err.retry_after)}
    return {}


def _find_principal() -> Principal:
    services, shown = current_services(), _read_key()
    here = is_loopback(request.remote_addr or "127.0.0.1")
    # What stands before an open service may have keys of its own, and send them on.
    if here and is_open(services.settings, services.api_keys) and not shown.startswith(f"{KEY_PREFIX}_"):
        return LOCAL_OPERATOR
    caller = services.api_keys.find_principal(shown) if shown else None
    if caller is None:
        raise KeyRequired(
            INVALID_KEY_MESSAGE if shown else KEY_NEEDED_MESSAGE_FOR_PAGES if is_page_request() else KEY_NEEDED_MESSAGE,
            is_page_request(),
            bool(shown),
        )
    return caller


def _read_key() -> str:
    sent = request.authorization
    if sent is None:
        return ""
    return (sent.token if sent.type == "bearer" else sent.password if sent.type == "basic" else "") or ""


def is_page_request() -> bool:
    """Whether a person with a browser is to be asked, or a program to be told."""
    return not request.path.startswith("/api/") or request.endpoint in API_PAGE_ENDPOINTS
