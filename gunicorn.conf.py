"""Read by `gunicorn wsgi:app` from the folder it is started in. What its command line says comes before what is said here."""

import sys

from highlighter.settings import Settings
from highlighter.web.server.options import build_gunicorn_options

globals().update(build_gunicorn_options(Settings.from_environment()))


def on_starting(server):
    """Refuse what would be refused by each worker but the first."""
    if server.cfg.workers > 1:
        sys.exit(
            "Highlighter has one worker process, which owns the index and the queue: "
            "start gunicorn with --workers 1, and --threads for more requests at once."
        )
