"""The sentence that means what a quote means, in other words: the last resort, with a high floor and the same facts."""

from __future__ import annotations

import logging

import numpy as np

from highlighter.access import VisibleCollections
from highlighter.embedding.embedder import Embedder
from highlighter.errors import Unavailable
from highlighter.locale import N_
from highlighter.models import Document, DocumentQuoteMatch
from highlighter.quotes.matcher import SEMANTIC, trim_quote
from highlighter.quotes.significance import MIN_FUZZY_STRENGTH, count_facts, measure_strength
from highlighter.rounding import round_for_comparison
from highlighter.search.chunk_scoring import compute_term_share, extract_term_set
from highlighter.store import chunk_search
from highlighter.store.catalog import Catalog
from highlighter.store.chunk_search import ChunkKey, SearchScope

log = logging.getLogger(__name__)

# Cosine of quote and sentence. Below it, sentences of the same subject are as like it as paraphrases are (bench/quotes.py).
MIN_SIMILARITY = 0.86
# Of the quote's words that the sentence must hold, too: a model that cannot read a script finds all of it alike.
MIN_SHARED_TERMS_RATIO = 0.4
# Chunks whose sentences are compared.
MAX_COMPARED_CHUNKS = 12
# A model reads so much of a text; longer quotes are no one sentence's paraphrase.
MAX_QUOTE_CHARACTERS = 600

NO_MODEL_NOTE = N_("The embedding model is not available, so paraphrases were not searched for.")


class SemanticMatcher:
    def __init__(self, catalog: Catalog, embedder: Embedder):
        self.catalog = catalog
        self.embedder = embedder

    def find_match(self, quote: str, scope: SearchScope) -> tuple[list[DocumentQuoteMatch], str]:
        """At most one place, and a sentence for people when less than the whole method could run."""
        quote = trim_quote(quote)
        if measure_strength(quote) < MIN_FUZZY_STRENGTH or len(quote) > MAX_QUOTE_CHARACTERS:
            return [], ""
        try:
            vector = self.embedder.encode_question(quote)
        except Unavailable as err:
            log.warning("%s", err.detail)
            return [], NO_MODEL_NOTE
        best = None
        for key, start, end, text, likeness in self._iterate_nearest_sentences(quote, vector, scope):
            if likeness < MIN_SIMILARITY or (best and likeness <= best.score):
                continue
            if not _has_same_facts(quote, text):
                continue
            document = self._find_document(key, scope.visible)
            if document is not None:
                best = DocumentQuoteMatch(document, start, end, text, SEMANTIC, round(likeness, 4))
        return ([best] if best else []), ""

    def is_paraphrase(self, quote: str, text: str) -> bool:
        """Whether a text means a quote, by the same measure."""
        if not _has_same_facts(quote, text) or len(quote) > MAX_QUOTE_CHARACTERS:
            return False
        try:
            both = self.embedder.encode([trim_quote(quote), text])
        except Unavailable:
            return False
        return float(round_for_comparison(both[0] @ both[1])) >= MIN_SIMILARITY

    def _iterate_nearest_sentences(self, quote: str, vector: np.ndarray, scope: SearchScope):
        """(chunk, start, end, words, likeness) of the sentences of the chunks that hold most of its words: it must share
        some, so no vector needs to be searched for."""
        chunk_search.fill_missing_terms(self.catalog.engine)
        keys = chunk_search.search_full_text(
            self.catalog.engine, sorted(extract_term_set(quote)), scope, MAX_COMPARED_CHUNKS
        )
        for candidate in chunk_search.read_candidates(self.catalog.engine, keys, self.embedder.name):
            if candidate.vectors is None:
                continue
            likeness = round_for_comparison(np.nan_to_num(candidate.vectors @ vector, nan=-1.0))
            at = int(likeness.argmax())
            yield candidate.key, *candidate.spans[at], candidate.sentences[at], float(likeness[at])

    def _find_document(self, key: ChunkKey, visible: VisibleCollections) -> Document | None:
        return self.catalog.document(key.document_id, visible)


def _has_same_facts(quote: str, text: str) -> bool:
    return (
        count_facts(text) == count_facts(quote)
        and compute_term_share(extract_term_set(quote), extract_term_set(text)) >= MIN_SHARED_TERMS_RATIO
    )
