"""Passages whose best sentence is not evidence: the question, the best sentence and the gold one."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from bench.evidence.datasets import Dataset
    from bench.evidence.methods import Method

MAX_PRINTED, MAX_CHARACTERS = 10, 160


def print_misses(datasets: Sequence[Dataset], method: Method, threshold: float) -> None:
    misses = []
    for dataset in datasets:
        for judged, similarities in zip(dataset.judged, dataset.similarities, strict=True):
            scores = method(judged.question, judged.sentences, similarities)
            gold = np.array(judged.gold, dtype=bool)
            if gold.any() and not gold[int(np.argmax(scores))]:
                misses.append((dataset.name, judged, scores, gold))
    print(f"\n{len(misses)} passages whose best sentence is not evidence; {MAX_PRINTED} of them:\n")
    for name, judged, scores, gold in random.Random(3).sample(misses, min(MAX_PRINTED, len(misses))):
        best_index, gold_index = int(np.argmax(scores)), int(np.flatnonzero(gold)[0])
        print(f"- **{name}**: {_shorten(judged.question)}")
        print(
            f"  - ours ({scores[best_index]:.2f}{'' if scores[best_index] >= threshold else ', not lit'}): {_shorten(judged.sentences[best_index])}"
        )
        print(f"  - people's ({scores[gold_index]:.2f}): {_shorten(judged.sentences[gold_index])}")


def _shorten(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= MAX_CHARACTERS else text[: MAX_CHARACTERS - 1] + "…"
