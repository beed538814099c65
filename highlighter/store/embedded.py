"""Vectors of sentences, by the words they were made of: who has read a text once need not read it again."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from sqlalchemy import Engine, select
from sqlalchemy.dialects.sqlite import insert

from highlighter.store.database import NAMED_AT_ONCE, writing
from highlighter.store.schema import sentences, vectors


class Embedded:
    """The part of the Catalog that knows vectors."""

    engine: Engine

    def unknown(self, hashes: Iterable[bytes], model: str) -> set[bytes]:
        """Those of these texts that this model has not read yet."""
        missing = set(hashes)
        wanted = list(missing)
        with self.engine.connect() as connection:
            for at in range(0, len(wanted), NAMED_AT_ONCE):
                some = wanted[at : at + NAMED_AT_ONCE]
                query = select(vectors.c.text_hash).where(vectors.c.text_hash.in_(some), vectors.c.model == model)
                missing.difference_update(connection.scalars(query))
        return missing

    def keep_vectors(self, hashes: list[bytes], rows: np.ndarray, model: str) -> None:
        """Kept batch by batch, ahead of the document: whoever is killed on the way has not lost this work."""
        values = [
            {"text_hash": key, "model": model, "vector": row.astype(np.float32).tobytes()}
            for key, row in zip(hashes, rows, strict=True)
        ]
        with writing(self.engine) as connection:
            connection.execute(insert(vectors).on_conflict_do_nothing(), values)

    def sentence_vectors(self, id: str, pipeline: int, model: str) -> list[tuple[int, int, bytes]]:
        """(chunk, sentence, vector) of one document, in order."""
        query = (
            select(sentences.c.chunk, sentences.c.idx, vectors.c.vector)
            .join(vectors, (vectors.c.text_hash == sentences.c.text_hash) & (vectors.c.model == model))
            .where(sentences.c.document_id == id, sentences.c.pipeline == pipeline)
            .order_by(sentences.c.chunk, sentences.c.idx)
        )
        with self.engine.connect() as connection:
            return [tuple(row) for row in connection.execute(query)]
