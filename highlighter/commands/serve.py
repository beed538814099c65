"""python -m highlighter serve: answers on HOST:PORT."""

from __future__ import annotations

import argparse
import errno
import socket
import time
from typing import TYPE_CHECKING

from highlighter.errors import Unavailable
from highlighter.settings import Settings
from highlighter.store.server_lock import ServerLock

if TYPE_CHECKING:
    from highlighter.services import Services

GRACEFUL_SECONDS = 30  # for requests that are being answered when it is stopped
ABOUT = "answer on HOST:PORT"
EXAMPLES = """examples:
  python -m highlighter serve
  PORT=9000 DATA_DIR=/srv/highlighter python -m highlighter serve"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """None: what there is to choose is in the settings."""


def run(services: Services, options: argparse.Namespace) -> int:
    """One process, many threads: the process that serves is the one that owns the index."""
    settings = services.settings
    _wait_for_previous_server(settings)
    _look_for_room(settings)
    from gunicorn.app.base import BaseApplication

    class Server(BaseApplication):
        def load_config(self) -> None:
            self.cfg.set("bind", f"{_bracketed(settings.host)}:{settings.port}")
            self.cfg.set("worker_class", "gthread")
            self.cfg.set("workers", 1)
            self.cfg.set("threads", settings.threads)
            self.cfg.set("timeout", 120)
            self.cfg.set("graceful_timeout", GRACEFUL_SECONDS)
            self.cfg.set("loglevel", "warning")
            self.cfg.set("when_ready", lambda server: _say_where(settings))
            self.cfg.set("worker_exit", lambda server, worker: _close(worker))

        def load(self):
            # In the worker, after the fork: nothing that would not live through one is open before.
            from wsgi import app

            return app

    Server().run()
    return 0


def _wait_for_previous_server(settings: Settings) -> None:
    """A server that is being stopped keeps its port until its last request is answered."""
    lock = ServerLock(settings.data_dir)
    deadline = time.monotonic() + settings.takeover_seconds
    if lock.process() and _is_taken(settings):
        print(f"Another Highlighter server (process {lock.process()}) is here; waiting for it to stop.", flush=True)
        while time.monotonic() < deadline + (0 if lock.is_held() else GRACEFUL_SECONDS):
            if not (lock.process() and _is_taken(settings)):
                return
            time.sleep(0.1)


def _is_taken(settings: Settings) -> bool:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    try:
        socket.create_server((settings.host, settings.port), family=family).close()
    except OSError as err:
        return err.errno == errno.EADDRINUSE
    return False


def _look_for_room(settings: Settings) -> None:
    """Gunicorn tries for five seconds, and then says no more than that the address is in use."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    try:
        socket.create_server((settings.host, settings.port), family=family).close()
    except OSError as err:
        if err.errno == errno.EADDRINUSE:
            other = settings.port + (1 if settings.port < 65_535 else -1)
            raise Unavailable(
                f"Something answers on port {settings.port} already, perhaps another Highlighter. PORT={other} takes another port."
            ) from err
        raise Unavailable(
            f"It is not possible to answer on {_bracketed(settings.host)}:{settings.port} ({err.strerror}). HOST and PORT say where."
        ) from err


def _say_where(settings: Settings) -> None:
    print(f"Highlighter is at http://{_bracketed(settings.host)}:{settings.port}  (Ctrl-C stops it)", flush=True)


def _close(worker) -> None:
    services = getattr(getattr(worker, "wsgi", None), "services", None)
    if services is not None:
        services.close()


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host
