"""Measure a click and a search as a library grows: `python -m bench.scale.curve [--sizes 10000 100000 1000000] [--cluster]`.

Texts and vectors are generated. Words are as unequally frequent as in English, and vectors are those of the sentences in docs/,
each moved by the difference of two others: random vectors would all be equally far from each other, which no library is.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

import numpy as np

from bench.stores import CHUNKS_PER_DOCUMENT, SENTENCES_PER_CHUNK, make_varied_words, store_document
from bench.table import format_p50_p99, percentile, time_in_turn
from highlighter.app import create_app
from highlighter.embedding.embedder import Embedder
from highlighter.models import Document
from highlighter.rounding import round_for_comparison
from highlighter.search.vector_search import ExactScan
from highlighter.secret import Secret
from highlighter.services import Services
from highlighter.settings import Settings
from highlighter.store.chunk_search import SearchScope, search_full_text
from highlighter.store.vector_codec import decode_vectors
from highlighter.text.sentences import split_sentences
from highlighter.text.terms import extract_search_terms
from tests.chroma_server import RunningChroma
from tests.postgresql import NOT_INSTALLED, PostgresqlServer, find_programs

ROOT = Path(__file__).resolve().parents[2]
ROUNDS, RECALL_QUESTIONS, NEAREST = 60, 50, 10
DIFFERENCE_SHARE = 0.6


class GeneratedTexts:
    """Sentences whose words are as unequally frequent as in English, and vectors like those of real sentences."""

    def __init__(self, vectors: np.ndarray, seed: int = 1):
        self._real, self._random, self._numbers = vectors, random.Random(seed), np.random.default_rng(seed)

    def make_sentence(self, words: int = 0) -> str:
        return " ".join(make_varied_words(self._random, words or self._random.randint(12, 26))).capitalize() + "."

    def make_vectors(self, count: int) -> np.ndarray:
        sentence, other, third = (self._real[self._numbers.integers(len(self._real), size=count)] for _ in range(3))
        vectors = sentence + DIFFERENCE_SHARE * (other - third)
        return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), np.float32)


@dataclass
class Library:
    """A library of generated documents, with its size and what it took to build."""

    services: Services
    documents: list[Document]
    insert_seconds: float
    index_seconds: float


def build_library(settings: Settings, embedder: Embedder, size: int, texts: GeneratedTexts) -> Library:
    services = Services(settings, embedder)
    documents, started = [], time.monotonic()
    each = SENTENCES_PER_CHUNK * CHUNKS_PER_DOCUMENT
    for number, first in enumerate(range(0, size, each)):
        count = min(each, size - first)
        sentences = [texts.make_sentence() for _ in range(count)]
        documents.append(store_document(services, sentences, f"curve-{number}", texts.make_vectors(count)))
    inserted = time.monotonic()
    services.index.sync()
    return Library(services, documents, inserted - started, time.monotonic() - inserted)


@dataclass(frozen=True, slots=True)
class Point:
    """What was measured at one size. Times are those of each round."""

    size: int
    click: list[float]
    search: list[float]
    words: list[float]
    index: list[float]
    scan: list[float]
    recall: float
    insert_seconds: float
    index_seconds: float
    gigabytes: float


def measure(library: Library, size: int, texts: GeneratedTexts, folder: Path) -> Point:
    services = library.services
    client = create_app(services).test_client()
    scan = ExactScan(services.catalog, services.embedder.name)
    changes = {document_id: seq for seq, document_id, _ in services.catalog.changes_after(0)}
    rng = random.Random(size)

    def click(number: int) -> None:
        document = rng.choice(library.documents)
        query = {
            "document_id": document.id,
            "chunk_index": rng.randrange(document.chunks),
            "sub_question": f"{number} {texts.make_sentence(6)}",
        }
        assert client.get(f"/api/v1/chunks/highlight?{urlencode(query)}").status_code == 200

    def search(_: int) -> None:
        services.search.find(texts.make_sentence(8), min_score=0)

    def search_words(_: int) -> None:
        search_full_text(services.catalog.engine, extract_search_terms(texts.make_sentence(8)), SearchScope(), 100)

    def query_index(_: int) -> None:
        assert services.index.find_nearest(texts.make_vectors(1)[0], 100) is not None

    def scan_exactly(_: int) -> None:
        assert scan.find_nearest(texts.make_vectors(1)[0], 100, changes)

    calls = (click, search, search_words, query_index, scan_exactly)
    time_in_turn(5, *calls)
    clicks, searches, words, queries, scans = time_in_turn(ROUNDS, *calls)
    used = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    recall = measure_recall(library, texts.make_vectors(RECALL_QUESTIONS))
    return Point(
        size, clicks, searches, words, queries, scans, recall, library.insert_seconds, library.index_seconds, used / 1e9
    )


def measure_recall(library: Library, questions: np.ndarray) -> float:
    """Return the share of the chunks of the nearest sentences, by exact comparison, that the index finds, too."""
    services, best = library.services, [dict[tuple[str, int], float]() for _ in questions]
    for document in library.documents:
        rows = services.catalog.sentence_vectors(document.id, document.pipeline, services.embedder.name)
        similarities = round_for_comparison(questions @ decode_vectors([row[2] for row in rows]).T)
        for found, of_question in zip(best, similarities, strict=True):
            for row in np.argsort(-of_question)[: NEAREST * 2]:
                key = document.id, rows[row][0]
                found[key] = max(found.get(key, -1.0), float(of_question[row]))
    shares = []
    for question, found in zip(questions, best, strict=True):
        nearest = services.index.find_nearest(question, 100)
        assert nearest is not None
        exact = sorted(found, key=lambda key: -found[key])[:NEAREST]
        approximate = {(key.document_id, key.index) for key, _ in nearest.by_sentence[:NEAREST]}
        shares.append(len(approximate.intersection(exact)) / len(exact))
    return float(np.mean(shares))


def print_curve(points: Sequence[Point]) -> None:
    print(
        "| sentences | highlight click | search | its words | its index | exact scan instead | recall@10 | rows | index | disk |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|")
    for point in points:
        times = " | ".join(map(format_p50_p99, (point.click, point.search, point.words, point.index, point.scan)))
        built = f"{point.insert_seconds:.0f} s | {point.index_seconds:.0f} s | {point.gigabytes:.2f} GB"
        print(f"| {point.size:,} | {times} | {point.recall:.3f} | {built} |")
    first, last = points[0], points[-1]
    for name in ("click", "search"):
        ratio = percentile(getattr(last, name), 0.5) / percentile(getattr(first, name), 0.5)
        print(f"{name}: {ratio:.2f} x from {first.size:,} to {last.size:,} sentences")


def embed_documentation(embedder: Embedder) -> np.ndarray:
    texts = [path.read_text(encoding="utf-8") for path in sorted(ROOT.glob("docs/**/*.md"))]
    return embedder.encode([sentence.text for text in texts for sentence in split_sentences(text)])


def iterate_settings(folder: Path, sizes: Sequence[int], is_cluster: bool) -> Iterator[tuple[int, Settings]]:
    """Iterate over the sizes with the settings of a library each; servers run until the last was measured."""
    with ExitStack() as stack:
        for size in sizes:
            settings = Settings(data_dir=folder / f"{size}")
            if is_cluster:
                programs = find_programs()
                if programs is None:
                    raise SystemExit(NOT_INSTALLED)
                server = PostgresqlServer(programs, None, is_durable=True)
                stack.callback(server.remove)
                chroma = RunningChroma(folder / f"chroma-{size}")
                stack.callback(chroma.stop)
                address: Secret = server.address(server.create_database())
                settings = Settings(data_dir=folder / f"{size}", database_url=address, chroma_url=chroma.url)
            yield size, settings


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.scale.curve", description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000, 1_000_000], metavar="SENTENCES")
    parser.add_argument("--cluster", action="store_true", help="on PostgreSQL and a Chroma server, started for it")
    options = parser.parse_args()
    embedder = Embedder()
    embedder.load()
    texts, points = GeneratedTexts(embed_documentation(embedder)), []
    with tempfile.TemporaryDirectory() as folder:
        for size, settings in iterate_settings(Path(folder), options.sizes, options.cluster):
            library = build_library(settings, embedder, size, texts)
            points.append(measure(library, size, texts, settings.data_dir))
            library.services.close()
            print_curve(points)  # so that a run that is stopped has shown what it measured


if __name__ == "__main__":
    main()
