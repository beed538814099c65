"""What is asked of Chroma: which chunks lie nearest to a vector, by their sentences and by their means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from highlighter.store.scope import Key


@dataclass(frozen=True, slots=True)
class Nearest:
    """What an index knew when it had heard of all changes up to `heard`: chunks with their similarity, best first."""

    heard: int
    by_sentence: list[tuple[Key, float]]  # a chunk is as near as its nearest sentence
    by_chunk: list[tuple[Key, float]]


def near(collection, vector: np.ndarray, count: int, document_ids: Sequence[str] | None) -> list[tuple[Key, float]]:
    """The chunks of the rows of a collection that lie nearest, in all documents or in these."""
    if document_ids is not None and not document_ids:
        return []
    where = None if document_ids is None else {"document_id": {"$in": list(document_ids)}}
    found = collection.query(
        query_embeddings=vector[None, :], n_results=count, where=where, include=["metadatas", "distances"]
    )
    nearest: dict[Key, float] = {}
    for about, distance in zip(found["metadatas"][0], found["distances"][0], strict=True):
        nearest.setdefault(Key(about["document_id"], about["pipeline"], about["chunk"]), 1.0 - distance)
    return list(nearest.items())


def chunk_means(rows: list[tuple[int, int, bytes]]) -> tuple[list[int], np.ndarray]:
    """The numbers of a document's chunks, and for each the normalised mean of its sentences' vectors."""
    vectors = np.frombuffer(b"".join(row[2] for row in rows), dtype=np.float32).reshape(len(rows), -1)
    numbers, starts = np.unique([row[0] for row in rows], return_index=True)  # rows come in order of chunks
    sums = np.add.reduceat(vectors, starts, axis=0)
    return numbers.tolist(), sums / np.linalg.norm(sums, axis=1, keepdims=True).clip(min=1e-9)
