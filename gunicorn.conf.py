"""The settings of `gunicorn wsgi:app`, which reads this file in its working directory. Command-line options override them."""

import sys

from highlighter.server.options import build_gunicorn_options
from highlighter.settings import Settings

globals().update(build_gunicorn_options(Settings.from_environment()))


def on_starting(server):
    """Refuse to start with several workers: each but the first would fail to lock the data folder."""
    if server.cfg.workers > 1:
        sys.exit(
            "Highlighter has one worker process, which owns the index and the queue: "
            "start gunicorn with --workers 1, and --threads for more requests at once."
        )
