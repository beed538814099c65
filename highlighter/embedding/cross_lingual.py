"""What brings a question near the sentences in other languages that answer it: linear maps of its vector and of its tokens.

Sentences keep their vectors, so a library need not be embedded again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np


@dataclass(frozen=True, slots=True)
class CrossLingualMap:
    """The maps of one model, learned from questions about texts in other languages (training/cross_lingual)."""

    vector_map: np.ndarray  # (width, width)
    token_map: np.ndarray  # (width, width)
    token_weights: np.ndarray  # (width,): the direction in which tokens lie that count much

    @classmethod
    def load(cls, path: Path) -> CrossLingualMap:
        with np.load(path) as stored:
            return cls(*(stored[name].astype(np.float32) for name in ("vector_map", "token_map", "token_weights")))

    def map_vector(self, vector: np.ndarray) -> np.ndarray:
        """Return the normalised vector with which a question is compared with sentences in other languages."""
        return _normalize(vector @ self.vector_map)

    def compare_tokens(self, question: np.ndarray, passages: Sequence[np.ndarray]) -> np.ndarray:
        """Return how well the tokens of each passage match those of a question, by the nearest of each."""
        mapped = _normalize(question @ self.token_map)
        weights = np.exp(question @ self.token_weights)
        nearest = [(mapped @ tokens.T).max(axis=1, initial=-1.0) @ weights for tokens in passages]
        scores: np.ndarray = np.array(nearest) / max(weights.sum(), 1e-9)
        return scores


def _normalize(rows: np.ndarray) -> np.ndarray:
    normalized: np.ndarray = rows / np.maximum(np.linalg.norm(rows, axis=-1, keepdims=True), 1e-9)
    return normalized
