"""Fitting the two claim models: of a claim's words, and of the whole claim by out-of-fold predictions of its words."""

from __future__ import annotations

from collections.abc import Sequence
from zlib import crc32

import numpy as np

from highlighter.evidence.probability_network import ProbabilityNetwork, fit_network
from highlighter.grounding.claim_features import CLAIM_FEATURES, WORD_FEATURES, compute_claim_features
from highlighter.grounding.judge import ClaimModels
from training.claims.claim_readings import ClaimExample
from training.claims.judged_claims import ALTERED, FM2, WICE

# The total weight of each data set, true and false claims alike. The claims of fm2 were written to mislead: little can
# be learnt from them with these columns.
WEIGHTS = {WICE: 1.0, ALTERED: 1.2, FM2: 0.4}
FOLDS = 3


def fit_claim_models(examples: Sequence[ClaimExample]) -> ClaimModels:
    """Return both models, fitted to the examples."""
    folds = np.array([crc32(f"side/{example.judged.group}".encode()) % FOLDS for example in examples])
    word_probabilities: list[np.ndarray] = [np.ones(0)] * len(examples)
    for fold in range(FOLDS):
        word_model = _fit_words(
            [example for example, example_fold in zip(examples, folds, strict=True) if example_fold != fold]
        )
        for index in np.flatnonzero(folds == fold):
            word_probabilities[index] = (
                word_model.probabilities(examples[index].words) if len(examples[index].words) else np.ones(0)
            )
    columns = np.concatenate(
        [
            compute_claim_features(example.reading, probabilities)
            for example, probabilities in zip(examples, word_probabilities, strict=True)
        ]
    )
    gold = np.array([example.judged.holds for example in examples])
    return ClaimModels(_fit_words(examples), fit_network(CLAIM_FEATURES, columns, gold, compute_weights(examples)))


def compute_weights(examples: Sequence[ClaimExample]) -> np.ndarray:
    """Return the weight of each example."""
    keys = [(example.judged.set, example.judged.holds) for example in examples]
    sizes = {key: keys.count(key) for key in set(keys)}
    return np.array([WEIGHTS[name] / sizes[name, holds] for name, holds in keys]) * len(keys)


def _fit_words(examples: Sequence[ClaimExample]) -> ProbabilityNetwork:
    labelled = [
        (example, word_labels)
        for example in examples
        if (word_labels := example.word_labels) is not None and len(word_labels)
    ]
    columns = np.concatenate([example.words for example, _ in labelled])
    gold = np.concatenate([word_labels for _, word_labels in labelled])
    weights = np.concatenate(
        [np.full(len(word_labels), WEIGHTS[example.judged.set]) for example, word_labels in labelled]
    )
    return fit_network(WORD_FEATURES, columns, gold, weights)
