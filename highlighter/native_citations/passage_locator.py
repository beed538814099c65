"""Locate passages that another product read from a file: as a whole, or by their longest sentences."""

from __future__ import annotations

from collections import Counter

from highlighter.access import VisibleCollections
from highlighter.models import Document, DocumentQuoteMatch, QuoteLocation
from highlighter.quotes.match import EXACT, FUZZY, NORMALISED
from highlighter.search.quote_locator import MAX_QUOTE_CHARACTERS, QuoteLocator
from highlighter.text.sentences import split_sentences

LITERAL_TIERS = (EXACT, NORMALISED, FUZZY)
# Of a passage that is not found as a whole, as its vendor reads files in another way, these sentences are looked for.
MAX_PASSAGE_SENTENCES, MIN_SENTENCE_CHARACTERS = 6, 30
MAX_LIBRARY_SENTENCES = 3  # in the whole library
MAX_GAP_CHARACTERS = 500  # between sentences of one passage, more than its own length


class PassageLocator:
    """The locator of the words that citations quote or were retrieved with."""

    def __init__(self, quote_locator: QuoteLocator):
        self._quotes = quote_locator

    def locate(self, text: str, document: Document | None, page: int, offsets: tuple[int, int] | None) -> QuoteLocation:
        """Locate a text. The vendor's offsets count only where the document has the same words there."""
        text = text[:MAX_QUOTE_CHARACTERS]
        if document and offsets:
            cached = self._quotes.text_cache.get_text(document)
            if cached and cached.text[slice(*offsets)].strip() == text.strip():
                place = DocumentQuoteMatch(document, *offsets, cached.text[slice(*offsets)], EXACT, 1.0)
                return self._quotes.locate_known_place(text, place)
        return self._quotes.locate(text, document, page=page if document and page <= document.pages else 0)

    def locate_in_library(self, passage: str, visible: VisibleCollections) -> DocumentQuoteMatch | None:
        """Return the place of a passage in the document that has more of its longest sentences than all others."""
        sentences = _list_longest_sentences(passage)[:MAX_LIBRARY_SENTENCES]
        counts: Counter[str] = Counter()
        documents: dict[str, Document] = {}
        for sentence in sentences:
            location = self._quotes.locate(sentence, None, visible)
            found = [one for one in (location.place, *location.candidates) if one and one.tier in LITERAL_TIERS]
            documents |= {one.document.id: one.document for one in found}
            counts.update({one.document.id for one in found})
        ranked = counts.most_common(2)
        if not ranked or 3 * ranked[0][1] < len(sentences) or (len(ranked) > 1 and ranked[1][1] == ranked[0][1]):
            return None
        return self.locate_sentences(passage, documents[ranked[0][0]])

    def locate_sentences(self, passage: str, document: Document) -> DocumentQuoteMatch | None:
        """Return the place of the longest sentences of a passage, where some of them are near each other."""
        sentences = _list_longest_sentences(passage)[:MAX_PASSAGE_SENTENCES]
        located = [self._quotes.locate(text, document) for text in sentences]
        places = [one.place for one in located if one.place and one.tier in LITERAL_TIERS]
        if not places:
            return None
        near = [one for one in places if abs(one.start - places[0].start) <= len(passage) + MAX_GAP_CHARACTERS]
        if 3 * len(near) < len(sentences):
            return None
        spans = _merge_spans([span for one in near for span in one.highlighted_spans])
        text = self._quotes.text_cache.get_text(document)
        start, end = spans[0][0], spans[-1][1]
        place = DocumentQuoteMatch(
            document,
            start,
            end,
            text.text[start:end] if text else "",
            FUZZY,
            min(one.score for one in near),
            spans=spans,
        )
        return self._quotes.add_position(place)


def _list_longest_sentences(passage: str) -> list[str]:
    """Return the sentences of a passage that are long enough to be found, the longest first."""
    sentences = (one.text for one in split_sentences(passage[:MAX_QUOTE_CHARACTERS]))
    return sorted((text for text in sentences if len(text) >= MIN_SENTENCE_CHARACTERS), key=len, reverse=True)


def _merge_spans(spans: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(merged[-1][1], end)
        else:
            merged.append((start, end))
    return tuple(merged)
