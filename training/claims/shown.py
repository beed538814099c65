"""Judged claims as they are read: the sentences chosen of their page, and the columns of their words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from highlighter.embedding.embedder import Embedder
from highlighter.evidence.scorer import EvidenceScorer
from highlighter.grounding.claim_features import ClaimReading, WordVectors, compute_word_features, read_claims
from highlighter.grounding.source_index import SourceIndex
from training.claims.judged import JudgedClaim


@dataclass(frozen=True, slots=True)
class Shown:
    judged: JudgedClaim
    reading: ClaimReading
    words: np.ndarray  # columns, one row a telling word

    @property
    def said(self) -> np.ndarray | None:
        """Of each telling word, whether it holds; None where it is not known."""
        judged = self.judged
        if judged.wrong is None or (not judged.holds and not judged.wrong):
            return None
        return np.array([
            not any(start < word.end and word.start < end for start, end in judged.wrong)
            for word in self.reading.claim.content_words
        ], dtype=bool)  # fmt: skip


def shown(
    judged: Sequence[JudgedClaim], embedder: Embedder, scorer: EvidenceScorer, progress=lambda done: None
) -> list[Shown]:
    """Page by page, so that each page's sentences are read once."""
    pages: dict[str, list[JudgedClaim]] = {}
    for one in judged:
        pages.setdefault(one.context, []).append(one)
    meanings, made = WordVectors(embedder), []
    for context, claims in pages.items():
        told = SourceIndex([context]).embed(embedder)
        for one, reading in zip(claims, read_claims([c.text for c in claims], told, embedder, scorer), strict=True):
            made.append(Shown(one, reading, compute_word_features(reading, meanings)))
        progress(len(claims))
    return made
