"""Find in document: every place that says these words, or the sentences that mean them, in reading order."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import islice

from highlighter.errors import BadRequest, NotFound
from highlighter.locale import N_
from highlighter.models import Document, InDocumentMatch, InDocumentResults
from highlighter.quotes.fuzzy_search import find_occurrences, is_word_boundary
from highlighter.quotes.normal_form import ComparableText, normalise_text
from highlighter.search.chunk_scoring import extract_term_set
from highlighter.search.hybrid_search import NO_MODEL_NOTE, HybridSearch
from highlighter.search.quote_locator import NormalisedTextCache
from highlighter.store import chunk_search
from highlighter.store.chunk_search import SearchScope
from highlighter.text.characters import repair_surrogates

BY_WORDS, BY_MEANING = "words", "meaning"
MAX_QUERY_CHARACTERS = 2_000
# Nobody steps through more; the count says that there are.
MAX_SPANS = 2_000
# By meaning: how many of the parts that answer best are read for sentences.
MAX_CHUNKS_BY_MEANING = 10
# Where the words stand apart: how many chunks that hold them are read.
MAX_CHUNKS_BY_WORDS = 200


class DocumentSearch:
    def __init__(self, search: HybridSearch, texts: NormalisedTextCache):
        self.search = search
        self.text_cache = texts
        self.catalog = search.catalog

    def find(self, document: Document, query: str, by: str = BY_WORDS) -> InDocumentResults:
        query = _validate_query(query)
        return self._find_by_meaning(document, query) if by == BY_MEANING else self._find_by_words(document, query)

    def _find_by_words(self, document: Document, query: str) -> InDocumentResults:
        text = self.text_cache.get_text(document)
        if text is None:
            raise NotFound(f"{document.name} was just deleted.")
        found = list(_iterate_phrase_spans(text, query))
        if found:
            return InDocumentResults(query, BY_WORDS, self._locate_spans(document, found))
        apart = self._find_scattered_words(document, query)
        if apart:
            return InDocumentResults(
                query,
                BY_WORDS,
                self._locate_spans(document, apart),
                N_("No exact phrase found; these sentences contain all the words."),
            )
        return InDocumentResults(query, BY_WORDS, (), N_(f"“{query}” was not found in {document.name}."))

    def _find_scattered_words(self, document: Document, query: str) -> list[tuple[int, int]]:
        """The sentences that hold every word, in any form and order."""
        wanted = extract_term_set(query)
        if len(wanted) < 2:
            return []
        chunk_search.fill_missing_terms(self.catalog.engine)
        scope = SearchScope(document_id=document.id)
        keys = chunk_search.search_full_text(self.catalog.engine, sorted(wanted), scope, MAX_CHUNKS_BY_WORDS)
        found = []
        for candidate in chunk_search.read_candidates(self.catalog.engine, keys, self.search.embedder.name):
            if wanted <= candidate.terms:
                pairs = zip(candidate.spans, candidate.sentences, strict=True)
                found += [span for span, sentence in pairs if wanted <= extract_term_set(sentence)]
        return sorted(set(found))

    def _find_by_meaning(self, document: Document, query: str) -> InDocumentResults:
        found, note = [], ""
        for chunk in self.search.find_best_chunks(query, document, MAX_CHUNKS_BY_MEANING):
            evidence = self.search.passages.highlight_chunk(query, chunk)
            note = NO_MODEL_NOTE if evidence.degraded else note
            found += [
                InDocumentMatch(one.sentence.start, one.sentence.end, chunk.index, one.sentence.page, one.score)
                for one in evidence.sentences
                if one.highlighted
            ]
        note = note or ("" if found else N_(f"No sentence in {document.name} is close enough in meaning."))
        return InDocumentResults(query, BY_MEANING, tuple(sorted(set(found), key=lambda span: span.start)), note)

    def _locate_spans(self, document: Document, found: list[tuple[int, int]]) -> tuple[InDocumentMatch, ...]:
        rows = sorted(self.catalog.sentence_spans(document), key=lambda row: row.start)
        starts = [row.start for row in rows]
        placed = []
        for start, end in found:
            row = rows[max(bisect_right(starts, start) - 1, 0)] if rows else None
            placed.append(
                InDocumentMatch(start, end, row.chunk, row.page) if row else InDocumentMatch(start, end, 0, 1)
            )
        return tuple(placed)


def _iterate_phrase_spans(text: ComparableText, query: str) -> Iterator[tuple[int, int]]:
    """Wherever these words stand in a row. A word may go on ("delay" finds "delays"), and not begin earlier."""
    wanted = normalise_text(query).text
    if not wanted:  # marks only: as they are
        return islice((match.span() for match in re.finditer(re.escape(query), text.text)), MAX_SPANS)
    whole = text.normal_form
    spans = (whole.original_span(at, at + len(wanted)) for at in find_occurrences(whole.text, wanted))
    return islice((span for span in spans if is_word_boundary(text.text, span[0])), MAX_SPANS)


def _validate_query(query: str) -> str:
    query = " ".join(repair_surrogates(query).split())
    if not query:
        raise BadRequest("Enter one or more words to find.")
    if len(query) > MAX_QUERY_CHARACTERS:
        raise BadRequest(f"The search text has {len(query):,} characters; the limit is {MAX_QUERY_CHARACTERS:,}.")
    return query
