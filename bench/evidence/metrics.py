"""The metrics of scores and gold labels of a data set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

THRESHOLD = 0.5
EQUAL_MASS_BINS = 10


@dataclass(frozen=True, slots=True)
class Figures:
    passages: int
    p_at_1: float
    mrr: float
    average_precision: float
    f1: float
    calibration_error: float


def compute_figures(scores: Sequence[np.ndarray], gold: Sequence[np.ndarray], threshold: float = THRESHOLD) -> Figures:
    """Return the figures of passages that hold evidence."""
    ranks_of_passages = [_rank_gold(s, g) for s, g in zip(scores, gold, strict=True)]
    return Figures(
        len(scores),
        float(np.mean([ranks[0] == 1 for ranks in ranks_of_passages])),
        float(np.mean([1 / ranks[0] for ranks in ranks_of_passages])),
        float(np.mean([np.mean([(n + 1) / rank for n, rank in enumerate(ranks)]) for ranks in ranks_of_passages])),
        compute_f1(scores, gold, threshold),
        calibration_error(scores, gold),
    )


def compute_f1(scores: Sequence[np.ndarray], gold: Sequence[np.ndarray], threshold: float) -> float:
    """Return F1 over all sentences of the data set."""
    highlighted, true = np.concatenate(scores) >= threshold, np.concatenate(gold)
    return float(2 * (highlighted & true).sum() / max(highlighted.sum() + true.sum(), 1))


def best_threshold(scores: Sequence[np.ndarray], gold: Sequence[np.ndarray]) -> float:
    """Return the threshold with the best F1 on this very data set: an upper bound, not a method."""
    thresholds = np.unique(np.quantile(np.concatenate(scores), np.linspace(0, 1, 200)))
    return float(max(thresholds, key=lambda threshold: compute_f1(scores, gold, threshold)))


def highlighted_share(scores: Sequence[np.ndarray], threshold: float = THRESHOLD) -> float:
    return float(np.mean([bool((s >= threshold).any()) for s in scores]))


def calibration_error(scores: Sequence[np.ndarray], gold: Sequence[np.ndarray]) -> float:
    """Return the calibration error of each passage's best sentence."""
    best_scores = np.array([s.max() for s in scores])
    is_right = np.array([g[int(s.argmax())] for s, g in zip(scores, gold, strict=True)], dtype=float)
    return binned_calibration_error(best_scores, is_right)


def binned_calibration_error(scores: np.ndarray, gold: np.ndarray) -> float:
    """Return how far scores are from the share that is right, on average over bins of equal mass."""
    bins = np.array_split(np.argsort(scores, kind="stable"), EQUAL_MASS_BINS)
    return float(sum(len(b) * abs(scores[b].mean() - gold[b].mean()) for b in bins if len(b)) / len(scores))


def _rank_gold(scores: np.ndarray, gold: np.ndarray) -> list[int]:
    order = np.argsort(-scores, kind="stable")
    return [rank for rank, index in enumerate(order, 1) if gold[index]]
