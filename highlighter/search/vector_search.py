"""The exact answer to "what is nearest?", without an index: the mean vector of every chunk, held in memory and compared."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from highlighter.models import READABLE
from highlighter.rounding import round_for_comparison
from highlighter.store import chunk_search
from highlighter.store.catalog import Catalog
from highlighter.store.chroma import compute_chunk_means
from highlighter.store.chunk_search import ChunkKey, SearchScope
from highlighter.store.index import VectorIndex


@dataclass(frozen=True, slots=True)
class _DocumentMeans:
    """One document's chunks, as they were at one change."""

    seq: int
    keys: tuple[ChunkKey, ...]
    means: np.ndarray


@dataclass(frozen=True, slots=True)
class _LibraryMeans:
    """All parts, one under another. Never changed once made, so that any number of threads may read it."""

    changes: dict[str, int]
    keys: tuple[ChunkKey, ...] = ()
    means: np.ndarray | None = None
    document_numbers: dict[str, int] = field(default_factory=dict)  # of the documents, and ...
    document_number_of_row: np.ndarray | None = None  # ... each row's


class ExactScan:
    """Holds a vector a chunk, not one a sentence: 13 MB for 100,000 sentences of 384 numbers, and not 150."""

    def __init__(self, catalog: Catalog, model: str):
        self.catalog = catalog
        self.model = model
        self._lock = threading.Lock()
        self._documents: dict[str, _DocumentMeans] = {}
        self._library = _LibraryMeans({})

    def find_nearest(
        self, vector: np.ndarray, limit: int, changes: Mapping[str, int], document_ids: frozenset[str] | None = None
    ) -> list[tuple[ChunkKey, float]]:
        """The nearest chunks of the documents in `changed` (id: last change), or of those that are `among` them, too.

        What was read of a document is kept until it changes again, or is no longer asked for.
        """
        whole = self._refresh(changes)
        if whole.means is None:
            return []
        similar = round_for_comparison(np.nan_to_num(whole.means @ vector, nan=-1.0))
        rows = np.arange(len(similar))
        if document_ids is not None:
            numbers = [
                whole.document_numbers[document_id]
                for document_id in document_ids
                if document_id in whole.document_numbers
            ]
            rows = np.flatnonzero(np.isin(whole.document_number_of_row, numbers))
        if len(rows) > limit:
            least = np.partition(similar[rows], len(rows) - limit)[len(rows) - limit]
            rows = rows[similar[rows] >= least]  # all that are as near as the last, so that their order decides
        rows = rows[np.argsort(-similar[rows], kind="stable")][:limit]
        return [(whole.keys[row], float(similar[row])) for row in rows]

    def _refresh(self, changed: Mapping[str, int]) -> _LibraryMeans:
        with self._lock:
            if self._library.changes != changed:
                for gone in self._documents.keys() - changed.keys():
                    del self._documents[gone]
                for document_id, seq in changed.items():
                    part = self._documents.get(document_id)
                    if part is None or part.seq != seq:
                        self._documents[document_id] = self._read_document(document_id, seq)
                self._library = self._stack_documents(changed)
            return self._library

    def _read_document(self, document_id: str, seq: int) -> _DocumentMeans:
        nothing = _DocumentMeans(seq, (), np.empty((0, 0), np.float32))
        document = self.catalog.document(document_id)
        if document is None or document.state not in READABLE or not document.current:
            return nothing
        rows = self.catalog.sentence_vectors(document.id, document.pipeline, self.model)
        if not rows:
            return nothing
        numbers, means = compute_chunk_means(rows)
        return _DocumentMeans(seq, tuple(ChunkKey(document.id, document.pipeline, number) for number in numbers), means)

    def _stack_documents(self, changed: Mapping[str, int]) -> _LibraryMeans:
        filled = {document_id: part for document_id, part in self._documents.items() if part.keys}
        if not filled:
            return _LibraryMeans(dict(changed))
        means = np.concatenate([part.means for part in filled.values()])
        at = 0
        for document_id, part in filled.items():  # each part becomes a view of the whole: nothing is held twice
            self._documents[document_id] = _DocumentMeans(part.seq, part.keys, means[at : at + len(part.keys)])
            at += len(part.keys)
        keys = tuple(key for part in filled.values() for key in part.keys)
        numbers = {document_id: number for number, document_id in enumerate(filled)}
        number_of = np.repeat(np.arange(len(filled), dtype=np.int32), [len(part.keys) for part in filled.values()])
        return _LibraryMeans(dict(changed), keys, means, numbers, number_of)


# What lies near a question's vector: by the index where this process has it, exactly for all that it has not heard of.


# A filter that leaves more documents than this is not passed on to the index, which gets slow on long lists; the exact
# scan answers it.
MAX_DOCUMENTS_IN_FILTER = 1000


class VectorSearch:
    def __init__(self, catalog: Catalog, index: VectorIndex, model: str):
        self.catalog = catalog
        self.index = index
        self.model = model
        # Two, so that a search that needs all of the library and one that needs what is late do not undo each other.
        self._library_scan, self._changed_scan = ExactScan(catalog, model), ExactScan(catalog, model)
        self._changed_documents: dict[int, tuple[int, dict[str, int]]] = {}

    def rank_chunks(self, vector: np.ndarray, scope: SearchScope, count: int) -> list[list[ChunkKey]]:
        """One ranking or two of chunks. They may hold what is not in scope: that is the caller's to look up."""
        if scope.document_id:
            return [self._rank_chunks_of_document(vector, scope.document_id)]
        ids = None
        if not scope.is_unrestricted:
            ids = chunk_search.list_document_ids_in_scope(self.catalog.engine, scope)
            if not ids:
                return [[]]
        known = None
        if ids is None or len(ids) <= MAX_DOCUMENTS_IN_FILTER:
            known = self.index.find_nearest(vector, count, ids)
        among = None if ids is None else frozenset(ids)
        if known is None:
            return [
                [
                    key
                    for key, _ in self._library_scan.find_nearest(vector, count, self._find_changed_documents(0), among)
                ]
            ]
        changed = self._find_changed_documents(known.cursor)
        late = self._changed_scan.find_nearest(vector, count, changed, among)
        return [_merge_rankings(late, ranking, changed) for ranking in (known.by_sentence, known.by_chunk)]

    def _find_changed_documents(self, cursor: int) -> dict[str, int]:
        """The documents that changed since, each with its last change."""
        last = self.catalog.last_change()
        known, changed = self._changed_documents.get(cursor, (-1, {}))
        if known != last:
            changed = {id: seq for seq, id, _ in self.catalog.changes_after(cursor)}
            self._changed_documents = {cursor: (last, changed)}
        return changed

    def _rank_chunks_of_document(self, vector: np.ndarray, document_id: str) -> list[ChunkKey]:
        """One document is small, and may be an old version that no index knows: every sentence is compared."""
        document = self.catalog.document(document_id)
        rows = self.catalog.sentence_vectors(document.id, document.pipeline, self.model) if document else []
        if not rows:
            return []
        vectors = np.frombuffer(b"".join(row[2] for row in rows), dtype=np.float32).reshape(len(rows), -1)
        nearest = np.argsort(-round_for_comparison(np.nan_to_num(vectors @ vector, nan=-1.0)), kind="stable")
        return list(dict.fromkeys(ChunkKey(document.id, document.pipeline, rows[row][0]) for row in nearest))


def _merge_rankings(
    changed_chunks: list[tuple[ChunkKey, float]], indexed_chunks: list[tuple[ChunkKey, float]], changed: dict[str, int]
) -> list[ChunkKey]:
    """Nearest first. Of a document that changed since, what the index remembers does not count."""
    both = [*changed_chunks, *(item for item in indexed_chunks if item[0].document_id not in changed)]
    return [key for key, _ in sorted(both, key=lambda item: -item[1])]
