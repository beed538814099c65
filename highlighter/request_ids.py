"""A name for each request: in its answer, in its problems, and in each line that is logged of it."""

from __future__ import annotations

import logging
import random
import re
from contextvars import ContextVar

HEADER = "X-Request-Id"
# What another system calls it is taken over, where it can do no harm in a header or a log.
_SANE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:/+=@-]{0,99}")
LINE = "%(asctime)s %(levelname)s %(name)s [%(request_id)s] %(message)s"

_id: ContextVar[str] = ContextVar("request_id", default="")


def request_id() -> str:
    """Empty outside a request."""
    return _id.get()


def begin_request(given: str = "") -> None:
    _id.set(given if _SANE.fullmatch(given) else f"{random.getrandbits(128):032x}")


def end_request() -> None:
    _id.set("")


class WithRequestId(logging.Filter):
    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = request_id() or "-"
        return True


def log_with_ids() -> None:
    """For a service by itself; whoever has set up logging of their own adds the filter to theirs."""
    if logging.getLogger().handlers:
        return
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter(LINE))
    handler.addFilter(WithRequestId())
    logging.getLogger().addHandler(handler)
