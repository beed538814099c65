"""Search with loaded models at 10,000 and 100,000 sentences: through the index, and by the exact scan that replaces it."""

from __future__ import annotations

import random
import resource
import time
from pathlib import Path

from bench.stores import fill_store, make_sentence
from bench.table import Row, format_ms, format_p50_p99, time_in_turn
from highlighter.embedding.embedder import Embedder
from highlighter.services import Services
from highlighter.settings import Settings

ROUNDS = 100


def rows(folder: Path, largest: int = 100_000) -> list[Row]:
    embedder = Embedder()
    embedder.load()
    table_rows = []
    for size in (10_000, 100_000):
        if size > largest:
            continue
        services = Services(Settings(data_dir=folder / f"search-{size}"), embedder)
        fill_store(services, size)
        table_rows += _measure_store(services, size)
        services.close()
    return table_rows


def _measure_store(services: Services, size: int) -> list[Row]:
    """Measure the exact scan first: the index is opened afterwards."""
    exact_first, exact = _measure_searches(services)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    services.index.sync()
    _, indexed = _measure_searches(services)
    return [
        Row(
            f"search, new question, {size:,} sentences (p50 / p99)",
            format_p50_p99(indexed),
            f"exact scan {format_p50_p99(exact)}; its first {format_ms(exact_first)}, peak {memory:,} MB",
            "-",
            "-",
        )
    ]


def _measure_searches(services: Services) -> tuple[float, list[float]]:
    rng = random.Random(11)

    def ask(number: int) -> None:
        words = " ".join(make_sentence(rng, str(number)).split()[:10])
        assert services.search.find(words, min_score=0).hits

    start = time.perf_counter()
    ask(0)
    first = time.perf_counter() - start
    return first, time_in_turn(ROUNDS, ask)[0]
