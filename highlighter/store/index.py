"""The vector index in Chroma. It can be rebuilt from the catalog; one process owns it and applies the catalog's changes."""

from __future__ import annotations

import logging
import math
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from highlighter.models import READABLE
from highlighter.store.catalog import Catalog
from highlighter.store.chroma import (
    NearestChunks,
    compute_chunk_means,
    format_chunk_id,
    format_sentence_id,
    query_nearest_chunks,
)
from highlighter.store.chunk_search import ChunkKey
from highlighter.store.storage_errors import IndexUnavailable
from highlighter.store.vector_codec import decode_vectors

if TYPE_CHECKING:
    from chromadb.api.models.Collection import Collection

log = logging.getLogger(__name__)

INDEX_SYNC_INTERVAL_SECONDS = 2.0
CHANGES_AT_ONCE = 20  # a write of few rows takes Chroma almost as long as one of fifty

Metadata = dict[str, str | int]  # of a row


class Generation(Protocol):
    """One generation of an index: its collections hold the catalog's vectors as of a change, the cursor."""

    @property
    def number(self) -> int: ...

    @property
    def model(self) -> str: ...

    def read_rebuild_reason(self) -> str: ...

    def read_cursor(self) -> int: ...

    def write_cursor(self, seq: int) -> None: ...

    def is_complete(self) -> bool: ...

    def mark_complete(self) -> None: ...


@dataclass(frozen=True, slots=True)
class IndexState:
    """The state of the index, read without opening it. The field names are keys of JSON."""

    owner: int  # the process that keeps the index up to date; 0: none
    generation: int  # 0: none yet
    heard: int  # the number of the last change applied
    changes: int  # the number of the last change in the catalog
    found: str  # why the generation before was replaced; empty: it was not damaged
    whole: bool  # whether the generation has caught up at least once


class VectorIndex(ABC):
    """The vector index: generations of Chroma's collections, each with a cursor, the last change it has applied.

    A generation is checked before it is written to. If it is unhealthy, a new generation is created beside it and applies
    every change again; the old one is removed only when the new one has caught up. Until then there are no
    `usable_collections`, and searches use the catalog's own vectors.
    """

    max_rows_per_upsert: int
    searched_rows: int  # how many rows a search compares at least
    # The catalog's own vectors answer while there is no index, for scopes of so many sentences; None: for all.
    max_scanned_sentences: int | None = None

    def __init__(self, catalog: Catalog, model: str):
        self.catalog = catalog
        self.model = model
        self._opened: OpenGeneration | None = None
        self._caught_up = False
        self._sync_lock = threading.Lock()
        self._closing = threading.Event()
        self._pauses = False

    @property
    def problem(self) -> str:
        """Return why searches do without the index, in words; empty when it answered."""
        return ""

    @abstractmethod
    def acquire_ownership(self) -> bool:
        """Try to make this process the owner of the index, the only one that writes it. Two writers would lose vectors."""

    @abstractmethod
    def find_owner_process(self) -> int:
        """Return the id of the process that owns the index; 0 when none does, -1 when it is unknown."""

    @abstractmethod
    def find_problem(self) -> str:
        """Return what is wrong with the newest generation; only the owner may call this."""

    @abstractmethod
    def _find_newest_generation(self) -> Generation | None: ...

    @abstractmethod
    def _open_generation(self) -> OpenGeneration:
        """Open the newest generation if it is healthy, otherwise a new one."""

    @abstractmethod
    def _remove_other_generations(self, opened: OpenGeneration) -> None: ...

    @abstractmethod
    def _close_if_deleted(self) -> None:
        """Close the index if somebody deleted it: it would live on in this process, but no other could find it."""

    @abstractmethod
    def _release_ownership(self) -> None: ...

    def _convert_error(self, err: Exception) -> Exception:
        """Return an error of `sync` as one that says what to do, or as it is."""
        return err

    def sync(self, *, pauses: bool = False) -> int:
        """Apply all pending changes, and return how many. Safe to be killed at any moment, and to call again.

        Chroma lets no other thread of the process run while it writes to a folder. With `pauses`, they have half of the time.
        """
        with self._sync_lock:
            self._pauses = pauses
            self._close_if_deleted()
            if not self.acquire_ownership():
                return 0
            try:
                opened = self._opened = self._opened or self._open_generation()
                change_count = self._apply_changes(opened)
            except Exception as err:
                self._close_generation()  # so that it is checked before it is used again
                converted = self._convert_error(err)
                if converted is err:
                    raise
                raise converted from err
            if not self._caught_up and not self._closing.is_set():
                opened.generation.mark_complete()
                self._caught_up = True
                self._remove_other_generations(opened)
            return change_count

    def sync_if_available(self) -> None:
        """Apply all pending changes; while the index is out of reach, leave them to whichever process syncs it next."""
        with suppress(IndexUnavailable):
            self.sync()

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
                query_nearest_chunks(collection, vector, count, self.searched_rows, document_ids)
                for collection in usable
            )
            return NearestChunks(cursor, by_sentence, by_chunk)
        except Exception:
            log.exception("The index did not answer; the catalog does instead")
            return None

    def read_sync_progress(self) -> tuple[int, int]:
        """Return the numbers of the last change applied and of the last change in the catalog."""
        generation = self._find_newest_generation()
        return generation.read_cursor() if generation else 0, self.catalog.last_change()

    def describe(self) -> IndexState:
        generation = self._find_newest_generation()
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

    def close(self) -> None:
        self._closing.set()  # `sync` stops between two documents
        with self._sync_lock:
            self._close_generation()
            self._release_ownership()
            self._closing.clear()

    def _close_generation(self) -> None:
        opened, self._opened, self._caught_up = self._opened, None, False
        if opened and opened.client:
            opened.client.close()  # else this process would use cached files that another may change

    def _apply_changes(self, opened: OpenGeneration) -> int:
        pending = self.catalog.changes_after(opened.generation.read_cursor())
        # Of several changes to a document only the last is applied, with the document as it is now.
        latest = {document_id: seq for seq, document_id, _ in pending}
        for start in range(0, len(pending), CHANGES_AT_ONCE):
            group = pending[start : start + CHANGES_AT_ONCE]
            self._update_documents([document_id for seq, document_id, _ in group if latest[document_id] == seq], opened)
            if self._closing.is_set():
                break
            opened.generation.write_cursor(group[-1][0])
        return len(pending)

    def _update_documents(self, document_ids: Sequence[str], opened: OpenGeneration) -> None:
        """Replace the rows of documents by what the catalog has now: nothing, of those that are not readable any more."""
        for collection in (opened.sentences, opened.chunks):
            self._delete_rows(collection, document_ids)
        sentences, chunks = RowBuffer(), RowBuffer()
        for document_id in document_ids:
            if self._closing.is_set():
                return  # the cursor stays, so that all of them are applied again
            self._add_rows(document_id, sentences, chunks)
            self._upsert_rows(opened.sentences, sentences, len(sentences.ids) // self.max_rows_per_upsert)
        for collection, rows in ((opened.sentences, sentences), (opened.chunks, chunks)):
            self._upsert_rows(collection, rows, math.ceil(len(rows.ids) / self.max_rows_per_upsert))

    def _add_rows(self, document_id: str, sentences: RowBuffer, chunks: RowBuffer) -> None:
        document = self.catalog.document(document_id)
        if document is None or document.state not in READABLE or not document.current:
            return
        rows = self.catalog.sentence_vectors(document.id, document.pipeline, self.model)
        if not rows:
            return
        metadata: Metadata = {
            "document_id": document.id,
            "collection": document.collection,
            "pipeline": document.pipeline,
        }
        keys = {number: ChunkKey(document.id, document.pipeline, number) for number, _, _ in rows}
        sentences.add(
            [format_sentence_id(keys[chunk], index) for chunk, index, _ in rows],
            decode_vectors([row[2] for row in rows]),
            [{**metadata, "chunk": chunk, "sentence": index} for chunk, index, _ in rows],
        )
        numbers, means = compute_chunk_means(rows)
        chunks.add([format_chunk_id(keys[n]) for n in numbers], means, [{**metadata, "chunk": n} for n in numbers])

    def _delete_rows(self, collection: Collection, document_ids: Sequence[str]) -> None:
        if document_ids:
            where: Any = {"document_id": {"$in": list(document_ids)}}
            collection.delete(where=where)

    def _upsert_rows(self, collection: Collection, rows: RowBuffer, count: int) -> None:
        """Write so many batches of rows, the first ones, and take them out of the buffer."""
        for _ in range(count):
            ids, vectors, metadatas = rows.take(self.max_rows_per_upsert)
            began = time.monotonic()
            collection.upsert(ids=ids, embeddings=vectors, metadatas=list[Any](metadatas))
            if self._pauses:
                self._closing.wait(time.monotonic() - began)


class RowBuffer:
    """Rows that wait to be written to a collection."""

    def __init__(self) -> None:
        self.ids: list[str] = []
        self._vectors: list[np.ndarray] = []
        self._metadatas: list[Metadata] = []

    def add(self, ids: Sequence[str], vectors: np.ndarray, metadatas: Sequence[Metadata]) -> None:
        self.ids += ids
        self._vectors += list(vectors)
        self._metadatas += metadatas

    def take(self, count: int) -> tuple[list[str], np.ndarray, list[Metadata]]:
        """Return the first rows and remove them."""
        taken = self.ids[:count], np.stack(self._vectors[:count]), self._metadatas[:count]
        del self.ids[:count], self._vectors[:count], self._metadatas[:count]
        return taken


@dataclass(frozen=True, slots=True)
class OpenGeneration:
    """A generation that this process has opened."""

    generation: Generation
    client: Any  # Chroma's ClientAPI does not declare `close`
    sentences: Collection
    chunks: Collection
