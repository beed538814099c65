"""Waiting for a quieter machine, on which a file that timed out is tried once more."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

MAX_WAIT_SECONDS = 60.0  # whoever waits for the result is not kept much longer than reading takes
CHECK_EVERY_SECONDS = 2.0


def wait_until_quiet(is_stopped: Callable[[], bool]) -> None:
    """Return once there is a processor for everything that wants one, or after a minute, or when stopped."""
    end = time.monotonic() + MAX_WAIT_SECONDS
    while os.getloadavg()[0] > (os.cpu_count() or 1) and time.monotonic() < end and not is_stopped():
        time.sleep(CHECK_EVERY_SECONDS)
