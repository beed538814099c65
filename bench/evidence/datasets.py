"""Judged passages with the similarities of their sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from highlighter.embedding.embedder import Embedder
from highlighter.evidence.calibration import compute_similarities
from highlighter.evidence.judged_passages import JudgedPassage, read_dataset


@dataclass(frozen=True, slots=True)
class Dataset:
    name: str
    judged: Sequence[JudgedPassage]
    similarities: Sequence[np.ndarray]


def read_embedded_dataset(path: Path, embedder: Embedder) -> Dataset:
    judged = [passage for passage in read_dataset(path) if passage.sentences]
    return Dataset(path.name.removesuffix(".jsonl.gz"), judged, compute_similarities(judged, embedder))
