"""The stylesheet in a fixed theme: on a dark host page the viewer is dark, whatever the reader's system prefers."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

THEMES = ("light", "dark")
_DARK_MEDIA_QUERY = "(prefers-color-scheme: dark)"
_FIXED_MEDIA_QUERIES = {"dark": "(min-width: 0)", "light": "(max-width: 0)"}  # always true, and never
_COLOR_SCHEME = "color-scheme: light dark;"


def build_themed_stylesheet(static_folder: str, theme: str) -> str:
    """Return the stylesheet of the site as it is in one of THEMES."""
    path = Path(static_folder) / "highlighter.css"
    return _build_stylesheet(path, path.stat().st_mtime_ns, theme)


@lru_cache(maxsize=4)
def _build_stylesheet(path: Path, _modified_ns: int, theme: str) -> str:
    style = path.read_text(encoding="utf-8")
    return style.replace(_DARK_MEDIA_QUERY, _FIXED_MEDIA_QUERIES[theme]).replace(
        _COLOR_SCHEME, f"color-scheme: {theme};"
    )
