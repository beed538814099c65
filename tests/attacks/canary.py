"""A listener that counts whoever comes: an address that nothing may ever ask."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Canary:
    """An address on this machine, and the first line of each request that reached it."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.requests: list[str] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


@contextmanager
def listening() -> Iterator[Canary]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        canary = Canary(server.getsockname()[1])

        def listen() -> None:
            while True:
                try:
                    client, _ = server.accept()
                except OSError:  # closed
                    return
                with client:
                    client.settimeout(1)
                    try:
                        first = client.recv(500).decode("utf-8", "replace").splitlines()
                    except OSError:
                        first = []
                    canary.requests.append(first[0] if first else "a connection")
                    client.close()

        threading.Thread(target=listen, daemon=True).start()
        yield canary
        server.shutdown(socket.SHUT_RDWR)
