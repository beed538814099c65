"""The exact answer to "what is nearest?", without an index: the mean vector of every chunk, held in memory and compared."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from highlighter.models import READABLE
from highlighter.rounding import rounded
from highlighter.store.catalog import Catalog
from highlighter.store.nearest import chunk_means
from highlighter.store.scope import Key


@dataclass(frozen=True, slots=True)
class _Part:
    """One document's chunks, as they were at one change."""

    seq: int
    keys: tuple[Key, ...]
    means: np.ndarray


@dataclass(frozen=True, slots=True)
class _Whole:
    """All parts, one under another. Never changed once made, so that any number of threads may read it."""

    of: dict[str, int]
    keys: tuple[Key, ...] = ()
    means: np.ndarray | None = None
    numbers: dict[str, int] = field(default_factory=dict)  # of the documents, and ...
    number_of: np.ndarray | None = None  # ... each row's


class Scan:
    """Holds a vector a chunk, not one a sentence: 13 MB for 100,000 sentences of 384 numbers, and not 150."""

    def __init__(self, catalog: Catalog, model: str):
        self.catalog = catalog
        self.model = model
        self._lock = threading.Lock()
        self._parts: dict[str, _Part] = {}
        self._whole = _Whole({})

    def nearest(
        self, vector: np.ndarray, count: int, changed: Mapping[str, int], among: frozenset[str] | None = None
    ) -> list[tuple[Key, float]]:
        """The nearest chunks of the documents in `changed` (id: last change), or of those that are `among` them, too.

        What was read of a document is kept until it changes again, or is no longer asked for.
        """
        whole = self._brought_up(changed)
        if whole.means is None:
            return []
        similar = rounded(np.nan_to_num(whole.means @ vector, nan=-1.0))
        rows = np.arange(len(similar))
        if among is not None:
            numbers = [whole.numbers[document_id] for document_id in among if document_id in whole.numbers]
            rows = np.flatnonzero(np.isin(whole.number_of, numbers))
        if len(rows) > count:
            least = np.partition(similar[rows], len(rows) - count)[len(rows) - count]
            rows = rows[similar[rows] >= least]  # all that are as near as the last, so that their order decides
        rows = rows[np.argsort(-similar[rows], kind="stable")][:count]
        return [(whole.keys[row], float(similar[row])) for row in rows]

    def _brought_up(self, changed: Mapping[str, int]) -> _Whole:
        with self._lock:
            if self._whole.of != changed:
                for gone in self._parts.keys() - changed.keys():
                    del self._parts[gone]
                for document_id, seq in changed.items():
                    part = self._parts.get(document_id)
                    if part is None or part.seq != seq:
                        self._parts[document_id] = self._read(document_id, seq)
                self._whole = self._stacked(changed)
            return self._whole

    def _read(self, document_id: str, seq: int) -> _Part:
        nothing = _Part(seq, (), np.empty((0, 0), np.float32))
        document = self.catalog.document(document_id)
        if document is None or document.state not in READABLE or not document.current:
            return nothing
        rows = self.catalog.sentence_vectors(document.id, document.pipeline, self.model)
        if not rows:
            return nothing
        numbers, means = chunk_means(rows)
        return _Part(seq, tuple(Key(document.id, document.pipeline, number) for number in numbers), means)

    def _stacked(self, changed: Mapping[str, int]) -> _Whole:
        filled = {document_id: part for document_id, part in self._parts.items() if part.keys}
        if not filled:
            return _Whole(dict(changed))
        means = np.concatenate([part.means for part in filled.values()])
        at = 0
        for document_id, part in filled.items():  # each part becomes a view of the whole: nothing is held twice
            self._parts[document_id] = _Part(part.seq, part.keys, means[at : at + len(part.keys)])
            at += len(part.keys)
        keys = tuple(key for part in filled.values() for key in part.keys)
        numbers = {document_id: number for number, document_id in enumerate(filled)}
        number_of = np.repeat(np.arange(len(filled), dtype=np.int32), [len(part.keys) for part in filled.values()])
        return _Whole(dict(changed), keys, means, numbers, number_of)
