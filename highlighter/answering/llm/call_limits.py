"""Whether anybody still waits for what is being written. Asked while a model is silent, when nothing sent would tell.

Set by whoever answers a request, in whose context all the work is done; elsewhere somebody always waits.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from highlighter.answering.llm.errors import CompletionCancelled, CompletionTimedOut, CompletionTooLong, ModelError

_is_disconnected: ContextVar[Callable[[], bool]] = ContextVar("listener_gone", default=lambda: False)


def is_disconnected() -> bool:
    return _is_disconnected.get()()


@contextmanager
def track_disconnect(has_disconnected: Callable[[], bool]) -> Iterator[None]:
    before = _is_disconnected.set(has_disconnected)
    try:
        yield
    finally:
        _is_disconnected.reset(before)


# When to stop waiting for a model: time is up, nobody listens any more, or too much has come.


# Of one reply, as it comes over the wire. An answer of a thousand tokens, streamed, takes about 300 kB.
MAX_REPLY_BYTES = 4_000_000
# How long it may go unnoticed that nobody listens.
POLL_SECONDS = 0.2


class CallLimits:
    def __init__(self, seconds: float):
        self.seconds = seconds
        self._deadline = time.monotonic() + seconds
        self._bytes = 0
        self.stop_reason: ModelError | None = (
            None  # why it was stopped; whoever called may have wrapped it in another error
        )

    @property
    def seconds_left(self) -> float:
        return max(self._deadline - time.monotonic(), 0.0)

    def reset_byte_count(self) -> None:
        """Of another reply."""
        self._bytes = 0

    def check_connected(self) -> None:
        if is_disconnected():
            self._stop(CompletionCancelled())

    def check(self) -> None:
        self.check_connected()
        if not self.seconds_left:
            self._stop(CompletionTimedOut(f"No reply after {self.seconds:g} seconds."))

    def count_bytes(self, byte_count: int) -> None:
        self._bytes += byte_count
        if self._bytes > MAX_REPLY_BYTES:
            self._stop(CompletionTooLong(f"The reply is longer than {MAX_REPLY_BYTES // 1_000_000} MB."))

    def pause(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            self.check()
            time.sleep(min(left, POLL_SECONDS))

    def _stop(self, reason: ModelError) -> None:
        self.stop_reason = reason
        raise reason
