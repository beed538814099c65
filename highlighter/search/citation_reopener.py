"""A citation made long ago, opened again: in the bytes it was made of, in what they became, or wherever its words stand."""

from __future__ import annotations

from dataclasses import dataclass, replace

from highlighter.access import VisibleCollections
from highlighter.errors import BadRequest, NotFound
from highlighter.locale import N_
from highlighter.models import Document, DocumentQuoteMatch, QuoteLocation
from highlighter.quotes.anchors import GONE, MOVED, SAME, Anchor, Relocation, relocate_anchor
from highlighter.quotes.matcher import EXACT, NORMALISED, trim_quote
from highlighter.quotes.normal_form import normalise_text
from highlighter.search.quote_locator import QuoteLocator
from highlighter.store import sentence_rows


@dataclass(frozen=True, slots=True)
class SpanOutcome:
    """A span of a document, and what became of it in the version that took the document's place."""

    outcome: str
    before: DocumentQuoteMatch
    after: DocumentQuoteMatch | None
    again: Relocation

    @property
    def description(self) -> str:
        """For people."""
        name = f"version {self.after.document.version}" if self.after else "the current version"
        match self.outcome:
            case "same":
                return f"It is unchanged in {name}, page {self.after.page}."
            case "moved":
                return f"It is unchanged in {name}, moved from page {self.before.page} to page {self.after.page}."
            case "changed":
                return f"It was changed in {name}, page {self.after.page}."
        return "It was removed from the current version."


class CitationReopener:
    def __init__(self, locator: QuoteLocator):
        self.locator = locator
        self.catalog = locator.catalog

    def make_anchor(self, document: Document, start: int, end: int) -> tuple[Anchor, DocumentQuoteMatch]:
        """A span as it can be cited."""
        text = self._require_text(document)
        validate_span(start, end, len(text.text))
        place = DocumentQuoteMatch(document, start, end, text.text[start:end], EXACT, 1.0)
        return Anchor.from_span(text.text, start, end), self.locator.add_position(place)

    def find_later_version(
        self, document: Document, start: int, end: int, other: Document | None = None
    ) -> SpanOutcome:
        """What became of a span in the current version, or in another document."""
        anchor, before = self.make_anchor(document, start, end)
        other = other or self.catalog.superseding_document(document) or document
        if other.id == document.id:
            return SpanOutcome(SAME, before, before, Relocation(SAME, start, end))
        again = relocate_anchor(anchor, self._require_text(other))
        if again.outcome == GONE:
            return SpanOutcome(GONE, before, None, again)
        said = self._require_text(other).text[again.start : again.end]
        after = self.locator.add_position(
            DocumentQuoteMatch(other, again.start, again.end, said, EXACT, 1.0, differs=again.differs)
        )
        outcome = MOVED if again.outcome == SAME and after.page != before.page else again.outcome
        return SpanOutcome(outcome, before, after, again)

    def reopen(
        self, sha256: str, start: int, end: int, quote: str, visible: VisibleCollections, **hints
    ) -> QuoteLocation:
        """By the document's bytes first, and there by the place, if it still says so; else by the words alone.

        Raises NotFound when the document is not here and there are no words to look for.
        """
        known = sentence_rows.find_documents_by_hash(self.catalog.engine, sha256, visible) if sha256 else []
        document = self.catalog.document(known[0], visible) if known else None
        if document is not None and (found := self._match_at_position(document, start, end, quote)):
            return found
        if not quote:
            raise NotFound("The linked document was not found, and the link contains no quote to search for.")
        if document is not None:
            return self.locator.locate(quote, document, visible, **hints)
        found = self.locator.locate(quote, None, visible, **hints)
        note = N_("The linked document was not found; all other documents were searched for its quote.")
        return replace(found, notes=(*found.notes, note)) if sha256 else found

    def _match_at_position(self, document: Document, start: int, end: int, quote: str) -> QuoteLocation | None:
        """Every rung is checked against the quote: a place that says something else is not the place."""
        text = self._require_text(document)
        if not 0 <= start < end <= len(text.text):
            return None
        said = text.text[start:end]
        wanted = normalise_text(trim_quote(quote)).text
        if wanted and not normalise_text(said).text.startswith(wanted):
            return None
        tier = EXACT if not quote or quote in said else NORMALISED
        return self.locator.locate_known_place(quote or said, DocumentQuoteMatch(document, start, end, said, tier, 1.0))

    def _require_text(self, document: Document):
        text = self.locator.text_cache.get_text(document)
        if text is None:
            raise NotFound(f"{document.name} was just deleted.")
        return text


def validate_span(start: int, end: int, length: int) -> None:
    """Raises a BadRequest that says what is wrong with a span of a text of this length."""
    if end <= start:
        raise BadRequest(f"The span {start} to {end} is empty or ends before it begins.")
    if end > length:
        raise BadRequest(
            f"The span {start} to {end} is out of range: the text has {length:,} characters "
            "(code points, not UTF-16 units)."
        )
