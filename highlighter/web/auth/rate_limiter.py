"""Counts requests in moving windows: the rate limit of each caller, for each scope by itself."""

from __future__ import annotations

import logging
import math
import threading
import time
from collections import deque
from typing import Any

from cachetools import LRUCache
from limits import RateLimitItem, parse
from limits.errors import ConfigurationError, StorageError
from limits.storage import MemoryStorage, storage_from_string
from limits.strategies import MovingWindowRateLimiter

from highlighter.access import ADMIN, ANSWER, INGEST, READ
from highlighter.errors import RateLimitExceeded
from highlighter.locale import N_, join_messages
from highlighter.secret import Secret
from highlighter.settings import Settings, SettingsError

log = logging.getLogger(__name__)

SIGNED_LINK = "link"  # the scope of signed links, each of which is counted by itself
TIMEOUT_SECONDS, RETRY_SECONDS = 1.0, 10.0  # of the server that processes share
MAX_TRACKED_CALLERS = 10_000  # the least recent one is dropped first


class MovingWindowStorage(MemoryStorage):
    """The times of each caller's latest requests.

    The memory storage of the `limits` library is not used: under load it starts a thread every few milliseconds that
    walks through the times of all callers (2 ms per request for 10,000 callers), and the number of callers has no limit.
    Here a caller has as many times as the limit allows requests: the oldest one decides, and the next request replaces it.
    They are of the monotonic clock: a clock that is set back would refuse a caller for as long.
    """

    def __init__(self) -> None:
        super().__init__()
        self._times: LRUCache[str, deque[float]] = LRUCache(MAX_TRACKED_CALLERS)
        self._lock = threading.Lock()

    def acquire_entry(self, key: str, limit: int, expiry: int, amount: int = 1) -> bool:
        now = time.monotonic()
        with self._lock:
            times = self._times.setdefault(key, deque(maxlen=limit))
            if len(times) == limit and times[0] > now - expiry:
                return False
            times.append(now)
        return True

    def get_moving_window(self, key: str, limit: int, expiry: int) -> tuple[float, int]:
        """Return the time of the oldest request in the window, and the number of requests in it."""
        now = time.monotonic()
        with self._lock:
            times_in_window = [seconds for seconds in self._times.get(key, ()) if seconds > now - expiry]
        age = now - times_in_window[0] if times_in_window else 0.0
        return time.time() - age, len(times_in_window)


class RateLimiter:
    """A moving window for each scope and caller: in memory, or on a Redis server that several processes share."""

    def __init__(self, settings: Settings):
        rates = {
            READ: settings.rate_read, ANSWER: settings.rate_answer, INGEST: settings.rate_ingest,
            ADMIN: settings.rate_ingest, SIGNED_LINK: settings.rate_link,
        }  # fmt: skip
        self._limits = {scope: parse(rate) for scope, rate in rates.items() if rate}
        self._windows = MovingWindowRateLimiter(MovingWindowStorage())
        self._shared_windows = _connect(settings.rate_limit_url)
        self._shared_again_at = 0.0  # while the server does not answer, no request waits for it

    def count_request(self, scope: str, caller: str) -> None:
        """Count one request; raise RateLimitExceeded, with the time to wait, when there are too many."""
        limit = self._limits.get(scope)
        if limit is None:
            return
        if self._shared_windows and time.monotonic() >= self._shared_again_at:
            try:
                return _hit(self._shared_windows, limit, scope, caller)
            except StorageError as err:
                self._shared_again_at = time.monotonic() + RETRY_SECONDS
                log.warning("The server of RATE_LIMIT_URL does not answer, so each process counts by itself: %s", err)
        _hit(self._windows, limit, scope, caller)


def _connect(url: Secret) -> MovingWindowRateLimiter | None:
    if not url:
        return None
    options: dict[str, Any] = {"socket_timeout": TIMEOUT_SECONDS, "socket_connect_timeout": TIMEOUT_SECONDS}
    try:
        storage = storage_from_string(url.reveal(), wrap_exceptions=True, **options)
    except ConfigurationError as err:
        raise SettingsError("RATE_LIMIT_URL needs the package redis: pip install 'highlighter[redis]'.") from err
    return MovingWindowRateLimiter(storage)


def _hit(windows: MovingWindowRateLimiter, limit: RateLimitItem, scope: str, caller: str) -> None:
    if windows.hit(limit, scope, caller):
        return
    seconds = math.ceil(windows.get_window_stats(limit, scope, caller).reset_time - time.time())
    # No more than a window, after which a shared server forgets its times: they may be from before its clients' clocks were set back.
    wait = min(max(seconds, 1), limit.get_expiry())
    detail = join_messages([_describe_limit(limit), N_("Try again in {wait} s.", wait=wait)])
    raise RateLimitExceeded(detail, wait)


def _describe_limit(limit: RateLimitItem) -> str:
    match limit.multiples, limit.GRANULARITY.name:
        case 1, "second":
            return N_("The limit is {amount} requests of this kind per second.", amount=limit.amount)
        case 1, "minute":
            return N_("The limit is {amount} requests of this kind per minute.", amount=limit.amount)
        case 1, "hour":
            return N_("The limit is {amount} requests of this kind per hour.", amount=limit.amount)
    return N_(
        "The limit is {amount} requests of this kind in {seconds:,} seconds.",
        amount=limit.amount,
        seconds=limit.get_expiry(),
    )
