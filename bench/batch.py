"""The batch command: whole files of passages, compared with one call for each passage."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from pathlib import Path

from bench.stores import make_sentence
from bench.table import Row
from highlighter.embedding.embedder import Embedder
from highlighter.evidence.calibration import load_calibration
from highlighter.evidence.joint_model import JointScorer
from highlighter.evidence.passage_highlighter import PassageRequest, highlight_passages
from highlighter.evidence.scorer import EvidenceScorer

PASSAGES, SENTENCES = 300, 8


def rows() -> list[Row]:
    rng = random.Random(11)
    embedder = Embedder()
    embedder.load()
    scorer = EvidenceScorer(load_calibration(embedder.name, Path()), JointScorer())
    passages = [
        PassageRequest(
            number,
            f"When is notice {number} given?",
            " ".join(make_sentence(rng, f"{number}.{sentence}") for sentence in range(SENTENCES)),
        )
        for number in range(PASSAGES)
    ]
    list(highlight_passages(passages[:5], embedder, scorer, "evidence", 0.5))
    batch_seconds = _measure_seconds(lambda: list(highlight_passages(passages, embedder, scorer, "evidence", 0.5)))
    single_seconds = _measure_seconds(
        lambda: [list(highlight_passages([passage], embedder, scorer, "evidence", 0.5)) for passage in passages]
    )
    return [
        Row(
            f"batch highlight, passages of {SENTENCES} sentences",
            f"{PASSAGES / batch_seconds:.0f} passages/s",
            f"one by one {PASSAGES / single_seconds:.0f} passages/s",
            f"{single_seconds / batch_seconds:.1f}x faster",
            "-",
        )
    ]


def _measure_seconds(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start
