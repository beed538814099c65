"""How often who asks may ask: counted by key, or by address where no key is asked for; answering apart from reading."""

from __future__ import annotations

import math
import threading
import time
from collections import deque

from cachetools import LRUCache
from flask import request
from limits import parse
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

from highlighter.access import ADMIN, ANSWER, INGEST, READ, get_current_principal
from highlighter.errors import RateLimitExceeded
from highlighter.locale import N_
from highlighter.settings import Settings
from highlighter.web.application import current_application
from highlighter.web.auth.required_scopes import get_required_scope

SIGNED_LINK = (
    "link"  # a signed one, whose bearer needs no key: each is counted by itself, and takes nothing from others
)
MAX_TRACKED_CALLERS = 10_000  # counted at once; whoever has not asked for longest is forgotten


class MovingWindowStorage(MemoryStorage):
    """When each of the latest requests was. The library's own starts a thread every few milliseconds to forget old ones;
    of as many as a limit allows, the oldest alone decides, and the next takes its place."""

    def __init__(self) -> None:
        super().__init__()
        self._times: LRUCache[str, deque[float]] = LRUCache(MAX_TRACKED_CALLERS)
        self._lock = threading.Lock()

    def acquire_entry(self, key: str, limit: int, expiry: int, amount: int = 1) -> bool:
        now = time.time()
        with self._lock:
            times = self._times.setdefault(key, deque(maxlen=limit))
            if len(times) == limit and times[0] > now - expiry:
                return False
            times.append(now)
        return True

    def get_moving_window(self, key: str, limit: int, expiry: int) -> tuple[float, int]:
        """(when the oldest that still counts was, how many count)"""
        now = time.time()
        with self._lock:
            counting = [one for one in self._times.get(key, ()) if one > now - expiry]
        return (counting[0] if counting else now), len(counting)


class RateLimiter:
    """One window a scope and caller, in this process: there is one process that serves."""

    def __init__(self, settings: Settings):
        said = {
            READ: settings.rate_read, ANSWER: settings.rate_answer, INGEST: settings.rate_ingest,
            ADMIN: settings.rate_ingest, SIGNED_LINK: settings.rate_link,
        }  # fmt: skip
        self._limits = {scope: parse(rate) for scope, rate in said.items() if rate}
        self._windows = MovingWindowRateLimiter(MovingWindowStorage())

    def count_request(self, scope: str, caller: str) -> None:
        """Counts one request, or refuses it and says when the next will be taken."""
        limit = self._limits.get(scope)
        if limit is None or self._windows.hit(limit, scope, caller):
            return
        seconds = math.ceil(self._windows.get_window_stats(limit, scope, caller).reset_time - time.time())
        wait = max(seconds, 1)
        raise RateLimitExceeded(_describe_limit(limit) + " " + N_(f"Try again in {wait} s."), wait)


def enforce_rate_limit() -> None:
    needed = get_required_scope(request.endpoint, request.method)
    if needed is not None:
        key = get_current_principal().key
        current_application().rate_limiter.count_request(needed, f"key {key}" if key else f"from {request.remote_addr}")


def _describe_limit(limit) -> str:
    match limit.multiples, limit.GRANULARITY.name:
        case 1, "second":
            return N_(f"The limit is {limit.amount} requests of this kind per second.")
        case 1, "minute":
            return N_(f"The limit is {limit.amount} requests of this kind per minute.")
        case 1, "hour":
            return N_(f"The limit is {limit.amount} requests of this kind per hour.")
    return N_(f"The limit is {limit.amount} requests of this kind in {limit.get_expiry():,} seconds.")
