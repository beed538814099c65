"""What one label says: "NEC4 ACC, p.3; 2, clause 15.1" as References. Its many spellings, and no knowledge of sources.

A label is cut at `;` and `|`, then at commas and "and". Pieces of a name that follow on each other are one name ("Leave,
Sickness and Pay"), places go with the name or number before them, and a name or number after a place begins anew.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

from highlighter.citations import locators
from highlighter.citations.numerals import number
from highlighter.citations.pieces import STRONG, WEAK, Piece, cut, piece
from highlighter.citations.shapes import DOUBLE, ROUND, TAG, TITLE, WORDS, Mark
from highlighter.folding import fold

MOST_PIECES = 40  # with more commas it is a list of something else
_YEAR = re.compile(r"(?:19|20)\d\d[a-z]?")
_ATTRIBUTE = re.compile(r"""([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")
_OF_NAMES = (
    "source",
    "src",
    "file",
    "filename",
    "doc",
    "document",
    "name",
    "title",
    "id",
    "data-id",
    "ref",
    "doc_id",
    "docid",
)


@dataclass(frozen=True, slots=True)
class Reference:
    """One source that a label means, and the place in it. `[start, end)` is its own part of what the label says."""

    start: int
    end: int
    names: tuple[str, ...] = ()  # readings of one name, from the whole to the least
    number: int | None = None  # in the list of sources, from 1; 0: none that can be
    page: str = ""  # as written: "3", "3-5", "iv"
    loose: str = ""  # a page or a chunk, it does not say which: "A:3"
    chunk: int | None = None
    clause: str = ""
    quote: str = ""
    sure: bool = False  # it cannot be an editor's insertion
    unclear: bool = False  # "[1, p. 3, 5]": the fifth page, or the fifth source
    parts: tuple[Reference, ...] = ()  # the other reading of a name with commas: several names


def references(mark: Mark) -> list[Reference]:
    """What a mark says, in its order; offsets are those of `mark.said`."""
    said = mark.said
    special = (_attributes(said) if mark.shape == TAG else None) or _dagger(said)
    if special is not None:
        return [special]
    pieces = list(islice(_pieces(said), MOST_PIECES + 1))
    if len(pieces) > MOST_PIECES:
        return []
    found = _Joining(said, pieces).references()
    if mark.shape in (DOUBLE, WORDS, ROUND, TITLE):
        return [replace(one, sure=not mark.loose) for one in found]
    return found


def _pieces(said: str) -> Iterator[Piece]:
    for start, end in cut(said, STRONG, 0, len(said)):
        first = True
        for at, to in cut(said, WEAK, start, end):
            made = piece(said, at, to)
            if made:
                made.first, first = first, False
                yield made


def _dagger(said: str) -> Reference | None:
    """What follows the dagger is a name, unless it is one of the words that always stand there."""
    found = locators.DAGGER.fullmatch(fold(said))
    if found is None:
        return None
    if locators.DAGGER_WORD.fullmatch(found["rest"]):
        return Reference(0, len(said), number=0 if found["inner"] else int(found["number"]), sure=True)
    return Reference(0, len(said), (said[slice(*found.span("rest"))],), sure=True)


def _attributes(said: str) -> Reference | None:
    values = {key.lower(): a or b or c for key, a, b, c in _ATTRIBUTE.findall(said)}
    name = next((values[key] for key in _OF_NAMES if values.get(key)), "")
    page = next((value for key, value in values.items() if key.startswith("page")), "")
    chunk = next((number(value) for key, value in values.items() if key.startswith("chunk")), None)
    if not (name or page):
        return None
    which = number(name) if name.isdigit() else None
    return Reference(0, len(said), (name,) if name else (), which, fold(page), "", chunk, sure=True)


class _Joining:
    """Puts pieces together to references, from left to right; `_open` is the one that may still get places."""

    def __init__(self, said: str, pieces: list[Piece]):
        self.said = said
        self.pieces = pieces
        self._open: Piece | None = None
        self._parts: list[Piece] = []  # those that the open name was joined of
        self._done: list[Reference] = []

    def references(self) -> list[Reference]:
        for at, one in enumerate(self.pieces):
            self._take(one, self.pieces[at + 1] if at + 1 < len(self.pieces) else None)
        self._close()
        return self._done

    def _take(self, one: Piece, following: Piece | None) -> None:
        last = self._open
        if last is None or (one.first and (one.names or one.numbers) and (last.names or last.numbers)):
            self._close()
            self._begin(one)
        elif one.numbers:
            self._number(last, one, following)
        elif one.names:
            self._name(last, one)
        elif last.pages and one.pages:  # "A, p. 3, p. 7": two places of one document
            self._close()
            self._begin(Piece(one.start, one.end, last.names, last.numbers, sure=True))
            self._open.add(one)
        else:
            last.add(one)

    def _begin(self, one: Piece) -> None:
        self._open, self._parts = one, [one]

    def _number(self, last: Piece, one: Piece, following: Piece | None) -> None:
        """A number after a name is a page of it; after a page, another page; after a number, another source."""
        bare = not one.sure and not one.placed and len(one.names) == 1
        leads = following is not None and following.placed and not following.names
        written = self.said[one.start : one.end]
        if bare and last.names and not last.numbers and not last.placed:
            if _YEAR.fullmatch(written):
                self._grow(last, one)
            else:
                last.add(Piece(one.start, one.end, loose=fold(written)))
        elif bare and last.names and not last.numbers and last.pages:
            self._close()
            self._begin(Piece(one.start, one.end, last.names, pages=[fold(written)], sure=True))
        else:
            unclear = bare and last.placed and not leads
            self._close()
            self._begin(one)
            if unclear:
                self._close(unclear=True)

    def _name(self, last: Piece, one: Piece) -> None:
        if last.names and not last.numbers and not last.placed:
            self._grow(last, one)
        elif not last.names and not last.numbers:  # "p. 3, NEC4 ACC"
            one.add(last)
            self._begin(one)
        else:
            self._close()
            self._begin(one)

    def _grow(self, last: Piece, more: Piece) -> None:
        """One name with a comma in it; what stood between the pieces is part of it."""
        between = self.said[last.start : more.start]
        parts = [*self._parts, more]
        joined = Piece(last.start, more.end, [between + name for name in more.names], quote=last.quote)
        joined.add(more)
        if last.sure:
            joined.sure = True
        self._open, self._parts = joined, parts

    def _close(self, unclear: bool = False) -> None:
        if self._open is None:
            return
        parts = tuple(made for part in self._parts for made in _made(part)) if len(self._parts) > 1 else ()
        self._done += [replace(made, unclear=unclear, parts=parts) for made in _made(self._open)]
        self._open, self._parts = None, []


def _made(one: Piece) -> list[Reference]:
    sure = one.sure or bool(one.numbers) or bool(one.clause and one.names)
    return [
        Reference(
            one.start, one.end, tuple(one.names), value, page, one.loose, one.chunk, one.clause, one.quote, sure
        )
        for value in one.numbers or (None,)
        for page in one.pages or ("",)
    ]  # fmt: skip
