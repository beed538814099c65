"""The log of a service: lines for people, or JSON for programs. Both carry the request id.

JSON lines go to systems that keep them: they hold neither keys nor words of documents and questions, and therefore no message of
an exception, only its type and the lines of code.
"""

from __future__ import annotations

import json
import logging
import traceback
from datetime import UTC, datetime

from highlighter.request_ids import RequestIdFilter

TEXT, JSON = LOG_FORMATS = ("text", "json")
LOG_LEVELS = ("debug", "info", "warning", "error")
TEXT_FORMAT = "%(asctime)s %(levelname)s %(name)s [%(request_id)s] %(message)s"
# Figures that a record may carry beside its message: see web/monitoring_routes.py.
FIELDS = ("method", "route", "status", "ms")


class JsonFormatter(logging.Formatter):
    """Writes each record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "request_id": getattr(record, "request_id", "-"),
            "message": record.getMessage(),
        }
        line |= {name: getattr(record, name) for name in FIELDS if hasattr(record, name)}
        if record.exc_info and record.exc_info[0]:
            error_type, _, trace = record.exc_info
            frames = traceback.extract_tb(trace)
            line["error"] = error_type.__name__
            line["trace"] = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]
        return json.dumps(line, ensure_ascii=False)


def configure_logging(log_format: str = TEXT, level: str = "warning") -> None:
    """Set up the log, unless the application that Highlighter is built into has set up its own."""
    if logging.getLogger().handlers:
        return
    handler = logging.StreamHandler()
    handler.setFormatter(JsonFormatter() if log_format == JSON else logging.Formatter(TEXT_FORMAT))
    handler.addFilter(RequestIdFilter())
    logging.getLogger().addHandler(handler)
    logging.getLogger("highlighter").setLevel(level.upper())
    logging.getLogger("ingest").setLevel(level.upper())
    _format_server_log(handler)


def _format_server_log(handler: logging.Handler) -> None:
    """Write the lines of gunicorn in the same form."""
    for server_handler in logging.getLogger("gunicorn.error").handlers:
        server_handler.setFormatter(handler.formatter)
        server_handler.addFilter(RequestIdFilter())
