"""How well a sentence's words answer a question's words, within one passage: BM25 over stems and CJK bigrams."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from highlighter.terms import terms

# BM25's usual constants: how soon a repeated word stops counting, and how much a long sentence is held against it.
SATURATION, LENGTH_PENALTY = 1.2, 0.75


@dataclass(frozen=True)
class Words:
    """The terms of a question and of a passage's sentences, counted once for all who ask."""

    asked: tuple[str, ...]
    told: tuple[tuple[str, ...], ...]

    @classmethod
    def of(cls, question: str, sentences: Sequence[str]) -> Words:
        return cls(tuple(terms(question)), tuple(tuple(terms(sentence)) for sentence in sentences))

    @cached_property
    def bags(self) -> list[Counter[str]]:
        return [Counter(told) for told in self.told]

    @cached_property
    def weights(self) -> Mapping[str, float]:
        """What each of the question's terms is worth here: one found in few of the sentences counts more."""
        weights = {}
        for term in dict.fromkeys(self.asked):
            holders = sum(term in bag for bag in self.bags)
            weights[term] = math.log(1 + (len(self.bags) - holders + 0.5) / (holders + 0.5))
        return weights

    @cached_property
    def bm25(self) -> np.ndarray:
        lengths = [len(told) for told in self.told]
        usual = (sum(lengths) / len(lengths) if lengths else 0) or 1.0
        scores = np.zeros(len(self.bags), dtype=np.float32)
        for at, bag in enumerate(self.bags):
            room = SATURATION * (1 - LENGTH_PENALTY + LENGTH_PENALTY * lengths[at] / usual)
            scores[at] = sum(
                weight * bag[term] * (SATURATION + 1) / (bag[term] + room)
                for term, weight in self.weights.items()
                if term in bag
            )
        return scores


def bm25(question: str, sentences: Sequence[str]) -> np.ndarray:
    """One number a sentence."""
    return Words.of(question, sentences).bm25
