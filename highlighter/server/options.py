"""The options of gunicorn, for `python -m highlighter serve` and, through gunicorn.conf.py, for `gunicorn wsgi:app`."""

from __future__ import annotations

from typing import Any

from highlighter.settings import Settings

GRACEFUL_SECONDS = 30  # for requests in progress when the server is stopped


def build_gunicorn_options(settings: Settings) -> dict[str, Any]:
    return {
        "bind": format_bind_address(settings),
        "worker_class": "highlighter.server.worker.RequestWorker",
        "workers": 1,  # the process that serves owns the index
        "threads": settings.threads,
        "timeout": 120,
        "graceful_timeout": GRACEFUL_SECONDS,
    }


def format_bind_address(settings: Settings) -> str:
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    return f"{host}:{settings.port}"
