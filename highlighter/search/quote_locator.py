"""The texts of documents that were asked for lately, in the forms they are compared in."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from dataclasses import replace

from cachetools import LRUCache
from sqlalchemy.exc import NoResultFound

from highlighter.access import VisibleCollections
from highlighter.embedding.embedder import Embedder
from highlighter.errors import AlteredContent, BadRequest
from highlighter.locale import N_
from highlighter.models import Document, DocumentQuoteMatch, QuoteLocation, Sentence
from highlighter.quotes.matcher import (
    FUZZY,
    MAX_LEAD_OF_ALTERED_SPAN,
    MIN_FUZZY_SCORE,
    NONE,
    QUOTE_NOT_FOUND,
    QUOTE_TOO_SHORT,
    SEMANTIC,
    QuoteMatch,
    find_closest_match,
    trim_quote,
)
from highlighter.quotes.normal_form import ComparableText
from highlighter.quotes.significance import MIN_EXACT_STRENGTH, measure_strength
from highlighter.search.semantic_match import SemanticMatcher
from highlighter.store import chunk_search, sentence_rows
from highlighter.store.catalog import Catalog
from highlighter.store.chunk_search import ChunkKey, SearchScope
from highlighter.text.characters import repair_surrogates
from highlighter.text.terms import extract_terms

# Of all texts kept together: some 3,000 pages. With its normal form a character takes about 10 bytes.
MAX_CACHED_CHARACTERS = 8_000_000


class NormalisedTextCache:
    def __init__(self, catalog: Catalog):
        self.catalog = catalog
        self._cache: LRUCache[tuple[str, int], ComparableText] = LRUCache(
            MAX_CACHED_CHARACTERS, getsizeof=lambda w: len(w.text) or 1
        )
        self._lock = threading.Lock()
        self._data_version = -1

    def clear(self) -> None:
        with self._lock:
            self._cache.clear()

    def get_text(self, document: Document) -> ComparableText | None:
        """A document's text, or None when it was deleted meanwhile. Nothing of one that was deleted is kept."""
        key, version = (document.id, document.pipeline), self.catalog.data_version()
        with self._lock:
            if version != self._data_version:  # somebody wrote: what is gone must be gone from here, too
                self._data_version = version
                there = self.catalog.filter_known_ids([document_id for document_id, _ in self._cache])
                for gone in [other for other in self._cache if other[0] not in there]:
                    del self._cache[gone]
            if (kept := self._cache.get(key)) is not None:
                return kept
        try:
            made = ComparableText(self.catalog.text(document))
        except NoResultFound:
            return None
        with self._lock:
            if len(made.text) <= MAX_CACHED_CHARACTERS:
                self._cache[key] = made
        return made


# A quote held against a document or the library: where it stands, how surely, and what else it may be.


log = logging.getLogger(__name__)

MAX_QUOTE_CHARACTERS, MAX_CONTEXT_CHARACTERS = (
    20_000,
    2_000,
)  # characters of a quote, and of what stands on either side of it
# Of a library: how many chunks that share its words are looked into, by at most so many of those words (long ones say
# more), and how many documents.
MAX_CHUNKS, MAX_TERMS, MAX_DOCUMENTS = 40, 40, 12
# Around such a chunk, for a quote that runs over its border.
CHUNK_MARGIN_CHARACTERS = 2_000
MAX_CANDIDATES = 5

_TIERS = ("exact", "normalised", "fuzzy", "semantic", "none")


class QuoteLocator:
    """Finds quotes. The words decide; the document, the page and the context given only say where to look first."""

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
        """In one document (be it current or not), or in all that may be seen and are current."""
        quote = validate_quote(quote)
        if measure_strength(trim_quote(quote)) < MIN_EXACT_STRENGTH and not (prefix or suffix):
            return QuoteLocation(quote, None, why=QUOTE_TOO_SHORT)
        if document is not None:
            found = list(self._match_in_document(document, quote, prefix, suffix, page))
            scope = SearchScope(visible, document_id=document.id)
        else:
            scope = SearchScope(visible)
            found = [place for one in self._search_documents(quote, scope, prefix, suffix) for place in one]
        ordered, notes = _order_places(found), []
        if all(
            place.score < MIN_FUZZY_SCORE or place.why == QUOTE_NOT_FOUND for place in ordered
        ):  # else the quote was made of that
            alike, note = self._semantic_matcher.find_match(quote, scope)
            ordered = alike + ordered
            notes += [note] if note else []
        if document is not None and page > document.pages:
            notes.append(N_(f"{document.name} has {document.pages} pages, so page {page} was ignored."))
        return self._make_result(quote, ordered, tuple(notes))

    def match_span(self, document: Document, start: int, end: int, quote: str) -> DocumentQuoteMatch:
        """A span that a link says is the place of a quote: as what it is, or as a miss."""
        quote, text = validate_quote(quote), self.text_cache.get_text(document)
        said = text.text[start:end] if text else ""
        found = find_closest_match(said, quote) if said else None
        if found and (found.tier != NONE or found.differs):
            place = DocumentQuoteMatch(
                document, start, end, said, found.tier, found.score, differs=found.differs, why=found.why
            )
        else:
            place = DocumentQuoteMatch(document, start, end, said, NONE, 0.0, why=QUOTE_NOT_FOUND)
        if place.tier == NONE and self._semantic_matcher.is_paraphrase(quote, said):
            return replace(place, tier=SEMANTIC, why="")
        return place

    def locate_known_place(self, quote: str, place: DocumentQuoteMatch) -> QuoteLocation:
        """A place that is known already."""
        return self._make_result(quote, [place], ())

    def _make_result(self, quote: str, ordered: list[DocumentQuoteMatch], notes: tuple[str, ...]) -> QuoteLocation:
        ordered = [self.add_position(place) for place in ordered[: MAX_CANDIDATES + 1]]
        if ordered and ordered[0].tier != NONE:
            best = ordered[0]
            return QuoteLocation(quote, best, self._read_sentences(best), tuple(ordered[1:]), notes=notes)
        why = (
            ordered[0].why
            if ordered
            else QUOTE_TOO_SHORT
            if not measure_strength(trim_quote(quote))
            else QUOTE_NOT_FOUND
        )
        return QuoteLocation(quote, None, candidates=tuple(ordered[:MAX_CANDIDATES]), why=why, notes=notes)

    def _search_documents(
        self, quote: str, scope: SearchScope, prefix: str, suffix: str
    ) -> Iterator[list[tuple[DocumentQuoteMatch, float]]]:
        """Those that hold its words: first only around the chunks that do; where that says it, the whole of it."""
        chunk_search.fill_missing_terms(self.catalog.engine)
        wanted = sorted(set(extract_terms(quote)), key=len, reverse=True)[:MAX_TERMS]
        held: dict[str, list[ChunkKey]] = {}
        for key in chunk_search.search_full_text(self.catalog.engine, wanted, scope, MAX_CHUNKS):
            held.setdefault(key.document_id, []).append(key)
        for document_id, keys in list(held.items())[:MAX_DOCUMENTS]:
            document = self.catalog.document(document_id, scope.visible)
            try:
                found = document and self._match_near_chunks(document, keys, quote, prefix, suffix)
            except AlteredContent as err:  # one damaged text must not stop the search of all others
                log.error("Left out of what was looked through: %s", err.detail)
                continue
            if found and found.tier != NONE:
                yield list(
                    self._match_in_document(document, quote, prefix, suffix, 0, near_span=(found.start, found.end))
                )
            elif found:
                yield [(self._make_place(document, found, found.start, found.end), found.context_agreement)]

    def _match_near_chunks(
        self, document: Document, keys: list[ChunkKey], quote: str, prefix: str, suffix: str
    ) -> QuoteMatch | None:
        text, best = self.text_cache.get_text(document), None
        if text is None:
            return None
        margin = max(CHUNK_MARGIN_CHARACTERS, 2 * len(quote))
        for start, end in _merge_spans(self._list_chunk_spans(document, keys), margin, len(text.text)):
            found = find_closest_match(text.text[start:end], quote, prefix, suffix)
            if found:
                found = replace(found, start=found.start + start, end=found.end + start)
                best = min(
                    filter(None, (best, found)), key=lambda m: (_TIERS.index(m.tier), -m.context_agreement, -m.score)
                )
        return best

    def _list_chunk_spans(self, document: Document, keys: list[ChunkKey]) -> list[tuple[int, int]]:
        found = (self.catalog.chunk(document, key.index, key.pipeline) for key in keys)
        return sorted((chunk.start, chunk.end) for chunk in found if chunk)

    def _match_in_document(
        self,
        document: Document,
        quote: str,
        prefix: str,
        suffix: str,
        page: int,
        near_span: tuple[int, int] | None = None,
    ) -> Iterator[tuple[DocumentQuoteMatch, float]]:
        """The best place in a document, and others that say the same."""
        text = self.text_cache.get_text(document)
        if text is None:  # deleted in this moment
            return
        if page:
            near_span = sentence_rows.find_page_span(self.catalog.engine, document, page)
        found = find_closest_match(text, quote, prefix, suffix, near_span)
        if found is None:
            return
        yield self._make_place(document, found, found.start, found.end), 1.0 + found.context_agreement
        for start, end in found.other_spans[: MAX_CANDIDATES + 1]:
            yield self._make_place(document, found, start, end), 0.0

    def _make_place(self, document: Document, found: QuoteMatch, start: int, end: int) -> DocumentQuoteMatch:
        text = self.text_cache.get_text(document)
        said = text.text[start:end] if text else ""
        return DocumentQuoteMatch(
            document, start, end, said, found.tier, found.score, differs=found.differs, why=found.why
        )

    def add_position(self, place: DocumentQuoteMatch) -> DocumentQuoteMatch:
        """With the chunk and the pages it stands on."""
        rows = sentence_rows.find_overlapping_sentences(self.catalog.engine, place.document, place.start, place.end)
        if not rows:
            return place
        return replace(place, chunk=rows[0].chunk, page=rows[0].page, last_page=rows[-1].page)

    def _read_sentences(self, place: DocumentQuoteMatch) -> tuple[Sentence, ...]:
        text = self.text_cache.get_text(place.document)
        rows = sentence_rows.find_overlapping_sentences(self.catalog.engine, place.document, place.start, place.end)
        return tuple(Sentence(r.index, r.start, r.end, text.text[r.start : r.end], r.page) for r in rows if text)


def _order_places(found: list[tuple[DocumentQuoteMatch, float]]) -> list[DocumentQuoteMatch]:
    """The surest first; a passage that says it but for a number or a "not" bars those elsewhere that are less like it."""
    found = sorted(found, key=lambda item: (_TIERS.index(item[0].tier), -item[1], -item[0].score))
    ordered = [place for place, _ in found]
    changed = max(
        (place.score for place in ordered if place.tier == NONE and place.why != QUOTE_NOT_FOUND), default=0.0
    )
    barred = [place for place in ordered if place.tier == FUZZY and place.score < changed - MAX_LEAD_OF_ALTERED_SPAN]
    return sorted((place for place in ordered if place not in barred), key=lambda place: place.tier == NONE)


def validate_quote(quote: str) -> str:
    """What may be looked for, or a BadRequest that says why not."""
    quote = repair_surrogates(quote).strip()
    if not quote:
        raise BadRequest("Enter a quote.")
    if len(quote) > MAX_QUOTE_CHARACTERS:
        raise BadRequest(
            f"The quote has {len(quote):,} characters; the limit is {MAX_QUOTE_CHARACTERS:,}. Use part of it."
        )
    return quote


def _merge_spans(spans: list[tuple[int, int]], margin: int, length: int) -> list[tuple[int, int]]:
    """Widened on both sides; those that then touch are one."""
    found: list[tuple[int, int]] = []
    for start, end in spans:
        start, end = max(start - margin, 0), min(end + margin, length)
        if found and start <= found[-1][1]:
            found[-1] = found[-1][0], max(end, found[-1][1])
        else:
            found.append((start, end))
    return found
