"""The HTTP client of both SDKs. Each read checks the limits of the call, so that a call can stop at any moment.

The timeouts of the SDKs count from byte to byte: a server that sends a byte now and then would never time out. The
client neither requests nor accepts compression, so that all bytes are counted; it ignores redirects and proxy variables.
"""

from __future__ import annotations

import ssl
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

import httpcore2
import httpx2

from highlighter.answering.llm.call_limits import POLL_SECONDS, CallLimits

CONNECT_TIMEOUT_SECONDS = 10.0


def build_http_client(limits: CallLimits) -> httpx2.Client:
    """Build the HTTP client of one call; closing the client closes its connection."""
    return httpx2.Client(
        transport=_LimitedTransport(limits),
        headers={"Accept-Encoding": "identity"},
        follow_redirects=False,
        trust_env=False,
    )


@lru_cache(maxsize=1)
def _load_certificates() -> ssl.SSLContext:
    return httpx2.create_ssl_context()


class _LimitedTransport(httpx2.BaseTransport):
    def __init__(self, limits: CallLimits):
        self._pool = httpcore2.ConnectionPool(ssl_context=_load_certificates(), network_backend=_LimitedNetwork(limits))

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        url = httpcore2.URL(
            scheme=request.url.raw_scheme, host=request.url.raw_host, port=request.url.port, target=request.url.raw_path
        )
        core_request = httpcore2.Request(
            request.method, url, headers=request.headers.raw, content=request.stream, extensions=request.extensions
        )
        with _translate_errors():
            core_response = self._pool.handle_request(core_request)
        response = httpx2.Response(
            core_response.status,
            headers=core_response.headers,
            stream=_ResponseStream(core_response.stream),
            extensions=core_response.extensions,
        )
        if response.headers.get("content-encoding", "identity") != "identity":
            response.close()
            raise httpx2.DecodingError(
                "The reply is compressed, although no compression was requested.", request=request
            )
        return response

    def close(self) -> None:
        self._pool.close()


class _ResponseStream(httpx2.SyncByteStream):
    def __init__(self, core_stream: Any):
        self._core_stream = core_stream

    def __iter__(self) -> Iterator[bytes]:
        with _translate_errors():
            yield from self._core_stream

    def close(self) -> None:
        self._core_stream.close()


@contextmanager
def _translate_errors() -> Iterator[None]:
    """Translate errors of httpcore2, which connections raise, to errors of httpx2, which the SDKs handle."""
    try:
        yield
    except httpcore2.TimeoutException as err:
        raise httpx2.ReadTimeout(str(err)) from err
    except httpcore2.ConnectError as err:
        raise httpx2.ConnectError(str(err)) from err
    except (httpcore2.NetworkError, httpcore2.ProtocolError) as err:
        raise httpx2.ReadError(str(err)) from err


class _LimitedNetwork(httpcore2.NetworkBackend):
    def __init__(self, limits: CallLimits):
        self._limits = limits
        self._network = httpcore2.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.NetworkStream:
        self._limits.check()
        seconds = min(CONNECT_TIMEOUT_SECONDS, self._limits.seconds_left)
        return _LimitedStream(
            self._network.connect_tcp(host, port, seconds, local_address, socket_options or ()), self._limits
        )


class _LimitedStream(httpcore2.NetworkStream):
    def __init__(self, stream: httpcore2.NetworkStream, limits: CallLimits):
        self._stream = stream
        self._limits = limits

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        while True:
            self._limits.check()
            try:
                received = self._stream.read(max_bytes, POLL_SECONDS)
            except httpcore2.ReadTimeout:
                continue
            self._limits.count_bytes(len(received))
            return received

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._limits.check()
        self._stream.write(buffer, self._limits.seconds_left or POLL_SECONDS)

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        seconds = min(CONNECT_TIMEOUT_SECONDS, self._limits.seconds_left) or POLL_SECONDS
        return _LimitedStream(self._stream.start_tls(ssl_context, server_hostname, seconds), self._limits)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)

    def close(self) -> None:
        self._stream.close()
