"""The ways of scoring that are compared: each takes a question, its sentences and their similarities."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from highlighter.evidence.features import FEATURE_NAMES, compute_bm25
from highlighter.evidence.scorer import EvidenceScorer

Method = Callable[[str, Sequence[str], np.ndarray], np.ndarray]

# Columns by the part they belong to. A part is left out by telling the weighing that it is as usual.
PARTS: Mapping[str, tuple[str, ...]] = {
    "similarity": tuple(name for name in FEATURE_NAMES if "similarity" in name),
    "words": tuple(name for name in FEATURE_NAMES if "bm25" in name or "covered" in name or "shared" in name),
    "numbers, names, kind asked for, negation": (
        "numbers_shared", "numbers_differ", "names_shared", "names_missing", "kind_asked_for", "kind_given", "negation_differs",
    ),
    "neighbours": ("neighbour_similarity", "covered_by_neighbours"),
}  # fmt: skip


def cosine(question: str, texts: Sequence[str], similarities: np.ndarray) -> np.ndarray:
    return similarities


def words(question: str, texts: Sequence[str], similarities: np.ndarray) -> np.ndarray:
    return compute_bm25(question, texts)


def ours(scorer: EvidenceScorer) -> Method:
    return lambda question, texts, similarities: scorer.probabilities(question, texts, similarities)


def without_joint(scorer: EvidenceScorer) -> Method:
    return lambda question, texts, similarities: scorer.probabilities(question, texts, similarities, quick=True)
