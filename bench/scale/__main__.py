"""Measure the same work on SQLite and on PostgreSQL, alternately: `python -m bench.scale [--chunks 2000]`.

Both flush each commit to the same disk. PostgreSQL is started for the measurement, and reached by a socket; a server on
another machine adds its network's delay to each statement.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from bench.stores import (
    CHUNKS_PER_DOCUMENT,
    SENTENCES_PER_CHUNK,
    fill_store,
    make_sentence,
    make_vectors,
    store_document,
)
from bench.table import Row, format_ms, format_p50_p99, print_table, time_in_turn
from highlighter.models import Document
from highlighter.secret import Secret
from highlighter.services import Services
from highlighter.settings import Settings
from highlighter.store import audit_log
from highlighter.store.chunk_search import SearchScope, search_full_text
from highlighter.store.database import write_transaction
from highlighter.text.terms import extract_terms
from tests.postgresql import NOT_INSTALLED, PostgresqlServer, find_programs

ROUNDS = 100
QUESTIONS = ("How many days of notice before a crossing?", "damage to the quay", "insurance of the contractor")


class Library:
    """A catalog of generated documents in one of the databases."""

    def __init__(self, folder: Path, database_url: Secret, chunks: int):
        self.services = Services(Settings(data_dir=folder, database_url=database_url))
        self.catalog = self.services.catalog
        self.documents: list[Document] = fill_store(self.services, chunks * SENTENCES_PER_CHUNK)
        self._random = random.Random(2)

    def insert_document(self, number: int) -> None:
        count = SENTENCES_PER_CHUNK * CHUNKS_PER_DOCUMENT
        texts = [make_sentence(self._random, f"new-{number}-{index}") for index in range(count)]
        store_document(self.services, texts, f"new-{number}", make_vectors(self._random, count))

    def search_words(self, number: int) -> None:
        terms = extract_terms(QUESTIONS[number % len(QUESTIONS)])
        assert search_full_text(self.catalog.engine, terms, SearchScope(), 50)

    def load_chunk(self, number: int) -> None:
        document = self.documents[number % len(self.documents)]
        chunk = self.catalog.chunk(document, number % document.chunks)
        assert chunk is not None
        assert self.catalog.sentences(chunk, self.services.embedder.name)[1] is not None

    def append_to_audit(self, number: int) -> None:
        with write_transaction(self.catalog.engine) as connection:
            audit_log.record_event(connection, audit_log.INGESTED, f"{number}", "default", "")

    def read_version(self, _number: int) -> None:
        self.catalog.data_version()


WORK: tuple[tuple[str, Callable[[Library, int], None], int], ...] = (
    (f"insert a document of {CHUNKS_PER_DOCUMENT} chunks", Library.insert_document, 8),
    ("search by words", Library.search_words, ROUNDS),
    ("load a chunk with its vectors", Library.load_chunk, ROUNDS),
    ("append to the audit", Library.append_to_audit, ROUNDS),
    ("ask whether anything has changed", Library.read_version, ROUNDS),
)


def measure(sqlite: Library, postgresql: Library) -> list[Row]:
    rows = []
    for name, work, rounds in WORK:
        times = time_in_turn(rounds, *(partial(work, library) for library in (sqlite, postgresql)))
        baseline, result = map(statistics.median, times)
        rows.append(Row(name, format_p50_p99(times[1]), format_ms(baseline), f"{result / baseline:.1f}", ""))
    return rows


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure the same work on SQLite and on PostgreSQL.")
    parser.add_argument("--chunks", type=int, default=2_000, help="chunks in each catalog (default: %(default)s)")
    options = parser.parse_args()
    programs = find_programs()
    if programs is None:
        print(NOT_INSTALLED, file=sys.stderr)
        return 1
    server = PostgresqlServer(programs, None, is_durable=True)
    try:
        with tempfile.TemporaryDirectory() as folder:
            address = server.address(server.create_database())
            libraries = [
                Library(Path(folder) / name, url, options.chunks)
                for name, url in (("sqlite", Secret()), ("postgresql", address))
            ]
            print(f"{options.chunks:,} chunks; PostgreSQL (p50 / p99) beside SQLite as the baseline (p50)")
            print_table(measure(*libraries))
            for library in libraries:
                library.services.close()
    finally:
        server.remove()
    return 0


if __name__ == "__main__":
    sys.exit(main())
