"""References in a text that is still being written, each told as soon as it cannot be read otherwise any more.

A bracket is told with the character that follows it: "[1]" may yet become the link "[1](...)". While one is open its text
is held back, so that nobody sees half a mark; at most some hundred characters, so that one which is never closed holds
up nothing for long. Where the text is cut into pieces changes nothing but the pieces.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from highlighter.citations.marks import Mark, Scanner
from highlighter.citations.resolve import Resolver
from highlighter.models import Resolved, Source, Unresolved


@dataclass(frozen=True, slots=True)
class Told:
    """A run of the text, unchanged; when it is a mark, what it means, by offsets of the whole text."""

    text: str
    citations: tuple[Resolved, ...] = ()
    unresolved: tuple[Unresolved, ...] = ()


class StreamedReferences:
    """`feed` it pieces, and `finish`; joined, the texts of what it tells are what it was fed.

    A number means its place in the list of sources: what a text says of its own footnotes ("[^1]: ...") comes after them,
    and only `resolve` on the whole text can heed it.
    """

    def __init__(self, sources: Sequence[Source], retrieved: bool = True):
        self._scanner = Scanner()
        self._resolver = Resolver(sources, retrieved)

    def feed(self, piece: str) -> list[Told]:
        return self._told(self._scanner.feed(piece))

    def finish(self) -> list[Told]:
        return self._told(self._scanner.finish())

    def _told(self, found: Iterable[str | Mark]) -> list[Told]:
        return [Told(one) if isinstance(one, str) else self._marked(one) for one in found]

    def _marked(self, mark: Mark) -> Told:
        outcomes = self._resolver.mark(mark)
        citations = tuple(one for one in outcomes if isinstance(one, Resolved))
        return Told(mark.text, citations, tuple(one for one in outcomes if isinstance(one, Unresolved)))
