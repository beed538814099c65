"""A reply that its stream cuts anywhere, within a character too."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from highlighter.characters import whole_characters
from highlighter.generation.talking.calls import Part

_FIRST_HALF = re.compile("[\ud800-\udbff]\\Z")


def joined(parts: Iterator[Part]) -> Iterator[Part]:
    """The same, but that a first half waits for the piece that follows."""
    waiting = ""
    for part in parts:
        text = waiting + part.text
        waiting = text[-1:] if _FIRST_HALF.search(text) else ""
        yield replace(part, text=whole_characters(text.removesuffix(waiting)))
    if waiting:
        yield Part(whole_characters(waiting))
