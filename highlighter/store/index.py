"""Chroma: an index of the truth that can be thrown away. One process owns it and follows the catalog's changes."""

from __future__ import annotations

import fcntl
import logging
import os
import shutil
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

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

log = logging.getLogger(__name__)

INDEX_SYNC_INTERVAL_SECONDS = 2.0
MAX_ROWS_PER_UPSERT = 5000  # Chroma refuses more than 5,461 rows at once


@dataclass(frozen=True, slots=True)
class IndexState:
    """What can be told without opening it."""

    owner: int  # the process that keeps it up to the truth; 0: none
    generation: int  # 0: there is none yet
    heard: int  # the last change it has heard of
    changes: int  # the last change there is
    found: str  # what its owner's last check found wrong with a generation; empty: nothing
    whole: bool  # it has caught up once since it was begun


class VectorIndex:
    """Each generation is a folder of Chroma's files with a cursor, the last change it has heard of.

    Opening a torn index can take the process down with it, so before a process uses a generation a child looks at it. If
    it is ill, a new one is begun beside it and hears every change again; only when that has caught up is the old one
    removed. Until then `usable` says no, and whoever searches must go through the catalog's own vectors.
    """

    def __init__(self, folder: Path, catalog: Catalog, model: str):
        self.folder = folder
        self.catalog = catalog
        self.model = model
        self._owner_lock_file = None
        self._opened: _OpenGeneration | None = None
        self._caught_up = False
        self._sync_lock = threading.Lock()
        self._closing = threading.Event()

    def acquire_ownership(self) -> bool:
        """Whether this process is, from now on, the one that writes the index. Two would lose vectors silently."""
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
        """Brings the index up to the truth; how many changes that took. Safe to be killed in, and to call again."""
        with self._sync_lock:
            self._close_if_deleted()
            if not self.acquire_ownership():
                return 0
            try:
                opened = self._opened = self._opened or self._open_generation()
                heard = self._apply_changes(opened)
            except Exception as err:
                self._close_generation()  # and have it looked at before it is used again
                if is_disk_full(err) or not has_space(self.folder):
                    raise DiskFull from err
                raise
            if not self._caught_up and not self._closing.is_set():
                opened.generation.mark_complete()
                self._caught_up = True
                for old in list_other_generations(self.folder, opened.generation):
                    shutil.rmtree(old.folder, ignore_errors=True)
            return heard

    def usable_collections(self) -> tuple[Any, Any] | None:
        """Chroma's collections of sentences and of chunks, when this process owns a sound index that has caught up."""
        opened = self._opened
        return (opened.sentences, opened.chunks) if opened and self._caught_up else None

    def find_nearest(
        self, vector: np.ndarray, count: int, document_ids: Sequence[str] | None = None
    ) -> NearestChunks | None:
        """What lies nearest to a vector, in all documents or in these; nothing while there is no `usable` index here.

        Only what Chroma remembers: whoever asks looks up in the catalog whether it is still so, and for everyone.
        Never waits for `follow`, and never opens anything: without the lock that would lose another process's rows.
        """
        opened, usable = self._opened, self.usable_collections()
        if opened is None or usable is None:
            return None
        try:
            heard = (
                opened.generation.read_cursor()
            )  # before the question: what changes while it is answered counts as unheard
            by_sentence, by_chunk = (
                query_nearest_chunks(collection, vector, count, document_ids) for collection in usable
            )
            return NearestChunks(heard, by_sentence, by_chunk)
        except Exception:
            log.exception("The index did not answer; the catalog does instead")
            return None

    def read_sync_progress(self) -> tuple[int, int]:
        """(changes heard, changes there are)."""
        generation = find_newest_generation(self.folder)
        return generation.read_cursor() if generation else 0, self.catalog.last_change()

    def describe(self) -> IndexState:
        generation = find_newest_generation(self.folder)
        heard, changes = self.read_sync_progress()
        if generation is None:
            return IndexState(self.find_owner_process(), 0, heard, changes, "", False)
        return IndexState(
            self.find_owner_process(),
            generation.number,
            heard,
            changes,
            generation.read_rebuild_reason(),
            generation.is_complete(),
        )

    def find_owner_process(self) -> int:
        """The number of the process that owns it, 0 when none does."""
        if self._owner_lock_file is not None:
            return os.getpid()
        try:
            with (self.folder / "owner.lock").open() as lock:
                fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except FileNotFoundError:
            return 0
        except BlockingIOError:
            written = (self.folder / "owner.lock").read_text()
            return int(written) if written.isdigit() else -1
        return 0

    def find_problem(self) -> str:
        """What a child finds wrong with the newest generation, in words; only for the owner to ask."""
        generation = find_newest_generation(self.folder)
        return find_index_problem(generation, self.catalog, self.model) if generation else ""

    def close(self) -> None:
        self._closing.set()  # `follow` stops between two documents
        with self._sync_lock:
            self._close_generation()
            self._release_ownership()
            self._closing.clear()

    def _release_ownership(self) -> None:
        if self._owner_lock_file is not None:
            self._owner_lock_file.close()
            self._owner_lock_file = None

    def _close_if_deleted(self) -> None:
        """Somebody deleted the folder, or a part of it: open files live on, and nobody would ever find them again."""
        if self._opened and not self._opened.generation.has_same_files(self._opened.files):
            log.warning("The index in %s was deleted; it is made again from the catalog", self.folder)
            self._close_generation()
        if self._owner_lock_file is not None and not _is_same_file(self._owner_lock_file, self.folder / "owner.lock"):
            self._close_generation()
            self._release_ownership()

    def _close_generation(self) -> None:
        opened, self._opened, self._caught_up = self._opened, None, False
        if opened:
            opened.client.close()  # or this process would remember files that another may change meanwhile

    def _open_generation(self) -> _OpenGeneration:
        # Without space a sound generation can look unsound, and another would come no further.
        if not has_space(self.folder):
            raise DiskFull
        generation = find_newest_generation(self.folder)
        wrong = find_index_problem(generation, self.catalog, self.model) if generation else ""
        if wrong and not has_space(self.folder):
            raise DiskFull
        if wrong:
            log.warning("The index in %s is made again from the catalog: %s", generation.folder, wrong)
        if wrong or generation is None:
            generation = create_next_generation(generation, self.folder, self.model, wrong)
        opened = generation.open()
        return _OpenGeneration(generation, *opened, generation.read_file_ids())

    def _apply_changes(self, opened: _OpenGeneration) -> int:
        pending = self.catalog.changes_after(opened.generation.read_cursor())
        # Of several changes to one document only the last counts: each is answered with the document as it is now.
        latest = {document_id: seq for seq, document_id, _ in pending}
        for seq, document_id, _ in pending:
            if self._closing.is_set():
                break
            if latest[document_id] == seq:
                self._update_document(document_id, opened.sentences, opened.chunks)
            opened.generation.write_cursor(seq)
        return len(pending)

    def _update_document(self, document_id: str, sentences, chunks) -> None:
        for collection in (sentences, chunks):
            collection.delete(where={"document_id": document_id})
        document = self.catalog.document(document_id)
        if document is None or document.state not in READABLE or not document.current:
            return
        rows = self.catalog.sentence_vectors(document.id, document.pipeline, self.model)
        if not rows:
            return
        vectors = np.frombuffer(b"".join(row[2] for row in rows), dtype=np.float32).reshape(len(rows), -1)
        about = {"document_id": document.id, "collection": document.collection, "pipeline": document.pipeline}
        key = f"{document.id}:{document.pipeline}"
        _upsert_rows(
            sentences,
            [f"{key}:{index}" for _, index, _ in rows],
            vectors,
            [{**about, "chunk": chunk, "sentence": index} for chunk, index, _ in rows],
        )
        numbers, means = compute_chunk_means(rows)
        _upsert_rows(chunks, [f"{key}:{n}" for n in numbers], means, [{**about, "chunk": n} for n in numbers])


@dataclass(frozen=True, slots=True)
class _OpenGeneration:
    generation: IndexGeneration
    client: Any
    sentences: Any
    chunks: Any
    files: frozenset[tuple[int, int]]


def _is_same_file(file: IO[str], path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False


def _upsert_rows(collection, ids: list[str], vectors: np.ndarray, metadatas: list[dict]) -> None:
    for at in range(0, len(ids), MAX_ROWS_PER_UPSERT):
        some = slice(at, at + MAX_ROWS_PER_UPSERT)
        collection.upsert(ids=ids[some], embeddings=vectors[some], metadatas=metadatas[some])
