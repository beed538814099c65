"""The routes of a Flask application whose pages show citations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from highlighter.adapters import require_package
from highlighter.adapters.citation_forwarder import Answer, CitationForwarder, Permit

with require_package("flask"):
    from flask import Blueprint, Response, jsonify, request


def citation_routes(
    url: str, key: str = "", *, origins: Sequence[str] = (), permit: Permit | None = None, **link_options: Any
) -> Blueprint:
    """Return a blueprint with POST /resolve and POST /link, which ask the service at `url` with the key.

    Only pages of `origins` can show the links. `permit(wanted)` says whether the reader of this request may open what
    `wanted` names; a quote alone is located in all documents. `link_options` are `scope`, `may` and `expires_in`.

    >>> routes = citation_routes("http://127.0.0.1:8000", "hk_...", origins=["http://localhost:5500"])
    >>> app.register_blueprint(routes, url_prefix="/citations")                                # doctest: +SKIP
    """
    forwarder = CitationForwarder(url, key, origins, permit, link_options)
    routes = Blueprint("highlighter_citations", __name__)

    @routes.post("/resolve")
    def resolve() -> Response:
        return _respond(forwarder.resolve)

    @routes.post("/link")
    def link() -> Response:
        return _respond(forwarder.link)

    return routes


def _respond(forward: Callable[[str, bytes], Answer]) -> Response:
    status, answer = forward(request.content_type or "", request.get_data())
    response = jsonify(answer)
    response.status_code = status
    response.headers["Cache-Control"] = "no-store"
    return response
