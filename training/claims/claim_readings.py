"""Judged claims as the grounding judge reads them: the sentences chosen for each, and the columns of its words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from highlighter.embedding.embedder import Embedder
from highlighter.evidence.scorer import EvidenceScorer
from highlighter.grounding.claim_features import ClaimReading, WordVectors, compute_word_features, read_claims
from highlighter.grounding.source_index import SourceIndex
from training.claims.judged_claims import JudgedClaim


@dataclass(frozen=True, slots=True)
class ClaimExample:
    """A judged claim with its features."""

    judged: JudgedClaim
    reading: ClaimReading
    words: np.ndarray  # columns, one row for each content word

    @property
    def word_labels(self) -> np.ndarray | None:
        """Return whether each content word holds, or None where that is not known."""
        judged = self.judged
        if judged.wrong is None or (not judged.holds and not judged.wrong):
            return None
        return np.array([
            not any(start < word.end and word.start < end for start, end in judged.wrong)
            for word in self.reading.claim.content_words
        ], dtype=bool)  # fmt: skip


def build_claim_examples(
    judged: Sequence[JudgedClaim], embedder: Embedder, scorer: EvidenceScorer, progress=lambda done: None
) -> list[ClaimExample]:
    """Return the examples of claims. Claims of a page are read together, so that its sentences are encoded once."""
    pages: dict[str, list[JudgedClaim]] = {}
    for claim in judged:
        pages.setdefault(claim.context, []).append(claim)
    word_vectors, examples = WordVectors(embedder), []
    for context, claims in pages.items():
        source_index = SourceIndex([context]).embed(embedder)
        for claim, reading in zip(
            claims,
            read_claims([claim_of_page.text for claim_of_page in claims], source_index, embedder, scorer),
            strict=True,
        ):
            examples.append(ClaimExample(claim, reading, compute_word_features(reading, word_vectors)))
        progress(len(claims))
    return examples
