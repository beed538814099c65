"""Characters of which a provider sends half: an emoji cut in two by a stream, or an escape in JSON that is none."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from highlighter.generation.talking.calls import Part

_HALF = re.compile("[\ud800-\udfff]")
_FIRST_HALF = re.compile("[\ud800-\udbff]\\Z")


def whole_characters(text: str) -> str:
    """Halves that belong together as one; any other as the sign for what cannot be read: it can be neither sent nor shown."""
    if not _HALF.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def joined(parts: Iterator[Part]) -> Iterator[Part]:
    """The same of a stream: a first half waits for the piece that follows."""
    waiting = ""
    for part in parts:
        text = waiting + part.text
        waiting = text[-1:] if _FIRST_HALF.search(text) else ""
        yield replace(part, text=whole_characters(text.removesuffix(waiting)))
    if waiting:
        yield Part(whole_characters(waiting))
