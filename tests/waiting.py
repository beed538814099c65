"""Waiting for what other threads, processes and browsers do."""

from __future__ import annotations

import time
from collections.abc import Callable


def wait_until(condition: Callable[[], object], seconds: float = 60) -> None:
    """Wait until a condition holds; fail when the time is up, which is long, as machines may be busy."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "It did not come to that."
        time.sleep(0.05)
