"""The settings of `gunicorn wsgi:app`, which reads this file in its working directory. Command-line options override them."""

import sys

from highlighter.server.metrics_folder import prepare_metrics_folder
from highlighter.server.options import build_gunicorn_options, check_process_count
from highlighter.settings import Settings, SettingsError

settings = Settings.from_environment()
try:
    globals().update(build_gunicorn_options(settings))
except SettingsError as err:
    sys.exit(err.detail)


def on_starting(server):
    """Refuse to start with several workers where one must own the index; otherwise let them count together."""
    try:
        check_process_count(settings, server.cfg.workers)
    except SettingsError as err:
        sys.exit(err.detail)
    prepare_metrics_folder(settings, server.cfg.workers)
