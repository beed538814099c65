"""The MCP server over streamable HTTP: whose requests it answers, and by which keys."""

from __future__ import annotations

import hmac
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from pydantic import AnyHttpUrl

from highlighter.access import LOCAL_OPERATOR, SCOPES, Principal, acting_as
from highlighter.access_mode import is_open
from highlighter.adapters import require_package
from highlighter.adapters.library import WILDCARD_HOSTS, Library
from highlighter.adapters.mcp import create_server
from highlighter.adapters.mcp_server import LibraryServer
from highlighter.errors import BadRequest
from highlighter.locale import N_
from highlighter.origins import is_loopback
from highlighter.services import Services
from highlighter.settings import Settings

with require_package("mcp"):
    from mcp.server.auth.middleware.auth_context import get_access_token
    from mcp.server.auth.provider import AccessToken
    from mcp.server.auth.settings import AuthSettings
    from mcp.server.context import CallNext, HandlerResult, ServerMiddleware, ServerRequestContext
    from mcp.server.transport_security import TransportSecuritySettings
    from mcp.shared.exceptions import MCPError
    from mcp_types import INVALID_REQUEST

MCP_PATH = "/mcp"
LOOPBACK_NAMES = ("127.0.0.1", "localhost", "[::1]")
KEY_NEEDED_MESSAGE = "A key is needed: send it as Authorization: Bearer hk_..."
KEY_CREATED_MESSAGE = "Keys are required now. Start the server again, and send one with each request."
NO_KEY_MESSAGE = N_(
    "Clients need a key here, and there is none. Make one with python -m highlighter keys make NAME --scope read --scope "
    "answer; without --host, and before there are keys, programs of this machine need none."
)
NO_SERVICE_KEY_MESSAGE = N_(
    "Other machines could use the library without a key. Set HIGHLIGHTER_KEY, which clients then have to send, too; or leave out --host."
)
NO_NAMES_MESSAGE = N_(
    "Under which name do clients reach this server? Set TRUSTED_HOSTS to it, for example to papers.example, or --host to an address."
)

FindPrincipal = Callable[[str], Principal | None]


class KeyVerifier:
    """The verifier of bearer tokens for the SDK: a token is a key of Highlighter."""

    def __init__(self, find_principal: FindPrincipal):
        self.find_principal = find_principal

    async def verify_token(self, token: str) -> AccessToken | None:
        principal = self.find_principal(token)
        if principal is None:
            return None
        scopes = [scope for scope in SCOPES if principal.has_scope(scope)]
        return AccessToken(token=token, client_id=principal.key or "service", scopes=scopes)


def prepare_http_server(library: Library, services: Services, host: str, port: int) -> Callable[[], None]:
    """Return a function that answers on http://HOST:PORT/mcp until the process is told to stop."""
    return partial(
        create_http_server(library, services, host, port).run,
        "streamable-http",
        host=host,
        port=port,
        streamable_http_path=MCP_PATH,
        stateless_http=True,
        transport_security=_build_transport_security(services.settings, host),
    )


def create_http_server(library: Library, services: Services, host: str, port: int) -> LibraryServer:
    """Return the server. Raises BadRequest where a key is required and nobody could have one."""
    find_principal = _choose_keys(services, host)
    if find_principal is None:
        return create_server(library, middleware=[_make_openness_check(services, host)])
    return create_server(
        library,
        # The SDK wants an issuer. Without the URL of a resource it is told to nobody: administrators issue keys.
        auth=AuthSettings(issuer_url=AnyHttpUrl(format_address(host, port)), resource_server_url=None),
        token_verifier=KeyVerifier(find_principal),
        middleware=[_make_key_holder_middleware(find_principal)],
    )


def format_address(host: str, port: int) -> str:
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def _choose_keys(services: Services, host: str) -> FindPrincipal | None:
    """Return what finds the holder of a key; None where none is needed: on this machine, before there are any."""
    settings = services.settings
    if settings.service_url:
        return _choose_key_of_service(settings.service_key.reveal(), host)
    if is_open(replace(settings, host=host), services.api_keys):
        return None
    if not any(key.state == "good" for key in services.api_keys.list_keys()):
        raise BadRequest(NO_KEY_MESSAGE)
    return services.api_keys.find_principal


def _choose_key_of_service(service_key: str, host: str) -> FindPrincipal | None:
    """Return what accepts the one key by which the service elsewhere is asked; what the key may do, the service decides."""
    if not service_key and not is_loopback(host):
        raise BadRequest(NO_SERVICE_KEY_MESSAGE)
    if not service_key:
        return None
    return lambda key: LOCAL_OPERATOR if hmac.compare_digest(key.encode(), service_key.encode()) else None


def _make_key_holder_middleware(find_principal: FindPrincipal) -> ServerMiddleware[Any]:
    async def act_as_key_holder(ctx: ServerRequestContext[Any], call_next: CallNext) -> HandlerResult:
        token = get_access_token()
        principal = find_principal(token.token) if token else None
        if principal is None:
            raise MCPError(INVALID_REQUEST, KEY_NEEDED_MESSAGE)
        with acting_as(principal):
            return await call_next(ctx)

    return act_as_key_holder


def _make_openness_check(services: Services, host: str) -> ServerMiddleware[Any]:
    """Return a middleware that refuses everything after the first key was created, until the server is started again."""
    settings = replace(services.settings, host=host)

    async def require_openness(ctx: ServerRequestContext[Any], call_next: CallNext) -> HandlerResult:
        if not settings.service_url and not is_open(settings, services.api_keys):
            raise MCPError(INVALID_REQUEST, KEY_CREATED_MESSAGE)
        return await call_next(ctx)

    return require_openness


def _build_transport_security(settings: Settings, host: str) -> TransportSecuritySettings:
    """Return whose Host and Origin headers are accepted, so that no web page reaches the server by a name of its own.

    The SDK compares whole names: of TRUSTED_HOSTS, those for all subdomains are left out.
    """
    names = list(LOOPBACK_NAMES)
    if not is_loopback(host):
        names += [name for name in settings.trusted_hosts if not name.startswith(".")]
        names += [urlsplit(settings.public_url).hostname or ""] if settings.public_url else []
        if host not in WILDCARD_HOSTS:
            names.append(host)
        elif len(names) == len(LOOPBACK_NAMES):
            raise BadRequest(NO_NAMES_MESSAGE)
    written = [f"[{name}]" if ":" in name and not name.startswith("[") else name for name in names]
    origins = [f"{scheme}://{name}" for scheme in ("http", "https") for name in written]
    return TransportSecuritySettings(allowed_hosts=_with_any_port(written), allowed_origins=_with_any_port(origins))


def _with_any_port(names: list[str]) -> list[str]:
    return [*names, *(f"{name}:*" for name in names)]
