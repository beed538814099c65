"""The generations of the vector index: folders of Chroma's files, each with a cursor."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from highlighter.store.chunk_search import ChunkKey
from highlighter.store.vector_codec import decode_vectors

if TYPE_CHECKING:
    from chromadb.api import ClientAPI
    from chromadb.api.collection_configuration import CreateCollectionConfiguration
    from chromadb.api.models.Collection import Collection

CHROMA_FILE_NAME = "chroma.sqlite3"


@dataclass(frozen=True, slots=True)
class IndexGeneration:
    """One generation. Its folder holds Chroma's files, `cursor`, `about.json`, and `whole` once it has caught up."""

    folder: Path

    @property
    def number(self) -> int:
        return int(self.folder.name)

    @property
    def model(self) -> str:
        """Return the model whose vectors the index holds. Vectors of two models cannot be compared."""
        return self._read_about().get("model", "")

    def read_rebuild_reason(self) -> str:
        """Return what was wrong with the generation before."""
        return self._read_about().get("because", "")

    def read_cursor(self) -> int:
        """Return the number of the last change that was applied."""
        try:
            return int((self.folder / "cursor").read_text())
        except (FileNotFoundError, ValueError):
            return 0

    def write_cursor(self, seq: int) -> None:
        """Replace the cursor atomically: a killed process leaves the old one or the new one."""
        _replace_file(self.folder / "cursor", str(seq))

    def is_complete(self) -> bool:
        return (self.folder / "whole").exists()

    def mark_complete(self) -> None:
        (self.folder / "whole").touch()

    def read_file_ids(self) -> frozenset[tuple[int, int]]:
        """Return (device, inode) of Chroma's database and of `about.json`, which identify the files."""
        files = (os.stat(self.folder / name) for name in (CHROMA_FILE_NAME, "about.json"))
        return frozenset((file.st_dev, file.st_ino) for file in files)

    def has_same_files(self, file_ids: frozenset[tuple[int, int]]) -> bool:
        """Return whether the folder still holds these files."""
        try:
            return self.read_file_ids() == file_ids
        except FileNotFoundError:
            return False

    def open(self) -> tuple[ClientAPI, Collection, Collection]:
        """Return Chroma's client and its collections of sentences and of chunks."""
        import chromadb  # takes half a second
        from chromadb.api.shared_system_client import SharedSystemClient
        from chromadb.config import Settings as ChromaSettings

        client: Any  # ClientAPI does not declare `close`
        try:
            client = chromadb.PersistentClient(str(self.folder), settings=ChromaSettings(anonymized_telemetry=False))
        except Exception:
            # Chroma keeps what it could not start, on a full disk perhaps, and its next client would fail by that alone.
            SharedSystemClient._identifier_to_system.pop(str(self.folder), None)
            raise
        configuration: CreateCollectionConfiguration = {"hnsw": {"space": "cosine"}}
        try:
            sentences, chunks = (
                client.get_or_create_collection(name, configuration=configuration, embedding_function=None)
                for name in ("sentences", "chunks")
            )
        except Exception:
            client.close()
            raise
        return client, sentences, chunks

    def _read_about(self) -> dict[str, str]:
        try:
            about: dict[str, str] = json.loads((self.folder / "about.json").read_text())
            return about
        except (FileNotFoundError, ValueError):
            return {}


def find_newest_generation(folder: Path) -> IndexGeneration | None:
    return max(_list_generations(folder), key=lambda generation: generation.number, default=None)


def list_other_generations(folder: Path, excluded: int) -> list[IndexGeneration]:
    return [generation for generation in _list_generations(folder) if generation.number != excluded]


def create_next_generation(previous: IndexGeneration | None, folder: Path, model: str, reason: str) -> IndexGeneration:
    generation = IndexGeneration(folder / str(previous.number + 1 if previous else 1))
    # Renamed only once `about.json` is written, which may fail on a full disk.
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


# Queries for the chunks nearest to a vector, by their sentences and by their mean vectors.


@dataclass(frozen=True, slots=True)
class NearestChunks:
    """Chunks with their similarities, best first, as of the changes up to the cursor."""

    cursor: int
    by_sentence: list[tuple[ChunkKey, float]]  # by the nearest sentence of each chunk
    by_chunk: list[tuple[ChunkKey, float]]  # by the mean vector of each chunk


def format_sentence_id(chunk: ChunkKey, sentence: int) -> str:
    """Return the id of a sentence's row; it names the chunk, so that a search need not read anything else of a row."""
    return f"{format_chunk_id(chunk)}:{sentence}"


def format_chunk_id(chunk: ChunkKey) -> str:
    return f"{chunk.document_id}:{chunk.pipeline}:{chunk.index}"


def _parse_chunk(row_id: str) -> ChunkKey:
    document_id, pipeline, chunk = row_id.split(":")[:3]
    return ChunkKey(document_id, int(pipeline), int(chunk))


def query_nearest_chunks(
    collection: Collection, vector: np.ndarray, limit: int, rows: int, document_ids: Sequence[str] | None
) -> list[tuple[ChunkKey, float]]:
    """Return the chunks of the rows nearest to a vector, of all documents or of the given ones.

    The more rows are asked for, the more of the library is compared, and the fewer of the nearest are missed.
    """
    if document_ids is not None and not document_ids:
        return []
    where = None if document_ids is None else {"document_id": {"$in": list(document_ids)}}
    result: Any = collection.query(
        query_embeddings=vector[None, :], n_results=max(limit, rows), where=cast(Any, where), include=["distances"]
    )
    nearest: dict[ChunkKey, float] = {}
    for row_id, distance in zip(result["ids"][0], result["distances"][0], strict=True):
        nearest.setdefault(_parse_chunk(row_id), 1.0 - distance)
        if len(nearest) == limit:
            break
    return list(nearest.items())


def compute_chunk_means(rows: list[tuple[int, int, bytes]]) -> tuple[list[int], np.ndarray]:
    """Return the numbers of a document's chunks, and for each the normalised mean of its sentences' vectors."""
    vectors = decode_vectors([row[2] for row in rows])
    numbers, starts = np.unique([row[0] for row in rows], return_index=True)  # rows are in the order of chunks
    sums = np.add.reduceat(vectors, starts, axis=0)
    return numbers.tolist(), sums / np.linalg.norm(sums, axis=1, keepdims=True).clip(min=1e-9)
