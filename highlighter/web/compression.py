"""The compression of scripts and styles. Pages are not compressed: their secrets could be guessed from their size.

WhiteNoise is not used: it serves compressed files only where a build step has written them beside the originals, fixes
URLs and contents at the start (here an edited file gets a new URL at once), and would not compress the themed
stylesheets, which are made here.
"""

from __future__ import annotations

import gzip
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

from flask import Response, current_app, request

from highlighter.web.assets import ASSET_ENDPOINTS

COMPRESSIBLE_MEDIA_TYPES = ("text/css", "text/javascript", "application/javascript", "image/svg+xml")
MIN_BYTES_TO_COMPRESS = 600


def compress_asset(response: Response) -> Response:
    """Compress the response with a whole static file, where the client accepts gzip."""
    if request.endpoint not in ASSET_ENDPOINTS or response.mimetype not in COMPRESSIBLE_MEDIA_TYPES:
        return response
    response.vary.add("Accept-Encoding")
    if response.status_code != 200 or not _is_gzip_accepted() or (response.content_length or 0) < MIN_BYTES_TO_COMPRESS:
        return response
    path = Path(str(current_app.static_folder), (request.view_args or {})["filename"])
    cast(Any, response.response).close()  # the file that would be sent
    response.direct_passthrough = False
    return _set_compressed_body(response, _gzip_file(path, path.stat().st_mtime_ns))


def compress_response(response: Response) -> Response:
    """Compress a response whose body was made here, where the client accepts gzip."""
    response.vary.add("Accept-Encoding")
    return _set_compressed_body(response, _gzip_bytes(response.get_data())) if _is_gzip_accepted() else response


def _is_gzip_accepted() -> bool:
    return request.method == "GET" and "Range" not in request.headers and request.accept_encodings.find("gzip") >= 0


def _set_compressed_body(response: Response, data: bytes) -> Response:
    response.set_data(data)
    response.headers["Content-Encoding"] = "gzip"
    response.set_etag(response.get_etag()[0] or "", weak=True)  # weak: the same content in other bytes
    return response


@lru_cache(maxsize=64)
def _gzip_file(path: Path, _modified_ns: int) -> bytes:
    return gzip.compress(path.read_bytes(), 9, mtime=0)


@lru_cache(maxsize=4)
def _gzip_bytes(data: bytes) -> bytes:
    return gzip.compress(data, 9, mtime=0)
