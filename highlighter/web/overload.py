"""Refusal of requests that the server has no room for, before any work is done for them."""

from __future__ import annotations

from flask import request

from highlighter.errors import Overloaded
from highlighter.monitoring.metrics import REQUESTS_SHED
from highlighter.overload import ENVIRON_OVERLOADED
from highlighter.web.auth.required_scopes import PUBLIC_ENDPOINTS


def refuse_when_overloaded() -> None:
    """Raise Overloaded, unless a monitor asks whether the service lives."""
    if request.environ.get(ENVIRON_OVERLOADED) and request.endpoint not in PUBLIC_ENDPOINTS:
        REQUESTS_SHED.inc()
        raise Overloaded
