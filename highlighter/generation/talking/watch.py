"""When to stop waiting for a model: time is up, nobody listens any more, or too much has come."""

from __future__ import annotations

import time

from highlighter.generation.talking.failures import Cancelled, ModelFailed, TooLong, TooSlow
from highlighter.generation.talking.listener import listener_gone

# Of one reply, as it comes over the wire. An answer of a thousand tokens, streamed, takes about 300 kB.
MAX_BYTES = 4_000_000
# How long it may go unnoticed that nobody listens.
SLICE_SECONDS = 0.2


class Watch:
    def __init__(self, seconds: float):
        self.seconds = seconds
        self._until = time.monotonic() + seconds
        self._bytes = 0
        self.over: ModelFailed | None = None  # why it was stopped; whoever called may have wrapped it in another error

    @property
    def left(self) -> float:
        return max(self._until - time.monotonic(), 0.0)

    def begin(self) -> None:
        """Of another reply."""
        self._bytes = 0

    def check_listener(self) -> None:
        if listener_gone():
            self._stop(Cancelled())

    def check(self) -> None:
        self.check_listener()
        if not self.left:
            self._stop(TooSlow(f"The reply was not there after {self.seconds:g} seconds."))

    def count(self, received: int) -> None:
        self._bytes += received
        if self._bytes > MAX_BYTES:
            self._stop(TooLong(f"The reply is longer than {MAX_BYTES // 1_000_000} MB."))

    def pause(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            self.check()
            time.sleep(min(left, SLICE_SECONDS))

    def _stop(self, why: ModelFailed) -> None:
        self.over = why
        raise why
