"""The pages by which people sign in and out."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, g, make_response, redirect, render_template, request
from flask.typing import ResponseReturnValue

from highlighter.errors import NotFound
from highlighter.locale.language_negotiation import ENVIRON_ROOT
from highlighter.sign_in.configuration import SignIn
from highlighter.sign_in.openid_provider import OpenIdProvider, SignInFailed
from highlighter.sign_in.return_paths import choose_return_path
from highlighter.store.people import AttemptUsed
from highlighter.web.application import current_services
from highlighter.web.auth.people import SIGN_IN_COOKIE, set_cookie, set_sign_in_cookie
from highlighter.web.auth.sign_in_attempt import begin_attempt, read_attempt, remove_attempt, store_attempt
from highlighter.web.request_context import build_absolute_links, get_links

sign_in_pages = Blueprint("sign_in_pages", __name__)

CALLBACK_PATH = "/sign-in/callback"


@sign_in_pages.app_context_processor
def _shared_template_variables() -> dict[str, Any]:
    """Return who is signed in, and where a proxy signs them out."""
    return {"person": g.get("person"), "proxy_sign_out_url": current_services().settings.auth_sign_out_url}


@sign_in_pages.get("/sign-in")
def show() -> ResponseReturnValue:
    """Show the button of the provider, or where to sign in instead."""
    sign_in = _require_sign_in()
    return render_template("sign_in.html", sign_in=sign_in, return_path=_read_return_path())


@sign_in_pages.get("/sign-in/start")
def start() -> ResponseReturnValue:
    """Begin to sign in: send the browser to the provider, with secrets that it alone holds."""
    provider, begun = _require_provider(), begin_attempt(_read_return_path())
    response = make_response(redirect(provider.build_authorization_url(begun.attempt, _build_redirect_uri()), 303))
    store_attempt(response, begun)
    response.headers["Cache-Control"] = "no-store"
    return response


@sign_in_pages.get(CALLBACK_PATH)
def finish() -> ResponseReturnValue:
    """Verify whom the provider has authenticated, begin their session, and lead to the page that was wanted."""
    provider, services = _require_provider(), current_services()
    begun = read_attempt(request.args.get("state", ""))
    if "error" in request.args:
        raise SignInFailed("The sign-in was cancelled, or the sign-in service refused it. Sign in again.")
    authentication = provider.authenticate(begun.attempt, request.args, _build_redirect_uri())
    try:
        secret = services.people.begin_session(
            authentication.person, begun.attempt.state, authentication.id_token, services.settings.session_hours
        )
    except AttemptUsed as err:
        raise SignInFailed("This sign-in was used before. Sign in again.") from err
    _end_session()  # of whoever was signed in before
    response = make_response(redirect(choose_return_path(begun.return_path, _get_root()), 303))
    set_sign_in_cookie(response, secret)
    remove_attempt(response)
    response.headers["Cache-Control"] = "no-store"
    return response


@sign_in_pages.get("/use-key")
def use_key() -> ResponseReturnValue:
    """Lead to the page that was wanted, after the browser has asked for a key."""
    return redirect(_read_return_path(), 303)


@sign_in_pages.post("/sign-out")
def sign_out() -> ResponseReturnValue:
    """End the session here, and lead to the provider so that it ends its own where it offers this."""
    sign_in, id_token = _require_sign_in(), _end_session()
    return_url = build_absolute_links().signed_out()
    address = sign_in.provider.build_sign_out_url(id_token, return_url) if sign_in.provider else ""
    g.person = None
    # The page leads on by itself: after a form, browsers follow no redirect to another site (form-action).
    page = render_template("signed_out.html", sign_in=sign_in, provider_url=address)
    response = make_response(page)
    if address:
        response.headers["Refresh"] = f"0; url={address}"
    set_cookie(response, SIGN_IN_COOKIE, "", 0)
    response.headers["Clear-Site-Data"] = '"cache"'  # pictures of pages, which the browser may keep
    response.headers["Cache-Control"] = "no-store"
    return response


@sign_in_pages.get("/signed-out")
def show_signed_out() -> ResponseReturnValue:
    """Show that nobody is signed in any more; the provider leads here after its own sign-out."""
    if g.get("person"):  # who came here by the address alone
        return redirect(get_links().sign_in(), 303)
    return render_template("signed_out.html", sign_in=_require_sign_in(), provider_url="")


def _require_sign_in() -> SignIn:
    sign_in = current_services().sign_in
    if sign_in is None:
        raise NotFound("People do not sign in to this service: it asks for keys, or for nothing.")
    return sign_in


def _require_provider() -> OpenIdProvider:
    provider = _require_sign_in().provider
    if provider is None:
        raise NotFound("People sign in to this service at the address at which they open it.")
    return provider


def _end_session() -> str:
    """End the session of the browser, if it has one, and return the ID token by which it began."""
    person = g.get("person")
    return current_services().people.end_session(person.session) if person and person.session else ""


def _read_return_path() -> str:
    """Return the path that the request wants to be led to, below the language of this page if it names none."""
    root = _get_root()
    path = choose_return_path(request.args.get("next", ""), root)
    return f"{request.script_root}/" if path == f"{root}/" else path


def _get_root() -> str:
    return str(request.environ.get(ENVIRON_ROOT, ""))


def _build_redirect_uri() -> str:
    """Return the address that the provider knows: the same in every language."""
    return f"{build_absolute_links().root}{CALLBACK_PATH}"
