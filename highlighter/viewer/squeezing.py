"""Scripts and styles sent in a quarter of their bytes. Pages are not: what is secret in them could be guessed by their size."""

from __future__ import annotations

import gzip
from functools import lru_cache
from pathlib import Path

from flask import Response, current_app, request

from highlighter.viewer.assets import ENDPOINTS

KINDS = ("text/css", "text/javascript", "application/javascript", "image/svg+xml")
LEAST = 600  # bytes


def squeeze(response: Response) -> Response:
    """For static files that are sent whole, to whoever understands it."""
    if request.endpoint not in ENDPOINTS or response.mimetype not in KINDS:
        return response
    response.vary.add("Accept-Encoding")
    if response.status_code != 200 or not _wanted() or (response.content_length or 0) < LEAST:
        return response
    path = Path(current_app.static_folder, request.view_args["filename"])
    response.response.close()
    response.direct_passthrough = False
    return _with(response, _of_file(path, path.stat().st_mtime_ns))


def squeezed(response: Response) -> Response:
    """The same for what we have made."""
    response.vary.add("Accept-Encoding")
    return _with(response, _of_bytes(response.get_data())) if _wanted() else response


def _wanted() -> bool:
    return request.method == "GET" and "Range" not in request.headers and "gzip" in request.accept_encodings


def _with(response: Response, data: bytes) -> Response:
    response.set_data(data)
    response.headers["Content-Encoding"] = "gzip"
    response.set_etag(response.get_etag()[0], weak=True)  # the same, in other bytes
    return response


@lru_cache(maxsize=64)
def _of_file(path: Path, _changed: int) -> bytes:
    return gzip.compress(path.read_bytes(), 9, mtime=0)


@lru_cache(maxsize=4)
def _of_bytes(data: bytes) -> bytes:
    return gzip.compress(data, 9, mtime=0)
