"""The application of a server by itself, with everything started that it does besides answering."""

from __future__ import annotations

import logging
import sys

from highlighter.access_mode import describe_access_mode
from highlighter.app import create_app
from highlighter.errors import Unavailable
from highlighter.request_ids import configure_logging
from highlighter.services import Services
from highlighter.settings import Settings
from highlighter.web.application import HighlighterApp
from highlighter.web.server.shutdown import hand_over_on_sigterm

log = logging.getLogger(__name__)

BOOT_ERROR_STATUS = 3  # the status by which gunicorn knows that another worker would come no further


def start_application(settings: Settings | None = None) -> HighlighterApp:
    configure_logging()
    app = create_app(Services.from_settings(settings))
    try:
        app.services.start()
    except Unavailable as err:
        print(err.detail, file=sys.stderr, flush=True)
        sys.exit(BOOT_ERROR_STATUS)
    hand_over_on_sigterm(app.services)
    if not app.services.catalog_damage:
        try:
            print(describe_access_mode(app.services.settings, app.services.api_keys), flush=True)
        except Exception:  # a full disk, perhaps: the service answers as soon as it has space
            log.exception("The catalog could not be read")
    return app
