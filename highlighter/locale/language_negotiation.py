"""Which language an answer is in: what its address asks for, else what the browser prefers, else English.

An address asks by `?lang=`, or by its first part (`/zh-Hant/documents`). The second is how a choice is kept along the
site's own links, forms and frames without a cookie: the language becomes part of where the application is mounted.
"""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import parse_qs

from highlighter.locale import ENGLISH, LANGUAGES

ENVIRON_LANGUAGE, ENVIRON_ROOT = "highlighter.text.language", "highlighter.root"  # in the environment of a request
_TRADITIONAL_SUBTAGS = {"hant", "tw", "hk", "mo"}


def negotiate_language(requested: str, accepted: Iterable[str]) -> str:
    """`accepted` are language tags, the best first."""
    return next(filter(None, map(match_language, (requested, *accepted))), ENGLISH)


def match_language(tag: str) -> str:
    """Ours that comes nearest to a tag as browsers write it, or nothing."""
    parts = tag.lower().replace("_", "-").split("-")
    if parts[0] == "zh":
        return "zh-Hant" if "hans" not in parts and _TRADITIONAL_SUBTAGS & set(parts) else "zh-Hans"
    return ENGLISH if parts[0] == ENGLISH else ""


def split_language_prefix(path: str) -> tuple[str, str]:
    """The language that a path begins with, or nothing; and where it leads in any."""
    first, _, rest = path.removeprefix("/").partition("/")
    return (first, f"/{rest}") if first in LANGUAGES else ("", path)


class LanguageMiddleware:
    """Takes the language out of the address, and mounts the application below it."""

    def __init__(self, app):
        self.app = app

    def __call__(self, environ, start_response):
        root, path = environ.get("SCRIPT_NAME", ""), environ.get("PATH_INFO", "")
        first, environ["PATH_INFO"] = split_language_prefix(path)
        language = match_language(parse_qs(environ.get("QUERY_STRING", "")).get("lang", [""])[-1]) or first
        environ[ENVIRON_ROOT], environ[ENVIRON_LANGUAGE] = root, language
        environ["SCRIPT_NAME"] = f"{root}/{language}" if language else root
        return self.app(environ, start_response)
