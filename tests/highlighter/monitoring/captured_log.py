"""The log of a service, as it would be written."""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator
from contextlib import contextmanager

from highlighter.monitoring.logs import configure_logging


@contextmanager
def captured_log(log_format: str, level: str) -> Iterator[io.StringIO]:
    """Yield what is logged in a format, from a level on."""
    root, stream = logging.getLogger(), io.StringIO()
    handlers, levels = root.handlers[:], {name: logging.getLogger(name).level for name in ("highlighter", "ingest")}
    root.handlers.clear()
    configure_logging(log_format, level)
    root.handlers[0].setStream(stream)
    yield stream
    root.handlers[:] = handlers
    for name, level_before in levels.items():
        logging.getLogger(name).setLevel(level_before)
