"""A question held against one whole document: which of its chunks to open."""

from __future__ import annotations

import numpy as np

from highlighter.embedder import SentenceTransformerEmbedder
from highlighter.errors import Unavailable
from highlighter.evidence.scorer import SIMILARITY, WORDS
from highlighter.evidence.words import bm25
from highlighter.models import Chunk, Document
from highlighter.store.catalog import Catalog


def best_chunk(
    question: str, document: Document, catalog: Catalog, embedder: SentenceTransformerEmbedder
) -> Chunk | None:
    """The chunk of the sentence that fits best, by similarity and words, its own and its chunk's.

    An exact scan: one document is small.
    """
    rows = catalog.sentence_vectors(document.id, document.pipeline, embedder.name)
    if not rows:
        return None
    try:
        asked = embedder.question(question)
    except Unavailable:
        return None
    vectors = np.frombuffer(b"".join(vector for *_, vector in rows), dtype=np.float32).reshape(len(rows), -1)
    strength = SIMILARITY * np.nan_to_num(vectors @ asked) + WORDS * bm25(question, catalog.sentence_texts(document))
    chunks = catalog.chunks(document)
    around = WORDS * bm25(question, [chunk.text for chunk in chunks])
    best = strength + around[[chunk for chunk, *_ in rows]]
    return chunks[rows[int(best.argmax())][0]]
