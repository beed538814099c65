"""The addresses that messages may be sent to: public ones, and those of the operator's own network that WEBHOOK_HOSTS names.

Otherwise whoever may create a webhook could have the service ask machines that only the service can reach.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from highlighter.errors import BadRequest
from highlighter.locale import N_

MAX_URL_CHARACTERS = 2_000
IpAddress = ipaddress.IPv4Address | ipaddress.IPv6Address
IpNetwork = ipaddress.IPv4Network | ipaddress.IPv6Network
_IPV4_NUMBER = re.compile(r"[0-9a-fx.]+")
# The last 32 bits are an IPv4 address: NAT64 (RFC 6052), SIIT (RFC 2765), and what IPv6 began with (RFC 4291).
_TRANSLATED_IPV4 = tuple(map(ipaddress.ip_network, ("64:ff9b::/96", "::ffff:0:0:0/96", "::/96")))
# What ipaddress takes for public, in this release of Python or another: blocks of IANA's registries of special purposes, whose
# addresses are of an operator's own network, of the nearest server of many, or of examples; and addresses of clouds' own services.
_SPECIAL_NETWORKS = tuple(
    map(
        ipaddress.ip_network,
        (
            "192.0.0.0/24",  # IETF protocol assignments (RFC 6890); some clouds have their metadata there
            "192.31.196.0/24",  # AS112 (RFC 7535)
            "192.52.193.0/24",  # AMT (RFC 7450)
            "192.88.99.0/24",  # 6to4 relays (RFC 7526)
            "192.175.48.0/24",  # AS112 (RFC 7534)
            "168.63.129.16/32",  # the host of a machine of Azure
            "64:ff9b:1::/48",  # NAT64 within a site (RFC 8215)
            "100::/32",  # discarded (RFC 6666), and the dummy prefix (RFC 9780)
            "2001::/23",  # IETF protocol assignments (RFC 2928)
            "2620:4f:8000::/48",  # AS112 (RFC 7534)
            "3fff::/20",  # examples (RFC 9637)
            "5f00::/16",  # segment identifiers (RFC 9602)
            "fec0::/10",  # site-local addresses (RFC 3879)
        ),
    )
)
_ISATAP_MARK, _ISATAP_MASK = 0x5EFE << 32, 0xFDFFFFFF << 32  # before an IPv4 address at the end (RFC 5214)


@dataclass(frozen=True, slots=True)
class AllowedHosts:
    """The hosts of WEBHOOK_HOSTS, which need be neither public nor encrypted."""

    names: frozenset[str] = frozenset()
    networks: tuple[IpNetwork, ...] = ()

    def has_name(self, host: str) -> bool:
        """Return whether a host is listed, by its name or as an address."""
        address = parse_address(host)
        return host in self.names or (address is not None and self.has_address(address))

    def has_address(self, address: IpAddress) -> bool:
        return any(address in network for network in self.networks)


def check_url(url: str, allowed: AllowedHosts) -> None:
    """Raise BadRequest unless messages may be sent to a URL. The addresses of a name are checked when a message is sent."""
    parts = _split_url(url)
    host = (parts.hostname or "").rstrip(".") if parts else ""
    if parts is None or not host or parts.scheme not in ("http", "https") or len(url) > MAX_URL_CHARACTERS:
        raise BadRequest(N_("The URL must be that of a web server, such as https://hooks.example.com/highlighter."))
    if parts.username is not None or parts.fragment:
        raise BadRequest(N_("The URL must have neither a password nor a fragment."))
    if parts.scheme == "http" and not allowed.has_name(host):
        raise BadRequest(N_("The URL must begin with https://. WEBHOOK_HOSTS names hosts that may be reached without."))
    address = parse_address(host)
    is_local = _is_local_name(host) and not allowed.has_name(host)
    if is_local or (address is not None and not is_allowed(host, address, allowed)):
        raise BadRequest(
            N_("{host} is no public address. WEBHOOK_HOSTS names other hosts that may be told.", host=host[:100])
        )


def is_allowed(host: str, address: IpAddress, allowed: AllowedHosts) -> bool:
    """Return whether messages for a host may be sent to an address that it has."""
    if host in allowed.names or allowed.has_address(address):
        return True
    return all(map(_is_public, _list_meant_addresses(address)))


def _is_public(address: IpAddress) -> bool:
    return (
        address.is_global and not address.is_multicast and not any(address in network for network in _SPECIAL_NETWORKS)
    )


def parse_address(host: str) -> IpAddress | None:
    """Return the address that a host is written as, also in the short and other forms of IPv4; None for a name."""
    try:
        return ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return _parse_ipv4_number(host)


def _parse_ipv4_number(host: str) -> IpAddress | None:
    """Return the IPv4 address that resolvers take a number for: 2130706433, 0x7f.1 and 0 are such numbers."""
    try:
        return ipaddress.IPv4Address(socket.inet_aton(host)) if _IPV4_NUMBER.fullmatch(host) else None
    except OSError:
        return None


def _is_local_name(host: str) -> bool:
    """Return whether a name is that of this machine itself (RFC 6761)."""
    return host == "localhost" or host.endswith(".localhost")


def _list_meant_addresses(address: IpAddress) -> Iterator[IpAddress]:
    """Yield an address, and the IPv4 address that it stands for."""
    yield address
    if isinstance(address, ipaddress.IPv6Address):
        is_isatap = int(address) & _ISATAP_MASK == _ISATAP_MARK
        if is_isatap or any(address in network for network in _TRANSLATED_IPV4):
            yield ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        for embedded in (address.ipv4_mapped, address.sixtofour, *(address.teredo or ())):
            if embedded is not None:
                yield embedded


def _split_url(url: str) -> SplitResult | None:
    if not url.isascii() or not url.isprintable() or " " in url or "\\" in url:
        return None
    try:
        parts = urlsplit(url)
        _ = parts.port  # raises ValueError for a wrong one
    except ValueError:
        return None
    return parts
