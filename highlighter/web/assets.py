"""Scripts, styles and pictures of the pages, in a folder whose name changes with any of them.

So a browser that has one never asks for it again, and what one script imports comes from the same folder as itself.
`/static/embed.js`, which other people's pages name, keeps its address.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path

from flask import Blueprint, Response, current_app, g, request

from highlighter.locale.language_negotiation import ENVIRON_ROOT

assets = Blueprint("assets", __name__)

ASSET_ENDPOINTS = ("static", "assets.file")  # of the same files
IMMUTABLE_CACHE_CONTROL = "public, max-age=31536000, immutable"


def build_asset_url(filename: str) -> str:
    """Its address; the same in every language."""
    return (
        f"{request.environ.get(ENVIRON_ROOT, '')}{current_app.static_url_path}/~{compute_assets_version()}/{filename}"
    )


@assets.get("/static/~<known_as>/<path:filename>")
def file(known_as: str, filename: str) -> Response:
    answer = current_app.send_static_file(filename)
    if known_as == compute_assets_version():  # not for a page that was made before the service was renewed
        answer.headers["Cache-Control"] = IMMUTABLE_CACHE_CONTROL
    return answer


def compute_assets_version() -> str:
    """Looked at anew for each page: a script that is edited is a script that is used."""
    if "assets" not in g:
        files = sorted(path for path in Path(current_app.static_folder).rglob("*") if path.is_file())
        g.assets = _hash_files(tuple((path, path.stat().st_mtime_ns) for path in files))
    return g.assets


@lru_cache(maxsize=2)
def _hash_files(files: tuple[tuple[Path, int], ...]) -> str:
    every = b"".join(path.name.encode() + b"\0" + path.read_bytes() for path, _ in files)
    return hashlib.sha256(every).hexdigest()[:12]
