"""What is counted of scores and gold: per set, nothing tuned on it but what is said to be."""

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


def figures(scores: Sequence[np.ndarray], gold: Sequence[np.ndarray], threshold: float = THRESHOLD) -> Figures:
    """Of passages that hold evidence."""
    places = [_places(s, g) for s, g in zip(scores, gold, strict=True)]
    return Figures(
        len(scores),
        float(np.mean([ranks[0] == 1 for ranks in places])),
        float(np.mean([1 / ranks[0] for ranks in places])),
        float(np.mean([np.mean([(n + 1) / rank for n, rank in enumerate(ranks)]) for ranks in places])),
        f1(scores, gold, threshold),
        calibration_error(scores, gold),
    )


def f1(scores: Sequence[np.ndarray], gold: Sequence[np.ndarray], threshold: float) -> float:
    """Over all sentences of the set."""
    lit, true = np.concatenate(scores) >= threshold, np.concatenate(gold)
    return float(2 * (lit & true).sum() / max(lit.sum() + true.sum(), 1))


def best_threshold(scores: Sequence[np.ndarray], gold: Sequence[np.ndarray]) -> float:
    """The one that this very set would choose: a bound, not a method."""
    every = np.unique(np.quantile(np.concatenate(scores), np.linspace(0, 1, 200)))
    return float(max(every, key=lambda threshold: f1(scores, gold, threshold)))


def lit_share(scores: Sequence[np.ndarray], threshold: float = THRESHOLD) -> float:
    return float(np.mean([bool((s >= threshold).any()) for s in scores]))


def calibration_error(scores: Sequence[np.ndarray], gold: Sequence[np.ndarray]) -> float:
    """Of each passage's top sentence: what it claims against how often it is right, in bins of equal mass."""
    claimed = np.array([s.max() for s in scores])
    right = np.array([g[int(s.argmax())] for s, g in zip(scores, gold, strict=True)], dtype=float)
    bins = np.array_split(np.argsort(claimed, kind="stable"), EQUAL_MASS_BINS)
    return float(sum(len(b) * abs(claimed[b].mean() - right[b].mean()) for b in bins if len(b)) / len(claimed))


def _places(scores: np.ndarray, gold: np.ndarray) -> list[int]:
    order = np.argsort(-scores, kind="stable")
    return [rank for rank, at in enumerate(order, 1) if gold[at]]
