"""Several rankings joined into one, by place alone: a similarity and a BM25 number cannot be added."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TypeVar

Item = TypeVar("Item", bound=Hashable)

# The constant of reciprocal rank fusion, as published: raising it lets agreement count more, lowering it first places.
SMOOTHING = 60


def fused(rankings: Sequence[Sequence[Item]]) -> list[Item]:
    """Every item of the rankings, best first; what stands high in several stands above what stands high in one."""
    weights: dict[Item, float] = {}
    for ranking in rankings:
        for place, item in enumerate(ranking, 1):
            weights[item] = weights.get(item, 0.0) + 1.0 / (SMOOTHING + place)
    return sorted(weights, key=weights.__getitem__, reverse=True)
