"""A question held against the library: candidates by vectors and by words, joined, scored, and shown with their evidence."""

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
from highlighter.models import Chunk, Document, Evidence, ScoredSentence, SearchHit, SearchOutcome
from highlighter.search import DEFAULT_HITS, MAX_HITS, MIN_SCORE
from highlighter.search.chunk_scoring import ChunkScorer, compute_term_share, extract_term_set
from highlighter.search.vector_search import VectorSearch
from highlighter.store import chunk_search
from highlighter.store.catalog import Catalog
from highlighter.store.chunk_search import ChunkCandidate, ChunkKey, SearchScope
from highlighter.store.index import VectorIndex
from highlighter.text.terms import extract_terms

log = logging.getLogger(__name__)

# How many chunks each way of looking may bring, and how many of the best of them are read and scored.
MAX_CHUNKS_PER_RANKING, MAX_SCORED_CHUNKS = 100, 60

MAX_SENTENCES_PER_HIT = 3

NO_MODEL_NOTE = N_("The embedding model is not available, so only words were compared.")


class HybridSearch:
    """Vectors and words over the whole library. The index may be there or not, be behind, or be another process's."""

    def __init__(self, catalog: Catalog, index: VectorIndex, embedder: Embedder, passages: PassageHighlighter):
        self.catalog = catalog
        self.embedder = embedder
        self.passages = passages
        self._vector_search = VectorSearch(catalog, index, embedder.name)
        self._scorer = ChunkScorer(embedder)

    def find(
        self,
        question: str,
        limit: int = DEFAULT_HITS,
        visible: VisibleCollections = VisibleCollections(),
        where: Mapping[str, Any] | None = None,
        min_score: float = MIN_SCORE,
    ) -> SearchOutcome:
        """The chunks that answer best, of documents that may be seen, are readable and are the current version.

        `where` holds a value, or a list of which any will do, for each key of a document's metadata, or for its
        `collection`, `kind` or `name`. Chunks whose score is below `min_score` are left out.
        """
        vector = self._encode_question(question)
        scope = SearchScope.from_filters(visible, where)
        found = self._find_candidates(question, vector, scope, max(MAX_SCORED_CHUNKS, 2 * limit))
        ranked = self._rank_candidates(question, vector, found)
        hits = (
            self._make_hit(question, key, score, vector is None)
            for key, score in ranked[: min(limit, MAX_HITS)]
            if score >= min_score
        )
        return SearchOutcome(tuple(hit for hit in hits if hit is not None), self._describe_degradation(vector, found))

    def find_best_chunk(self, question: str, document: Document) -> Chunk | None:
        """Which chunk of one document to open for a question, however weak; nothing when it has none of it at all."""
        return next(iter(self.find_best_chunks(question, document, 1)), None)

    def find_best_chunks(self, question: str, document: Document, count: int) -> list[Chunk]:
        """The same for the best few, best first."""
        vector = self._encode_question(question)
        candidates = self._find_candidates(question, vector, SearchScope(document_id=document.id), MAX_SCORED_CHUNKS)
        found = (
            self.catalog.chunk(document, key.index)
            for key, _ in self._rank_candidates(question, vector, candidates)[:count]
        )
        return [chunk for chunk in found if chunk is not None]

    def _encode_question(self, question: str) -> np.ndarray | None:
        try:
            return self.embedder.encode_question(question)
        except Unavailable as err:
            log.warning("%s", err.detail)
            return None

    def _describe_degradation(self, vector: np.ndarray | None, found: Sequence[ChunkCandidate]) -> str:
        if vector is None:
            return NO_MODEL_NOTE
        # Vectors of two models do not go together: those of another are never held against this one's question.
        return _other_model_note(self.embedder.name) if any(one.vectors is None for one in found) else ""

    def _find_candidates(
        self, question: str, vector: np.ndarray | None, scope: SearchScope, max_chunks: int
    ) -> list[ChunkCandidate]:
        """Places, by words and by meaning, choose who is read."""
        chunk_search.fill_missing_terms(self.catalog.engine)
        rankings = [
            chunk_search.search_full_text(self.catalog.engine, extract_terms(question), scope, MAX_CHUNKS_PER_RANKING)
        ]
        if vector is not None:
            rankings += self._vector_search.rank_chunks(vector, scope, MAX_CHUNKS_PER_RANKING)
        keys = chunk_search.filter_keys_in_scope(self.catalog.engine, fuse_rankings(rankings), scope)[:max_chunks]
        return chunk_search.read_candidates(self.catalog.engine, keys, self.embedder.name)

    def _rank_candidates(
        self, question: str, vector: np.ndarray | None, found: list[ChunkCandidate]
    ) -> list[tuple[ChunkKey, float]]:
        """Chunks with their scores, best first: the score, which is dearer and finer than a place, says who is best."""
        scores = self._scorer.score_candidates(question, vector, found)
        ranked = [(candidate.key, score) for candidate, score in zip(found, scores, strict=True)]
        return sorted(ranked, key=lambda item: -item[1])

    def _make_hit(self, question: str, key: ChunkKey, score: float, words_only: bool) -> SearchHit | None:
        document = self.catalog.document(key.document_id)
        chunk = self.catalog.chunk(document, key.index, key.pipeline) if document else None
        if chunk is None:  # gone in this moment
            return None
        try:
            evidence = (
                self.passages.build_plain_evidence(self._read_sentences(chunk))
                if words_only
                else self.passages.highlight_chunk(question, chunk, quick=True)
            )
        except AlteredContent as err:  # one damaged text must not stop the search of all others
            log.error("Left out of what was found: %s", err.detail)
            return None
        return SearchHit(document, chunk, score, _select_best_sentences(question, evidence, words_only))

    def _read_sentences(self, chunk: Chunk) -> Sequence:
        return self.catalog.sentences(chunk, self.embedder.name)[0]


def _select_best_sentences(question: str, evidence: Evidence, words_only: bool) -> tuple[ScoredSentence, ...]:
    """The lit sentences, best first; the best one by itself where none is lit."""
    if words_only:
        wanted = frozenset(extract_terms(question))
        ordered = sorted(
            evidence.sentences, key=lambda one: -compute_term_share(wanted, extract_term_set(one.sentence.text))
        )
    else:
        ordered = sorted(evidence.sentences, key=lambda one: -one.score)
    lit = [one for one in ordered if one.highlighted]
    return tuple((lit or ordered[:1])[:MAX_SENTENCES_PER_HIT])


def _other_model_note(model: str) -> str:
    return N_(
        f"Some documents were embedded with a model other than {model}, so only their words were "
        "compared. Run python -m highlighter doctor --fix to embed them again."
    )


# Several rankings joined into one, by place alone: a similarity and a BM25 number cannot be added.


Item = TypeVar("Item", bound=Hashable)

# The constant of reciprocal rank fusion, as published: raising it lets agreement count more, lowering it first places.
RECIPROCAL_RANK_CONSTANT = 60


def fuse_rankings(rankings: Sequence[Sequence[Item]]) -> list[Item]:
    """Every item of the rankings, best first; what stands high in several stands above what stands high in one."""
    weights: dict[Item, float] = {}
    for ranking in rankings:
        for place, item in enumerate(ranking, 1):
            weights[item] = weights.get(item, 0.0) + 1.0 / (RECIPROCAL_RANK_CONSTANT + place)
    return sorted(weights, key=weights.__getitem__, reverse=True)
