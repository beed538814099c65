"""The vectors of sentences: those of documents are stored, the others are embedded."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from highlighter.embedding.embedder import Embedder
from highlighter.store.catalog import Catalog, compute_text_hash


class SentenceVectors:
    """Looks the vectors of sentences up in the catalog and embeds those that it does not have."""

    def __init__(self, catalog: Catalog, embedder: Embedder):
        self.catalog = catalog
        self.embedder = embedder

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """Return one normalised row for each text. Nothing is stored."""
        hashes = [compute_text_hash(text) for text in texts]
        vectors = self.catalog.find_vectors(hashes, self.embedder.name)
        missing = {key: text for key, text in zip(hashes, texts, strict=True) if key not in vectors}
        vectors.update(zip(missing, self.embedder.encode(list(missing.values())), strict=True))
        return np.stack([vectors[key] for key in hashes]) if hashes else self.embedder.encode([])
