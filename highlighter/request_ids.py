"""An id for each request: in its response, in its problem details, and in each line of its log."""

from __future__ import annotations

import logging
import random
import re
from contextvars import ContextVar

REQUEST_ID_HEADER = "X-Request-Id"
# Another system's id is taken over where it can do no harm in a header or a log.
_SAFE_ID_PATTERN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:/+=@-]{0,99}")

_request_id: ContextVar[str] = ContextVar("request_id", default="")


def get_request_id() -> str:
    """Return the id of the current request, empty outside a request."""
    return _request_id.get()


def begin_request(requested_id: str = "") -> None:
    """Begin a request with the id that the caller gave, or with a random one."""
    _request_id.set(requested_id if _SAFE_ID_PATTERN.fullmatch(requested_id) else f"{random.getrandbits(128):032x}")


def end_request() -> None:
    """End the request in the current context."""
    _request_id.set("")


class RequestIdFilter(logging.Filter):
    """A logging filter that adds the request id to each record."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = get_request_id() or "-"
        return True
