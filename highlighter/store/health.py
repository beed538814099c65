"""Whether an index holds what the catalog holds, and finds it. Asked of a child process: a torn index can crash, hang, or
be absurdly large, and none of that may happen to a service.
"""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from sqlalchemy import Connection, func, select

from highlighter.models import READABLE, UNFINISHED
from highlighter.store.catalog import Catalog
from highlighter.store.database import open_database
from highlighter.store.generations import Generation
from highlighter.store.schema import changes, documents, sentences, vectors

CHECK_SECONDS = 300
PROBES = 200
# An approximate index may miss one of its own now and then; two writers were seen to lose one in twenty for good.
MISSES_ALLOWED = 2
SAME = 1e-3  # cosine distance of a vector to itself, with room for rounding
# Among texts that are nearly the same an approximate index may stop at another of them: an answer as good as the exact one.
AS_NEAR = 0.05
RESULTS_WHEN_MISSED = 1_000  # the more results, the further the search looks
LINKS_TO_VECTORS = 10  # hnswlib's link_lists.bin has been seen at over a terabyte, and sparse
SMALL = 1 << 20

_ROOT = Path(__file__).resolve().parents[2]


class _Ill(Exception):
    """Its message says what is wrong."""


def illness(generation: Generation, catalog: Catalog, model: str) -> str:
    """What is wrong with it, in words; empty when nothing is."""
    if generation.model != model:
        return f"it was made by another model ({generation.model or 'unknown'})"
    database = catalog.engine.url.database
    command = [sys.executable, "-m", "highlighter.store.health", str(generation.folder), database, model]
    try:
        ended = subprocess.run(command, timeout=CHECK_SECONDS, capture_output=True, text=True, cwd=_ROOT)
    except subprocess.TimeoutExpired:
        return f"it does not answer within {CHECK_SECONDS} seconds"
    if ended.returncode == 0:
        return ""
    if ended.returncode < 0:
        return f"opening it kills the process (signal {-ended.returncode})"
    said = ended.stdout.strip() or ended.stderr.strip() or f"exit code {ended.returncode}"
    return said.splitlines()[-1][:300]


def _check(generation: Generation, catalog: Catalog, model: str) -> None:
    _sizes(generation.folder)
    with catalog.engine.connect() as connection:  # one transaction: one state of the truth
        settled = _settled(connection, generation.heard())
        rows = _rows(connection, settled, model)
        probes = _vectors(connection, random.sample(rows, min(PROBES, len(rows))), model)
    _, in_sentences, in_chunks = generation.open()
    _same_ids(in_sentences, "sentence", settled, {row_id for row_id, _, _ in rows})
    _same_ids(in_chunks, "chunk", settled, {chunk_id for _, chunk_id, _ in rows})
    _stores(in_sentences, probes)
    _finds(in_sentences, list(probes.values()))
    # Chunks' vectors are ours to make, not the catalog's to keep: whether each is found is all there is to ask.
    chunk_ids = list({chunk_id for _, chunk_id, _ in rows})
    some = random.sample(chunk_ids, min(PROBES, len(chunk_ids)))
    if some:
        _finds(in_chunks, in_chunks.get(ids=some, include=["embeddings"])["embeddings"])


def _sizes(folder: Path) -> None:
    links, data = (sum(file.stat().st_size for file in folder.rglob(n)) for n in ("link_lists.bin", "data_level0.bin"))
    if links > LINKS_TO_VECTORS * max(data, SMALL):
        raise _Ill("link_lists.bin is absurdly large")
    for file in folder.rglob("*.bin"):
        about = file.stat()
        if about.st_size > SMALL and about.st_blocks * 512 < about.st_size // 10:
            raise _Ill(f"{file.name} is mostly holes")


def _settled(connection: Connection, heard: int) -> dict[str, bool]:
    """For each document whose last change was heard: whether it should be in the index."""
    last = (
        select(changes.c.document_id, func.max(changes.c.seq).label("seq")).group_by(changes.c.document_id).subquery()
    )
    query = (
        select(last.c.document_id, documents.c.state, documents.c.current)
        .outerjoin(documents, documents.c.id == last.c.document_id)
        .where(last.c.seq <= heard)
    )
    return {
        row.document_id: row.state in READABLE and row.current
        for row in connection.execute(query)
        if row.state not in UNFINISHED  # being read again: its next change will say
    }


def _rows(connection: Connection, settled: dict[str, bool], model: str) -> list[tuple[str, str, bytes]]:
    """(id of the sentence, id of its chunk, hash of its text) of all that should be there."""
    query = (
        select(sentences.c.document_id, sentences.c.pipeline, sentences.c.chunk, sentences.c.idx, sentences.c.text_hash)
        .join(vectors, (vectors.c.text_hash == sentences.c.text_hash) & (vectors.c.model == model))
        .join(documents, (documents.c.id == sentences.c.document_id) & (documents.c.pipeline == sentences.c.pipeline))
    )
    return [
        (f"{row.document_id}:{row.pipeline}:{row.idx}", f"{row.document_id}:{row.pipeline}:{row.chunk}", row.text_hash)
        for row in connection.execute(query)
        if settled.get(row.document_id)
    ]


def _vectors(connection: Connection, rows: Sequence[tuple[str, str, bytes]], model: str) -> dict[str, np.ndarray]:
    """The catalog's vectors of these sentences, by their ids."""
    query = select(vectors.c.text_hash, vectors.c.vector).where(
        vectors.c.text_hash.in_({text_hash for _, _, text_hash in rows}), vectors.c.model == model
    )
    of = {row.text_hash: np.frombuffer(row.vector, np.float32) for row in connection.execute(query)}
    return {row_id: of[text_hash] for row_id, _, text_hash in rows}


def _same_ids(collection, what: str, settled: dict[str, bool], expected: set[str]) -> None:
    there = set(collection.get(include=[])["ids"])
    missing = expected - there
    stale = {row_id for row_id in there - expected if row_id.partition(":")[0] in settled}
    if missing or stale:
        raise _Ill(
            f"of {len(expected):,} {what} vectors {len(missing):,} are missing, and {len(stale):,} should not be there"
        )


def _stores(collection, expected: Mapping[str, np.ndarray]) -> None:
    """Check that under each id the vector is kept that the catalog has."""
    if not expected:
        return
    got = collection.get(ids=list(expected), include=["embeddings"])
    stored = dict(zip(got["ids"], got["embeddings"], strict=True))
    wrong = sum(row_id not in stored or _distance(stored[row_id], one) > SAME for row_id, one in expected.items())
    if wrong:
        raise _Ill(f"{wrong} of {len(expected)} vectors are not those of the catalog")


def _distance(one: np.ndarray, other: np.ndarray) -> float:
    """By the cosine; of a vector without a length, 0 to itself."""
    lengths = float(np.linalg.norm(one) * np.linalg.norm(other))
    return 1.0 - float(np.dot(one, other)) / lengths if lengths else float(not np.array_equal(one, other))


def _finds(collection, wanted: Sequence[np.ndarray]) -> None:
    """Check that each vector, looked for, is found, or another that is as near: what a scan of all vectors would find."""
    if len(wanted) == 0:
        return
    missed = _not_found(collection, wanted, results=1)
    if len(missed) > MISSES_ALLOWED:  # perhaps the search was only caught among many that are nearly the same
        missed = _not_found(collection, missed, min(collection.count(), RESULTS_WHEN_MISSED))
    if len(missed) > MISSES_ALLOWED:
        raise _Ill(f"{len(missed)} of {len(wanted)} vectors that are in it are not found")


def _not_found(collection, wanted: Sequence[np.ndarray], results: int) -> list[np.ndarray]:
    """Return those of the vectors that have nothing near them among so many results."""
    answers = collection.query(query_embeddings=np.stack(wanted), n_results=results, include=["distances"])["distances"]
    return [one for one, answer in zip(wanted, answers, strict=True) if not answer or min(answer) > AS_NEAR]


if __name__ == "__main__":
    try:
        _check(Generation(Path(sys.argv[1])), Catalog(open_database(Path(sys.argv[2]))), sys.argv[3])
    except _Ill as ill:
        print(ill)
        sys.exit(1)
