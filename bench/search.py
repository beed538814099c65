"""Search, warm, at 10,000 and 100,000 sentences: through the index, and by the exact scan that stands in for it."""

from __future__ import annotations

import random
import resource
import time
from pathlib import Path

from bench.stores import fill, plausible
from bench.table import Row, in_turn, ms, p50_p99
from highlighter.embedding.embedder import Embedder
from highlighter.services import Services
from highlighter.settings import Settings

ROUNDS = 100


def rows(folder: Path, largest: int = 100_000) -> list[Row]:
    embedder = Embedder()
    embedder.load()
    found = []
    for size in (10_000, 100_000):
        if size > largest:
            continue
        services = Services(Settings(data_dir=folder / f"search-{size}"), embedder)
        fill(services, size)
        found += _of_store(services, size)
        services.close()
    return found


def _of_store(services: Services, size: int) -> list[Row]:
    """The exact scan is timed first: from then on the index is open, and used."""
    exact_first, exact = _timed(services)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    services.index.sync()
    _, indexed = _timed(services)
    return [
        Row(
            f"search, new question, {size:,} sentences (p50 / p99)",
            p50_p99(indexed),
            f"exact scan {p50_p99(exact)}; its first {ms(exact_first)}, peak {memory:,} MB",
            "-",
            "-",
        )
    ]


def _timed(services: Services) -> tuple[float, list[float]]:
    drawn = random.Random(11)

    def ask(number: int) -> None:
        words = " ".join(plausible(drawn, str(number)).split()[:10])
        assert services.search.find(words, min_score=0).hits

    began = time.perf_counter()
    ask(0)
    first = time.perf_counter() - began
    return first, in_turn(ROUNDS, ask)[0]
