"""What the soak is doing, on standard error; the table alone goes to standard output."""

from __future__ import annotations

import sys
import time

_PASSING_INTERVAL_SECONDS = 15.0
_last_passing = [0.0]


def report(sentence: str, passing: bool = False) -> None:
    """Print a sentence; one that is `passing` only now and then."""
    if passing and time.monotonic() - _last_passing[0] < _PASSING_INTERVAL_SECONDS:
        return
    _last_passing[0] = time.monotonic()
    print(f"{time.strftime('%H:%M:%S')} {sentence}", file=sys.stderr, flush=True)
