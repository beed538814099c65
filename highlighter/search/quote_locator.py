"""Locate quotes: in one document, or in all that are visible."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from dataclasses import replace

from cachetools import LRUCache

from highlighter.access import VisibleCollections
from highlighter.embedding.embedder import Embedder
from highlighter.errors import AlteredContent, BadRequest
from highlighter.locale import N_
from highlighter.models import Document, DocumentQuoteMatch, QuoteLocation, Sentence
from highlighter.quotes.fuzzy_match import MAX_LEAD_OF_ALTERED_SPAN, MIN_FUZZY_SCORE
from highlighter.quotes.match import (
    FUZZY,
    NONE,
    NOT_FOUND,
    QUOTE_NOT_FOUND,
    QUOTE_TOO_SHORT,
    SEMANTIC,
    TIERS,
    TOO_SHORT,
    QuoteMatch,
    shift_spans,
)
from highlighter.quotes.matcher import find_closest_match, trim_quote
from highlighter.quotes.normal_form import ComparableText
from highlighter.quotes.restrictions import find_restriction_beside
from highlighter.quotes.significance import MIN_EXACT_STRENGTH, measure_strength
from highlighter.search.semantic_match import SemanticMatcher
from highlighter.store import chunk_search, sentence_rows
from highlighter.store.catalog import Catalog, TextMissing
from highlighter.store.chunk_search import ChunkKey, SearchScope
from highlighter.text.characters import repair_surrogates
from highlighter.text.terms import extract_search_terms

# Of all cached texts together: some 3,000 pages. With its normal form, a character takes about 10 bytes.
MAX_CACHED_CHARACTERS = 8_000_000


class NormalisedTextCache:
    """A cache of the texts of documents with their normal forms."""

    def __init__(self, catalog: Catalog):
        self.catalog = catalog
        self._cache: LRUCache[tuple[str, int], ComparableText] = LRUCache(
            MAX_CACHED_CHARACTERS, getsizeof=lambda text: len(text.text) or 1
        )
        self._lock = threading.Lock()
        self._data_version = -1

    def clear(self) -> None:
        with self._lock:
            self._cache.clear()

    def get_text(self, document: Document) -> ComparableText | None:
        """Return a document's text; None if the document was deleted. No text of a deleted document stays cached."""
        key, version = (document.id, document.pipeline), self.catalog.data_version()
        with self._lock:
            if version != self._data_version:  # after a write, deleted documents must leave the cache, too
                self._data_version = version
                existing_ids = self.catalog.filter_known_ids([document_id for document_id, _ in self._cache])
                for deleted in [cached for cached in self._cache if cached[0] not in existing_ids]:
                    del self._cache[deleted]
            if (text := self._cache.get(key)) is not None:
                return text
        try:
            text = ComparableText(self.catalog.text(document))
        except TextMissing:
            return None
        with self._lock:
            if len(text.text) <= MAX_CACHED_CHARACTERS:
                self._cache[key] = text
        return text


log = logging.getLogger(__name__)

MAX_QUOTE_CHARACTERS = 20_000
MAX_CONTEXT_CHARACTERS = 2_000  # of the text on either side of the quote
# In a library: how many chunks that share the quote's terms are compared, by how many of the terms (the longest, which
# are the most distinctive), and in how many documents.
MAX_CHUNKS, MAX_TERMS, MAX_DOCUMENTS = 40, 40, 12
# Compared around each such chunk, for quotes that cross its border.
CHUNK_MARGIN_CHARACTERS = 2_000
MAX_CANDIDATES = 5


class QuoteLocator:
    """The locator of quotes. The words decide; page and context only choose among equal matches."""

    def __init__(self, catalog: Catalog, embedder: Embedder):
        self.catalog = catalog
        self.text_cache = NormalisedTextCache(catalog)
        self._semantic_matcher = SemanticMatcher(catalog, embedder)

    def locate(
        self,
        quote: str,
        document: Document | None = None,
        visible: VisibleCollections = VisibleCollections(),
        page: int = 0,
        prefix: str = "",
        suffix: str = "",
    ) -> QuoteLocation:
        """Locate a quote in one document, current or not, or in all visible current documents."""
        quote = validate_quote(quote)
        if measure_strength(trim_quote(quote)) < MIN_EXACT_STRENGTH and not (prefix or suffix):
            return QuoteLocation(quote, None, why=QUOTE_TOO_SHORT, reason=TOO_SHORT)
        if document is not None:
            matches = list(self._match_in_document(document, quote, prefix, suffix, page))
            scope = SearchScope(visible, document_id=document.id)
        else:
            scope = SearchScope(visible)
            matches = [match for matches in self._search_documents(quote, scope, prefix, suffix) for match in matches]
        ordered, notes = _order_places(matches), []
        # A similar passage is what the quote was made of, so no paraphrase is needed.
        if all(place.tier == NONE and not _is_altered(place) for place in ordered):
            paraphrases, note = self._semantic_matcher.find_match(quote, scope)
            ordered = paraphrases + ordered
            notes += [note] if note else []
        if document is not None and page > document.pages:
            notes.append(
                N_(
                    "{name} has {pages} pages, so page {page} was ignored.",
                    name=document.name,
                    pages=document.pages,
                    page=page,
                )
            )
        location = self._make_result(quote, ordered, tuple(notes))
        return _note_other_page(location, page) if document is not None and page <= document.pages else location

    def match_span(self, document: Document, start: int, end: int, quote: str) -> DocumentQuoteMatch:
        """Compare a quote with the span that a link names. The tier is "none" if the span does not match."""
        quote, text = validate_quote(quote), self.text_cache.get_text(document)
        span_text = text.text[start:end] if text else ""
        match = find_closest_match(span_text, quote) if span_text else None
        if match and (match.tier != NONE or match.differs):
            why = match.why or (_explain_omission(text, start, end) if text else "")
            place = DocumentQuoteMatch(
                document, start, end, span_text, match.tier, match.score, differs=match.differs, why=why,
                spans=shift_spans(match.spans, start), reason=match.reason,
            )  # fmt: skip
        else:
            place = DocumentQuoteMatch(
                document, start, end, span_text, NONE, 0.0, why=QUOTE_NOT_FOUND, reason=NOT_FOUND
            )
        if place.tier == NONE and self._semantic_matcher.is_paraphrase(quote, span_text):
            return replace(place, tier=SEMANTIC, why="", reason="")
        return place

    def locate_known_place(self, quote: str, place: DocumentQuoteMatch) -> QuoteLocation:
        """Return the location of a quote whose span is already known."""
        return self._make_result(quote, [place], ())

    def _make_result(self, quote: str, ordered: list[DocumentQuoteMatch], notes: tuple[str, ...]) -> QuoteLocation:
        ordered = [self.add_position(place) for place in ordered[: MAX_CANDIDATES + 1]]
        if ordered and ordered[0].tier != NONE:
            best = ordered[0]
            notes = (best.why, *notes) if best.why else notes
            return QuoteLocation(quote, best, self.read_sentences(best), tuple(ordered[1:]), notes=notes)
        if ordered:
            why, reason = ordered[0].why, ordered[0].reason
        else:
            is_too_short = not measure_strength(trim_quote(quote))
            why, reason = (QUOTE_TOO_SHORT, TOO_SHORT) if is_too_short else (QUOTE_NOT_FOUND, NOT_FOUND)
        candidates = tuple(ordered[:MAX_CANDIDATES])
        return QuoteLocation(quote, None, candidates=candidates, why=why, notes=notes, reason=reason)

    def _search_documents(
        self, quote: str, scope: SearchScope, prefix: str, suffix: str
    ) -> Iterator[list[tuple[DocumentQuoteMatch, float]]]:
        """Yield the matches of each document that shares the quote's terms.

        Only the surroundings of the chunks with these terms are compared at first, the whole document if they match.
        """
        chunk_search.fill_missing_terms(self.catalog.engine)
        terms = sorted(set(extract_search_terms(quote)), key=len, reverse=True)[:MAX_TERMS]
        keys_by_document: dict[str, list[ChunkKey]] = {}
        for key in chunk_search.search_full_text(self.catalog.engine, terms, scope, MAX_CHUNKS):
            keys_by_document.setdefault(key.document_id, []).append(key)
        for document_id, keys in list(keys_by_document.items())[:MAX_DOCUMENTS]:
            document = self.catalog.document(document_id, scope.visible)
            if document is None:  # deleted in the meantime
                continue
            try:
                match = self._match_near_chunks(document, keys, quote, prefix, suffix)
            except AlteredContent as err:  # one damaged text must not stop the search of all others
                log.error("Document %s is left out of what was looked through: %s", document.id, err.title)
                continue
            if match and match.tier != NONE:
                yield list(
                    self._match_in_document(document, quote, prefix, suffix, 0, near_span=(match.start, match.end))
                )
            elif match:
                yield [(self._make_place(document, match, match.start, match.end), match.context_agreement)]

    def _match_near_chunks(
        self, document: Document, keys: list[ChunkKey], quote: str, prefix: str, suffix: str
    ) -> QuoteMatch | None:
        text, best = self.text_cache.get_text(document), None
        if text is None:
            return None
        margin = max(CHUNK_MARGIN_CHARACTERS, 2 * len(quote))
        for start, end in _merge_spans(self._list_chunk_spans(document, keys), margin, len(text.text)):
            match = find_closest_match(text.text[start:end], quote, prefix, suffix)
            if match:
                match = match.shift(start)
                best = min(
                    filter(None, (best, match)),
                    key=lambda candidate: (
                        TIERS.index(candidate.tier),
                        -candidate.context_agreement,
                        -candidate.score,
                    ),
                )
        return best

    def _list_chunk_spans(self, document: Document, keys: list[ChunkKey]) -> list[tuple[int, int]]:
        chunks = (self.catalog.chunk(document, key.index, key.pipeline) for key in keys)
        return sorted((chunk.start, chunk.end) for chunk in chunks if chunk)

    def _match_in_document(
        self,
        document: Document,
        quote: str,
        prefix: str,
        suffix: str,
        page: int,
        near_span: tuple[int, int] | None = None,
    ) -> Iterator[tuple[DocumentQuoteMatch, float]]:
        """Yield the best match in a document, and others with the same text, each with its context agreement."""
        text = self.text_cache.get_text(document)
        if text is None:  # deleted in the meantime
            return
        if page:
            near_span = sentence_rows.find_page_span(self.catalog.engine, document, page)
        match = find_closest_match(text, quote, prefix, suffix, near_span)
        if match is None:
            return
        around = f"{prefix} {suffix}"
        yield self._make_place(document, match, match.start, match.end, around), 1.0 + match.context_agreement
        for start, end in match.other_spans[: MAX_CANDIDATES + 1]:
            yield self._make_place(document, match, start, end, around), 0.0

    def _make_place(
        self, document: Document, match: QuoteMatch, start: int, end: int, around: str = ""
    ) -> DocumentQuoteMatch:
        text = self.text_cache.get_text(document)
        place_text = text.text[start:end] if text else ""
        is_best = (start, end) == (match.start, match.end)
        why = match.why or (_explain_omission(text, start, end, around) if text else "")
        return DocumentQuoteMatch(
            document, start, end, place_text, match.tier, match.score, differs=match.differs, why=why,
            spans=match.spans if is_best else (), reason=match.reason,
        )  # fmt: skip

    def add_position(self, place: DocumentQuoteMatch) -> DocumentQuoteMatch:
        """Return the match with its chunk and pages."""
        rows = sentence_rows.find_overlapping_sentences(self.catalog.engine, place.document, place.start, place.end)
        if not rows:
            return place
        return replace(place, chunk=rows[0].chunk, page=rows[0].page, last_page=rows[-1].page)

    def read_sentences(self, place: DocumentQuoteMatch) -> tuple[Sentence, ...]:
        """Return the sentences that the highlighted spans of a match overlap."""
        text = self.text_cache.get_text(place.document)
        rows = sentence_rows.find_overlapping_sentences(self.catalog.engine, place.document, place.start, place.end)
        return tuple(
            Sentence(row.index, row.start, row.end, text.text[row.start : row.end], row.page)
            for row in rows
            if text and any(row.start < end and start < row.end for start, end in place.highlighted_spans)
        )


def _note_other_page(location: QuoteLocation, page: int) -> QuoteLocation:
    """Return the location with a note where the quote is on other pages than the given one; 0 is none."""
    place = location.place
    if place is None or not page or place.page <= page <= place.last_page:
        return location
    note = N_("The quote is on page {page}, not on page {other}.", page=place.page, other=page)
    return replace(location, notes=(*location.notes, note))


def _explain_omission(text: ComparableText, start: int, end: int, around: str = "") -> str:
    """Return that a quote leaves out what stands right beside it and negates or restricts it, for users; "" if nothing does."""
    restriction = find_restriction_beside(text.text, start, end, around)
    return N_("The quote leaves out “{restriction}”.", restriction=restriction) if restriction else ""


def _order_places(matches: list[tuple[DocumentQuoteMatch, float]]) -> list[DocumentQuoteMatch]:
    """Return the matches, the best first.

    A passage that differs only in a number or a "not" excludes fuzzy matches elsewhere that are less similar.
    """
    ranked = sorted(matches, key=lambda item: (TIERS.index(item[0].tier), -item[1], -item[0].score))
    ordered = [place for place, _ in ranked]
    altered_score = max(
        (place.score for place in ordered if place.tier == NONE and place.reason != NOT_FOUND), default=0.0
    )
    excluded = [
        place for place in ordered if place.tier == FUZZY and place.score < altered_score - MAX_LEAD_OF_ALTERED_SPAN
    ]
    return sorted((place for place in ordered if place not in excluded), key=lambda place: place.tier == NONE)


def _is_altered(place: DocumentQuoteMatch) -> bool:
    """Return whether a near miss is similar enough to be what the quote was made of."""
    return place.score >= MIN_FUZZY_SCORE and place.reason != NOT_FOUND


def validate_quote(quote: str) -> str:
    """Return the quote without surrounding spaces; raise BadRequest if it is empty or too long."""
    quote = repair_surrogates(quote).strip()
    if not quote:
        raise BadRequest("Enter a quote.")
    if len(quote) > MAX_QUOTE_CHARACTERS:
        raise BadRequest(
            N_(
                "The quote has {count:,} characters; the limit is {limit:,}. Use part of it.",
                count=len(quote),
                limit=MAX_QUOTE_CHARACTERS,
            )
        )
    return quote


def _merge_spans(spans: list[tuple[int, int]], margin: int, length: int) -> list[tuple[int, int]]:
    """Widen spans by a margin on both sides, and merge those that touch."""
    merged: list[tuple[int, int]] = []
    for start, end in spans:
        start, end = max(start - margin, 0), min(end + margin, length)
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return merged
