"""One stylesheet, and the two it is made of: a host that is dark shows a dark viewer, whatever the reader's system prefers."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

THEMES = ("light", "dark")
_ASKED = "(prefers-color-scheme: dark)"
_ANSWERED = {"dark": "(min-width: 0)", "light": "(max-width: 0)"}  # always, and never
_SCHEME = "color-scheme: light dark;"


def in_theme(static_folder: str, theme: str) -> str:
    path = Path(static_folder) / "highlighter.css"
    return _made(path, path.stat().st_mtime_ns, theme)


@lru_cache(maxsize=4)
def _made(path: Path, _changed: int, theme: str) -> str:
    style = path.read_text(encoding="utf-8")
    return style.replace(_ASKED, _ANSWERED[theme]).replace(_SCHEME, f"color-scheme: {theme};")
