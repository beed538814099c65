"""Server-sent events from a server with few threads.

An open stream holds a thread, so streams get at most half of the threads. A client that comes when these are taken gets
the current state and is asked to reconnect. An EventSource reconnects by itself, so no client is refused: it polls.
"""

from __future__ import annotations

import hashlib
import socket
import threading
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from typing import Any

from flask import Response, stream_with_context

POLL_SECONDS, MAX_STREAM_SECONDS = 0.5, 600
RETRY_MILLISECONDS = 1000
EVENT_STREAM_MEDIA_TYPE = "text/event-stream"
UNBUFFERED_HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}  # proxies pass each event on at once
SOCKET_KEYS = ("gunicorn.socket", "werkzeug.socket")  # where servers put the client's socket into the WSGI environment


class StreamSlots:
    """The number of open event streams of one application, and its bound."""

    def __init__(self, threads: int) -> None:
        self._lock = threading.Lock()
        self._threads = threads
        self.in_use = 0

    def acquire(self, min_slots: int = 0) -> bool:
        """Take a slot for a stream if one is free; the caller then releases it at the end of the stream.

        There are at least `min_slots`, however few the threads are.
        """
        with self._lock:
            is_free = self.in_use < max(self._threads // 2, min_slots)
            self.in_use += is_free
        return is_free

    def release(self) -> None:
        with self._lock:
            self.in_use -= 1


def send_events(events: Iterator[str], on_close: Callable[[], None] | None = None) -> Response:
    """Return a response that sends events as they happen; `on_close` is called after the last, or on a disconnect."""
    response = Response(stream_with_context(events), mimetype=EVENT_STREAM_MEDIA_TYPE, headers=UNBUFFERED_HEADERS)
    if on_close:
        response.call_on_close(on_close)
    return response


def compute_event_id(state: str) -> str:
    return hashlib.sha256(state.encode()).hexdigest()[:16]


def stream_state(
    read_state: Callable[[], tuple[str, bool]],
    last_event_id: str,
    keep_open: bool,
    is_authorized: Callable[[], bool] = lambda: True,
) -> Generator[str, None, None]:
    """Yield the state of an object as events, first and whenever it changes.

    `read_state` returns the state, and whether it can change again. `last_event_id` names the state that the client knows.
    The stream ends when `is_authorized` returns False, at the last state, or at once unless it is to be kept open.
    """
    started = time.monotonic()
    yield f"retry: {RETRY_MILLISECONDS}\n\n"
    while is_authorized():
        state, can_change = read_state()
        if compute_event_id(state) != last_event_id:
            last_event_id = compute_event_id(state)
            yield f"event: state\nid: {last_event_id}\ndata: {state}\n\n"
        if not (keep_open and can_change) or time.monotonic() - started > MAX_STREAM_SECONDS:
            return
        time.sleep(POLL_SECONDS)
        yield ": still here\n\n"  # sending fails once the client has disconnected


def make_disconnect_check(environ: Mapping[str, Any]) -> Callable[[], bool]:
    """Return a function that tells whether the client has disconnected, without sending anything.

    On a server that does not expose the client's socket, the function always returns False.
    """
    connection: socket.socket | None = next((environ[key] for key in SOCKET_KEYS if key in environ), None)
    if connection is None:
        return lambda: False

    def is_disconnected() -> bool:
        try:
            return connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) == b""
        except BlockingIOError:
            return False
        except OSError:
            return True

    return is_disconnected
