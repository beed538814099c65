"""What operators ask of a service: is it alive, is it ready, what does it measure. Each request is measured here."""

from __future__ import annotations

import logging
import time
from dataclasses import asdict

from flask import Blueprint, Flask, Response, g, jsonify, request

from highlighter.access import get_visible_collections
from highlighter.errors import Forbidden
from highlighter.locale import N_, gettext
from highlighter.monitoring.metrics import REQUEST_SECONDS, REQUESTS, format_metrics
from highlighter.monitoring.tracer import tracer
from highlighter.service_state import DOWN, ServiceStateCollector, is_ready, list_parts
from highlighter.web.application import current_services

monitoring = Blueprint("monitoring", __name__)
log = logging.getLogger("highlighter.requests")

METRICS_MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"
NO_ROUTE = "none"  # of a URL that does not exist: a label for each would grow without end
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


@monitoring.get("/healthz")
def health() -> Response:
    """Tell a monitor that the process lives."""
    return Response("well\n", mimetype="text/plain")


@monitoring.get("/readyz")
def ready() -> Response:
    """Tell a monitor whether requests can be answered, and why not; with `Accept: application/json` by part."""
    parts = list_parts(current_services())
    status = 200 if is_ready(parts) else 503
    if request.accept_mimetypes.best_match(("text/plain", "application/json")) == "application/json":
        response = jsonify(
            ready=status == 200, parts=[{**asdict(part), "detail": gettext(part.detail)} for part in parts]
        )
        response.status_code = status
        return response
    sentences = [gettext(part.detail) for part in parts if part.status == DOWN] or ["ready"]
    return Response("\n".join(sentences) + "\n", status, mimetype="text/plain")


@monitoring.get("/metrics")
def metrics() -> Response:
    """Print the measurements for Prometheus, for keys with the scope `admin`, as they count all collections."""
    if get_visible_collections().names is not None:
        raise Forbidden(N_("This key cannot do that: it needs access to all collections."))
    services = current_services()
    text = format_metrics(ServiceStateCollector(services), services.settings.metrics_folder)
    return Response(text, content_type=METRICS_MEDIA_TYPE)


def measure_requests(app: Flask) -> None:
    """Count each request, log it at the level "info", and trace it."""
    app.before_request(_begin_measurement)
    app.after_request(_end_measurement)


def _begin_measurement() -> None:
    g.began = time.perf_counter()
    g.request_span = tracer.span("request", method=_get_method(), route=_get_route())
    g.request_results = g.request_span.__enter__()


def _end_measurement(response: Response) -> Response:
    """Measure a request up to its response; the parts of a stream are traced below its span, and may end after it."""
    seconds = time.perf_counter() - g.began
    method, route, status = _get_method(), _get_route(), response.status_code
    REQUESTS.labels(route, method, status).inc()
    REQUEST_SECONDS.labels(route).observe(seconds)
    g.request_results["http.response.status_code"] = status
    g.request_span.__exit__(None, None, None)
    ms = round(seconds * 1000)
    fields = {"method": method, "route": route, "status": status, "ms": ms}
    log.info("%s %s %d in %d ms", method, route, status, ms, extra=fields)
    return response


def _get_route() -> str:
    """Return the pattern of the URL, which holds neither ids nor tokens."""
    return request.url_rule.rule if request.url_rule else NO_ROUTE


def _get_method() -> str:
    return request.method if request.method in METHODS else "other"
