"""A citation made long ago, opened again: in the bytes it was made of, in what they became, or wherever its words stand."""

from __future__ import annotations

from dataclasses import dataclass, replace

from highlighter.access import Visible
from highlighter.citations.anchors import GONE, MOVED, SAME, Again, Anchor, find_again
from highlighter.citations.normal import normal
from highlighter.citations.quotes import EXACT, NORMALISED, trimmed
from highlighter.errors import BadRequest, NotFound
from highlighter.locale import N_
from highlighter.models import Document, Located, Place
from highlighter.search.locate import Locator
from highlighter.store import places


@dataclass(frozen=True, slots=True)
class Later:
    """A span of a document, and what became of it in the version that took the document's place."""

    outcome: str
    before: Place
    after: Place | None
    again: Again

    @property
    def says(self) -> str:
        """For people."""
        name = f"version {self.after.document.version}" if self.after else "the current version"
        match self.outcome:
            case "same":
                return f"It stands unchanged in {name}, page {self.after.page}."
            case "moved":
                return f"It stands unchanged in {name}, moved from page {self.before.page} to page {self.after.page}."
            case "changed":
                return f"It was changed in {name}, page {self.after.page}."
        return "It is gone from the current version."


class Reopener:
    def __init__(self, locator: Locator):
        self.locator = locator
        self.catalog = locator.catalog

    def anchor(self, document: Document, start: int, end: int) -> tuple[Anchor, Place]:
        """A span as it can be cited."""
        text = self._text(document)
        check_span(start, end, len(text.text))
        place = Place(document, start, end, text.text[start:end], EXACT, 1.0)
        return Anchor.of(text.text, start, end), self.locator.placed(place)

    def later(self, document: Document, start: int, end: int, other: Document | None = None) -> Later:
        """What became of a span in the current version, or in another document."""
        anchor, before = self.anchor(document, start, end)
        other = other or self.catalog.newer(document) or document
        if other.id == document.id:
            return Later(SAME, before, before, Again(SAME, start, end))
        again = find_again(anchor, self._text(other))
        if again.outcome == GONE:
            return Later(GONE, before, None, again)
        said = self._text(other).text[again.start : again.end]
        after = self.locator.placed(Place(other, again.start, again.end, said, EXACT, 1.0, differs=again.differs))
        outcome = MOVED if again.outcome == SAME and after.page != before.page else again.outcome
        return Later(outcome, before, after, again)

    def open(self, sha256: str, start: int, end: int, quote: str, visible: Visible, **hints) -> Located:
        """By the document's bytes first, and there by the place, if it still says so; else by the words alone.

        Raises NotFound when the document is not here and there are no words to look for.
        """
        known = places.of_bytes(self.catalog.engine, sha256, visible) if sha256 else []
        document = self.catalog.document(known[0], visible) if known else None
        if document is not None and (found := self._at(document, start, end, quote)):
            return found
        if not quote:
            raise NotFound("The document that this link was made for is not here, and the link holds no words of it.")
        if document is not None:
            return self.locator.locate(quote, document, visible, **hints)
        found = self.locator.locate(quote, None, visible, **hints)
        note = N_("The document that this link was made for is not here; its words were looked for in all others.")
        return replace(found, notes=(*found.notes, note)) if sha256 else found

    def _at(self, document: Document, start: int, end: int, quote: str) -> Located | None:
        """Every rung is checked against the quote: a place that says something else is not the place."""
        text = self._text(document)
        if not 0 <= start < end <= len(text.text):
            return None
        said = text.text[start:end]
        wanted = normal(trimmed(quote)).text
        if wanted and not normal(said).text.startswith(wanted):
            return None
        tier = EXACT if not quote or quote in said else NORMALISED
        return self.locator.told(quote or said, Place(document, start, end, said, tier, 1.0))

    def _text(self, document: Document):
        text = self.locator.texts.words(document)
        if text is None:
            raise NotFound(f"{document.name} was removed in this moment.")
        return text


def check_span(start: int, end: int, length: int) -> None:
    """Raises a BadRequest that says what is wrong with a span of a text of this length."""
    if end <= start:
        raise BadRequest(f"The span {start} to {end} is empty or ends before it begins.")
    if end > length:
        raise BadRequest(
            f"The span {start} to {end} lies outside: the text has {length:,} characters (code points, not UTF-16 units)."
        )
