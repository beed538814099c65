"""The batch command: whole files of passages, against one stateless call after another."""

from __future__ import annotations

import random
import time
from pathlib import Path

from bench.stores import plausible
from bench.table import Row
from highlighter.embedding.embedder import Embedder
from highlighter.evidence.calibration import load_calibration
from highlighter.evidence.joint_model import JointScorer
from highlighter.evidence.passage_highlighter import PassageRequest, highlight_passages
from highlighter.evidence.scorer import EvidenceScorer

PASSAGES, SENTENCES = 300, 8


def rows() -> list[Row]:
    drawn = random.Random(11)
    embedder = Embedder()
    embedder.load()
    scorer = EvidenceScorer(load_calibration(embedder.name, Path()), JointScorer())
    passages = [
        PassageRequest(
            n, f"When is notice {n} given?", " ".join(plausible(drawn, f"{n}.{s}") for s in range(SENTENCES))
        )
        for n in range(PASSAGES)
    ]
    list(highlight_passages(passages[:5], embedder, scorer, "evidence", 0.5))
    together = _seconds(lambda: list(highlight_passages(passages, embedder, scorer, "evidence", 0.5)))
    alone = _seconds(
        lambda: [list(highlight_passages([passage], embedder, scorer, "evidence", 0.5)) for passage in passages]
    )
    return [
        Row(
            f"batch highlight, passages of {SENTENCES} sentences",
            f"{PASSAGES / together:.0f} passages/s",
            f"one by one {PASSAGES / alone:.0f} passages/s",
            f"{alone / together:.1f}x faster",
            "-",
        )
    ]


def _seconds(call) -> float:
    began = time.perf_counter()
    call()
    return time.perf_counter() - began
