"""The options of gunicorn, for `python -m highlighter serve` and, through gunicorn.conf.py, for `gunicorn wsgi:app`."""

from __future__ import annotations

from typing import Any

from highlighter.server.metrics_folder import mark_process_dead, remove_metrics_folder
from highlighter.settings import Settings, SettingsError
from highlighter.sign_in.configuration import load_sign_in

GRACEFUL_SECONDS = 30  # for requests in progress when the server is stopped
MAX_REQUEST_LINE_BYTES = 65_536  # forms put up to 5,000 characters into the address, each as up to nine bytes


def build_gunicorn_options(settings: Settings) -> dict[str, Any]:
    check_process_count(settings, settings.processes)
    load_sign_in(settings)
    return {
        "bind": format_bind_address(settings),
        "worker_class": "highlighter.server.worker.RequestWorker",
        "workers": settings.processes,
        "threads": settings.threads,
        "timeout": 120,
        "graceful_timeout": GRACEFUL_SECONDS,
        "limit_request_line": MAX_REQUEST_LINE_BYTES,
        "child_exit": mark_process_dead,
        "on_exit": remove_metrics_folder,
        # By default a client on this machine, a proxy too, may move the path of a request by headers: past the rules of the proxy.
        "forwarder_headers": "",
        "secure_scheme_headers": {},  # which scheme a proxy may tell is for TRUSTED_PROXIES to say
    }


def check_process_count(settings: Settings, count: int) -> None:
    """Raise SettingsError for several processes where one must own the index."""
    if count > 1 and not settings.can_share_data:
        raise SettingsError(
            "The vector index in DATA_DIR belongs to one process, and several are asked for. Set CHROMA_URL to a Chroma server, "
            "or have one process (PROCESSES=1, gunicorn --workers 1) and THREADS for more requests at once."
        )


def format_bind_address(settings: Settings) -> str:
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    return f"{host}:{settings.port}"
