"""Locate what a citation cites: the quoted words, a retrieved passage, or the chunk or page that it names."""

from __future__ import annotations

from dataclasses import dataclass, replace

from highlighter.access import VisibleCollections
from highlighter.errors import AlteredContent
from highlighter.models import Chunk, Document, DocumentQuoteMatch
from highlighter.native_citations.document_finder import QUOTE, DocumentFinder, FoundDocuments
from highlighter.native_citations.passage_locator import LITERAL_TIERS, PassageLocator
from highlighter.native_formats.native_response import NativeSource
from highlighter.quotes.match import EXACT, NONE, TIERS
from highlighter.search.hybrid_search import HybridSearch
from highlighter.search.quote_locator import MAX_QUOTE_CHARACTERS, QuoteLocator
from highlighter.store import lookup
from highlighter.store.catalog import Catalog

# How a citation was opened where no words were located: what it names was opened.
CHUNK, PAGE, DOCUMENT = "chunk", "page", "document"
MAX_CANDIDATES = 5
MAX_PASSAGES = 4  # of one source, looked for one after the other
MAX_CHUNKS = 3  # of a page or document, that a statement is held to
MAX_NAME_CHARACTERS = 200  # in a reason


@dataclass(frozen=True, slots=True)
class LocatedSource:
    """The place in a document that a source was found to be; without one, why not, and the documents that it may be."""

    place: DocumentQuoteMatch | None = None
    tier: str = NONE
    found_by: str = ""
    reason: str = ""
    candidates: tuple[DocumentQuoteMatch, ...] = ()
    is_whole_passage: bool = False  # the place is a passage or more: the sentence in it is chosen by the claim
    other_places: tuple[DocumentQuoteMatch, ...] = ()  # of other passages of the source

    @property
    def places(self) -> tuple[DocumentQuoteMatch, ...]:
        return (self.place, *self.other_places) if self.place else ()


@dataclass(frozen=True, slots=True)
class CitedWords:
    """The words that lead to a place: a quote, or the passages that a product retrieved of the source."""

    texts: tuple[str, ...]
    is_passage: bool
    page: int = 0  # a hint
    offsets: tuple[int, int] | None = None  # where the words are, if the document has them there


class SourceLocator:
    """The locator of sources in the library. Words decide where there are any; numbers and names only lead to them."""

    def __init__(
        self, catalog: Catalog, search: HybridSearch, quote_locator: QuoteLocator, document_finder: DocumentFinder
    ):
        self._catalog, self._search, self._quotes, self._documents = catalog, search, quote_locator, document_finder
        self._passages = PassageLocator(quote_locator)

    def locate(
        self,
        source: NativeSource,
        quote: str,
        offsets: tuple[int, int] | None,
        visible: VisibleCollections,
        statement: str = "",
    ) -> LocatedSource:
        """Return the place of the words; where there are none, of what the statement is likely to rest on."""
        found = self._documents.find(source, visible)
        words = _choose_words(source, quote, offsets, found)
        if len(found.documents) == 1:
            return self._locate_in_document(found, words, source, statement)
        if not words.texts:
            return _explain_unknown_document(source, found)
        if not found.documents:
            return self._locate_in_library(source, words, visible)
        return self._choose_document(found, words, source, statement)

    def _choose_document(
        self, found: FoundDocuments, words: CitedWords, source: NativeSource, statement: str
    ) -> LocatedSource:
        """Return the place in the only one of several documents that has the words."""
        outcomes = [
            self._locate_in_document(replace(found, documents=(one,)), words, source, statement)
            for one in found.documents[: MAX_CANDIDATES + 1]
        ]
        matches = [outcome for outcome in outcomes if outcome.tier in TIERS and outcome.tier != NONE]
        best = min((TIERS.index(match.tier) for match in matches), default=0)
        matches = [match for match in matches if TIERS.index(match.tier) == best]
        return matches[0] if len(matches) == 1 else _explain_unknown_document(source, found)

    def _locate_in_document(
        self, found: FoundDocuments, words: CitedWords, source: NativeSource, statement: str
    ) -> LocatedSource:
        (document,) = found.documents
        if not words.texts:
            return self._open_named_place(found, document, source, statement)
        locations = [self._passages.locate(text, document, words.page, words.offsets) for text in words.texts]
        places = [location.place or self._passages.locate_sentences(location.quote, document) for location in locations]
        known = [place for place in places if place]
        if known:
            is_partial = not any(location.place for location in locations)
            reason = f"{document.name} contains a part of the cited words." if is_partial else ""
            return LocatedSource(
                known[0], known[0].tier, found.found_by, reason, (), words.is_passage, tuple(known[1:])
            )
        reason = f"{document.name} does not contain the cited words. {locations[0].why}".strip()
        near_misses = locations[0].candidates[:MAX_CANDIDATES]
        named = self._open_named_place(found, document, source, statement)
        if words.is_passage and found.is_certain:
            return replace(named, reason=reason, candidates=near_misses)
        return LocatedSource(found_by=found.found_by, reason=reason, candidates=near_misses or named.places)

    def _locate_in_library(self, source: NativeSource, words: CitedWords, visible: VisibleCollections) -> LocatedSource:
        """Return the only place in the library that has the words; a paraphrase does not tell which document is meant."""
        locations = [self._quotes.locate(text[:MAX_QUOTE_CHARACTERS], None, visible) for text in words.texts]
        for location in locations:
            place = location.place
            if place and location.tier in LITERAL_TIERS:
                others = [one for one in location.candidates if one.tier == place.tier]
                if all(one.document.id == place.document.id for one in others):
                    return LocatedSource(place, place.tier, QUOTE, is_whole_passage=words.is_passage)
                reason = "Several documents contain the cited words."
                return LocatedSource(reason=reason, candidates=(place, *others)[:MAX_CANDIDATES])
        for text in words.texts:
            if place := self._passages.locate_in_library(text, visible):
                reason = f"{place.document.name} contains a part of the cited words."
                return LocatedSource(place, place.tier, QUOTE, reason, (), words.is_passage)
        name = _shorten(source.name)
        reason = f"No document of the library is {name}, and none contains the cited words."
        reason = reason if name else "No document of the library contains the cited words."
        candidates = tuple(candidate for location in locations for candidate in location.candidates)
        return LocatedSource(reason=reason, candidates=candidates[:MAX_CANDIDATES])

    # Places without words

    def _open_named_place(
        self, found: FoundDocuments, document: Document, source: NativeSource, statement: str
    ) -> LocatedSource:
        """Return the spans of our own link, or else the chunk that the source names, or chunks of its page or document."""
        link = found.link
        if link.spans and link.pipeline in (0, document.pipeline):
            place = self._make_place(document, link.spans)
            if place:
                return LocatedSource(place, EXACT, found.found_by)
        index = link.chunk_index if source.chunk_index is None else source.chunk_index
        chunk = None if index is None else self._catalog.chunk(document, index, link.pipeline or None)
        page = source.page or link.page
        if chunk:
            return LocatedSource(self._make_chunk_place(document, chunk), CHUNK, found.found_by, is_whole_passage=True)
        page = page if 1 <= page <= document.pages else 0
        chunks = self._choose_chunks(document, page, statement)
        if not chunks:
            return LocatedSource(reason=f"{document.name} has no text.", found_by=found.found_by)
        place, *others = (self._make_chunk_place(document, chunk) for chunk in chunks)
        if page:
            place = replace(place, page=page, last_page=page)
            return LocatedSource(place, PAGE, found.found_by, "", (), True, tuple(others))
        reason = f"The response does not say which part of {document.name} it cites."
        return LocatedSource(place, DOCUMENT, found.found_by, reason, (), True, tuple(others))

    def _choose_chunks(self, document: Document, page: int, statement: str) -> list[Chunk]:
        """Return the chunks of a page (0: of the document) nearest to a statement; without one, the first."""
        count = document.chunks if page else MAX_CHUNKS
        ranked = self._search.find_best_chunks(statement, document, count) if statement else []
        chunks = [chunk for chunk in ranked if not page or chunk.first_page <= page <= chunk.last_page]
        if chunks:
            return chunks[:MAX_CHUNKS]
        first = lookup.find_chunk_of_page(self._catalog.engine, document, page) if page else 0
        chunk = self._catalog.chunk(document, first)
        return [chunk] if chunk else []

    def _make_place(self, document: Document, spans: tuple[tuple[int, int], ...]) -> DocumentQuoteMatch | None:
        try:
            text = self._quotes.text_cache.get_text(document)
        except AlteredContent:
            return None
        start, end = spans[0][0], spans[-1][1]
        if text is None or not 0 <= start < end <= len(text.text):
            return None
        place = DocumentQuoteMatch(document, start, end, text.text[start:end], EXACT, 1.0, spans=spans)
        return self._quotes.add_position(place)

    def _make_chunk_place(self, document: Document, chunk: Chunk) -> DocumentQuoteMatch:
        return DocumentQuoteMatch(
            document, chunk.start, chunk.end, chunk.text, NONE, 0.0,
            chunk=chunk.index, page=chunk.first_page, last_page=chunk.last_page,
        )  # fmt: skip


def _choose_words(
    source: NativeSource, quote: str, offsets: tuple[int, int] | None, found: FoundDocuments
) -> CitedWords:
    """Return the quote of the citation, of the source or of our own link, or else the passages of the source."""
    link, page = found.link, source.page or found.link.page
    if link.spans and not offsets and all(link.pipeline in (0, one.pipeline) for one in found.documents):
        offsets = (link.spans[0][0], link.spans[-1][1])
    quote = next((text for text in (quote, source.quote, link.quote) if text.strip()), "")
    if quote:
        return CitedWords((quote,), False, page, offsets)
    return CitedWords(source.passages[:MAX_PASSAGES], True, page, offsets)


def _explain_unknown_document(source: NativeSource, found: FoundDocuments) -> LocatedSource:
    """Return why no document could be chosen, with a place in each that may be meant."""
    name = _shorten(source.name)
    if not found.documents:
        reason = f"No document of the library is {name}." if name else "The response does not name its source."
        return LocatedSource(reason=reason)
    candidates = tuple(DocumentQuoteMatch(one, 0, 0, "", NONE, 0.0, page=1) for one in found.documents[:MAX_CANDIDATES])
    reason = f"{len(found.documents)} documents of the library may be {name}."
    return LocatedSource(found_by=found.found_by, reason=reason, candidates=candidates)


def _shorten(name: str) -> str:
    return name if len(name) <= MAX_NAME_CHARACTERS else f"{name[:MAX_NAME_CHARACTERS]}…"
