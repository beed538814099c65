"""Find a sentence that paraphrases a quote: the last resort, with a high minimum similarity and equal facts."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import numpy as np

from highlighter.access import VisibleCollections
from highlighter.embedding.embedder import Embedder
from highlighter.errors import Unavailable
from highlighter.locale import N_
from highlighter.models import Document, DocumentQuoteMatch
from highlighter.quotes.match import SEMANTIC
from highlighter.quotes.matcher import trim_quote
from highlighter.quotes.significance import MIN_FUZZY_STRENGTH, count_facts, list_numbers, measure_strength
from highlighter.rounding import round_for_comparison
from highlighter.search.chunk_scoring import compute_term_share, extract_term_set
from highlighter.store import chunk_search
from highlighter.store.catalog import Catalog
from highlighter.store.chunk_search import ChunkKey, SearchScope

log = logging.getLogger(__name__)

# Cosine of quote and sentence. Below it, other sentences on the subject are as similar as paraphrases (bench/quotes.py).
MIN_SIMILARITY = 0.86
# The share of the quote's terms that the sentence must contain: a model that cannot read a script finds all of it similar.
MIN_SHARED_TERMS_RATIO = 0.4
# Chunks whose sentences are compared.
MAX_COMPARED_CHUNKS = 12
# Models read only so much of a text, and no single sentence paraphrases a longer quote.
MAX_COMPARED_QUOTE_CHARACTERS = 600

NO_MODEL_NOTE = N_("The embedding model is not available, so paraphrases were not searched for.")


class SemanticMatcher:
    """The search for paraphrases of quotes."""

    def __init__(self, catalog: Catalog, embedder: Embedder):
        self.catalog = catalog
        self.embedder = embedder

    def find_match(self, quote: str, scope: SearchScope) -> tuple[list[DocumentQuoteMatch], str]:
        """Return at most one match, and a note for people when no model was available."""
        quote = trim_quote(quote)
        if measure_strength(quote) < MIN_FUZZY_STRENGTH or len(quote) > MAX_COMPARED_QUOTE_CHARACTERS:
            return [], ""
        try:
            (vector,) = self.embedder.encode([quote])  # a statement, like the sentences
        except Unavailable as err:
            log.warning("%s", err.detail)
            return [], NO_MODEL_NOTE
        best = None
        for key, start, end, text, similarity in self._iterate_nearest_sentences(quote, vector, scope):
            if similarity < MIN_SIMILARITY or (best and similarity <= best.score):
                continue
            if not _has_same_facts(quote, text):
                continue
            document = self._find_document(key, scope.visible)
            if document is not None:
                best = DocumentQuoteMatch(document, start, end, text, SEMANTIC, round(similarity, 4))
        return ([best] if best else []), ""

    def is_paraphrase(self, quote: str, text: str) -> bool:
        """Return whether a text paraphrases a quote."""
        if not _has_same_facts(quote, text) or len(quote) > MAX_COMPARED_QUOTE_CHARACTERS:
            return False
        try:
            vectors = self.embedder.encode([trim_quote(quote), text])
        except Unavailable:
            return False
        return float(round_for_comparison(vectors[0] @ vectors[1])) >= MIN_SIMILARITY

    def _iterate_nearest_sentences(
        self, quote: str, vector: np.ndarray, scope: SearchScope
    ) -> Iterator[tuple[ChunkKey, int, int, str, float]]:
        """Yield (chunk, start, end, text, similarity) of the nearest sentence of each chunk that shares most terms.

        A paraphrase must share some terms, so no vector search is needed.
        """
        chunk_search.fill_missing_terms(self.catalog.engine)
        keys = chunk_search.search_full_text(
            self.catalog.engine, sorted(extract_term_set(quote)), scope, MAX_COMPARED_CHUNKS
        )
        for candidate in chunk_search.read_candidates(self.catalog.engine, keys, self.embedder.name):
            if candidate.vectors is None:
                continue
            similarities = round_for_comparison(np.nan_to_num(candidate.vectors @ vector, nan=-1.0))
            best = int(similarities.argmax())
            yield candidate.key, *candidate.spans[best], candidate.sentences[best], float(similarities[best])

    def _find_document(self, key: ChunkKey, visible: VisibleCollections) -> Document | None:
        return self.catalog.document(key.document_id, visible)


def _has_same_facts(quote: str, text: str) -> bool:
    return (
        count_facts(text) == count_facts(quote)
        and list_numbers(text) == list_numbers(quote)  # in another order they are those of other things
        and compute_term_share(extract_term_set(quote), extract_term_set(text)) >= MIN_SHARED_TERMS_RATIO
    )
