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
from highlighter.store.disk import DiskFull, has_space, no_room
from highlighter.store.generations import Generation, newest, next_after, others
from highlighter.store.health import illness
from highlighter.store.nearest import Nearest, chunk_means, near

log = logging.getLogger(__name__)

BATCH = 5000  # Chroma refuses more than 5,461 rows at once


@dataclass(frozen=True, slots=True)
class IndexState:
    """What can be told without opening it."""

    owner: int  # the process that keeps it up to the truth; 0: none
    generation: int  # 0: there is none yet
    heard: int  # the last change it has heard of
    changes: int  # the last change there is
    found: str  # what its owner's last check found wrong with a generation; empty: nothing
    whole: bool  # it has caught up once since it was begun


class Index:
    """Each generation is a folder of Chroma's files with a cursor, the last change it has heard of.

    Opening a torn index can take the process down with it, so before a process uses a generation a child looks at it. If
    it is ill, a new one is begun beside it and hears every change again; only when that has caught up is the old one
    removed. Until then `usable` says no, and whoever searches must go through the catalog's own vectors.
    """

    def __init__(self, folder: Path, catalog: Catalog, model: str):
        self.folder = folder
        self.catalog = catalog
        self.model = model
        self._lock = None
        self._open: _Open | None = None
        self._caught_up = False
        self._busy = threading.Lock()
        self._closing = threading.Event()

    def own(self) -> bool:
        """Whether this process is, from now on, the one that writes the index. Two would lose vectors silently."""
        if self._lock is None:
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
            self._lock = lock
        return True

    def follow(self) -> int:
        """Brings the index up to the truth; how many changes that took. Safe to be killed in, and to call again."""
        with self._busy:
            self._let_go_of_what_was_deleted()
            if not self.own():
                return 0
            try:
                opened = self._open = self._open or self._begin()
                heard = self._hear(opened)
            except Exception as err:
                self._let_go()  # and have it looked at before it is used again
                if no_room(err) or not has_space(self.folder):
                    raise DiskFull from err
                raise
            if not self._caught_up and not self._closing.is_set():
                opened.generation.mark_whole()
                self._caught_up = True
                for old in others(self.folder, opened.generation):
                    shutil.rmtree(old.folder, ignore_errors=True)
            return heard

    def usable(self) -> tuple[Any, Any] | None:
        """Chroma's collections of sentences and of chunks, when this process owns a sound index that has caught up."""
        opened = self._open
        return (opened.sentences, opened.chunks) if opened and self._caught_up else None

    def nearest(self, vector: np.ndarray, count: int, document_ids: Sequence[str] | None = None) -> Nearest | None:
        """What lies nearest to a vector, in all documents or in these; nothing while there is no `usable` index here.

        Only what Chroma remembers: whoever asks looks up in the catalog whether it is still so, and for everyone.
        Never waits for `follow`, and never opens anything: without the lock that would lose another process's rows.
        """
        opened, usable = self._open, self.usable()
        if opened is None or usable is None:
            return None
        try:
            heard = (
                opened.generation.heard()
            )  # before the question: what changes while it is answered counts as unheard
            by_sentence, by_chunk = (near(collection, vector, count, document_ids) for collection in usable)
            return Nearest(heard, by_sentence, by_chunk)
        except Exception:
            log.exception("The index did not answer; the catalog does instead")
            return None

    def state(self) -> tuple[int, int]:
        """(changes heard, changes there are)."""
        generation = newest(self.folder)
        return generation.heard() if generation else 0, self.catalog.last_change()

    def describe(self) -> IndexState:
        generation = newest(self.folder)
        heard, changes = self.state()
        if generation is None:
            return IndexState(self.owner(), 0, heard, changes, "", False)
        return IndexState(
            self.owner(), generation.number, heard, changes, generation.begun_because(), generation.is_whole()
        )

    def owner(self) -> int:
        """The number of the process that owns it, 0 when none does."""
        if self._lock is not None:
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

    def illness(self) -> str:
        """What a child finds wrong with the newest generation, in words; only for the owner to ask."""
        generation = newest(self.folder)
        return illness(generation, self.catalog, self.model) if generation else ""

    def close(self) -> None:
        self._closing.set()  # `follow` stops between two documents
        with self._busy:
            self._let_go()
            self._disown()
            self._closing.clear()

    def _disown(self) -> None:
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def _let_go_of_what_was_deleted(self) -> None:
        """Somebody deleted the folder, or a part of it: open files live on, and nobody would ever find them again."""
        if self._open and not self._open.generation.is_same(self._open.files):
            log.warning("The index in %s was deleted; it is made again from the catalog", self.folder)
            self._let_go()
        if self._lock is not None and not _is_same_file(self._lock, self.folder / "owner.lock"):
            self._let_go()
            self._disown()

    def _let_go(self) -> None:
        opened, self._open, self._caught_up = self._open, None, False
        if opened:
            opened.client.close()  # or this process would remember files that another may change meanwhile

    def _begin(self) -> _Open:
        # Without space a sound generation can look unsound, and another would come no further.
        if not has_space(self.folder):
            raise DiskFull
        generation = newest(self.folder)
        wrong = illness(generation, self.catalog, self.model) if generation else ""
        if wrong and not has_space(self.folder):
            raise DiskFull
        if wrong:
            log.warning("The index in %s is made again from the catalog: %s", generation.folder, wrong)
        if wrong or generation is None:
            generation = next_after(generation, self.folder, self.model, wrong)
        opened = generation.open()
        return _Open(generation, *opened, generation.files())

    def _hear(self, opened: _Open) -> int:
        pending = self.catalog.changes_after(opened.generation.heard())
        # Of several changes to one document only the last counts: each is answered with the document as it is now.
        latest = {document_id: seq for seq, document_id, _ in pending}
        for seq, document_id, _ in pending:
            if self._closing.is_set():
                break
            if latest[document_id] == seq:
                self._bring_up(document_id, opened.sentences, opened.chunks)
            opened.generation.hear(seq)
        return len(pending)

    def _bring_up(self, document_id: str, sentences, chunks) -> None:
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
        _upsert(
            sentences,
            [f"{key}:{index}" for _, index, _ in rows],
            vectors,
            [{**about, "chunk": chunk, "sentence": index} for chunk, index, _ in rows],
        )
        numbers, means = chunk_means(rows)
        _upsert(chunks, [f"{key}:{n}" for n in numbers], means, [{**about, "chunk": n} for n in numbers])


@dataclass(frozen=True, slots=True)
class _Open:
    generation: Generation
    client: Any
    sentences: Any
    chunks: Any
    files: frozenset[tuple[int, int]]


def _is_same_file(file: IO[str], path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False


def _upsert(collection, ids: list[str], vectors: np.ndarray, metadatas: list[dict]) -> None:
    for at in range(0, len(ids), BATCH):
        some = slice(at, at + BATCH)
        collection.upsert(ids=ids[some], embeddings=vectors[some], metadatas=metadatas[some])
