"""Names of hosts: one form for the ways in which people, settings and browsers write them."""

from __future__ import annotations


def host_name(written: str) -> str:
    """Return the name or address in `host` or `host:port`, as ASCII. Raises ValueError for what is no name of a host."""
    return without_port(written).encode("idna").decode()


def without_port(host: str) -> str:
    """Return the name or address in lower case, an IPv6 address without its brackets."""
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    return (host if host.count(":") > 1 else host.partition(":")[0]).lower()
