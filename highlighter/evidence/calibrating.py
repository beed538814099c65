"""Fits both weighings to judged passages, as the embedder in use and the joint model see them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from highlighter.embedder import Embedder
from highlighter.evidence.calibration import FULL_NAMES, QUICK_NAMES, Calibration, full_columns
from highlighter.evidence.features import features
from highlighter.evidence.fitting import fit
from highlighter.evidence.joint import Joint
from highlighter.evidence.judged import Judged

PASSAGES_AT_ONCE = 256


@dataclass(frozen=True, slots=True)
class Example:
    """A judged passage and its columns."""

    judged: Judged
    columns: np.ndarray
    gold: np.ndarray
    count: float  # how much each of its sentences counts


def examples(
    judged: Sequence[Judged], embedder: Embedder, count: Callable[[Judged], float], progress=lambda done: None
) -> list[Example]:
    made = []
    for at in range(0, len(judged), PASSAGES_AT_ONCE):
        some = [one for one in judged[at : at + PASSAGES_AT_ONCE] if one.sentences]
        for one, similar in zip(some, similarities_of(some, embedder), strict=True):
            columns = features(one.question, one.sentences, np.nan_to_num(similar))
            # Between counting sentences and counting passages: a long passage tells more than a short one, not in proportion.
            made.append(Example(one, columns, np.array(one.gold, dtype=bool), count(one) / np.sqrt(len(columns))))
        progress(len(some))
    return made


def similarities_of(judged: Sequence[Judged], embedder: Embedder) -> list[np.ndarray]:
    """Of each passage's sentences with its question; all of them are read together."""
    texts = sorted({text for one in judged for text in (one.question, *one.sentences)})
    rows = {text: row for row, text in enumerate(texts)}
    vectors = embedder.encode(texts)
    return [vectors[[rows[text] for text in one.sentences]] @ vectors[rows[one.question]] for one in judged]


def calibrate(shown: Sequence[Example], joint: Joint, progress=lambda done: None) -> Calibration:
    quick = _fit(QUICK_NAMES, shown)
    return Calibration(quick, _fit(FULL_NAMES, read_together(shown, _without_own(shown), joint, progress)))


def read_together(
    shown: Sequence[Example], priors: Iterable[np.ndarray], joint: Joint, progress=lambda done: None
) -> list[Example]:
    """The sentences that the joint model reads of each, with what it says beside the other columns."""
    made = []
    for one, prior in zip(shown, priors, strict=True):
        word = joint.read(one.judged.question, one.judged.sentences, prior)
        if word is not None:
            columns = full_columns(one.columns, word, prior)
            made.append(Example(one.judged, columns, one.gold[list(word.read)], one.count))
        progress(1)
    return made


def _without_own(shown: Sequence[Example]) -> list[np.ndarray]:
    """Quick probabilities by a weighing that was not fitted on the passage: the full one must not trust them too much."""
    groups = sorted({(one.judged.set, one.judged.group) for one in shown})
    half = {group: number % 2 for number, group in enumerate(groups)}
    sides = [half[one.judged.set, one.judged.group] for one in shown]
    if len(groups) < 2:  # all of one document: passage by passage is the nearest to it
        sides = [number % 2 for number in range(len(shown))]
    fitted = [_fit(QUICK_NAMES, [one for one, own in zip(shown, sides, strict=True) if own != side]) for side in (0, 1)]
    return [fitted[side].probabilities(one.columns) for one, side in zip(shown, sides, strict=True)]


def _fit(names: Sequence[str], shown: Sequence[Example]):
    columns = np.concatenate([one.columns for one in shown])
    gold = np.concatenate([one.gold for one in shown])
    counts = np.concatenate([np.full(len(one.gold), one.count) for one in shown])
    return fit(names, columns, gold, counts)
