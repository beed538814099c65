"""How often who asks may ask: counted by key, or by address where no key is asked for; answering apart from reading."""

from __future__ import annotations

import math
import time

from flask import current_app, request
from limits import parse
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

from highlighter.access import ADMIN, ANSWER, INGEST, READ, current_caller
from highlighter.errors import TooMany
from highlighter.gate.needs import need
from highlighter.settings import Settings


class Rates:
    """One window a scope and caller, in this process: there is one process that serves."""

    def __init__(self, settings: Settings):
        said = {
            READ: settings.rate_read, ANSWER: settings.rate_answer, INGEST: settings.rate_ingest,
            ADMIN: settings.rate_ingest,
        }  # fmt: skip
        self._limits = {scope: parse(rate) for scope, rate in said.items() if rate}
        self._windows = MovingWindowRateLimiter(MemoryStorage())

    def take(self, scope: str, who: str) -> None:
        """Counts one request, or refuses it and says when the next will be taken."""
        limit = self._limits.get(scope)
        if limit is None or self._windows.hit(limit, scope, who):
            return
        seconds = math.ceil(self._windows.get_window_stats(limit, scope, who).reset_time - time.time())
        wait = max(seconds, 1)
        raise TooMany(
            f"More than {limit.amount} such requests in {_span(limit)} are not answered. Try again in {wait} s.", wait
        )


def not_too_often() -> None:
    needed = need(request.endpoint, request.method)
    if needed is not None:
        key = current_caller().key
        current_app.rates.take(needed, f"key {key}" if key else f"from {request.remote_addr}")


def _span(limit) -> str:
    name = limit.GRANULARITY.name
    return f"{limit.multiples} {name}s" if limit.multiples > 1 else f"an {name}" if name == "hour" else f"a {name}"
