"""Scripts, styles and pictures of the pages, in a folder whose name changes with any of them.

So a browser that has one never asks for it again, and what one script imports comes from the same folder as itself.
`/static/embed.js`, which other people's pages name, keeps its address.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path

from flask import Blueprint, Response, current_app, g, request

from highlighter.locale.choosing import ROOT

assets = Blueprint("assets", __name__)

ENDPOINTS = ("static", "assets.file")  # of the same files
FOR_GOOD = "public, max-age=31536000, immutable"


def asset(filename: str) -> str:
    """Its address; the same in every language."""
    return f"{request.environ.get(ROOT, '')}{current_app.static_url_path}/~{version()}/{filename}"


@assets.get("/static/~<known_as>/<path:filename>")
def file(known_as: str, filename: str) -> Response:
    answer = current_app.send_static_file(filename)
    if known_as == version():  # not for a page that was made before the service was renewed
        answer.headers["Cache-Control"] = FOR_GOOD
    return answer


def version() -> str:
    """Looked at anew for each page: a script that is edited is a script that is used."""
    if "assets" not in g:
        files = sorted(path for path in Path(current_app.static_folder).rglob("*") if path.is_file())
        g.assets = _digest(tuple((path, path.stat().st_mtime_ns) for path in files))
    return g.assets


@lru_cache(maxsize=2)
def _digest(files: tuple[tuple[Path, int], ...]) -> str:
    every = b"".join(path.name.encode() + b"\0" + path.read_bytes() for path, _ in files)
    return hashlib.sha256(every).hexdigest()[:12]
