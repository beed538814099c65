"""The application of a server by itself, with everything started that it does besides answering."""

from __future__ import annotations

import logging
import sys

from flask import Flask

from highlighter.app import create_app
from highlighter.errors import Unavailable
from highlighter.gate.mode import said
from highlighter.request_ids import log_with_ids
from highlighter.services import Services
from highlighter.settings import Settings
from highlighter.shutdown import hand_over_on_sigterm

log = logging.getLogger(__name__)

BOOT_ERROR = 3  # the status by which gunicorn knows that another worker would come no further


def start_application(settings: Settings | None = None) -> Flask:
    log_with_ids()
    app = create_app(Services.from_settings(settings))
    try:
        app.services.start()
    except Unavailable as err:
        print(err.detail, file=sys.stderr, flush=True)
        sys.exit(BOOT_ERROR)
    hand_over_on_sigterm(app.services)
    if not app.services.damage:
        try:
            print(said(app.services.settings, app.services.keys), flush=True)
        except Exception:  # a full disk, perhaps: the service answers as soon as it has space
            log.exception("The catalog could not be read")
    return app
