"""Server-sent events by a server of few threads: who stays on the line holds one, so only some may.

Half of the threads stay free for everybody else. Whoever comes when the others are taken is told the state as it is, and
asked to come again: to an EventSource, which does so by itself, following is then asking, and nobody is refused.
"""

from __future__ import annotations

import hashlib
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from flask import Response, stream_with_context

POLL_SECONDS, MAX_STREAM_SECONDS = 0.5, 600
RETRY_MILLISECONDS = 1000
EVENT_STREAM_MEDIA_TYPE = "text/event-stream"
UNBUFFERED_HEADERS = {
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no",
}  # nobody on the way keeps it or waits for more


class StreamSlots:
    """Counts the listeners who stay. Each application has its own."""

    def __init__(self, threads: int) -> None:
        self._lock = threading.Lock()
        self._threads = threads
        self.in_use = 0

    def acquire(self, min_slots: int = 0) -> bool:
        """Whether one more may stay; who was granted one calls `release` in the end. `min_slots` of them may stay,
        however few the threads are."""
        with self._lock:
            free = self.in_use < max(self._threads // 2, min_slots)
            self.in_use += free
        return free

    def release(self) -> None:
        with self._lock:
            self.in_use -= 1


def send_events(events: Iterator[str], on_close: Callable[[], None] | None = None) -> Response:
    """What is told as it happens. `ended` is called when the last is sent or the listener is gone."""
    made = Response(stream_with_context(events), mimetype=EVENT_STREAM_MEDIA_TYPE, headers=UNBUFFERED_HEADERS)
    if on_close:
        made.call_on_close(on_close)
    return made


def compute_event_id(state: str) -> str:
    return hashlib.sha256(state.encode()).hexdigest()[:16]


def stream_state(
    read_state: Callable[[], tuple[str, bool]],
    last_event_id: str,
    keep_open: bool,
    is_authorized: Callable[[], bool] = lambda: True,
) -> Iterator[str]:
    """`known` is the id of what the listener was told before; `welcome`, whether they may still be told anything."""
    began = time.monotonic()
    yield f"retry: {RETRY_MILLISECONDS}\n\n"
    while is_authorized():
        state, more_will_come = read_state()
        if compute_event_id(state) != last_event_id:
            last_event_id = compute_event_id(state)
            yield f"event: state\nid: {last_event_id}\ndata: {state}\n\n"
        if not (keep_open and more_will_come) or time.monotonic() - began > MAX_STREAM_SECONDS:
            return
        time.sleep(POLL_SECONDS)
        yield ": still here\n\n"  # and so finds out when nobody listens any more


# Whether whoever asked is still on the line, while there is nothing to send that would tell.


SOCKET_KEYS = ("gunicorn.socket", "werkzeug.socket")  # servers that show theirs


def make_disconnect_check(environ: Mapping[str, Any]) -> Callable[[], bool]:
    """Asked as often as one likes. Of a connection that its server does not show nobody can tell."""
    line = next((environ[name] for name in SOCKET_KEYS if name in environ), None)

    def gone() -> bool:
        try:
            return line.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) == b""
        except BlockingIOError:
            return False
        except OSError:
            return True

    return gone if line is not None else lambda: False
