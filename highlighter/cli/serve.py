"""python -m highlighter serve: answers on HOST:PORT."""

from __future__ import annotations

import argparse
import errno
import socket
import time
from collections.abc import Callable
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

from highlighter.errors import Unavailable
from highlighter.server.metrics_folder import prepare_metrics_folder
from highlighter.server.options import GRACEFUL_SECONDS, build_gunicorn_options, format_bind_address
from highlighter.settings import Settings
from highlighter.store.server_lock import ServerLock

if TYPE_CHECKING:
    from flask import Flask

    from highlighter.services import Services

SUMMARY = "run the service on HOST:PORT"
EXAMPLES = """examples:
  python -m highlighter serve
  python -m highlighter serve --port 9000 --data-dir /srv/highlighter
  HOST=0.0.0.0 PORT=9000 DATA_DIR=/srv/highlighter python -m highlighter serve"""

# The settings that differ between servers on one machine.
SETTING_BY_OPTION = {"--host": "host", "--port": "port", "--data-dir": "data_dir"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    settings = {setting.name: setting for setting in fields(Settings)}
    for option, name in SETTING_BY_OPTION.items():
        setting = settings[name]
        parser.add_argument(
            option,
            type=_make_argument_type(setting.metadata["parse"]),
            default=argparse.SUPPRESS,  # so that the environment is used
            metavar=setting.metadata["variable"].rpartition("_")[2],
            help=f"{setting.metadata['description']} (default: {setting.metadata['variable']}, or {setting.default})",
        )


def _make_argument_type(read: Callable[[str], Any]) -> Callable[[str], Any]:
    """Return the reader of a setting as an argparse type; argparse shows only its own errors in full."""

    def read_argument(text: str) -> Any:
        try:
            return read(text)
        except ValueError as err:
            raise argparse.ArgumentTypeError(f"{text!r} cannot be used: {err}") from err

    return read_argument


def prepare(settings: Settings) -> Settings:
    """Return the settings with the folder in which several processes count together."""
    return replace(settings, metrics_folder=prepare_metrics_folder(settings, settings.processes))


def run(services: Services, options: argparse.Namespace) -> int:
    """Serve with many threads, and with as many processes as PROCESSES says."""
    settings = services.settings
    build_gunicorn_options(settings)  # raises SettingsError, which gunicorn would print as a traceback
    if not settings.can_share_data:
        _wait_for_previous_server(settings)
    _require_free_port(settings)
    from gunicorn.app.base import BaseApplication

    class Server(BaseApplication):  # type: ignore[misc]  # gunicorn has no types
        def load_config(self) -> None:
            for name, value in build_gunicorn_options(settings).items():
                self.cfg.set(name, value)
            self.cfg.set("loglevel", "warning")
            self.cfg.set("when_ready", lambda server: _print_address(settings))

        def load(self) -> Flask:
            # In the worker, after the fork: before, nothing is open that does not survive a fork.
            from highlighter.server.startup import start_application

            return start_application(settings)

    Server().run()
    return 0


def _wait_for_previous_server(settings: Settings) -> None:
    """Wait for a stopping server, which keeps its port until its last request is answered."""
    lock = ServerLock(settings.data_dir)
    deadline = time.monotonic() + settings.takeover_seconds
    if lock.holder_process() and _is_port_taken(settings):
        print(
            f"Another Highlighter server (process {lock.holder_process()}) is running; waiting for it to stop.",
            flush=True,
        )
        while time.monotonic() < deadline + (0 if lock.is_held() else GRACEFUL_SECONDS):
            if not (lock.holder_process() and _is_port_taken(settings)):
                return
            time.sleep(0.1)


def _is_port_taken(settings: Settings) -> bool:
    err = _bind_error(settings)
    return err is not None and err.errno == errno.EADDRINUSE


def _require_free_port(settings: Settings) -> None:
    """Raise Unavailable with a useful message: Gunicorn retries for five seconds, and its message gives no advice."""
    err = _bind_error(settings)
    if err is None:
        return
    if err.errno == errno.EADDRINUSE:
        other_port = settings.port + (1 if settings.port < 65_535 else -1)
        raise Unavailable(
            f"Port {settings.port} is already in use, perhaps by another Highlighter. Choose "
            f"another with --port {other_port} (or PORT={other_port})."
        ) from err
    raise Unavailable(
        f"Cannot listen on {format_bind_address(settings)} ({err.strerror}). Choose another "
        "address with --host and --port (or HOST and PORT)."
    ) from err


def _bind_error(settings: Settings) -> OSError | None:
    """Return the error when no server can listen on HOST:PORT, else None."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    try:
        socket.create_server((settings.host, settings.port), family=family).close()
    except OSError as err:
        return err
    return None


def _print_address(settings: Settings) -> None:
    public = f", and for readers at {settings.public_url}" if settings.public_url else ""
    print(f"Highlighter is at http://{format_bind_address(settings)}{public}  (Ctrl-C stops it)", flush=True)
