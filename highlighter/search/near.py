"""What lies near a question's vector: by the index where this process has it, exactly for all that it has not heard of."""

from __future__ import annotations

import numpy as np

from highlighter.rounding import rounded
from highlighter.search.scan import Scan
from highlighter.store import candidates
from highlighter.store.catalog import Catalog
from highlighter.store.index import Index
from highlighter.store.scope import Key, Scope

# A filter that leaves more documents than this is not passed on to the index, which gets slow on long lists; the exact
# scan answers it.
DOCUMENTS_IN_A_FILTER = 1000


class Near:
    def __init__(self, catalog: Catalog, index: Index, model: str):
        self.catalog = catalog
        self.index = index
        self.model = model
        # Two, so that a search that needs all of the library and one that needs what is late do not undo each other.
        self._all, self._late = Scan(catalog, model), Scan(catalog, model)
        self._changed: dict[int, tuple[int, dict[str, int]]] = {}

    def rankings(self, vector: np.ndarray, scope: Scope, count: int) -> list[list[Key]]:
        """One ranking or two of chunks. They may hold what is not in scope: that is the caller's to look up."""
        if scope.document_id:
            return [self._within(vector, scope.document_id)]
        ids = None
        if not scope.everything:
            ids = candidates.documents_in(self.catalog.engine, scope)
            if not ids:
                return [[]]
        known = None
        if ids is None or len(ids) <= DOCUMENTS_IN_A_FILTER:
            known = self.index.nearest(vector, count, ids)
        among = None if ids is None else frozenset(ids)
        if known is None:
            return [[key for key, _ in self._all.nearest(vector, count, self._changed_after(0), among)]]
        changed = self._changed_after(known.heard)
        late = self._late.nearest(vector, count, changed, among)
        return [_joined(late, ranking, changed) for ranking in (known.by_sentence, known.by_chunk)]

    def _changed_after(self, heard: int) -> dict[str, int]:
        """The documents that changed since, each with its last change."""
        last = self.catalog.last_change()
        known, changed = self._changed.get(heard, (-1, {}))
        if known != last:
            changed = {id: seq for seq, id, _ in self.catalog.changes_after(heard)}
            self._changed = {heard: (last, changed)}
        return changed

    def _within(self, vector: np.ndarray, document_id: str) -> list[Key]:
        """One document is small, and may be an old version that no index knows: every sentence is compared."""
        document = self.catalog.document(document_id)
        rows = self.catalog.sentence_vectors(document.id, document.pipeline, self.model) if document else []
        if not rows:
            return []
        vectors = np.frombuffer(b"".join(row[2] for row in rows), dtype=np.float32).reshape(len(rows), -1)
        nearest = np.argsort(-rounded(np.nan_to_num(vectors @ vector, nan=-1.0)), kind="stable")
        return list(dict.fromkeys(Key(document.id, document.pipeline, rows[row][0]) for row in nearest))


def _joined(late: list[tuple[Key, float]], known: list[tuple[Key, float]], changed: dict[str, int]) -> list[Key]:
    """Nearest first. Of a document that changed since, what the index remembers does not count."""
    both = [*late, *(item for item in known if item[0].document_id not in changed)]
    return [key for key, _ in sorted(both, key=lambda item: -item[1])]
