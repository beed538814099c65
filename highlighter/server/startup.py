"""The application of a server process, with its background work started."""

from __future__ import annotations

import atexit
import logging
import sys

from highlighter.access_mode import describe_access_mode
from highlighter.app import create_app
from highlighter.errors import Unavailable
from highlighter.lean_imports import skip_unneeded_imports
from highlighter.monitoring.logs import configure_logging
from highlighter.monitoring.tracer import TracingUnavailable, tracer
from highlighter.server.shutdown import hand_over_on_sigterm
from highlighter.services import Services
from highlighter.settings import Settings
from highlighter.web.application import HighlighterApp

log = logging.getLogger(__name__)

BOOT_ERROR_STATUS = 3  # gunicorn then stops, and starts no other worker, which would fail too


def start_application(settings: Settings | None = None) -> HighlighterApp:
    """Return the application with its services started; exit with BOOT_ERROR_STATUS when they cannot start."""
    settings = settings or Settings.from_environment()
    configure_logging(settings.log_format, settings.log_level)
    skip_unneeded_imports()
    app = create_app(Services.from_settings(settings))
    try:
        if settings.otlp_endpoint:
            tracer.start(settings.otlp_endpoint)
            atexit.register(tracer.stop)
        app.services.start()
    except (Unavailable, TracingUnavailable) as err:
        print(err.detail, file=sys.stderr, flush=True)
        sys.exit(BOOT_ERROR_STATUS)
    hand_over_on_sigterm(app.services)
    if not app.services.catalog_damage:
        try:
            print(describe_access_mode(app.services.settings, app.services.api_keys), flush=True)
        except Exception:  # perhaps a full disk: the service answers as soon as there is space
            log.exception("The catalog could not be read")
    return app
