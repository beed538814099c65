"""Hybrid search: candidates by vectors and by terms, fused, scored, and returned with their evidence."""

from __future__ import annotations

import logging
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np

from highlighter.access import VisibleCollections
from highlighter.embedding.embedder import Embedder
from highlighter.errors import AlteredContent, Unavailable
from highlighter.evidence.passage_highlighter import PassageHighlighter
from highlighter.locale import N_
from highlighter.models import Chunk, Document, Evidence, ScoredSentence, SearchHit, SearchOutcome, Sentence
from highlighter.monitoring.tracer import tracer
from highlighter.search import DEFAULT_HITS, MAX_HITS, MIN_SCORE
from highlighter.search.chunk_scoring import ChunkScorer, ScoredChunk, compute_term_share, extract_term_set
from highlighter.search.reading_across_languages import raise_answering_chunks
from highlighter.search.vector_search import VectorSearch
from highlighter.store import chunk_search
from highlighter.store.catalog import Catalog
from highlighter.store.catalog_statistics import has_documents_without_vectors
from highlighter.store.chunk_search import ChunkCandidate, ChunkKey, SearchScope
from highlighter.store.index import VectorIndex
from highlighter.text.terms import extract_search_terms

log = logging.getLogger(__name__)

# How many chunks each ranking may return, and how many of the best of all are read and scored.
MAX_CHUNKS_PER_RANKING, MAX_SCORED_CHUNKS = 100, 60

MAX_SENTENCES_PER_HIT = 3

NO_MODEL_NOTE = N_("The embedding model is not available, so only words were compared.")
NO_INDEX_NOTE = N_(
    "The search index is not available, so only sections that share words with the question were compared. Search again in "
    "a moment."
)


class HybridSearch:
    """The search over the whole library, by vectors and terms.

    It works without the index, too: when there is none, when it is behind, or when another process owns it.
    """

    def __init__(
        self, catalog: Catalog, index: VectorIndex, embedder: Embedder, passage_highlighter: PassageHighlighter
    ):
        self.catalog = catalog
        self.embedder = embedder
        self.passage_highlighter = passage_highlighter
        self._vector_search = VectorSearch(catalog, index, embedder.name)
        self._scorer = ChunkScorer(embedder)

    @tracer.traced("search")
    def find(
        self,
        question: str,
        limit: int = DEFAULT_HITS,
        visible: VisibleCollections = VisibleCollections(),
        where: Mapping[str, Any] | None = None,
        min_score: float = MIN_SCORE,
    ) -> SearchOutcome:
        """Return the chunks that answer a question best, of visible, readable and current documents.

        `where` filters by keys of the metadata, or by `collection`, `kind` or `name`: a value, or a list of which any
        matches. Chunks with a score below `min_score` are left out.
        """
        if not any(map(str.isalnum, question)):  # a model finds something similar even to "???"
            return SearchOutcome((), "")
        vector = self._encode_question(question)
        scope = SearchScope.from_filters(visible, where)
        candidates, by_words_only = self._find_candidates(question, vector, scope, max(MAX_SCORED_CHUNKS, 2 * limit))
        ranked = self._rank_candidates(question, vector, candidates)
        if min_score <= MIN_SCORE:
            ranked = self._read_across_languages(question, ranked, candidates)
        hits = (
            self._make_hit(question, chunk, vector is None)
            for chunk in ranked[: min(limit, MAX_HITS)]
            if chunk.score >= min_score
        )
        found = tuple(hit for hit in hits if hit is not None)
        if by_words_only and vector is not None:
            return SearchOutcome(found, NO_INDEX_NOTE)
        return SearchOutcome(found, self._describe_degradation(vector, candidates))

    def find_best_chunk(self, question: str, document: Document) -> Chunk | None:
        """Return the chunk of one document that answers a question best, however weakly; None without any match."""
        return next(iter(self.find_best_chunks(question, document, 1)), None)

    def find_best_chunks(self, question: str, document: Document, count: int) -> list[Chunk]:
        """Return the chunks of one document that answer a question best, best first."""
        vector = self._encode_question(question)
        candidates, _ = self._find_candidates(question, vector, SearchScope(document_id=document.id), MAX_SCORED_CHUNKS)
        chunks = (
            self.catalog.chunk(document, scored.key.index)
            for scored in self._rank_candidates(question, vector, candidates)[:count]
        )
        return [chunk for chunk in chunks if chunk is not None]

    def _encode_question(self, question: str) -> np.ndarray | None:
        try:
            return self.embedder.encode_question(question)
        except Unavailable as err:
            log.warning("%s", err.detail)
            return None

    def _describe_degradation(self, vector: np.ndarray | None, candidates: Sequence[ChunkCandidate]) -> str:
        if vector is None:
            return NO_MODEL_NOTE
        # Vectors of two models cannot be compared, so candidates embedded by another model have none here. Without any
        # candidate, nothing may have been embedded by this one.
        lacks_vectors = (
            any(candidate.vectors is None for candidate in candidates)
            if candidates
            else has_documents_without_vectors(self.catalog.engine, self.embedder.name)
        )
        return _other_model_note(self.embedder.name) if lacks_vectors else ""

    def _find_candidates(
        self, question: str, vector: np.ndarray | None, scope: SearchScope, max_chunks: int
    ) -> tuple[list[ChunkCandidate], bool]:
        """Return the candidates that are read and scored, and whether they were chosen by their terms alone."""
        chunk_search.fill_missing_terms(self.catalog.engine)
        rankings = [
            chunk_search.search_full_text(
                self.catalog.engine, extract_search_terms(question), scope, MAX_CHUNKS_PER_RANKING
            )
        ]
        by_vectors = None if vector is None else self._rank_by_vectors(vector, scope)
        rankings += by_vectors or []
        keys = chunk_search.filter_keys_in_scope(self.catalog.engine, fuse_rankings(rankings), scope)[:max_chunks]
        return chunk_search.read_candidates(self.catalog.engine, keys, self.embedder.name), by_vectors is None

    def _rank_by_vectors(self, vector: np.ndarray, scope: SearchScope) -> list[list[ChunkKey]] | None:
        """Return rankings by a question's vector and by that for other languages; None where vectors cannot be searched."""
        rankings = self._vector_search.rank_chunks(vector, scope, MAX_CHUNKS_PER_RANKING)
        mapped = self.embedder.map_across_languages(vector)
        if rankings is None or mapped is vector:  # most models have no map
            return rankings
        return rankings + (self._vector_search.rank_chunks(mapped, scope, MAX_CHUNKS_PER_RANKING) or [])

    def _rank_candidates(
        self, question: str, vector: np.ndarray | None, candidates: list[ChunkCandidate]
    ) -> list[ScoredChunk]:
        """Return the chunks with their scores, best first."""
        return sorted(self._scorer.score_candidates(question, vector, candidates), key=lambda scored: -scored.score)

    def _read_across_languages(
        self, question: str, ranked: list[ScoredChunk], candidates: list[ChunkCandidate]
    ) -> list[ScoredChunk]:
        """Return the chunks, best first, after the question reader has read those that few words or vectors speak for."""
        by_key = {candidate.key: candidate for candidate in candidates}

        def read(chunk: ScoredChunk) -> float | None:
            candidate = by_key[chunk.key]
            assert candidate.vectors is not None  # its language was compared
            scorer = self.passage_highlighter.scorer
            return scorer.read_across_languages(question, candidate.sentences, candidate.vectors)

        return raise_answering_chunks(ranked, read)

    def _make_hit(self, question: str, scored: ScoredChunk, words_only: bool) -> SearchHit | None:
        document = self.catalog.document(scored.key.document_id)
        chunk = self.catalog.chunk(document, scored.key.index, scored.key.pipeline) if document else None
        if document is None or chunk is None:  # deleted in the meantime
            return None
        try:
            evidence = (
                self.passage_highlighter.build_plain_evidence(self._read_sentences(chunk))
                if words_only
                else self.passage_highlighter.highlight_chunk(question, chunk, quick=not scored.margin)
            )
        except AlteredContent as err:  # one damaged text must not stop the search of all others
            log.error("Document %s is left out of what was found: %s", document.id, err.title)
            return None
        return SearchHit(document, chunk, scored.score, _select_best_sentences(question, evidence, words_only))

    def _read_sentences(self, chunk: Chunk) -> Sequence[Sentence]:
        return self.catalog.sentences(chunk, self.embedder.name)[0]


def _select_best_sentences(question: str, evidence: Evidence, words_only: bool) -> tuple[ScoredSentence, ...]:
    """Return the highlighted sentences, best first; the best sentence alone if none is highlighted."""
    if words_only:
        wanted_terms = frozenset(extract_search_terms(question))
        ordered = sorted(
            evidence.sentences,
            key=lambda scored: -compute_term_share(wanted_terms, extract_term_set(scored.sentence.text)),
        )
    else:
        ordered = sorted(evidence.sentences, key=lambda scored: -scored.score)
    highlighted = [scored for scored in ordered if scored.highlighted]
    return tuple((highlighted or ordered[:1])[:MAX_SENTENCES_PER_HIT])


def _other_model_note(model: str) -> str:
    return N_(
        "Some documents were embedded with a model other than {model}, so only their words were "
        "compared. Run python -m highlighter doctor --fix to embed them again.",
        model=model,
    )


# Rankings are fused by rank alone, as similarities and BM25 numbers cannot be added.

Item = TypeVar("Item", bound=Hashable)

# The published constant of reciprocal rank fusion. A higher value favours agreement, a lower one first ranks.
RECIPROCAL_RANK_CONSTANT = 60


def fuse_rankings(rankings: Sequence[Sequence[Item]]) -> list[Item]:
    """Return every item of the rankings, best first, by reciprocal rank fusion."""
    weights: dict[Item, float] = {}
    for ranking in rankings:
        for rank, item in enumerate(ranking, 1):
            weights[item] = weights.get(item, 0.0) + 1.0 / (RECIPROCAL_RANK_CONSTANT + rank)
    return sorted(weights, key=weights.__getitem__, reverse=True)
