"""Sends messages over HTTP: only to allowed addresses, without following redirects, and within some seconds."""

from __future__ import annotations

import socket
import ssl
import time
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import httpcore2
import httpx2

from highlighter.locale import N_
from highlighter.outgoing_addresses import AllowedHosts, is_allowed, parse_address
from highlighter.version import __version__
from highlighter.webhooks.signatures import ID_HEADER, SIGNATURE_HEADER, TIMESTAMP_HEADER, compute_signature

SEND_SECONDS = 15.0  # for one message, from the name of the host to the status of the response
GONE = 410  # by which a receiver says that it wants no more messages
USER_AGENT = f"Highlighter/{__version__} (+webhooks)"


@dataclass(frozen=True, slots=True)
class SendResult:
    """How an attempt to send a message ended; `problem` is empty when the receiver accepted it."""

    status: int = 0  # of the response; 0: there was none
    problem: str = ""


class AddressRefused(httpcore2.ConnectError):
    """The error for a host whose addresses are not allowed."""


def send_message(url: str, secret: str, id: str, body: bytes, allowed: AllowedHosts) -> SendResult:
    """Sign a message and send it; the result says whether the receiver accepted it."""
    timestamp = int(time.time())
    headers: dict[bytes | str, bytes | str] = {
        "Content-Type": "application/json", "User-Agent": USER_AGENT, ID_HEADER: id, TIMESTAMP_HEADER: str(timestamp),
        SIGNATURE_HEADER: compute_signature(secret, id, timestamp, body),
    }  # fmt: skip
    network = _CheckedNetwork(allowed, time.monotonic() + SEND_SECONDS)
    try:
        with (
            httpcore2.ConnectionPool(ssl_context=_load_certificates(), network_backend=network) as pool,
            pool.stream("POST", url, headers=headers, content=body) as response,
        ):
            status = response.status  # the body is not read
    except AddressRefused:
        return SendResult(0, N_("The host has no public address. WEBHOOK_HOSTS names other hosts that may be told."))
    except httpcore2.TimeoutException:
        return SendResult(0, N_("The receiver did not answer within {seconds} seconds.", seconds=round(SEND_SECONDS)))
    except (httpcore2.NetworkError, httpcore2.ProtocolError, httpcore2.UnsupportedProtocol, OSError):
        return SendResult(0, N_("The receiver could not be reached."))
    if 200 <= status < 300:
        return SendResult(status)
    return SendResult(status, N_("The receiver answered with the status {status}.", status=status))


@lru_cache(maxsize=1)
def _load_certificates() -> ssl.SSLContext:
    return httpx2.create_ssl_context()


class _CheckedNetwork(httpcore2.NetworkBackend):
    """Connects to the address that was checked, so that a name cannot have another address a moment later."""

    def __init__(self, allowed: AllowedHosts, deadline: float):
        self._allowed, self._deadline = allowed, deadline
        self._network = httpcore2.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.NetworkStream:
        address = self._find_address(host, port)
        seconds = _count_seconds_left(self._deadline)
        return _TimedStream(self._network.connect_tcp(address, port, seconds, None, socket_options), self._deadline)

    def _find_address(self, host: str, port: int) -> str:
        """Return an allowed address of a host; raise AddressRefused when there is none."""
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except OSError as err:
            raise httpcore2.ConnectError(str(err)) from err
        for *_, socket_address in found:
            text = str(socket_address[0])
            address = parse_address(text)
            if address is not None and is_allowed(host.lower().rstrip("."), address, self._allowed):
                return text
        raise AddressRefused


class _TimedStream(httpcore2.NetworkStream):
    """A connection that ends at a time, however slowly the other side sends."""

    def __init__(self, stream: httpcore2.NetworkStream, deadline: float):
        self._stream, self._deadline = stream, deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, _count_seconds_left(self._deadline))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, _count_seconds_left(self._deadline))

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        seconds = _count_seconds_left(self._deadline)
        return _TimedStream(self._stream.start_tls(ssl_context, server_hostname, seconds), self._deadline)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)

    def close(self) -> None:
        self._stream.close()


def _count_seconds_left(deadline: float) -> float:
    seconds = deadline - time.monotonic()
    if seconds <= 0:
        raise httpcore2.ReadTimeout("The time is over.")
    return seconds
