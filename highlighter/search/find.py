"""A question held against the library: candidates by vectors and by words, joined, scored, and shown with their evidence."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from highlighter.access import Visible
from highlighter.embedder import Embedder
from highlighter.errors import AlteredContent, Unavailable
from highlighter.evidence.passages import Passages
from highlighter.locale import N_
from highlighter.models import Chunk, Document, Evidence, Found, Hit, Scored
from highlighter.search import LIMIT, MIN_SCORE, MOST
from highlighter.search.fusion import fused
from highlighter.search.near import Near
from highlighter.search.score import Scorer, share, terms_of
from highlighter.store import candidates, words
from highlighter.store.candidates import Candidate
from highlighter.store.catalog import Catalog
from highlighter.store.index import Index
from highlighter.store.scope import Key, Scope
from highlighter.terms import terms

log = logging.getLogger(__name__)

# How many chunks each way of looking may bring, and how many of the best of them are read and scored.
BROUGHT, READ = 100, 60

SENTENCES_SHOWN = 3

NO_MODEL = N_("The embedding model is not available, so only words were compared.")


class Search:
    """Vectors and words over the whole library. The index may be there or not, be behind, or be another process's."""

    def __init__(self, catalog: Catalog, index: Index, embedder: Embedder, passages: Passages):
        self.catalog = catalog
        self.embedder = embedder
        self.passages = passages
        self._near = Near(catalog, index, embedder.name)
        self._scorer = Scorer(embedder)

    def find(
        self,
        question: str,
        limit: int = LIMIT,
        visible: Visible = Visible(),
        where: Mapping[str, Any] | None = None,
        min_score: float = MIN_SCORE,
    ) -> Found:
        """The chunks that answer best, of documents that may be seen, are readable and are the current version.

        `where` holds a value, or a list of which any will do, for each key of a document's metadata, or for its
        `collection`, `kind` or `name`. Chunks whose score is below `min_score` are left out.
        """
        vector = self._vector(question)
        scope = Scope.of(visible, where)
        found = self._candidates(question, vector, scope, max(READ, 2 * limit))
        ranked = self._ranked(question, vector, found)
        hits = (
            self._hit(question, key, score, vector is None)
            for key, score in ranked[: min(limit, MOST)]
            if score >= min_score
        )
        return Found(tuple(hit for hit in hits if hit is not None), self._degraded(vector, found))

    def best_chunk(self, question: str, document: Document) -> Chunk | None:
        """Which chunk of one document to open for a question, however weak; nothing when it has none of it at all."""
        return next(iter(self.best_chunks(question, document, 1)), None)

    def best_chunks(self, question: str, document: Document, count: int) -> list[Chunk]:
        """The same for the best few, best first."""
        vector = self._vector(question)
        candidates = self._candidates(question, vector, Scope(document_id=document.id), READ)
        found = (
            self.catalog.chunk(document, key.index) for key, _ in self._ranked(question, vector, candidates)[:count]
        )
        return [chunk for chunk in found if chunk is not None]

    def _vector(self, question: str) -> np.ndarray | None:
        try:
            return self.embedder.question(question)
        except Unavailable as err:
            log.warning("%s", err.detail)
            return None

    def _degraded(self, vector: np.ndarray | None, found: Sequence[Candidate]) -> str:
        if vector is None:
            return NO_MODEL
        # Vectors of two models do not go together: those of another are never held against this one's question.
        return _of_another(self.embedder.name) if any(one.vectors is None for one in found) else ""

    def _candidates(self, question: str, vector: np.ndarray | None, scope: Scope, most: int) -> list[Candidate]:
        """Places, by words and by meaning, choose who is read."""
        words.fill(self.catalog.engine)
        rankings = [words.holding(self.catalog.engine, terms(question), scope, BROUGHT)]
        if vector is not None:
            rankings += self._near.rankings(vector, scope, BROUGHT)
        keys = candidates.in_scope(self.catalog.engine, fused(rankings), scope)[:most]
        return candidates.read(self.catalog.engine, keys, self.embedder.name)

    def _ranked(self, question: str, vector: np.ndarray | None, found: list[Candidate]) -> list[tuple[Key, float]]:
        """Chunks with their scores, best first: the score, which is dearer and finer than a place, says who is best."""
        scores = self._scorer.scores(question, vector, found)
        ranked = [(candidate.key, score) for candidate, score in zip(found, scores, strict=True)]
        return sorted(ranked, key=lambda item: -item[1])

    def _hit(self, question: str, key: Key, score: float, by_words: bool) -> Hit | None:
        document = self.catalog.document(key.document_id)
        chunk = self.catalog.chunk(document, key.index, key.pipeline) if document else None
        if chunk is None:  # gone in this moment
            return None
        try:
            evidence = (
                self.passages.plain(self._sentences(chunk))
                if by_words
                else self.passages.chunk(question, chunk, quick=True)
            )
        except AlteredContent as err:  # one damaged text must not stop the search of all others
            log.error("Left out of what was found: %s", err.detail)
            return None
        return Hit(document, chunk, score, _best(question, evidence, by_words))

    def _sentences(self, chunk: Chunk) -> Sequence:
        return self.catalog.sentences(chunk, self.embedder.name)[0]


def _best(question: str, evidence: Evidence, by_words: bool) -> tuple[Scored, ...]:
    """The lit sentences, best first; the best one by itself where none is lit."""
    if by_words:
        wanted = frozenset(terms(question))
        ordered = sorted(evidence.sentences, key=lambda one: -share(wanted, terms_of(one.sentence.text)))
    else:
        ordered = sorted(evidence.sentences, key=lambda one: -one.score)
    lit = [one for one in ordered if one.highlighted]
    return tuple((lit or ordered[:1])[:SENTENCES_SHOWN])


def _of_another(model: str) -> str:
    return N_(
        f"Parts of this library were embedded by another model than {model}, and only their words were compared:"
        " python -m highlighter doctor --fix embeds them by this one."
    )
