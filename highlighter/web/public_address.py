"""The address at which clients see the service behind proxies: PUBLIC_URL, or what trusted proxies say of each request."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from werkzeug.http import parse_list_header, parse_options_header

from highlighter.settings import FORWARDED, PREFIX_PATTERN, Settings

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

# Keys of the WSGI environment: whether a trusted proxy sent the request, whether it says to have forwarded it, and the Host
# header that PUBLIC_URL replaced.
ENVIRON_IS_FROM_PROXY = "highlighter.is_from_proxy"
ENVIRON_IS_FORWARDED, ENVIRON_RECEIVED_HOST = "highlighter.is_forwarded", "highlighter.received_host"
_LOCAL_ADDRESS = "127.0.0.1"  # of a proxy that connects through a Unix socket, which has no address
_PORT = re.compile(r"^(\[.*\]|[\d.]+):\d+$")  # which some proxies add to an address


class PublicAddressMiddleware:
    """WSGI middleware that moves the application to the address at which its clients see it.

    Proxies write X-Forwarded-For, -Proto, -Host and -Prefix, or Forwarded (RFC 7239). A proxy that writes one of them passes on the
    other as a client sent it, so only those that PROXY_HEADERS names are read. Headers of a trusted proxy may be lists, to which every proxy appends. Of a chain of trusted proxies, the first one knows
    the client; what stands before its entry was written by the client, and is never read.
    """

    def __init__(self, app: WSGIApplication, settings: Settings) -> None:
        self.app = app
        self._networks = settings.trusted_proxies
        self._split_list = _split_forwarded if settings.proxy_headers == FORWARDED else _split_x_forwarded
        self._public_url = urlsplit(settings.public_url) if settings.public_url else None

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        self._apply_forwarded_headers(environ)
        if self._public_url:
            environ[ENVIRON_RECEIVED_HOST] = environ.get("HTTP_HOST", "")
            environ["wsgi.url_scheme"], environ["HTTP_HOST"] = self._public_url.scheme, self._public_url.netloc
            environ["SCRIPT_NAME"] = self._public_url.path
        return self.app(environ, start_response)

    def _apply_forwarded_headers(self, environ: WSGIEnvironment) -> None:
        """Take over what a trusted proxy says of the client, the scheme, the host and the path before the application."""
        if not self._is_trusted(environ.get("REMOTE_ADDR") or _LOCAL_ADDRESS):
            return
        environ[ENVIRON_IS_FROM_PROXY] = True
        if not any(name == "HTTP_FORWARDED" or name.startswith("HTTP_X_FORWARDED_") for name in environ):
            return
        environ[ENVIRON_IS_FORWARDED] = True
        addresses = self._list_clients(environ)
        if addresses:
            environ["REMOTE_ADDR"] = addresses[-1]
        scheme, host, prefix = (
            _pick_entry(self._split_list(environ, name), len(addresses)) for name in ("PROTO", "HOST", "PREFIX")
        )
        if scheme.lower() in ("http", "https"):
            environ["wsgi.url_scheme"] = scheme.lower()
        if host:
            environ["HTTP_HOST"] = host
        if prefix and PREFIX_PATTERN.fullmatch(prefix.rstrip("/")):
            environ["SCRIPT_NAME"] = prefix.rstrip("/")

    def _list_clients(self, environ: WSGIEnvironment) -> list[str]:
        """Return the addresses that trusted proxies were connected from, the one nearest to this service first."""
        addresses = []
        for entry in reversed(self._split_list(environ, "FOR")):
            address = _PORT.sub(r"\1", entry).strip("[]")
            if _parse_address(address) is None:
                break
            addresses.append(address)
            if not self._is_trusted(address):
                break
        return addresses

    def _is_trusted(self, text: str) -> bool:
        address = _parse_address(text)
        return address is not None and any(address in network for network in self._networks)


def _pick_entry(entries: list[str], proxy_count: int) -> str:
    """Return the entry that the first of the trusted proxies wrote, or the only one there is."""
    return entries[-min(max(proxy_count, 1), len(entries))] if entries else ""


def _split_x_forwarded(environ: WSGIEnvironment, name: str) -> list[str]:
    entries = environ.get(f"HTTP_X_FORWARDED_{name}", "").split(",")
    return [entry.strip() for entry in entries if entry.strip()]


def _split_forwarded(environ: WSGIEnvironment, name: str) -> list[str]:
    """Return what each proxy says in `Forwarded: for=1.2.3.4;proto=https, for="[2001:db8::1]"`, "" where it says nothing."""
    elements = parse_list_header(environ.get("HTTP_FORWARDED", ""))  # none where a client left a quotation open
    return [parse_options_header(f"forwarded; {element}")[1].get(name.lower(), "") for element in elements]


def _parse_address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Return an address, an IPv4 address that is written as an IPv6 one as the former; None for any other text."""
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address
