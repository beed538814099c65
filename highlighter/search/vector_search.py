"""Vector search: by the index where this process has one, exactly for everything that the index does not cover."""

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
from highlighter.store.vector_codec import decode_vectors


@dataclass(frozen=True, slots=True)
class _DocumentMeans:
    """The mean vectors of a document's chunks as of one change."""

    seq: int
    keys: tuple[ChunkKey, ...]
    means: np.ndarray


@dataclass(frozen=True, slots=True)
class _LibraryMeans:
    """The mean vectors of all chunks in one matrix. Never modified, so that any number of threads may read it."""

    changes: dict[str, int]
    keys: tuple[ChunkKey, ...] = ()
    means: np.ndarray | None = None
    document_numbers: dict[str, int] = field(default_factory=dict)  # by document id
    document_number_of_row: np.ndarray | None = None


class ExactScan:
    """The exact search by the mean vectors of chunks, held in memory.

    One vector per chunk instead of one per sentence takes 13 MB instead of 150 MB for 100,000 sentences of 384 numbers.
    """

    def __init__(self, catalog: Catalog, model: str):
        self.catalog = catalog
        self.model = model
        self._lock = threading.Lock()
        self._documents: dict[str, _DocumentMeans] = {}
        self._library = _LibraryMeans({})

    def find_nearest(
        self, vector: np.ndarray, limit: int, changes: Mapping[str, int], document_ids: frozenset[str] | None = None
    ) -> list[tuple[ChunkKey, float]]:
        """Return the nearest chunks of the documents in `changes` (id: last change), limited to `document_ids` if given.

        Vectors of a document are cached until the document changes again or is no longer in `changes`.
        """
        library = self._refresh(changes)
        if library.means is None:
            return []
        similarities = round_for_comparison(np.nan_to_num(library.means @ vector, nan=-1.0))
        rows = np.arange(len(similarities))
        if document_ids is not None:
            numbers = [
                library.document_numbers[document_id]
                for document_id in document_ids
                if document_id in library.document_numbers
            ]
            assert library.document_number_of_row is not None  # set with the means
            rows = np.flatnonzero(np.isin(library.document_number_of_row, numbers))
        if len(rows) > limit:
            lowest = np.partition(similarities[rows], len(rows) - limit)[len(rows) - limit]
            rows = rows[similarities[rows] >= lowest]  # all that are as near as the last, so that their order decides
        rows = rows[np.argsort(-similarities[rows], kind="stable")][:limit]
        return [(library.keys[row], float(similarities[row])) for row in rows]

    def _refresh(self, changes: Mapping[str, int]) -> _LibraryMeans:
        with self._lock:
            if self._library.changes != changes:
                for document_id in self._documents.keys() - changes.keys():
                    del self._documents[document_id]
                for document_id, seq in changes.items():
                    document = self._documents.get(document_id)
                    if document is None or document.seq != seq:
                        self._documents[document_id] = self._read_document(document_id, seq)
                self._library = self._stack_documents(changes)
            return self._library

    def _read_document(self, document_id: str, seq: int) -> _DocumentMeans:
        empty = _DocumentMeans(seq, (), np.empty((0, 0), np.float32))
        document = self.catalog.document(document_id)
        if document is None or document.state not in READABLE or not document.current:
            return empty
        rows = self.catalog.sentence_vectors(document.id, document.pipeline, self.model)
        if not rows:
            return empty
        numbers, means = compute_chunk_means(rows)
        return _DocumentMeans(seq, tuple(ChunkKey(document.id, document.pipeline, number) for number in numbers), means)

    def _stack_documents(self, changes: Mapping[str, int]) -> _LibraryMeans:
        filled = {document_id: document for document_id, document in self._documents.items() if document.keys}
        if not filled:
            return _LibraryMeans(dict(changes))
        means = np.concatenate([document.means for document in filled.values()])
        row = 0
        for document_id, document in filled.items():  # each becomes a view of the matrix, so that nothing is held twice
            count = len(document.keys)
            self._documents[document_id] = _DocumentMeans(document.seq, document.keys, means[row : row + count])
            row += count
        keys = tuple(key for document in filled.values() for key in document.keys)
        numbers = {document_id: number for number, document_id in enumerate(filled)}
        counts = [len(document.keys) for document in filled.values()]
        number_of_row = np.repeat(np.arange(len(filled), dtype=np.int32), counts)
        return _LibraryMeans(dict(changes), keys, means, numbers, number_of_row)


# Filters that match more documents are answered by the exact scan, as the index is slow with long lists of ids.
MAX_DOCUMENTS_IN_FILTER = 1000


class VectorSearch:
    """The search for the chunks nearest to a vector."""

    def __init__(self, catalog: Catalog, index: VectorIndex, model: str):
        self.catalog = catalog
        self.index = index
        self.model = model
        # Two, so that searches in the whole library and in the changed documents do not evict each other's vectors.
        self._library_scan, self._changed_scan = ExactScan(catalog, model), ExactScan(catalog, model)
        self._changed_documents: dict[int, tuple[int, dict[str, int]]] = {}

    def rank_chunks(self, vector: np.ndarray, scope: SearchScope, count: int) -> list[list[ChunkKey]] | None:
        """Return one or two rankings of chunks. They may contain chunks out of scope, which the caller removes.

        None: there is no index now, and the scope is too large for an exact scan.
        """
        if scope.document_id:
            return [self._rank_chunks_of_document(vector, scope.document_id)]
        ids = None
        if not scope.is_unrestricted:
            ids = chunk_search.list_document_ids_in_scope(self.catalog.engine, scope)
            if not ids:
                return [[]]
        nearest = None
        if ids is None or len(ids) <= MAX_DOCUMENTS_IN_FILTER:
            nearest = self.index.find_nearest(vector, count, ids)
        id_set = None if ids is None else frozenset(ids)
        if nearest is None:
            limit = self.index.max_scanned_sentences
            if limit is not None and chunk_search.count_sentences_in_scope(self.catalog.engine, scope) > limit:
                return None
            found = self._library_scan.find_nearest(vector, count, self._find_changed_documents(0), id_set)
            return [[key for key, _ in found]]
        changed = self._find_changed_documents(nearest.cursor)
        changed_chunks = self._changed_scan.find_nearest(vector, count, changed, id_set)
        return [
            _merge_rankings(changed_chunks, ranking, changed) for ranking in (nearest.by_sentence, nearest.by_chunk)
        ]

    def _find_changed_documents(self, cursor: int) -> dict[str, int]:
        """Return the documents that changed after the cursor, each with its last change."""
        last = self.catalog.last_change()
        cached_last, changed = self._changed_documents.get(cursor, (-1, {}))
        if cached_last != last:
            changed = {id: seq for seq, id, _ in self.catalog.changes_after(cursor)}
            self._changed_documents = {cursor: (last, changed)}
        return changed

    def _rank_chunks_of_document(self, vector: np.ndarray, document_id: str) -> list[ChunkKey]:
        """Rank the chunks of one document by all its sentences. It is small, and may be an old version that is not indexed."""
        document = self.catalog.document(document_id)
        rows = self.catalog.sentence_vectors(document.id, document.pipeline, self.model) if document else []
        if document is None or not rows:
            return []
        vectors = decode_vectors([row[2] for row in rows])
        nearest = np.argsort(-round_for_comparison(np.nan_to_num(vectors @ vector, nan=-1.0)), kind="stable")
        return list(dict.fromkeys(ChunkKey(document.id, document.pipeline, rows[row][0]) for row in nearest))


def _merge_rankings(
    changed_chunks: list[tuple[ChunkKey, float]], indexed_chunks: list[tuple[ChunkKey, float]], changed: dict[str, int]
) -> list[ChunkKey]:
    """Return both rankings merged, nearest first. Indexed chunks of documents that changed since are left out."""
    ranked = [*changed_chunks, *(item for item in indexed_chunks if item[0].document_id not in changed)]
    return [key for key, _ in sorted(ranked, key=lambda item: -item[1])]
