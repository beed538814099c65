"""Scripts, styles and images of the pages, below a path that changes with any of them.

So a browser never asks again for a file that it has, and a script imports others of the same version.
`/static/embed.js`, which other sites' pages load, keeps its URL.
"""

from __future__ import annotations

import hashlib
import time
from functools import lru_cache
from pathlib import Path
from typing import cast

from flask import Blueprint, Response, current_app, g, request

from highlighter.locale.language_negotiation import ENVIRON_ROOT

assets = Blueprint("assets", __name__)

ASSET_ENDPOINTS = ("static", "assets.file")  # both serve the same files
IMMUTABLE_CACHE_CONTROL = "public, max-age=31536000, immutable"


def build_asset_url(filename: str) -> str:
    """Return the URL of a file, which is the same in every language."""
    return (
        f"{request.environ.get(ENVIRON_ROOT, '')}{current_app.static_url_path}/~{compute_assets_version()}/{filename}"
    )


@assets.get("/static/~<version>/<path:filename>")
def file(version: str, filename: str) -> Response:
    response = current_app.send_static_file(filename)
    if version == compute_assets_version():  # a page from before an update names another version
        response.headers["Cache-Control"] = IMMUTABLE_CACHE_CONTROL
    return response


def compute_assets_version() -> str:
    """Return a hash of all files. They are looked at once a second, so that an edited script is used with the next page."""
    if "assets" not in g:  # a page names one version, even where a second begins while it is made
        g.assets = _look_at_files(Path(str(current_app.static_folder)), int(time.monotonic()))
    return cast(str, g.assets)


@lru_cache(maxsize=1)
def _look_at_files(folder: Path, second: int) -> str:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return _hash_files(tuple((path, path.stat().st_mtime_ns) for path in files))


@lru_cache(maxsize=2)
def _hash_files(files: tuple[tuple[Path, int], ...]) -> str:
    contents = b"".join(path.name.encode() + b"\0" + path.read_bytes() for path, _ in files)
    return hashlib.sha256(contents).hexdigest()[:12]
