"""The folders an index lives in, one a generation, and what each says of itself."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from highlighter.store.chunk_search import ChunkKey

CHROMA_FILE_NAME = "chroma.sqlite3"


@dataclass(frozen=True, slots=True)
class IndexGeneration:
    """`folder/` holds Chroma's files, `cursor`, `about.json`, and `whole` once it has caught up for the first time."""

    folder: Path

    @property
    def number(self) -> int:
        return int(self.folder.name)

    @property
    def model(self) -> str:
        """Whose vectors it holds: those of two models do not go together."""
        return self._read_about().get("model", "")

    def read_rebuild_reason(self) -> str:
        """What was found wrong with the one before."""
        return self._read_about().get("because", "")

    def read_cursor(self) -> int:
        """The last change it has heard of."""
        try:
            return int((self.folder / "cursor").read_text())
        except (FileNotFoundError, ValueError):
            return 0

    def write_cursor(self, seq: int) -> None:
        """Replaced whole: a kill leaves the old cursor or the new one."""
        _replace_file(self.folder / "cursor", str(seq))

    def is_complete(self) -> bool:
        return (self.folder / "whole").exists()

    def mark_complete(self) -> None:
        (self.folder / "whole").touch()

    def read_file_ids(self) -> frozenset[tuple[int, int]]:
        """Which files hold it: (device, inode) of Chroma's database, and of what was written when it was begun."""
        there = (os.stat(self.folder / name) for name in (CHROMA_FILE_NAME, "about.json"))
        return frozenset((file.st_dev, file.st_ino) for file in there)

    def has_same_files(self, file_ids: frozenset[tuple[int, int]]) -> bool:
        """Whether these files are still the ones found there."""
        try:
            return self.read_file_ids() == file_ids
        except FileNotFoundError:
            return False

    def open(self):
        """(client, sentences, chunks)."""
        import chromadb  # half a second
        from chromadb.config import Settings as ChromaSettings

        client = chromadb.PersistentClient(str(self.folder), settings=ChromaSettings(anonymized_telemetry=False))
        space = {"hnsw": {"space": "cosine"}}
        return client, *(
            client.get_or_create_collection(name, configuration=space, embedding_function=None)
            for name in ("sentences", "chunks")
        )

    def _read_about(self) -> dict[str, str]:
        try:
            return json.loads((self.folder / "about.json").read_text())
        except (FileNotFoundError, ValueError):
            return {}


def find_newest_generation(folder: Path) -> IndexGeneration | None:
    return max(_list_generations(folder), key=lambda generation: generation.number, default=None)


def list_other_generations(folder: Path, excluded: IndexGeneration) -> list[IndexGeneration]:
    return [generation for generation in _list_generations(folder) if generation != excluded]


def create_next_generation(previous: IndexGeneration | None, folder: Path, model: str, reason: str) -> IndexGeneration:
    generation = IndexGeneration(folder / str(previous.number + 1 if previous else 1))
    # Named only when it says of itself what it is: on a full disk that may fail.
    draft = folder / "next"
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir()
    _replace_file(draft / "about.json", json.dumps({"model": model, "because": reason}))
    os.replace(draft, generation.folder)
    return generation


def _list_generations(folder: Path) -> list[IndexGeneration]:
    return [IndexGeneration(path) for path in folder.glob("*") if path.name.isdigit()] if folder.is_dir() else []


def _replace_file(path: Path, text: str) -> None:
    draft = path.with_suffix(".new")
    draft.write_text(text)
    os.replace(draft, path)


# What is asked of Chroma: which chunks lie nearest to a vector, by their sentences and by their means.


@dataclass(frozen=True, slots=True)
class NearestChunks:
    """What an index knew when it had heard of all changes up to `heard`: chunks with their similarity, best first."""

    cursor: int
    by_sentence: list[tuple[ChunkKey, float]]  # a chunk is as near as its nearest sentence
    by_chunk: list[tuple[ChunkKey, float]]


def query_nearest_chunks(
    collection, vector: np.ndarray, limit: int, document_ids: Sequence[str] | None
) -> list[tuple[ChunkKey, float]]:
    """The chunks of the rows of a collection that lie nearest, in all documents or in these."""
    if document_ids is not None and not document_ids:
        return []
    where = None if document_ids is None else {"document_id": {"$in": list(document_ids)}}
    found = collection.query(
        query_embeddings=vector[None, :], n_results=limit, where=where, include=["metadatas", "distances"]
    )
    nearest: dict[ChunkKey, float] = {}
    for about, distance in zip(found["metadatas"][0], found["distances"][0], strict=True):
        nearest.setdefault(ChunkKey(about["document_id"], about["pipeline"], about["chunk"]), 1.0 - distance)
    return list(nearest.items())


def compute_chunk_means(rows: list[tuple[int, int, bytes]]) -> tuple[list[int], np.ndarray]:
    """The numbers of a document's chunks, and for each the normalised mean of its sentences' vectors."""
    vectors = np.frombuffer(b"".join(row[2] for row in rows), dtype=np.float32).reshape(len(rows), -1)
    numbers, starts = np.unique([row[0] for row in rows], return_index=True)  # rows come in order of chunks
    sums = np.add.reduceat(vectors, starts, axis=0)
    return numbers.tolist(), sums / np.linalg.norm(sums, axis=1, keepdims=True).clip(min=1e-9)
