"""Passages where we fail, shown: what was asked, what we lit, what people marked."""

from __future__ import annotations

import random

import numpy as np

SHOWN, SHORT = 10, 160


def print_misses(sets, how, threshold: float) -> None:
    missed = []
    for one in sets:
        for judged, similarities in zip(one.judged, one.similarities, strict=True):
            scores = how(judged.question, judged.sentences, similarities)
            gold = np.array(judged.gold, dtype=bool)
            if gold.any() and not gold[int(np.argmax(scores))]:
                missed.append((one.name, judged, scores, gold))
    print(f"\n{len(missed)} passages whose best sentence is not evidence; {SHOWN} of them:\n")
    for name, judged, scores, gold in random.Random(3).sample(missed, min(SHOWN, len(missed))):
        best, true = int(np.argmax(scores)), int(np.flatnonzero(gold)[0])
        print(f"- **{name}**: {_short(judged.question)}")
        print(
            f"  - ours ({scores[best]:.2f}{'' if scores[best] >= threshold else ', not lit'}): {_short(judged.sentences[best])}"
        )
        print(f"  - people's ({scores[true]:.2f}): {_short(judged.sentences[true])}")


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= SHORT else text[: SHORT - 1] + "…"
