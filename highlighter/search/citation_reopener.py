"""Reopen citations: in the same bytes, in a later version of the document, or wherever the quote is."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from highlighter.access import VisibleCollections
from highlighter.errors import BadRequest, NotFound
from highlighter.locale import N_
from highlighter.models import Document, DocumentQuoteMatch, QuoteLocation
from highlighter.quotes.anchors import GONE, MOVED, SAME, Anchor, Relocation, relocate_anchor
from highlighter.quotes.match import EXACT, NORMALISED, shift_spans
from highlighter.quotes.matcher import match_quote, trim_quote
from highlighter.quotes.normal_form import ComparableText, normalise_text
from highlighter.search.quote_locator import QuoteLocator
from highlighter.store import sentence_rows


@dataclass(frozen=True, slots=True)
class SpanOutcome:
    """What became of a span of a document in the version that superseded the document."""

    outcome: str
    before: DocumentQuoteMatch
    after: DocumentQuoteMatch | None
    again: Relocation

    @property
    def description(self) -> str:
        """Return the outcome as a sentence."""
        if self.after is None:
            return "It was removed from the current version."
        name = f"version {self.after.document.version}"
        match self.outcome:
            case "same":
                return f"It is unchanged in {name}, page {self.after.page}."
            case "moved":
                return f"It is unchanged in {name}, moved from page {self.before.page} to page {self.after.page}."
            case "changed":
                return f"It was changed in {name}, page {self.after.page}."
        return "It was removed from the current version."


class CitationReopener:
    """Make anchors for citations, and find their spans again later."""

    def __init__(self, locator: QuoteLocator):
        self.locator = locator
        self.catalog = locator.catalog

    def make_anchor(self, document: Document, start: int, end: int) -> tuple[Anchor, DocumentQuoteMatch]:
        """Return the anchor of a span, by which it can be cited, and the span with its position."""
        text = self._require_text(document)
        validate_span(start, end, len(text.text))
        place = DocumentQuoteMatch(document, start, end, text.text[start:end], EXACT, 1.0)
        return Anchor.from_span(text.text, start, end), self.locator.add_position(place)

    def find_later_version(
        self, document: Document, start: int, end: int, other: Document | None = None
    ) -> SpanOutcome:
        """Return what became of a span in the current version, or in another document."""
        anchor, before = self.make_anchor(document, start, end)
        other = other or self.catalog.superseding_document(document) or document
        if other.id == document.id:
            return SpanOutcome(SAME, before, before, Relocation(SAME, start, end))
        relocation = relocate_anchor(anchor, self._require_text(other))
        if relocation.outcome == GONE:
            return SpanOutcome(GONE, before, None, relocation)
        start, end = relocation.start, relocation.end
        text = self._require_text(other).text[start:end]
        after = self.locator.add_position(
            DocumentQuoteMatch(other, start, end, text, EXACT, 1.0, differs=relocation.differs)
        )
        outcome = MOVED if relocation.outcome == SAME and after.page != before.page else relocation.outcome
        return SpanOutcome(outcome, before, after, relocation)

    def reopen(
        self, sha256: str, start: int, end: int, quote: str, visible: VisibleCollections, **hints: Any
    ) -> QuoteLocation:
        """Find a cited span: in the document with these bytes at the same offsets if they still match, else by the quote.

        Raises NotFound when the document does not exist and there is no quote. The hints are those of `QuoteLocator.locate`.
        """
        ids = sentence_rows.find_documents_by_hash(self.catalog.engine, sha256, visible) if sha256 else []
        document = self.catalog.document(ids[0], visible) if ids else None
        if document is not None and (location := self._match_at_position(document, start, end, quote)):
            return location
        if not quote:
            raise NotFound("The linked document was not found, and the link contains no quote to search for.")
        if document is not None:
            return self.locator.locate(quote, document, visible, **hints)
        location = self.locator.locate(quote, None, visible, **hints)
        note = N_("The linked document was not found; all other documents were searched for its quote.")
        return replace(location, notes=(*location.notes, note)) if sha256 else location

    def _match_at_position(self, document: Document, start: int, end: int, quote: str) -> QuoteLocation | None:
        """Return the span at these offsets; None unless its text matches the quote."""
        text = self._require_text(document)
        if not 0 <= start < end <= len(text.text):
            return None
        found_text = text.text[start:end]
        wanted = normalise_text(trim_quote(quote)).text
        if wanted and not normalise_text(found_text).text.startswith(wanted):
            match = match_quote(found_text, quote)
            if not (match and match.spans and match.is_verbatim):
                return None
            place = DocumentQuoteMatch(
                document, start, end, found_text, match.tier, match.score,
                differs=match.differs, spans=shift_spans(match.spans, start),
            )  # fmt: skip
            return self.locator.locate_known_place(quote, place)
        tier = EXACT if not quote or quote in found_text else NORMALISED
        return self.locator.locate_known_place(
            quote or found_text, DocumentQuoteMatch(document, start, end, found_text, tier, 1.0)
        )

    def _require_text(self, document: Document) -> ComparableText:
        text = self.locator.text_cache.get_text(document)
        if text is None:
            raise NotFound(N_("{name} was just deleted.", name=document.name))
        return text


def validate_span(start: int, end: int, length: int) -> None:
    """Raise BadRequest unless the span lies in a text of this length."""
    if end <= start:
        raise BadRequest(N_("The span {start} to {end} is empty or ends before it begins.", start=start, end=end))
    if end > length:
        raise BadRequest(
            N_(
                "The span {start} to {end} is out of range: the text has {count:,} characters (code points, not "
                "UTF-16 units).",
                start=start,
                end=end,
                count=length,
            )
        )
