"""Names of hosts: one form for the ways in which people, settings and browsers write them."""

from __future__ import annotations

import re


def parse_host_name(value: str) -> str:
    """Return the name or address in `host` or `host:port`, as ASCII. Raises ValueError for what is no name of a host."""
    return strip_port(value).encode("idna").decode()


def strip_port(host: str) -> str:
    """Return the name or address in lower case, an IPv6 address without its brackets."""
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    return (host if host.count(":") > 1 else host.partition(":")[0]).lower()


# Origins: whose page it is, as a browser writes it. What people write instead is put into that form, where it means one.


# A scheme, a host, perhaps a port, in the letters that browsers write them with; nothing else ends up in a header.
_ORIGIN_PATTERN = re.compile(r"(https?)://([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::([0-9]{1,5}))?/?")
_DEFAULT_PORTS = {"http": "80", "https": "443"}  # ports that browsers leave out


def parse_origin(value: str) -> str:
    """In lower case, without a slash at its end or the usual port; raises ValueError for what is none."""
    found = _ORIGIN_PATTERN.fullmatch(value.lower())
    if not found:
        raise ValueError(
            f"{value!r} is not an origin: it must be scheme://host or scheme://host:port, such "
            "as https://chat.example or http://localhost:5500, without a path"
        )
    scheme, host, port = found.groups()
    return f"{scheme}://{host}" + (f":{port}" if port and port != _DEFAULT_PORTS[scheme] else "")
