"""The vector index in Chroma. It can be rebuilt from the catalog; one process owns it and applies the catalog's changes."""

from __future__ import annotations

import fcntl
import logging
import os
import shutil
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from highlighter.models import READABLE
from highlighter.store.catalog import Catalog
from highlighter.store.chroma import (
    IndexGeneration,
    NearestChunks,
    compute_chunk_means,
    create_next_generation,
    find_newest_generation,
    list_other_generations,
    query_nearest_chunks,
)
from highlighter.store.index_health import find_index_problem
from highlighter.store.storage_errors import DiskFull, has_space, is_disk_full
from highlighter.store.vector_codec import decode_vectors

if TYPE_CHECKING:
    from chromadb.api.models.Collection import Collection

log = logging.getLogger(__name__)

INDEX_SYNC_INTERVAL_SECONDS = 2.0
MAX_ROWS_PER_UPSERT = 5000  # Chroma refuses more than 5,461 rows at once


@dataclass(frozen=True, slots=True)
class IndexState:
    """The state of the index, read without opening it. The field names are keys of JSON."""

    owner: int  # the process that keeps the index up to date; 0: none
    generation: int  # 0: none yet
    heard: int  # the number of the last change applied
    changes: int  # the number of the last change in the catalog
    found: str  # why the generation before was replaced; empty: it was not damaged
    whole: bool  # whether the generation has caught up at least once


class VectorIndex:
    """The vector index: generations of Chroma's files, each with a cursor, the last change it has applied.

    Opening a damaged index can crash the process, so a child process checks a generation before it is used. If it is
    unhealthy, a new generation is created beside it and applies every change again; the old one is removed only when the
    new one has caught up. Until then there are no `usable_collections`, and searches use the catalog's own vectors.
    """

    def __init__(self, folder: Path, catalog: Catalog, model: str):
        self.folder = folder
        self.catalog = catalog
        self.model = model
        self._owner_lock_file: IO[str] | None = None
        self._opened: _OpenGeneration | None = None
        self._caught_up = False
        self._sync_lock = threading.Lock()
        self._closing = threading.Event()

    def acquire_ownership(self) -> bool:
        """Try to make this process the owner of the index, the only one that writes it. Two writers would lose vectors."""
        if self._owner_lock_file is None:
            self.folder.mkdir(parents=True, exist_ok=True)
            lock = (self.folder / "owner.lock").open("a+")
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                lock.close()
                return False
            lock.truncate(0)
            lock.write(str(os.getpid()))
            lock.flush()
            self._owner_lock_file = lock
        return True

    def sync(self) -> int:
        """Apply all pending changes, and return how many. Safe to be killed at any moment, and to call again."""
        with self._sync_lock:
            self._close_if_deleted()
            if not self.acquire_ownership():
                return 0
            try:
                opened = self._opened = self._opened or self._open_generation()
                change_count = self._apply_changes(opened)
            except Exception as err:
                self._close_generation()  # so that it is checked before it is used again
                if is_disk_full(err) or not has_space(self.folder):
                    raise DiskFull from err
                raise
            if not self._caught_up and not self._closing.is_set():
                opened.generation.mark_complete()
                self._caught_up = True
                for old in list_other_generations(self.folder, opened.generation):
                    shutil.rmtree(old.folder, ignore_errors=True)
            return change_count

    def usable_collections(self) -> tuple[Collection, Collection] | None:
        """Return Chroma's collections of sentences and of chunks if this process owns an index that has caught up."""
        opened = self._opened
        return (opened.sentences, opened.chunks) if opened and self._caught_up else None

    def find_nearest(
        self, vector: np.ndarray, count: int, document_ids: Sequence[str] | None = None
    ) -> NearestChunks | None:
        """Return the chunks nearest to a vector, of all documents or of the given ones; None while no index is usable.

        Results may be outdated or invisible to the caller, who checks them in the catalog. Never waits for `sync`, and
        never opens a generation: without the lock that could lose another process's rows.
        """
        opened, usable = self._opened, self.usable_collections()
        if opened is None or usable is None:
            return None
        try:
            # Read before the query: changes applied during the query count as not yet applied.
            cursor = opened.generation.read_cursor()
            by_sentence, by_chunk = (
                query_nearest_chunks(collection, vector, count, document_ids) for collection in usable
            )
            return NearestChunks(cursor, by_sentence, by_chunk)
        except Exception:
            log.exception("The index did not answer; the catalog does instead")
            return None

    def read_sync_progress(self) -> tuple[int, int]:
        """Return the numbers of the last change applied and of the last change in the catalog."""
        generation = find_newest_generation(self.folder)
        return generation.read_cursor() if generation else 0, self.catalog.last_change()

    def describe(self) -> IndexState:
        generation = find_newest_generation(self.folder)
        applied, changes = self.read_sync_progress()
        if generation is None:
            return IndexState(self.find_owner_process(), 0, applied, changes, "", False)
        return IndexState(
            self.find_owner_process(),
            generation.number,
            applied,
            changes,
            generation.read_rebuild_reason(),
            generation.is_complete(),
        )

    def find_owner_process(self) -> int:
        """Return the id of the process that owns the index; 0 when none does, -1 when it is unknown."""
        if self._owner_lock_file is not None:
            return os.getpid()
        try:
            with (self.folder / "owner.lock").open() as lock:
                fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except FileNotFoundError:
            return 0
        except BlockingIOError:
            owner = (self.folder / "owner.lock").read_text()
            return int(owner) if owner.isdigit() else -1
        return 0

    def find_problem(self) -> str:
        """Return what a child process finds wrong with the newest generation; only the owner may call this."""
        generation = find_newest_generation(self.folder)
        return find_index_problem(generation, self.catalog, self.model) if generation else ""

    def close(self) -> None:
        self._closing.set()  # `sync` stops between two documents
        with self._sync_lock:
            self._close_generation()
            self._release_ownership()
            self._closing.clear()

    def _release_ownership(self) -> None:
        if self._owner_lock_file is not None:
            self._owner_lock_file.close()
            self._owner_lock_file = None

    def _close_if_deleted(self) -> None:
        """Close the index if its folder was deleted. The open files would live on, but no process could find them."""
        if self._opened and not self._opened.generation.has_same_files(self._opened.files):
            log.warning("The index in %s was deleted; it is made again from the catalog", self.folder)
            self._close_generation()
        if self._owner_lock_file is not None and not _is_same_file(self._owner_lock_file, self.folder / "owner.lock"):
            self._close_generation()
            self._release_ownership()

    def _close_generation(self) -> None:
        opened, self._opened, self._caught_up = self._opened, None, False
        if opened:
            opened.client.close()  # else this process would use cached files that another may change

    def _open_generation(self) -> _OpenGeneration:
        # On a full disk a healthy generation can look damaged, and a new one could not be written either.
        if not has_space(self.folder):
            raise DiskFull
        generation = find_newest_generation(self.folder)
        problem = find_index_problem(generation, self.catalog, self.model) if generation else ""
        if problem and not has_space(self.folder):
            raise DiskFull
        if generation and problem:
            log.warning("The index in %s is made again from the catalog: %s", generation.folder, problem)
        if problem or generation is None:
            generation = create_next_generation(generation, self.folder, self.model, problem)
        client, sentences, chunks = generation.open()
        return _OpenGeneration(generation, client, sentences, chunks, generation.read_file_ids())

    def _apply_changes(self, opened: _OpenGeneration) -> int:
        pending = self.catalog.changes_after(opened.generation.read_cursor())
        # Of several changes to a document only the last is applied, with the document as it is now.
        latest = {document_id: seq for seq, document_id, _ in pending}
        for seq, document_id, _ in pending:
            if self._closing.is_set():
                break
            if latest[document_id] == seq:
                self._update_document(document_id, opened.sentences, opened.chunks)
            opened.generation.write_cursor(seq)
        return len(pending)

    def _update_document(self, document_id: str, sentences: Collection, chunks: Collection) -> None:
        for collection in (sentences, chunks):
            collection.delete(where={"document_id": document_id})
        document = self.catalog.document(document_id)
        if document is None or document.state not in READABLE or not document.current:
            return
        rows = self.catalog.sentence_vectors(document.id, document.pipeline, self.model)
        if not rows:
            return
        vectors = decode_vectors([row[2] for row in rows])
        metadata: dict[str, str | int] = {
            "document_id": document.id,
            "collection": document.collection,
            "pipeline": document.pipeline,
        }
        key = f"{document.id}:{document.pipeline}"
        _upsert_rows(
            sentences,
            [f"{key}:{index}" for _, index, _ in rows],
            vectors,
            [{**metadata, "chunk": chunk, "sentence": index} for chunk, index, _ in rows],
        )
        numbers, means = compute_chunk_means(rows)
        _upsert_rows(chunks, [f"{key}:{n}" for n in numbers], means, [{**metadata, "chunk": n} for n in numbers])


@dataclass(frozen=True, slots=True)
class _OpenGeneration:
    """A generation that this process has opened."""

    generation: IndexGeneration
    client: Any  # Chroma's ClientAPI does not declare `close`
    sentences: Collection
    chunks: Collection
    files: frozenset[tuple[int, int]]


def _is_same_file(file: IO[str], path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False


def _upsert_rows(
    collection: Collection, ids: list[str], vectors: np.ndarray, metadatas: list[dict[str, str | int]]
) -> None:
    for offset in range(0, len(ids), MAX_ROWS_PER_UPSERT):
        batch = slice(offset, offset + MAX_ROWS_PER_UPSERT)
        collection.upsert(ids=ids[batch], embeddings=vectors[batch], metadatas=list[Any](metadatas[batch]))
