"""Who asks, and whether they may: the key is looked at before anything else is."""

from __future__ import annotations

from flask import Flask, Response, current_app, g, request

from highlighter.access import HOUSE, NOBODY, Caller, current_caller, set_caller
from highlighter.errors import CpuBudgetExceeded, HighlighterError, KeyNeeded, OutOfScope, TooMany, Unavailable
from highlighter.gate.mode import is_loopback, is_open
from highlighter.gate.needs import need
from highlighter.locale import N_
from highlighter.request_ids import HEADER, begin_request, end_request, request_id
from highlighter.store.keys import PREFIX

NO_KEY = 'This needs a key: send it as "Authorization: Bearer hk_...". Whoever runs this service makes keys.'
NO_GOOD_KEY = N_("This key is not known here, was revoked, or is over. Ask whoever runs this service for another.")
NO_KEY_FOR_PEOPLE = N_(
    "This needs a key: when the browser asks, give it as the password, with any name. Whoever runs this service makes keys."
)
# They are in the API's folder, and are pages all the same: a browser opens them, and must ask for the key.
PAGES_OF_THE_API = ("api.reference", "api.chunk_highlight")


def forget_who_asked() -> None:
    """Until it is known who asks, it is nobody, whatever this thread did before."""
    g.before = current_caller()
    set_caller(NOBODY)
    begin_request(request.headers.get(HEADER, ""))


def let_in() -> None:
    """Sets the caller, or refuses."""
    needed = need(request.endpoint, request.method)
    if needed is None:
        return
    caller = _who_asks()
    set_caller(caller)
    if not caller.may(needed):
        raise OutOfScope(needed, for_pages())


def take_leave(app: Flask) -> None:
    @app.teardown_request
    def restore(_error: BaseException | None) -> None:
        if "before" in g:
            set_caller(g.pop("before"))
        end_request()


def say_which(response: Response) -> Response:
    if not request_id():  # refused before it was anybody's, for the host it was sent to
        begin_request()
    response.headers[HEADER] = request_id()
    return response


def headers_of(err: HighlighterError) -> dict[str, str]:
    """What HTTP wants said beside an error's own words."""
    match err:
        case KeyNeeded() | OutOfScope() if err.asked_as:
            return {"WWW-Authenticate": err.asked_as}
        case TooMany() | Unavailable() | CpuBudgetExceeded() if err.retry_after:
            return {"Retry-After": str(err.retry_after)}
    return {}


def _who_asks() -> Caller:
    services, shown = current_app.services, _shown()
    here = is_loopback(request.remote_addr or "127.0.0.1")
    # What stands before an open service may have keys of its own, and send them on.
    if here and is_open(services.settings, services.keys) and not shown.startswith(f"{PREFIX}_"):
        return HOUSE
    caller = services.keys.caller(shown) if shown else None
    if caller is None:
        raise KeyNeeded(
            NO_GOOD_KEY if shown else NO_KEY_FOR_PEOPLE if for_pages() else NO_KEY, for_pages(), bool(shown)
        )
    return caller


def _shown() -> str:
    sent = request.authorization
    if sent is None:
        return ""
    return (sent.token if sent.type == "bearer" else sent.password if sent.type == "basic" else "") or ""


def for_pages() -> bool:
    """Whether a person with a browser is to be asked, or a program to be told."""
    return not request.path.startswith("/api/") or request.endpoint in PAGES_OF_THE_API
