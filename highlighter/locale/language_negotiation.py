"""The language of a response: the one that its URL names, else the browser's preference, else English.

A URL names a language by `?lang=` or by its first segment (`/zh-Hant/documents`). The segment keeps the choice in the
site's own links, forms and frames without a cookie: it becomes part of where the application is mounted.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

from highlighter.locale import ENGLISH, LANGUAGES

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

ENVIRON_LANGUAGE, ENVIRON_ROOT = "highlighter.text.language", "highlighter.root"  # keys of the WSGI environment
_TRADITIONAL_SUBTAGS = {"hant", "tw", "hk", "mo"}


def negotiate_language(requested: str, accepted: Iterable[str]) -> str:
    """Return the language of a response; `accepted` are language tags, the preferred first."""
    return next(filter(None, map(match_language, (requested, *accepted))), ENGLISH)


def match_language(tag: str) -> str:
    """Return the supported language nearest to a browser's language tag, or ""."""
    parts = tag.lower().replace("_", "-").split("-")
    if parts[0] == "zh":
        return "zh-Hant" if "hans" not in parts and _TRADITIONAL_SUBTAGS & set(parts) else "zh-Hans"
    return ENGLISH if parts[0] == ENGLISH else ""


def split_language_prefix(path: str) -> tuple[str, str]:
    """Return the language that a path begins with, or "", and the path without it."""
    first, _, rest = path.removeprefix("/").partition("/")
    return (first, f"/{rest}") if first in LANGUAGES else ("", path)


class LanguageMiddleware:
    """WSGI middleware that moves the language from the path to the mount point of the application."""

    def __init__(self, app: WSGIApplication) -> None:
        self.app = app

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        root, path = environ.get("SCRIPT_NAME", ""), environ.get("PATH_INFO", "")
        first, environ["PATH_INFO"] = split_language_prefix(path)
        language = match_language(parse_qs(environ.get("QUERY_STRING", "")).get("lang", [""])[-1]) or first
        environ[ENVIRON_ROOT], environ[ENVIRON_LANGUAGE] = root, language
        environ["SCRIPT_NAME"] = f"{root}/{language}" if language else root
        return self.app(environ, start_response)
