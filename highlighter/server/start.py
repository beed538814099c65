"""The application of a server by itself, with everything started that it does besides answering."""

from __future__ import annotations

from flask import Flask

from highlighter.app import create_app
from highlighter.gate.mode import said
from highlighter.request_ids import log_with_ids
from highlighter.services import Services
from highlighter.settings import Settings


def start_application(settings: Settings | None = None) -> Flask:
    log_with_ids()
    app = create_app(Services.from_settings(settings))
    app.services.start()
    print(said(app.services.settings, app.services.keys), flush=True)
    return app
