"""python -m highlighter serve: answers on HOST:PORT."""

from __future__ import annotations

import argparse

from highlighter.services import Services
from highlighter.settings import Settings

EXAMPLES = """examples:
  python -m highlighter serve
  PORT=9000 DATA_DIR=/srv/highlighter python -m highlighter serve"""


def add(commands) -> None:
    parser = commands.add_parser(
        "serve",
        help="answer on HOST:PORT",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace, services: Services) -> int:
    """One process, many threads: the process that serves is the one that owns the index."""
    from gunicorn.app.base import BaseApplication

    settings = services.settings

    class Server(BaseApplication):
        def load_config(self) -> None:
            for name, value in _gunicorn(settings).items():
                self.cfg.set(name, value)

        def load(self):
            # In the worker, after the fork: nothing that would not live through one is open before.
            from wsgi import app

            return app

    Server().run()
    return 0


def _gunicorn(settings: Settings) -> dict[str, object]:
    return {
        "bind": f"{_bracketed(settings.host)}:{settings.port}",
        "worker_class": "gthread",
        "workers": 1,
        "threads": settings.threads,
        "timeout": 120,
        "graceful_timeout": 30,
        "loglevel": "warning",
        "when_ready": lambda server: _say_where(settings),
        "worker_exit": lambda server, worker: _close(worker),
    }


def _say_where(settings: Settings) -> None:
    print(f"Highlighter is at http://{_bracketed(settings.host)}:{settings.port}  (Ctrl-C stops it)", flush=True)


def _close(worker) -> None:
    services = getattr(getattr(worker, "wsgi", None), "services", None)
    if services is not None:
        services.close()


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host
