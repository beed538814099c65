"""What was fitted for an embedder: the two weighings that turn features into probabilities."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from highlighter.embedding.embedder import DEFAULT_MODEL, FULL_PRECISION_MODEL, Embedder
from highlighter.evidence import features, joint_model
from highlighter.evidence.features import compute_features
from highlighter.evidence.joint_model import JointReading, JointScorer
from highlighter.evidence.judged_passages import JudgedPassage
from highlighter.evidence.probability_network import ProbabilityNetwork, fit_network

BUNDLED_CALIBRATION_FOLDER = joint_model.MODEL_FOLDER
QUICK_COLUMN_NAMES = features.FEATURE_NAMES
# What the joint model reads better by itself: with these beside what it says, fewer sentences were told rightly.
FEATURES_REPLACED_BY_JOINT = (
    "numbers_shared", "numbers_differ", "names_shared", "names_missing", "kind_asked_for", "kind_given", "negation_differs",
    "neighbour_similarity", "covered_by_neighbours",
)  # fmt: skip
_FEATURE_INDEXES_BESIDE_JOINT = [
    at for at, name in enumerate(features.FEATURE_NAMES) if name not in FEATURES_REPLACED_BY_JOINT
]
FULL_COLUMN_NAMES = (
    *(features.FEATURE_NAMES[at] for at in _FEATURE_INDEXES_BESIDE_JOINT),
    *joint_model.JOINT_COLUMN_NAMES,
    "quick",
)


@dataclass(frozen=True, slots=True)
class Calibration:
    quick: ProbabilityNetwork  # by features alone
    full: ProbabilityNetwork  # by features, what the joint model says, and what the features alone come to
    fitted: bool = True  # for the embedder in use; else the carried model's, which is better than nothing

    def probabilities(
        self, columns: np.ndarray, read_jointly: Callable[[np.ndarray], JointReading | None] | None = None
    ) -> np.ndarray:
        """Of each sentence, by its features; and anew for those that the joint model can be asked to `read` with them."""
        chances = self.quick.probabilities(columns)
        word = read_jointly(chances) if read_jointly else None
        if word is not None:
            chances[list(word.sentence_indexes)] = self.full.probabilities(build_full_columns(columns, word, chances))
        return chances

    def save(self, folder: Path) -> None:
        self.quick.save(folder / "quick.npz")
        self.full.save(folder / "full.npz")


def build_full_columns(columns: np.ndarray, reading: JointReading, prior: np.ndarray) -> np.ndarray:
    """Those that FULL_NAMES names, of the sentences that the joint model has read."""
    read = list(reading.sentence_indexes)
    return np.concatenate(
        [columns[np.ix_(read, _FEATURE_INDEXES_BESIDE_JOINT)], reading.columns, prior[read, None]], axis=1
    )


def load_calibration(model: str, calibrations_folder: Path) -> Calibration:
    """The one fitted here for this model, else the carried one."""
    own = calibration_folder(model, calibrations_folder)
    if (own / "quick.npz").exists():
        return _load_networks(own, fitted=True)
    return _load_networks(BUNDLED_CALIBRATION_FOLDER, fitted=model in (DEFAULT_MODEL, FULL_PRECISION_MODEL))


def calibration_folder(model: str, calibrations_folder: Path) -> Path:
    return calibrations_folder / re.sub(r"[^\w.-]+", "-", model).strip("-.")


def _load_networks(folder: Path, fitted: bool) -> Calibration:
    quick, full = (
        ProbabilityNetwork.load(folder / "quick.npz", QUICK_COLUMN_NAMES),
        ProbabilityNetwork.load(folder / "full.npz", FULL_COLUMN_NAMES),
    )
    return Calibration(quick, full, fitted)


# Fits both weighings to judged passages, as the embedder in use and the joint model see them.


PASSAGES_PER_BATCH = 256


@dataclass(frozen=True, slots=True)
class CalibrationExample:
    """A judged passage and its columns."""

    judged: JudgedPassage
    columns: np.ndarray
    gold: np.ndarray
    weight: float  # how much each of its sentences counts


def build_examples(
    judged: Sequence[JudgedPassage],
    embedder: Embedder,
    weight_of: Callable[[JudgedPassage], float],
    progress=lambda done: None,
) -> list[CalibrationExample]:
    made = []
    for at in range(0, len(judged), PASSAGES_PER_BATCH):
        some = [one for one in judged[at : at + PASSAGES_PER_BATCH] if one.sentences]
        for one, similar in zip(some, compute_similarities(some, embedder), strict=True):
            columns = compute_features(one.question, one.sentences, np.nan_to_num(similar))
            # Between counting sentences and counting passages: a long passage tells more than a short one, not in proportion.
            made.append(
                CalibrationExample(one, columns, np.array(one.gold, dtype=bool), weight_of(one) / np.sqrt(len(columns)))
            )
        progress(len(some))
    return made


def compute_similarities(judged: Sequence[JudgedPassage], embedder: Embedder) -> list[np.ndarray]:
    """Of each passage's sentences with its question; all of them are read together."""
    texts = sorted({text for one in judged for text in (one.question, *one.sentences)})
    rows = {text: row for row, text in enumerate(texts)}
    vectors = embedder.encode(texts)
    return [vectors[[rows[text] for text in one.sentences]] @ vectors[rows[one.question]] for one in judged]


def fit_calibration(
    examples: Sequence[CalibrationExample], joint: JointScorer, progress=lambda done: None
) -> Calibration:
    quick = _fit_network(QUICK_COLUMN_NAMES, examples)
    return Calibration(
        quick,
        _fit_network(
            FULL_COLUMN_NAMES, build_joint_examples(examples, _out_of_fold_probabilities(examples), joint, progress)
        ),
    )


def build_joint_examples(
    examples: Sequence[CalibrationExample], priors: Iterable[np.ndarray], joint: JointScorer, progress=lambda done: None
) -> list[CalibrationExample]:
    """The sentences that the joint model reads of each, with what it says beside the other columns."""
    made = []
    for one, prior in zip(examples, priors, strict=True):
        word = joint.score_passage(one.judged.question, one.judged.sentences, prior)
        if word is not None:
            columns = build_full_columns(one.columns, word, prior)
            made.append(CalibrationExample(one.judged, columns, one.gold[list(word.sentence_indexes)], one.weight))
        progress(1)
    return made


def _out_of_fold_probabilities(examples: Sequence[CalibrationExample]) -> list[np.ndarray]:
    """Quick probabilities by a weighing that was not fitted on the passage: the full one must not trust them too much."""
    groups = sorted({(one.judged.dataset, one.judged.group) for one in examples})
    half = {group: number % 2 for number, group in enumerate(groups)}
    sides = [half[one.judged.dataset, one.judged.group] for one in examples]
    if len(groups) < 2:  # all of one document: passage by passage is the nearest to it
        sides = [number % 2 for number in range(len(examples))]
    fitted = [
        _fit_network(QUICK_COLUMN_NAMES, [one for one, own in zip(examples, sides, strict=True) if own != side])
        for side in (0, 1)
    ]
    return [fitted[side].probabilities(one.columns) for one, side in zip(examples, sides, strict=True)]


def _fit_network(names: Sequence[str], examples: Sequence[CalibrationExample]):
    columns = np.concatenate([one.columns for one in examples])
    gold = np.concatenate([one.gold for one in examples])
    counts = np.concatenate([np.full(len(one.gold), one.weight) for one in examples])
    return fit_network(names, columns, gold, counts)
