"""Find in a document: every occurrence of the words, or the sentences that mean the same, in reading order."""

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
from highlighter.quotes.numeral_search import find_numeral_spans
from highlighter.search.chunk_scoring import extract_term_set
from highlighter.search.hybrid_search import NO_MODEL_NOTE, HybridSearch
from highlighter.search.quote_locator import NormalisedTextCache
from highlighter.store import chunk_search
from highlighter.store.chunk_search import SearchScope
from highlighter.text.characters import repair_surrogates

BY_WORDS, BY_MEANING = "words", "meaning"
MAX_QUERY_CHARACTERS = 2_000
# More than anyone steps through.
MAX_SPANS = 2_000
# By meaning: how many of the best chunks are searched for sentences.
MAX_CHUNKS_BY_MEANING = 10
# Where the words are scattered: how many chunks with the words are searched.
MAX_CHUNKS_BY_WORDS = 200


class DocumentSearch:
    """The search within one document."""

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
            raise NotFound(N_("{name} was just deleted.", name=document.name))
        spans = sorted({*_iterate_phrase_spans(text, query), *_iterate_numeral_spans(text, query)})
        if spans:
            return InDocumentResults(query, BY_WORDS, self._locate_spans(document, spans))
        scattered_spans = self._find_scattered_words(document, query)
        if scattered_spans:
            return InDocumentResults(
                query,
                BY_WORDS,
                self._locate_spans(document, scattered_spans),
                N_("No exact phrase found; these sentences contain all the words."),
            )
        return InDocumentResults(
            query, BY_WORDS, (), N_("“{query}” was not found in {name}.", query=query, name=document.name)
        )

    def _find_scattered_words(self, document: Document, query: str) -> list[tuple[int, int]]:
        """Return the sentences that contain every word, in any form and order."""
        wanted_terms = extract_term_set(query)
        if len(wanted_terms) < 2:
            return []
        chunk_search.fill_missing_terms(self.catalog.engine)
        scope = SearchScope(document_id=document.id)
        keys = chunk_search.search_full_text(self.catalog.engine, sorted(wanted_terms), scope, MAX_CHUNKS_BY_WORDS)
        spans = []
        for candidate in chunk_search.read_candidates(self.catalog.engine, keys, self.search.embedder.name):
            if wanted_terms <= candidate.terms:
                pairs = zip(candidate.spans, candidate.sentences, strict=True)
                spans += [span for span, sentence in pairs if wanted_terms <= extract_term_set(sentence)]
        return sorted(set(spans))

    def _find_by_meaning(self, document: Document, query: str) -> InDocumentResults:
        matches, note = [], ""
        for chunk in self.search.find_best_chunks(query, document, MAX_CHUNKS_BY_MEANING):
            evidence = self.search.passage_highlighter.highlight_chunk(query, chunk)
            note = NO_MODEL_NOTE if evidence.degraded else note
            matches += [
                InDocumentMatch(
                    scored.sentence.start, scored.sentence.end, chunk.index, scored.sentence.page, scored.score
                )
                for scored in evidence.sentences
                if scored.highlighted
            ]
        note = note or ("" if matches else N_("No sentence in {name} is close enough in meaning.", name=document.name))
        return InDocumentResults(query, BY_MEANING, tuple(sorted(set(matches), key=lambda span: span.start)), note)

    def _locate_spans(self, document: Document, spans: list[tuple[int, int]]) -> tuple[InDocumentMatch, ...]:
        rows = sorted(self.catalog.sentence_spans(document), key=lambda row: row.start)
        starts = [row.start for row in rows]
        matches = []
        for start, end in spans:
            row = rows[max(bisect_right(starts, start) - 1, 0)] if rows else None
            matches.append(
                InDocumentMatch(start, end, row.chunk, row.page) if row else InDocumentMatch(start, end, 0, 1)
            )
        return tuple(matches)


def _iterate_phrase_spans(text: ComparableText, query: str) -> Iterator[tuple[int, int]]:
    """Yield the occurrences of the words in a row. The last word may continue: "delay" finds "delays"."""
    phrase = normalise_text(query).text
    if not phrase:  # only punctuation: compared as it is
        return islice((match.span() for match in re.finditer(re.escape(query), text.text)), MAX_SPANS)
    normal_form = text.normal_form
    spans = (
        normal_form.original_span(start, start + len(phrase)) for start in find_occurrences(normal_form.text, phrase)
    )
    return islice((span for span in spans if is_word_boundary(text.text, span[0])), MAX_SPANS)


def _iterate_numeral_spans(text: ComparableText, query: str) -> Iterator[tuple[int, int]]:
    """Yield the occurrences of the words with their numbers in another form: "30 days" finds "thirty days"."""
    return islice(find_numeral_spans(text, query), MAX_SPANS)


def _validate_query(query: str) -> str:
    query = " ".join(repair_surrogates(query).split())
    if not query:
        raise BadRequest("Enter one or more words to find.")
    if len(query) > MAX_QUERY_CHARACTERS:
        raise BadRequest(
            N_(
                "The search text has {count:,} characters; the limit is {limit:,}.",
                count=len(query),
                limit=MAX_QUERY_CHARACTERS,
            )
        )
    return query
