"""The Flask application of this service, with the objects that its requests share."""

from __future__ import annotations

from typing import cast

from flask import Flask, current_app
from flask.json.provider import DefaultJSONProvider

from highlighter.resources import STATIC_FOLDER, TEMPLATE_FOLDER
from highlighter.services import Services
from highlighter.web.auth.rate_limiter import RateLimiter
from highlighter.web.event_stream import StreamSlots
from highlighter.web.lru_page_cache import LruPageCache
from highlighter.web.upload_request import UploadRequest


class UnicodeJsonProvider(DefaultJSONProvider):
    """Writes characters of all languages as they are, not as escapes."""

    ensure_ascii = False


class HighlighterApp(Flask):
    """A Flask application with its services, rate limiter, event stream slots and page cache."""

    json_provider_class = UnicodeJsonProvider
    request_class = UploadRequest

    def __init__(self, services: Services, rate_limiter: RateLimiter, stream_slots: StreamSlots) -> None:
        super().__init__("highlighter", template_folder=str(TEMPLATE_FOLDER), static_folder=str(STATIC_FOLDER))
        self.services = services
        self.rate_limiter = rate_limiter
        self.stream_slots = stream_slots
        self.page_cache = LruPageCache()


def current_application() -> HighlighterApp:
    """Return the application that handles the current request."""
    return cast(HighlighterApp, current_app)


def current_services() -> Services:
    """Return the services of the application that handles the current request."""
    return current_application().services
