"""The scorer without a group of features: fitted again on the same documents, so that the others can compensate."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from bench.evidence.methods import FEATURE_GROUPS, Method
from highlighter.embedding.embedder import Embedder
from highlighter.evidence.calibration import Calibration, build_examples, fit_calibration
from highlighter.evidence.features import FEATURE_NAMES, compute_features
from highlighter.evidence.joint_model import JointInput, JointReading, JointScorer
from highlighter.evidence.judged_passages import read_datasets
from training.calibration import add_altered_passages, weigh_passage
from training.example_selection import is_held_out


def score_without_groups(data: Path, embedder: Embedder) -> Iterator[tuple[str, Method]]:
    examples = build_examples(
        add_altered_passages([example for example in read_datasets(data / "train") if is_held_out(example)]),
        embedder,
        weigh_passage,
    )
    joint = _CachedJointScorer()
    for group, names in FEATURE_GROUPS.items():
        indexes = [FEATURE_NAMES.index(name) for name in names]
        calibration = fit_calibration(
            [replace(example, columns=_blank_columns(example.columns, indexes)) for example in examples], joint
        )
        yield group, _build_method(calibration, indexes, joint)


class _CachedJointScorer(JointScorer):
    """A joint scorer that remembers its readings.

    Without a group of features other sentences of a long passage may be chosen; the same ones need not be read again.
    """

    def __init__(self) -> None:
        super().__init__()
        self._readings: dict[tuple[bytes, tuple[int, ...]], JointReading] = {}

    def run_model(self, joint_input: JointInput, chosen: Sequence[int]) -> JointReading:
        key = joint_input.ids.tobytes(), tuple(chosen)
        if key not in self._readings:
            self._readings[key] = super().run_model(joint_input, chosen)
        return self._readings[key]


def _blank_columns(columns: np.ndarray, indexes: list[int]) -> np.ndarray:
    columns = columns.copy()
    columns[:, indexes] = 0.0
    return columns


def _build_method(calibration: Calibration, indexes: list[int], joint: JointScorer) -> Method:
    def score(question: str, texts: Sequence[str], similarities: np.ndarray) -> np.ndarray:
        columns = _blank_columns(compute_features(question, texts, similarities), indexes)
        return calibration.probabilities(columns, partial(joint.score_passage, question, texts))

    return score
