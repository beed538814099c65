"""The limits of a call to a model: time, size, and a client that still waits.

Whether the client is still connected is polled while a model is silent, as nothing is sent then that would fail. The
request handler sets the check for its context; without a check, the client counts as connected.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from highlighter.answering.llm.errors import CompletionCancelled, CompletionTimedOut, CompletionTooLong, ModelError
from highlighter.locale import N_

_is_disconnected: ContextVar[Callable[[], bool]] = ContextVar("is_disconnected", default=lambda: False)


def is_disconnected() -> bool:
    """Return whether the client of this context has gone away."""
    return _is_disconnected.get()()


@contextmanager
def track_disconnect(has_disconnected: Callable[[], bool]) -> Iterator[None]:
    """Use a check of the client's connection within the context."""
    token = _is_disconnected.set(has_disconnected)
    try:
        yield
    finally:
        _is_disconnected.reset(token)


# Bytes of one reply on the wire. A streamed answer of a thousand tokens takes about 300 kB.
MAX_REPLY_BYTES = 4_000_000
# A disconnected client is noticed within this time.
POLL_SECONDS = 0.2


class CallLimits:
    """The limits of one call: a deadline, a connected client, and a maximum size of the reply."""

    def __init__(self, seconds: float):
        self.seconds = seconds
        self._deadline = time.monotonic() + seconds
        self._bytes = 0
        # Kept here because the SDK may wrap the error in one of its own.
        self.stop_reason: ModelError | None = None

    @property
    def seconds_left(self) -> float:
        return max(self._deadline - time.monotonic(), 0.0)

    def reset_byte_count(self) -> None:
        """Start counting the bytes of another reply."""
        self._bytes = 0

    def check_connected(self) -> None:
        if is_disconnected():
            self._stop(CompletionCancelled())

    def check(self) -> None:
        self.check_connected()
        if not self.seconds_left:
            self._stop(CompletionTimedOut(N_("No reply after {seconds:g} seconds.", seconds=self.seconds)))

    def count_bytes(self, byte_count: int) -> None:
        self._bytes += byte_count
        if self._bytes > MAX_REPLY_BYTES:
            self._stop(CompletionTooLong(N_("The reply is longer than {limit} MB.", limit=MAX_REPLY_BYTES // 1000000)))

    def pause(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while (seconds_left := end - time.monotonic()) > 0:
            self.check()
            time.sleep(min(seconds_left, POLL_SECONDS))

    def _stop(self, reason: ModelError) -> None:
        self.stop_reason = reason
        raise reason
