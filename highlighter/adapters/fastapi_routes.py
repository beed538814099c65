"""The routes of a FastAPI application whose pages show citations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from highlighter.adapters import require_package
from highlighter.adapters.citation_forwarder import Answer, CitationForwarder, Permit

with require_package("fastapi"):
    from fastapi import APIRouter
    from fastapi.responses import JSONResponse


def citation_routes(
    url: str, key: str = "", *, origins: Sequence[str] = (), permit: Permit | None = None, **link_options: Any
) -> APIRouter:
    """Return a router with POST /resolve and POST /link, which ask the service at `url` with the key.

    Only pages of `origins` can show the links. `permit(wanted)` says whether what `wanted` names may be opened; who the
    reader is, a dependency of `include_router` can check. `link_options` are `scope`, `may` and `expires_in`.

    >>> routes = citation_routes("http://127.0.0.1:8000", "hk_...", origins=["http://localhost:5500"])
    >>> app.include_router(routes, prefix="/citations")                                        # doctest: +SKIP
    """
    forwarder = CitationForwarder(url, key, origins, permit, link_options)
    routes = APIRouter()

    @routes.post("/resolve")
    def resolve(body: dict[str, Any]) -> JSONResponse:
        return _respond(forwarder.resolve(body))

    @routes.post("/link")
    def link(body: dict[str, Any]) -> JSONResponse:
        return _respond(forwarder.link(body))

    return routes


def _respond(answer: Answer) -> JSONResponse:
    status, body = answer
    return JSONResponse(body, status, headers={"Cache-Control": "no-store"})
