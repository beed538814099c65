"""A Chroma server: connections with timeouts, and errors that say that it does not answer."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from highlighter.secret import Secret
from highlighter.store.storage_errors import IndexUnavailable

if TYPE_CHECKING:
    from chromadb.api import ClientAPI

log = logging.getLogger(__name__)

CONNECT_SECONDS, RESPONSE_SECONDS = 3.0, 10.0
# While the server is out of reach, searches do without it at once instead of each waiting for a timeout.
PAUSE_SECONDS = 5.0
HTTP_PORT, HTTPS_PORT = 80, 443


@dataclass(frozen=True, slots=True)
class ServerAccess:
    """Where a Chroma server is, and with what it is asked."""

    url: str
    api_key: Secret = Secret()
    tenant: str = "default_tenant"
    database: str = "default_database"


class ChromaServer:
    """A Chroma server, connected to at the first use. Any number of threads may use it."""

    def __init__(self, access: ServerAccess):
        self.access = access
        self._client: ClientAPI | None = None
        self._lock = threading.Lock()
        self._paused_until = 0.0
        self.has_failed = False  # at the last attempt

    @property
    def is_paused(self) -> bool:
        """Return whether the server did not answer just now."""
        return time.monotonic() < self._paused_until

    @contextmanager
    def connect(self) -> Iterator[ClientAPI]:
        """Yield Chroma's client; an error of the connection becomes IndexUnavailable. Errors about contents do not."""
        import httpx
        from chromadb.errors import AuthorizationError, ChromaAuthError, InternalError, RateLimitError

        try:
            yield self._open_client()
            self.has_failed = False
        except (httpx.HTTPError, OSError, InternalError, RateLimitError) as err:
            raise self._pause(err) from None
        except (ChromaAuthError, AuthorizationError) as err:
            raise self._pause(err, "check CHROMA_API_KEY, CHROMA_TENANT and CHROMA_DATABASE") from None

    def close(self) -> None:
        with self._lock:
            client: Any = self._client
            self._client = None
        if client:
            client.close()
            for part in (client, client._admin_client):  # whose connections Chroma leaves open
                part._server._session.close()

    def _open_client(self) -> ClientAPI:
        with self._lock:
            if self.is_paused:
                raise IndexUnavailable
            if self._client is None:
                # Set before another thread gets the lock, which would wait for a timeout of its own.
                self._paused_until = time.monotonic() + PAUSE_SECONDS
                self._client = _create_client(self.access)
                self._paused_until = 0.0
            return self._client

    def _pause(self, err: Exception, advice: str = "") -> IndexUnavailable:
        # Of the error only its kind is logged: it may quote headers.
        log.error("The Chroma server does not do what it was asked: %s %s", type(err).__name__, advice)
        self._paused_until, self.has_failed = time.monotonic() + PAUSE_SECONDS, True
        return IndexUnavailable()


def _create_client(access: ServerAccess) -> ClientAPI:
    import chromadb
    import httpx
    from chromadb.config import Settings as ChromaSettings

    address = urlsplit(access.url)
    headers = {"x-chroma-token": access.api_key.reveal()} if access.api_key else {}
    # Chroma's client waits for ever while it connects, so the server is asked first.
    with urlopen(Request(f"{access.url}/api/v2/heartbeat", headers=headers), timeout=CONNECT_SECONDS):
        pass
    try:
        client = chromadb.HttpClient(
            str(address.hostname),
            address.port or (HTTPS_PORT if address.scheme == "https" else HTTP_PORT),
            ssl=address.scheme == "https",
            headers=headers,
            settings=ChromaSettings(anonymized_telemetry=False),
            tenant=access.tenant,
            database=access.database,
        )
    except ValueError as err:  # as Chroma's client reports whatever goes wrong while it connects
        raise ConnectionError from err
    server: Any = client
    server._server._session.timeout = httpx.Timeout(RESPONSE_SECONDS, connect=CONNECT_SECONDS)
    return client
