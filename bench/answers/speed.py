"""The time to the first citation and to the whole answer, without a language model, in libraries of two sizes."""

from __future__ import annotations

import random
import time
from pathlib import Path

from bench.stores import fill_store, make_sentence
from bench.table import Row, format_p50_p99
from highlighter.answering.answer import CitationEvent, EvidenceEvent
from highlighter.answering.request import QuestionRequest
from highlighter.embedding.embedder import Embedder
from highlighter.services import Services
from highlighter.settings import Settings

ROUNDS = 40


def rows(folder: Path, largest: int) -> list[Row]:
    embedder = Embedder()
    embedder.load()
    table_rows = []
    for size in (1_000, 100_000):
        if size > largest:
            continue
        services = Services(Settings(data_dir=folder / f"answers-{size}"), embedder)
        fill_store(services, size)
        services.index.sync()
        evidence, first, whole = _measure_answers(services)
        table_rows.append(
            Row(
                f"answer without a model, {size:,} sentences (p50 / p99)", format_p50_p99(whole),
                f"to the evidence {format_p50_p99(evidence)}, to the first citation {format_p50_p99(first)}", "-", "-",
            )
        )  # fmt: skip
        services.close()
    return table_rows


def _measure_answers(services: Services) -> tuple[list[float], list[float], list[float]]:
    rng = random.Random(11)
    evidence, first, whole = [], [], []
    for number in range(ROUNDS + 1):
        question = " ".join(make_sentence(rng, str(number)).split()[:10])
        start, first_citation = time.perf_counter(), None
        for event in services.answer_pipeline.stream_events(QuestionRequest(question, min_score=0)):
            seconds = time.perf_counter() - start
            if isinstance(event, EvidenceEvent):
                table_rows = seconds
            if isinstance(event, CitationEvent) and first_citation is None:
                first_citation = seconds
        if number:  # the first one warms up
            evidence.append(table_rows)
            whole.append(seconds)
            first += [first_citation] if first_citation is not None else []
    return evidence, first, whole
