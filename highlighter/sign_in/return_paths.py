"""The pages that people wanted before they signed in: paths of this service alone, so that no link leads through it to another site."""

from __future__ import annotations

import re

MAX_PATH_CHARACTERS = 1_500  # it is stored in a cookie
# Browsers take a backslash for a slash, drop control characters, and resolve "%2e%2e" like "..".
_UNSAFE = re.compile(r"[\\\x00-\x20\x7f]|//")
_DOT_SEGMENT = re.compile(r"/(?:\.|%2e){1,2}(?=/|$)", re.IGNORECASE)


def choose_return_path(wanted: str, root: str) -> str:
    """Return the wanted path with its query if it is below the root of this service, else the service's first page."""
    start = f"{root}/"
    path = wanted.partition("?")[0]
    is_own = wanted.startswith(start) and len(wanted) <= MAX_PATH_CHARACTERS and wanted.isascii()
    is_plain = not (_UNSAFE.search(path) or _DOT_SEGMENT.search(path)) and wanted.isprintable() and " " not in wanted
    return wanted if is_own and is_plain else start
