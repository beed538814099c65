"""Judged passages with the similarities of their sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from highlighter.embedding.embedder import Embedder
from highlighter.evidence.calibration import compute_similarities
from highlighter.evidence.judged_passages import JudgedPassage, read_dataset
from training.example_selection import is_measured


@dataclass(frozen=True, slots=True)
class Dataset:
    name: str
    judged: Sequence[JudgedPassage]
    similarities: Sequence[np.ndarray]


def read_embedded_dataset(path: Path, embedder: Embedder) -> Dataset:
    return _embed(path, list(read_dataset(path)), embedder)


def read_measured_articles(folder: Path, embedder: Embedder) -> list[Dataset]:
    """Return the sets of questions written to look answerable, of articles that nothing was learned from nor fitted to."""
    paths = sorted(folder.glob("squad2_adversarial*.jsonl.gz"))
    return [_embed(path, list(filter(is_measured, read_dataset(path))), embedder) for path in paths]


def _embed(path: Path, passages: Sequence[JudgedPassage], embedder: Embedder) -> Dataset:
    judged = [passage for passage in passages if passage.sentences]
    return Dataset(path.name.removesuffix(".jsonl.gz"), judged, compute_similarities(judged, embedder))
