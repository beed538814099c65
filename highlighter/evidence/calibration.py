"""What was fitted for an embedder: the two weighings that turn features into probabilities."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from highlighter.embedder import CARRIED_WHOLE, DEFAULT_MODEL
from highlighter.evidence import features, joint
from highlighter.evidence.joint import Word
from highlighter.evidence.weighing import Weighing

CARRIED = joint.FOLDER
QUICK_NAMES = features.NAMES
# What the joint model reads better by itself: with these beside what it says, fewer sentences were told rightly.
READ_BY_JOINT = (
    "numbers_shared", "numbers_differ", "names_shared", "names_missing", "kind_asked_for", "kind_given", "negation_differs",
    "neighbour_similarity", "covered_by_neighbours",
)  # fmt: skip
_BESIDE_JOINT = [at for at, name in enumerate(features.NAMES) if name not in READ_BY_JOINT]
FULL_NAMES = (*(features.NAMES[at] for at in _BESIDE_JOINT), *joint.NAMES, "quick")


@dataclass(frozen=True, slots=True)
class Calibration:
    quick: Weighing  # by features alone
    full: Weighing  # by features, what the joint model says, and what the features alone come to
    fitted: bool = True  # for the embedder in use; else the carried model's, which is better than nothing

    def probabilities(self, columns: np.ndarray, read: Callable[[np.ndarray], Word | None] | None = None) -> np.ndarray:
        """Of each sentence, by its features; and anew for those that the joint model can be asked to `read` with them."""
        chances = self.quick.probabilities(columns)
        word = read(chances) if read else None
        if word is not None:
            chances[list(word.read)] = self.full.probabilities(full_columns(columns, word, chances))
        return chances

    def save(self, folder: Path) -> None:
        self.quick.save(folder / "quick.npz")
        self.full.save(folder / "full.npz")


def full_columns(columns: np.ndarray, word: Word, prior: np.ndarray) -> np.ndarray:
    """Those that FULL_NAMES names, of the sentences that the joint model has read."""
    read = list(word.read)
    return np.concatenate([columns[np.ix_(read, _BESIDE_JOINT)], word.columns, prior[read, None]], axis=1)


def calibration_for(model: str, kept: Path) -> Calibration:
    """The one fitted here for this model, else the carried one."""
    own = folder_for(model, kept)
    if (own / "quick.npz").exists():
        return _load(own, fitted=True)
    return _load(CARRIED, fitted=model in (DEFAULT_MODEL, CARRIED_WHOLE))


def folder_for(model: str, kept: Path) -> Path:
    return kept / re.sub(r"[^\w.-]+", "-", model).strip("-.")


def _load(folder: Path, fitted: bool) -> Calibration:
    quick, full = Weighing.load(folder / "quick.npz", QUICK_NAMES), Weighing.load(folder / "full.npz", FULL_NAMES)
    return Calibration(quick, full, fitted)
