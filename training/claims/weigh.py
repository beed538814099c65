"""Fits both weighings of a claim: of its words, then of the whole, by what the first says of words it was not fitted on."""

from __future__ import annotations

from collections.abc import Sequence
from zlib import crc32

import numpy as np

from highlighter.evidence.probability_network import ProbabilityNetwork, fit_network
from highlighter.grounding.claim_features import CLAIM_FEATURES, WORD_FEATURES, compute_claim_features
from highlighter.grounding.judge import ClaimModels
from training.claims.judged import ALTERED, FM2, WICE
from training.claims.shown import Shown

# What a set counts for in all, true and false claims alike. Those of fm2 were made to mislead: what there is to learn
# of them with these columns is little.
COUNTS = {WICE: 1.0, ALTERED: 1.2, FM2: 0.4}
FOLDS = 3


def weigh(shown: Sequence[Shown]) -> ClaimModels:
    sides = np.array([crc32(f"side/{one.judged.group}".encode()) % FOLDS for one in shown])
    held: list[np.ndarray] = [np.ones(0)] * len(shown)
    for side in range(FOLDS):
        words = _fit_words([one for one, own in zip(shown, sides, strict=True) if own != side])
        for at in np.flatnonzero(sides == side):
            held[at] = words.probabilities(shown[at].words) if len(shown[at].words) else np.ones(0)
    columns = np.concatenate([compute_claim_features(one.reading, said) for one, said in zip(shown, held, strict=True)])
    gold = np.array([one.judged.holds for one in shown])
    return ClaimModels(_fit_words(shown), fit_network(CLAIM_FEATURES, columns, gold, counts(shown)))


def counts(shown: Sequence[Shown]) -> np.ndarray:
    keys = [(one.judged.set, one.judged.holds) for one in shown]
    sizes = {key: keys.count(key) for key in set(keys)}
    return np.array([COUNTS[name] / sizes[name, holds] for name, holds in keys]) * len(keys)


def _fit_words(shown: Sequence[Shown]) -> ProbabilityNetwork:
    known = [(one, said) for one in shown if (said := one.said) is not None and len(said)]
    columns = np.concatenate([one.words for one, _ in known])
    gold = np.concatenate([said for _, said in known])
    each = np.concatenate([np.full(len(said), COUNTS[one.judged.set]) for one, said in known])
    return fit_network(WORD_FEATURES, columns, gold, each)
