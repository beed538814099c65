"""A proxy to the real server that stalls and breaks connections; it forwards the server's bytes unchanged."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit

FIRST_ANSWER = b"POST / "


@contextmanager
def stalling_proxy(site: str, after: bytes) -> Iterator[tuple[str, Callable[[], None]]]:
    """Yield the URL of a proxy to `site` and a function that breaks the connection.

    The first answer stalls after the event that contains `after`; later answers pass through.
    """
    there = urlsplit(site)
    listener = socket.create_server(("127.0.0.1", 0))
    state = {"left": 1}
    over = threading.Event()

    def relay(here: socket.socket) -> None:
        with here, socket.create_connection((there.hostname, there.port)) as onward, suppress(OSError):
            request = here.recv(1 << 20)
            failing = request.startswith(FIRST_ANSWER) and state["left"] > 0
            state["left"] -= failing
            threading.Thread(target=_copy_bytes, args=(here, onward), daemon=True).start()
            onward.sendall(_closing(request))
            buffer = b""
            while data := onward.recv(1 << 16):
                buffer += data
                if failing and after in buffer:
                    end = buffer.index(b"\n\n", buffer.index(after)) + 2
                    here.sendall(buffer[:end])
                    over.wait()
                    here.shutdown(socket.SHUT_RDWR)  # closing alone would wait for who reads from it
                    return
                if not failing:
                    here.sendall(data)

    def accept() -> None:
        while True:
            try:
                here, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=relay, args=(here,), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}", over.set
    finally:
        over.set()
        listener.close()


def _closing(request: bytes) -> bytes:
    """Return the request with Connection: close, so that each connection carries one request."""
    head, gap, body = request.partition(b"\r\n\r\n")
    lines = [line for line in head.split(b"\r\n") if not line.lower().startswith(b"connection:")]
    return b"\r\n".join([*lines, b"Connection: close"]) + gap + body


def _copy_bytes(source: socket.socket, sink: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(1 << 16):
            sink.sendall(data)
