"""What `gunicorn wsgi:app` reads by itself in this folder."""

import sys


def on_starting(server):
    """Refuse what would be refused by each worker but the first."""
    if server.cfg.workers > 1:
        sys.exit(
            "Highlighter has one worker process, which owns the index and the queue: "
            "start gunicorn with --workers 1, and --threads for more requests at once."
        )
