"""A name for each request: in its answer, in its problems, and in each line that is logged of it."""

from __future__ import annotations

import logging
import random
import re
from contextvars import ContextVar

REQUEST_ID_HEADER = "X-Request-Id"
# What another system calls it is taken over, where it can do no harm in a header or a log.
_SAFE_ID_PATTERN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:/+=@-]{0,99}")
LOG_FORMAT = "%(asctime)s %(levelname)s %(name)s [%(request_id)s] %(message)s"

_request_id: ContextVar[str] = ContextVar("request_id", default="")


def get_request_id() -> str:
    """Empty outside a request."""
    return _request_id.get()


def begin_request(requested_id: str = "") -> None:
    _request_id.set(requested_id if _SAFE_ID_PATTERN.fullmatch(requested_id) else f"{random.getrandbits(128):032x}")


def end_request() -> None:
    _request_id.set("")


class RequestIdFilter(logging.Filter):
    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = get_request_id() or "-"
        return True


def configure_logging() -> None:
    """For a service by itself; whoever has set up logging of their own adds the filter to theirs."""
    if logging.getLogger().handlers:
        return
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter(LOG_FORMAT))
    handler.addFilter(RequestIdFilter())
    logging.getLogger().addHandler(handler)
