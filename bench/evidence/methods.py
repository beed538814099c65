"""The compared methods of scoring: each takes a question, its sentences and their similarities."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from highlighter.evidence.features import FEATURE_NAMES, compute_bm25
from highlighter.evidence.scorer import EvidenceScorer

Method = Callable[[str, Sequence[str], np.ndarray], np.ndarray]

# Columns by the group they belong to. A group is left out by setting its columns to zero.
FEATURE_GROUPS: Mapping[str, tuple[str, ...]] = {
    "similarity": tuple(name for name in FEATURE_NAMES if "similarity" in name),
    "words": tuple(name for name in FEATURE_NAMES if "bm25" in name or "covered" in name or "shared" in name),
    "numbers, names, kind asked for, negation": (
        "numbers_shared", "numbers_differ", "names_shared", "names_missing", "kind_asked_for", "kind_given", "negation_differs",
    ),
    "neighbours": ("neighbour_similarity", "covered_by_neighbours"),
}  # fmt: skip


def cosine(question: str, texts: Sequence[str], similarities: np.ndarray) -> np.ndarray:
    return similarities


def bm25(question: str, texts: Sequence[str], similarities: np.ndarray) -> np.ndarray:
    return compute_bm25(question, texts)


def score_with(scorer: EvidenceScorer) -> Method:
    return lambda question, texts, similarities: scorer.rate_sentences(question, texts, similarities)


def score_without_joint(scorer: EvidenceScorer) -> Method:
    return lambda question, texts, similarities: scorer.rate_sentences(question, texts, similarities, quick=True)
