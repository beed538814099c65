"""Ours with a part left out: fitted again without its columns, on the same documents, so that the rest can make up for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from bench.evidence.methods import PARTS, Method
from highlighter.embedding.embedder import Embedder
from highlighter.evidence.calibration import Calibration, build_examples, fit_calibration
from highlighter.evidence.features import FEATURE_NAMES, compute_features
from highlighter.evidence.joint_model import JointInput, JointReading, JointScorer
from highlighter.evidence.judged_passages import read_datasets
from training.lessons import kept_back
from training.weigh import count, with_altered


def without(data: Path, embedder: Embedder) -> Iterator[tuple[str, Method]]:
    shown = build_examples(
        with_altered([one for one in read_datasets(data / "train") if kept_back(one)]), embedder, count
    )
    joint = _ReadOnce()
    for part, names in PARTS.items():
        blind = [FEATURE_NAMES.index(name) for name in names]
        fitted = fit_calibration([replace(one, columns=_blinded(one.columns, blind)) for one in shown], joint)
        yield part, _scored(fitted, blind, joint)


class _ReadOnce(JointScorer):
    """Without a part other sentences may be chosen of a long passage; the same ones need not be read again."""

    def __init__(self) -> None:
        super().__init__()
        self._words: dict[tuple[bytes, tuple[int, ...]], JointReading] = {}

    def run_model(self, sheet: JointInput, chosen: Sequence[int]) -> JointReading:
        key = sheet.ids.tobytes(), tuple(chosen)
        if key not in self._words:
            self._words[key] = super().run_model(sheet, chosen)
        return self._words[key]


def _blinded(columns: np.ndarray, blind: list[int]) -> np.ndarray:
    columns = columns.copy()
    columns[:, blind] = 0.0
    return columns


def _scored(fitted: Calibration, blind: list[int], joint: JointScorer) -> Method:
    def score(question, texts, similarities):
        columns = _blinded(compute_features(question, texts, similarities), blind)
        return fitted.probabilities(columns, partial(joint.score_passage, question, texts))

    return score
