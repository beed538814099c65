"""Half a character, of which no text is made: an emoji cut in two by a stream, or an escape in JSON that is none."""

from __future__ import annotations

import re

_HALF = re.compile("[\ud800-\udfff]")


def whole_characters(text: str) -> str:
    """Halves that belong together as one; any other as the sign for what cannot be read: it can be neither sent nor shown."""
    if not _HALF.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
