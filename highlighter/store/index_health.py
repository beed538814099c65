"""Check that an index holds what the catalog holds, and finds it.

The check runs in a child process: a damaged index can crash, hang or take all memory, which must not happen to the service.
"""

from __future__ import annotations

import random
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from sqlalchemy import Connection, func, select

from highlighter.errors import Unavailable
from highlighter.lean_imports import skip_unneeded_imports
from highlighter.models import READABLE, UNFINISHED
from highlighter.store.catalog import Catalog
from highlighter.store.chroma import IndexGeneration, format_chunk_id, format_sentence_id
from highlighter.store.chunk_search import ChunkKey
from highlighter.store.database import export_address, open_database, parse_address
from highlighter.store.schema import changes, documents, sentences, vectors

if TYPE_CHECKING:
    from chromadb.api.models.Collection import Collection

CHECK_TIMEOUT_SECONDS = 300
MAX_PROBES = 200
# An approximate index may miss a few of its own vectors; two writers were seen to lose one in twenty for good.
MAX_MISSES = 2
MAX_SELF_DISTANCE = 1e-3  # cosine distance of a vector to itself, with room for rounding
# Among nearly identical texts, an approximate index may return another of them, which is as good as the exact one.
MAX_NEIGHBOUR_DISTANCE = 0.05
RETRY_RESULTS = 1_000  # the more results, the further the search goes
MAX_LINKS_TO_VECTORS_RATIO = 10  # hnswlib's link_lists.bin has been seen at over a terabyte, and sparse
MIN_CHECKED_BYTES = 1 << 20

# A terminal or a service manager stops every process of a service at once: that says nothing about the index.
_STOP_SIGNALS = ("SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM")
_STOP_EXIT_CODES = {-getattr(signal, name) for name in _STOP_SIGNALS if hasattr(signal, name)}  # Windows has not all

_ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class CheckLimits:
    """How much may be asked of a collection at once."""

    rows_per_read: int | None = None  # None: any number
    results: int = RETRY_RESULTS
    vectors_per_query: int = MAX_PROBES


class IndexCheckStopped(Unavailable):
    """The error for a check that ended without a finding, as the process was stopped."""

    def __init__(self) -> None:
        super().__init__("The check of the index was stopped.")


class _UnhealthyIndexError(Exception):
    """The index is unhealthy; the message says what is wrong."""


def find_index_problem(generation: IndexGeneration, catalog: Catalog, model: str) -> str:
    """Return what is wrong with a generation, in words; empty when it is healthy. Raise IndexCheckStopped for no finding."""
    if generation.model != model:
        return f"it was made by another model ({generation.model or 'unknown'})"
    command = [sys.executable, "-m", "highlighter.store.index_health", str(generation.folder), model]
    address = export_address(catalog.engine)  # by a pipe, as everybody can list the arguments of processes
    try:
        process = subprocess.run(
            command,
            timeout=CHECK_TIMEOUT_SECONDS,
            capture_output=True,
            text=True,
            cwd=_ROOT,
            input=address,
            process_group=0,  # Ctrl-C in a terminal is for the service, and would end the check with any exit code
        )
    except subprocess.TimeoutExpired:
        return f"it does not answer within {CHECK_TIMEOUT_SECONDS} seconds"
    if process.returncode == 0:
        return ""
    if process.returncode in _STOP_EXIT_CODES:
        raise IndexCheckStopped
    if process.returncode < 0:
        return f"opening it kills the process (signal {-process.returncode})"
    output = process.stdout.strip() or process.stderr.strip() or f"exit code {process.returncode}"
    return output.splitlines()[-1][:300]


def find_content_problem(
    sentences: Collection, chunks: Collection, cursor: int, catalog: Catalog, model: str, limits: CheckLimits
) -> str:
    """Return how collections differ from what the catalog has up to the cursor, in words; empty when they do not."""
    try:
        _check_contents(sentences, chunks, cursor, catalog, model, limits)
    except _UnhealthyIndexError as err:
        return str(err)
    return ""


def _check_generation(generation: IndexGeneration, catalog: Catalog, model: str) -> None:
    _check_file_sizes(generation.folder)
    client: Any  # ClientAPI does not declare `close`
    client, in_sentences, in_chunks = generation.open()
    try:
        _check_contents(in_sentences, in_chunks, generation.read_cursor(), catalog, model, CheckLimits())
    finally:
        client.close()


def _check_contents(
    in_sentences: Collection, in_chunks: Collection, cursor: int, catalog: Catalog, model: str, limits: CheckLimits
) -> None:
    with catalog.engine.connect() as connection:  # one transaction, so one state of the catalog
        expected_documents = _read_expected_documents(connection, cursor)
        rows = _read_expected_rows(connection, expected_documents, model)
        probes = _read_vectors(connection, random.sample(rows, min(MAX_PROBES, len(rows))), model)
    for collection, kind, ids in (
        (in_sentences, "sentence", {row_id for row_id, _, _ in rows}),
        (in_chunks, "chunk", {chunk_id for _, chunk_id, _ in rows}),
    ):
        _check_ids(_read_ids(collection, limits.rows_per_read), kind, expected_documents, ids)
    _check_stored_vectors(in_sentences, probes)
    _check_search_finds(in_sentences, list(probes.values()), limits)
    # Vectors of chunks are computed here and not stored in the catalog, so only whether each is found can be checked.
    chunk_ids = list({chunk_id for _, chunk_id, _ in rows})
    sample = random.sample(chunk_ids, min(MAX_PROBES, len(chunk_ids)))
    if sample:
        stored: Any = in_chunks.get(ids=sample, include=["embeddings"])["embeddings"]
        _check_search_finds(in_chunks, stored, limits)


def _check_file_sizes(folder: Path) -> None:
    links, data = (sum(file.stat().st_size for file in folder.rglob(n)) for n in ("link_lists.bin", "data_level0.bin"))
    if links > MAX_LINKS_TO_VECTORS_RATIO * max(data, MIN_CHECKED_BYTES):
        raise _UnhealthyIndexError("link_lists.bin is absurdly large")
    for file in folder.rglob("*.bin"):
        status = file.stat()
        if status.st_size > MIN_CHECKED_BYTES and status.st_blocks * 512 < status.st_size // 10:
            raise _UnhealthyIndexError(f"{file.name} is mostly holes")


def _read_expected_documents(connection: Connection, cursor: int) -> dict[str, bool]:
    """Return, for each document whose last change was applied, whether it should be in the index."""
    last = (
        select(changes.c.document_id, func.max(changes.c.seq).label("seq")).group_by(changes.c.document_id).subquery()
    )
    query = (
        select(last.c.document_id, documents.c.state, documents.c.current)
        .outerjoin(documents, documents.c.id == last.c.document_id)
        .where(last.c.seq <= cursor)
    )
    return {
        row.document_id: row.state in READABLE and row.current
        for row in connection.execute(query)
        if row.state not in UNFINISHED  # being processed: its next change updates the index
    }


def _read_expected_rows(
    connection: Connection, expected_documents: dict[str, bool], model: str
) -> list[tuple[str, str, bytes]]:
    """Return (id of the sentence, id of its chunk, hash of its text) for every row that the index should hold."""
    query = (
        select(sentences.c.document_id, sentences.c.pipeline, sentences.c.chunk, sentences.c.idx, sentences.c.text_hash)
        .join(vectors, (vectors.c.text_hash == sentences.c.text_hash) & (vectors.c.model == model))
        .join(documents, (documents.c.id == sentences.c.document_id) & (documents.c.pipeline == sentences.c.pipeline))
    )
    rows = [row for row in connection.execute(query) if expected_documents.get(row.document_id)]
    keys = [ChunkKey(row.document_id, row.pipeline, row.chunk) for row in rows]
    return [
        (format_sentence_id(key, row.idx), format_chunk_id(key), row.text_hash)
        for key, row in zip(keys, rows, strict=True)
    ]


def _read_vectors(connection: Connection, rows: Sequence[tuple[str, str, bytes]], model: str) -> dict[str, np.ndarray]:
    """Return the catalog's vectors of sentences, by sentence id."""
    query = select(vectors.c.text_hash, vectors.c.vector).where(
        vectors.c.text_hash.in_({text_hash for _, _, text_hash in rows}), vectors.c.model == model
    )
    by_hash = {row.text_hash: np.frombuffer(row.vector, np.float32) for row in connection.execute(query)}
    return {row_id: by_hash[text_hash] for row_id, _, text_hash in rows}


def _read_ids(collection: Collection, rows_per_read: int | None) -> set[str]:
    if rows_per_read is None:
        return set(collection.get(include=[])["ids"])
    ids: set[str] = set()
    for offset in count(0, rows_per_read):
        batch = collection.get(include=[], limit=rows_per_read, offset=offset)["ids"]
        ids.update(batch)
        if len(batch) < rows_per_read:
            return ids
    return ids


def _check_ids(stored: set[str], kind: str, expected_documents: dict[str, bool], expected: set[str]) -> None:
    missing = expected - stored
    stale = {row_id for row_id in stored - expected if row_id.partition(":")[0] in expected_documents}
    if missing or stale:
        raise _UnhealthyIndexError(
            f"of {len(expected):,} {kind} vectors {len(missing):,} are missing, and {len(stale):,} should not be there"
        )


def _check_stored_vectors(collection: Collection, expected: Mapping[str, np.ndarray]) -> None:
    """Check that each id has the vector that the catalog has."""
    if not expected:
        return
    result: Any = collection.get(ids=list(expected), include=["embeddings"])
    stored = dict(zip(result["ids"], result["embeddings"], strict=True))
    wrong = sum(
        row_id not in stored or _cosine_distance(stored[row_id], vector) > MAX_SELF_DISTANCE
        for row_id, vector in expected.items()
    )
    if wrong:
        raise _UnhealthyIndexError(f"{wrong} of {len(expected)} vectors are not those of the catalog")


def _cosine_distance(first: np.ndarray, second: np.ndarray) -> float:
    """Return the cosine distance of two vectors; a vector of length 0 has distance 0 to itself, and 1 to others."""
    lengths = float(np.linalg.norm(first) * np.linalg.norm(second))
    return 1.0 - float(np.dot(first, second)) / lengths if lengths else float(not np.array_equal(first, second))


def _check_search_finds(
    collection: Collection, vectors_to_find: Sequence[np.ndarray], limits: CheckLimits = CheckLimits()
) -> None:
    """Check that a search for each vector finds it, or another as near, as a scan of all vectors would."""
    if len(vectors_to_find) == 0:
        return
    size = limits.vectors_per_query
    missed = _find_missed_vectors(collection, vectors_to_find, 1, size)
    if len(missed) > MAX_MISSES:  # the search may only have stopped among many nearly identical vectors
        missed = _find_missed_vectors(collection, missed, min(collection.count(), limits.results), size)
    if len(missed) > MAX_MISSES:
        raise _UnhealthyIndexError(f"{len(missed)} of {len(vectors_to_find)} vectors that are in it are not found")


def _find_missed_vectors(
    collection: Collection, vectors_to_find: Sequence[np.ndarray], results: int, vectors_per_query: int
) -> list[np.ndarray]:
    """Return the vectors for which no near vector is among the given number of results."""
    missed = []
    for start in range(0, len(vectors_to_find), vectors_per_query):
        batch = vectors_to_find[start : start + vectors_per_query]
        result: Any = collection.query(query_embeddings=np.stack(batch), n_results=results, include=["distances"])
        missed += [
            vector
            for vector, distances in zip(batch, result["distances"], strict=True)
            if not distances or min(distances) > MAX_NEIGHBOUR_DISTANCE
        ]
    return missed


if __name__ == "__main__":
    skip_unneeded_imports()
    try:
        catalog = Catalog(open_database(parse_address(sys.stdin.read())))
        _check_generation(IndexGeneration(Path(sys.argv[1])), catalog, sys.argv[2])
    except _UnhealthyIndexError as problem:
        print(problem)
        sys.exit(1)
