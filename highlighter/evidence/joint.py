"""The model that reads question and sentences together: what neither similarity nor shared words can tell."""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from highlighter.evidence.reading import Reader, Sheet, choose

log = logging.getLogger(__name__)

FOLDER = Path(__file__).parent / "model"
NAMES = ("joint", "joint_below_best", "joint_share", "joint_none", "joint_best", "joint_gap")

# Pieces of a passage that one reading holds: of a longer passage, the likeliest sentences are read.
ROOM = 384


@dataclass(frozen=True, slots=True)
class Word:
    """Which sentences were read, and the six columns of each."""

    read: tuple[int, ...]
    columns: np.ndarray


class Joint:
    """Loaded on first use. A file that is not there or cannot be read is said once, and done without."""

    def __init__(self, folder: Path = FOLDER):
        self.folder = folder
        self._loading = threading.Lock()
        self._session = None
        self._reader: Reader | None = None
        self._problem = ""

    def read(self, question: str, texts: Sequence[str], prior: np.ndarray) -> Word | None:
        if not self._ready():
            return None
        asked, told = self._reader.pieces(question, texts)
        chosen = choose(prior, [len(one.ids) for one in told], ROOM - len(asked.ids))
        return self.word(self._reader.sheet(asked, told, chosen), chosen) if chosen else None

    def word(self, sheet: Sheet, chosen: Sequence[int]) -> Word:
        member = (sheet.owners[None, :] == np.arange(len(chosen))[:, None]).astype(np.float32)
        none, logits = self._session.run(
            None, {"ids": sheet.ids[None], "kinds": sheet.kinds[None], "member": member[None]}
        )
        return Word(tuple(chosen), columns(float(none[0]), logits[0]))

    def _ready(self) -> bool:
        with self._loading:
            if self._session is None and not self._problem:
                try:
                    from highlighter.engines.onnx import session

                    self._reader = Reader(self.folder / "tokenizer.json")
                    self._session = session(self.folder / "joint.onnx")
                except Exception as err:
                    self._problem = str(err)
                    log.error("The joint model cannot be loaded, and is done without: %s", err)
            return self._session is not None


def columns(none: float, logits: np.ndarray) -> np.ndarray:
    """What the model's logits say of each sentence, by itself and beside the others."""
    margin = logits - none
    every = np.concatenate([[none], logits])
    share = np.exp(every - every.max())
    share /= share.sum()
    best, count = margin.max(), len(logits)
    second = np.partition(margin, -2)[-2] if count > 1 else margin.min()
    rows = (
        margin,
        margin - best,
        share[1:],
        np.full(count, share[0]),
        np.full(count, best),
        np.full(count, best - second),
    )
    return np.stack(rows, axis=1).astype(np.float32)
