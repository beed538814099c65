"""What a link to a highlight shows where it is pasted: a title, and the sentence it leads to."""

from __future__ import annotations

from collections.abc import Sequence

from highlighter.models import Chunk
from highlighter.viewer.render import Lit

LONGEST = 300  # characters; more is cut off wherever links are shown


def passage(chunk: Chunk, lit: Sequence[Lit]) -> str:
    """The sentence that a link is for, or the surest of those lit; how the part begins, where none is."""
    chosen = max(lit, key=lambda one: (one[2].current, one[2].score), default=None)
    start, end = (chosen[0], chosen[1]) if chosen else (chunk.start, chunk.end)
    words = " ".join(chunk.text[start - chunk.start : end - chunk.start].split())
    return words if len(words) <= LONGEST else words[: LONGEST - 2].rpartition(" ")[0] + " …"
