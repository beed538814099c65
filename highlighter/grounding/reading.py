"""Claims held against sources: which sentences are read for each, and how like it they are."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from highlighter.embedder import Embedder
from highlighter.evidence.scorer import Scorer
from highlighter.grounding.columns import TOGETHER, Reading
from highlighter.grounding.told import Told
from highlighter.grounding.wording import wording
from highlighter.rounding import rounded


class Meanings:
    """The vectors of single words; each is read once."""

    def __init__(self, embedder: Embedder):
        self.embedder = embedder
        self._vectors: dict[str, np.ndarray] = {}

    def __call__(self, words: Sequence[str]) -> np.ndarray:
        new = [word for word in dict.fromkeys(words) if word not in self._vectors]
        if new:
            self._vectors.update(zip(new, np.nan_to_num(self.embedder.encode(new)), strict=True))
        return np.stack([self._vectors[word] for word in words])


def read_claims(
    claims: Sequence[str], told: Told, embedder: Embedder, scorer: Scorer, among: Sequence[int] | None = None
) -> list[Reading]:
    """Vectors are made for all claims at once; the evidence model reads each with its likeliest sentences."""
    if not claims:
        return []
    wordings, vectors = [wording(claim) for claim in claims], embedder.encode(claims)
    readings, joined = [], []
    for claim, vector in zip(wordings, vectors, strict=True):
        chosen = told.likest(claim, vector, among)
        similarities = rounded(np.clip(np.nan_to_num(told.vectors[chosen] @ vector), -1, 1)) if chosen else np.zeros(0)
        texts = [told.lines[at].text for at in chosen]
        chances = scorer.probabilities(claim.text, texts, similarities) if chosen else np.zeros(0)
        order = np.argsort(-rounded(chances + similarities), kind="stable")
        chosen = [chosen[at] for at in order]
        readings.append((claim, tuple(chosen), chances[order], similarities[order]))
        joined.append(" ".join(told.lines[at].text for at in sorted(chosen[:TOGETHER])))
    both = np.nan_to_num(embedder.encode(joined))
    return [
        Reading(claim, told, chosen, chances, similarities, float(vector @ whole))
        for (claim, chosen, chances, similarities), vector, whole in zip(readings, vectors, both, strict=True)
    ]
