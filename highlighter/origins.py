"""Host names and origins: normal forms for the ways in which people, settings and browsers write them."""

from __future__ import annotations

import ipaddress
import re
from functools import lru_cache


def parse_host_name(value: str) -> str:
    """Return the name or address in `host` or `host:port` as ASCII. Raises ValueError when it is no host name."""
    return strip_port(value).encode("idna").decode()


def strip_port(host: str) -> str:
    """Return the name or address in lower case, an IPv6 address without its brackets."""
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    return (host if host.count(":") > 1 else host.partition(":")[0]).lower()


@lru_cache(1_000)
def is_loopback(address: str) -> bool:
    if address == "localhost":
        return True
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


# A scheme, a host and perhaps a port, in the characters that browsers write them with; nothing else gets into a header.
_ORIGIN_PATTERN = re.compile(r"(https?)://([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::([0-9]{1,5}))?/?")
_DEFAULT_PORTS = {"http": "80", "https": "443"}  # which browsers leave out


def parse_origin(value: str) -> str:
    """Return an origin as a browser writes it: lower case, no final slash or default port. Raises ValueError."""
    match = _ORIGIN_PATTERN.fullmatch(value.lower())
    if not match:
        raise ValueError(
            f"{value!r} is not an origin: it must be scheme://host or scheme://host:port, such "
            "as https://chat.example or http://localhost:5500, without a path"
        )
    scheme, host, port = match.groups()
    return f"{scheme}://{host}" + (f":{port}" if port and port != _DEFAULT_PORTS[scheme] else "")
