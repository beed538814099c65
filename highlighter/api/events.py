"""Server-sent events by a server of few threads: who stays on the line holds one, so only some may.

Half of the threads stay free for everybody else. Whoever comes when the others are taken is told the state as it is, and
asked to come again: to an EventSource, which does so by itself, following is then asking, and nobody is refused.
"""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable, Iterator

from flask import Response, stream_with_context

LOOK_EVERY_SECONDS, STAY_AT_MOST_SECONDS = 0.5, 600
COME_AGAIN_AFTER_MS = 1000
MEDIA_TYPE = "text/event-stream"
AT_ONCE = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}  # nobody on the way keeps it or waits for more


class StreamSlots:
    """Counts the listeners who stay. Each application has its own."""

    def __init__(self, threads: int) -> None:
        self._lock = threading.Lock()
        self._threads = threads
        self.taken = 0

    def take(self, at_least: int = 0) -> bool:
        """Whether one more may stay; whoever was told so calls `give_back` in the end. `at_least` so many may stay,
        however few the threads are."""
        with self._lock:
            free = self.taken < max(self._threads // 2, at_least)
            self.taken += free
        return free

    def give_back(self) -> None:
        with self._lock:
            self.taken -= 1


def reply(events: Iterator[str], ended: Callable[[], None] | None = None) -> Response:
    """What is told as it happens. `ended` is called when the last is sent or the listener is gone."""
    made = Response(stream_with_context(events), mimetype=MEDIA_TYPE, headers=AT_ONCE)
    if ended:
        made.call_on_close(ended)
    return made


def event_id(state: str) -> str:
    return hashlib.sha256(state.encode()).hexdigest()[:16]


def stream(
    state_now: Callable[[], tuple[str, bool]], known: str, staying: bool, welcome: Callable[[], bool] = lambda: True
) -> Iterator[str]:
    """`known` is the id of what the listener was told before; `welcome`, whether they may still be told anything."""
    began = time.monotonic()
    yield f"retry: {COME_AGAIN_AFTER_MS}\n\n"
    while welcome():
        state, more_will_come = state_now()
        if event_id(state) != known:
            known = event_id(state)
            yield f"event: state\nid: {known}\ndata: {state}\n\n"
        if not (staying and more_will_come) or time.monotonic() - began > STAY_AT_MOST_SECONDS:
            return
        time.sleep(LOOK_EVERY_SECONDS)
        yield ": still here\n\n"  # and so finds out when nobody listens any more
