"""The fitted networks that turn sentence features into probabilities, and how they are fitted to judged passages."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from highlighter.embedding.embedder import DEFAULT_MODEL, ENGLISH_MODEL, FULL_PRECISION_MODEL, Embedder
from highlighter.evidence import features, joint_model
from highlighter.evidence.features import compute_features
from highlighter.evidence.joint_model import JointReading, JointScorer
from highlighter.evidence.judged_passages import JudgedPassage
from highlighter.evidence.probability_network import ProbabilityNetwork, fit_network

ProgressCallback = Callable[[int], object]  # is called with the number of passages done

BUNDLED_CALIBRATIONS_FOLDER = joint_model.MODEL_FOLDER / "calibrations"
# Of these embedders the package carries the calibration; the two precisions of MiniLM are close enough to share one.
BUNDLED_CALIBRATION_NAMES = {
    DEFAULT_MODEL: DEFAULT_MODEL,
    ENGLISH_MODEL: ENGLISH_MODEL,
    FULL_PRECISION_MODEL: ENGLISH_MODEL,
}
QUICK_COLUMN_NAMES = features.FEATURE_NAMES
# The joint model reads these better by itself: with them as further columns, fewer sentences were scored correctly.
FEATURES_REPLACED_BY_JOINT = (
    "numbers_shared", "numbers_differ", "names_shared", "names_missing", "kind_asked_for", "kind_given", "negation_differs",
    "neighbour_similarity", "covered_by_neighbours",
)  # fmt: skip
_FEATURE_INDEXES_BESIDE_JOINT = [
    index for index, name in enumerate(features.FEATURE_NAMES) if name not in FEATURES_REPLACED_BY_JOINT
]
FULL_COLUMN_NAMES = (
    *(features.FEATURE_NAMES[index] for index in _FEATURE_INDEXES_BESIDE_JOINT),
    *joint_model.JOINT_COLUMN_NAMES,
    "quick",
)


@dataclass(frozen=True, slots=True)
class Calibration:
    """The two fitted networks of one embedding model."""

    quick: ProbabilityNetwork  # reads the features alone
    full: ProbabilityNetwork  # reads the features, the joint model's columns and the quick probability
    fitted: bool = True  # to the embedder in use; otherwise to the bundled model, which is better than nothing

    def probabilities(
        self, columns: np.ndarray, read_jointly: Callable[[np.ndarray], JointReading | None] | None = None
    ) -> np.ndarray:
        """Return the probability of each sentence by its features, rescored for the sentences that `read_jointly`
        covers.
        """
        probabilities = self.quick.probabilities(columns)
        reading = read_jointly(probabilities) if read_jointly else None
        if reading is not None:
            probabilities[list(reading.sentence_indexes)] = self.full.probabilities(
                build_full_columns(columns, reading, probabilities)
            )
        return probabilities

    def to_bytes(self) -> bytes:
        """Return the numbers of both networks."""
        return b"".join(array.tobytes() for network in (self.quick, self.full) for array in network.arrays.values())

    def save(self, folder: Path) -> None:
        self.quick.save(folder / "quick.npz")
        self.full.save(folder / "full.npz")


def build_full_columns(columns: np.ndarray, reading: JointReading, prior: np.ndarray) -> np.ndarray:
    """Return the columns that FULL_COLUMN_NAMES names, for the sentences that the joint model has read."""
    indexes = list(reading.sentence_indexes)
    return np.concatenate(
        [columns[np.ix_(indexes, _FEATURE_INDEXES_BESIDE_JOINT)], reading.columns, prior[indexes, None]], axis=1
    )


def load_calibration(model: str, calibrations_folder: Path) -> Calibration:
    """Return the calibration fitted here for an embedding model, or the bundled one."""
    folder = calibration_folder(model, calibrations_folder)
    if (folder / "quick.npz").exists():
        return _load_networks(folder, fitted=True)
    name = BUNDLED_CALIBRATION_NAMES.get(model)
    return _load_networks(BUNDLED_CALIBRATIONS_FOLDER / (name or ENGLISH_MODEL), fitted=name is not None)


def calibration_folder(model: str, calibrations_folder: Path) -> Path:
    return calibrations_folder / re.sub(r"[^\w.-]+", "-", model).strip("-.")


def _load_networks(folder: Path, fitted: bool) -> Calibration:
    quick = ProbabilityNetwork.load(folder / "quick.npz", QUICK_COLUMN_NAMES)
    full = ProbabilityNetwork.load(folder / "full.npz", FULL_COLUMN_NAMES)
    return Calibration(quick, full, fitted)


# Fitting both networks to judged passages, for the embedder in use.

PASSAGES_PER_BATCH = 256


@dataclass(frozen=True, slots=True)
class CalibrationExample:
    """A judged passage with its columns."""

    judged: JudgedPassage
    columns: np.ndarray
    gold: np.ndarray
    weight: float  # of each of its sentences


def build_examples(
    judged: Sequence[JudgedPassage],
    embedder: Embedder,
    weight_of: Callable[[JudgedPassage], float],
    progress: ProgressCallback = lambda done: None,
) -> list[CalibrationExample]:
    """Return the calibration examples of judged passages that have sentences."""
    examples = []
    for start in range(0, len(judged), PASSAGES_PER_BATCH):
        batch = [passage for passage in judged[start : start + PASSAGES_PER_BATCH] if passage.sentences]
        for passage, similar in zip(batch, compute_similarities(batch, embedder), strict=True):
            columns = compute_features(passage.question, passage.sentences, np.nan_to_num(similar))
            # A compromise between weighing sentences and weighing passages: a long passage says more than a short one,
            # but not in proportion to its length.
            examples.append(
                CalibrationExample(
                    passage, columns, np.array(passage.gold, dtype=bool), weight_of(passage) / np.sqrt(len(columns))
                )
            )
        progress(len(batch))
    return examples


def compute_similarities(judged: Sequence[JudgedPassage], embedder: Embedder) -> list[np.ndarray]:
    """Return the similarity of each passage's sentences to its question. All passages are encoded together."""
    texts = sorted({text for passage in judged for text in passage.sentences})
    rows = {text: row for row, text in enumerate(texts)}
    vectors = embedder.encode(texts)
    questions = embedder.encode_questions([passage.question for passage in judged])
    return [
        vectors[[rows[text] for text in passage.sentences]] @ question
        for passage, question in zip(judged, questions, strict=True)
    ]


def fit_calibration(
    examples: Sequence[CalibrationExample], joint: JointScorer, progress: ProgressCallback = lambda done: None
) -> Calibration:
    """Return both networks, fitted to the examples."""
    quick = _fit_network(QUICK_COLUMN_NAMES, examples)
    joint_examples = build_joint_examples(examples, _predict_out_of_fold(examples), joint, progress)
    full = _fit_network(FULL_COLUMN_NAMES, joint_examples)
    return Calibration(quick, replace(full, joint_model=joint.compute_hash()))


def build_joint_examples(
    examples: Sequence[CalibrationExample],
    priors: Iterable[np.ndarray],
    joint: JointScorer,
    progress: ProgressCallback = lambda done: None,
) -> list[CalibrationExample]:
    """Return the sentences that the joint model reads of each example, with its columns beside the others."""
    joint_examples = []
    for example, prior in zip(examples, priors, strict=True):
        reading = joint.score_passage(example.judged.question, example.judged.sentences, prior)
        if reading is not None:
            columns = build_full_columns(example.columns, reading, prior)
            joint_examples.append(
                CalibrationExample(
                    example.judged, columns, example.gold[list(reading.sentence_indexes)], example.weight
                )
            )
        progress(1)
    return joint_examples


def _predict_out_of_fold(examples: Sequence[CalibrationExample]) -> list[np.ndarray]:
    """Return quick probabilities from a network that was not fitted on the passage.

    Otherwise the full network would learn to trust the quick probabilities too much.
    """
    groups = sorted({(example.judged.dataset, example.judged.group) for example in examples})
    fold_of_group = {group: number % 2 for number, group in enumerate(groups)}
    folds = [fold_of_group[example.judged.dataset, example.judged.group] for example in examples]
    if len(groups) < 2:  # all examples are of one document: alternating passages is the closest substitute
        folds = [number % 2 for number in range(len(examples))]
    fitted = [
        _fit_network(
            QUICK_COLUMN_NAMES,
            [example for example, example_fold in zip(examples, folds, strict=True) if example_fold != fold],
        )
        for fold in (0, 1)
    ]
    return [fitted[fold].probabilities(example.columns) for example, fold in zip(examples, folds, strict=True)]


def _fit_network(names: Sequence[str], examples: Sequence[CalibrationExample]) -> ProbabilityNetwork:
    columns = np.concatenate([example.columns for example in examples])
    gold = np.concatenate([example.gold for example in examples])
    weights = np.concatenate([np.full(len(example.gold), example.weight) for example in examples])
    return fit_network(names, columns, gold, weights)
