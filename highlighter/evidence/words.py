"""How well a sentence's words answer a question's words, within one passage: BM25 over stems and CJK bigrams."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np

from highlighter.terms import terms

__all__ = ["bm25", "terms"]

# BM25's usual constants: how soon a repeated word stops counting, and how much a long sentence is held against it.
SATURATION, LENGTH_PENALTY = 1.2, 0.75


def bm25(question: str, sentences: Sequence[str]) -> np.ndarray:
    """One number a sentence; a word found in few of the sentences counts more."""
    wanted = set(terms(question))
    bags = [Counter(terms(sentence)) for sentence in sentences]
    lengths = [sum(bag.values()) for bag in bags]
    usual = (sum(lengths) / len(lengths) if lengths else 0) or 1.0
    weights = {}
    for term in wanted:
        holders = sum(term in bag for bag in bags)
        weights[term] = math.log(1 + (len(bags) - holders + 0.5) / (holders + 0.5))
    scores = np.zeros(len(bags), dtype=np.float32)
    for at, bag in enumerate(bags):
        room = SATURATION * (1 - LENGTH_PENALTY + LENGTH_PENALTY * lengths[at] / usual)
        scores[at] = sum(weights[t] * bag[t] * (SATURATION + 1) / (bag[t] + room) for t in wanted if t in bag)
    return scores
