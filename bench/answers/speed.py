"""Time to the first citation and to the whole answer, without a language model, in libraries of two sizes."""

from __future__ import annotations

import random
import time
from pathlib import Path

from bench.stores import fill, plausible
from bench.table import Row, p50_p99
from highlighter.answering.answer import CitationEvent, EvidenceEvent
from highlighter.answering.request import QuestionRequest
from highlighter.embedding.embedder import Embedder
from highlighter.services import Services
from highlighter.settings import Settings

ROUNDS = 40


def rows(folder: Path, largest: int) -> list[Row]:
    embedder = Embedder()
    embedder.load()
    found = []
    for size in (1_000, 100_000):
        if size > largest:
            continue
        services = Services(Settings(data_dir=folder / f"answers-{size}"), embedder)
        fill(services, size)
        services.index.sync()
        evidence, first, whole = _timed(services)
        found.append(
            Row(
                f"answer without a model, {size:,} sentences (p50 / p99)", p50_p99(whole),
                f"to the evidence {p50_p99(evidence)}, to the first citation {p50_p99(first)}", "-", "-",
            )
        )  # fmt: skip
        services.close()
    return found


def _timed(services: Services) -> tuple[list[float], list[float], list[float]]:
    drawn = random.Random(11)
    evidence, first, whole = [], [], []
    for number in range(ROUNDS + 1):
        question = " ".join(plausible(drawn, str(number)).split()[:10])
        began, cited = time.perf_counter(), None
        for step in services.answer_pipeline.stream_events(QuestionRequest(question, min_score=0)):
            took = time.perf_counter() - began
            if isinstance(step, EvidenceEvent):
                found = took
            if isinstance(step, CitationEvent) and cited is None:
                cited = took
        if number:  # the first one warms up
            evidence.append(found)
            whole.append(took)
            first += [cited] if cited is not None else []
    return evidence, first, whole
