"""The routes of a FastAPI application whose pages show citations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from highlighter.adapters import require_package
from highlighter.adapters.citation_forwarder import Answer, CitationForwarder, Permit

with require_package("fastapi"):
    from fastapi import APIRouter, Request
    from fastapi.concurrency import run_in_threadpool
    from fastapi.responses import JSONResponse

# The routes read the body themselves: FastAPI would refuse one with its own errors, which readers do not understand.
_JSON_OBJECT = {"requestBody": {"required": True, "content": {"application/json": {"schema": {"type": "object"}}}}}


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

    @routes.post("/resolve", openapi_extra=_JSON_OBJECT)
    async def resolve(request: Request) -> JSONResponse:
        return await _respond(forwarder.resolve, request)

    @routes.post("/link", openapi_extra=_JSON_OBJECT)
    async def link(request: Request) -> JSONResponse:
        return await _respond(forwarder.link, request)

    return routes


async def _respond(forward: Callable[[str, bytes], Answer], request: Request) -> JSONResponse:
    media_type, content = request.headers.get("content-type", ""), await request.body()
    status, body = await run_in_threadpool(forward, media_type, content)  # `permit` and the service may take their time
    return JSONResponse(body, status, headers={"Cache-Control": "no-store"})
