"""Where in a document: the sentences a span touches, the span of a page, and the documents of given bytes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from sqlalchemy import Engine, func, select
from sqlalchemy.dialects.sqlite import insert

from highlighter.access import VisibleCollections
from highlighter.models import READABLE, Document
from highlighter.store.database import MAX_VALUES_PER_QUERY, write_transaction
from highlighter.store.schema import chunks, documents, sentences, vectors


class SentenceSpan(NamedTuple):
    """One sentence, named and placed, without its words."""

    chunk: int
    index: int
    start: int
    end: int
    page: int


SENTENCE_SPAN_COLUMNS = (sentences.c.chunk, sentences.c.idx, sentences.c.start, sentences.c.end, sentences.c.page)


def find_overlapping_sentences(engine: Engine, document: Document, start: int, end: int) -> list[SentenceSpan]:
    """The sentences that `[start, end)` touches, in order. Only the chunks it touches are read."""
    held = select(chunks.c.idx).where(_belongs_to(chunks, document), chunks.c.start < end, chunks.c.end > start)
    query = (
        select(*SENTENCE_SPAN_COLUMNS)
        .where(_belongs_to(sentences, document), sentences.c.chunk.in_(held))
        .where(sentences.c.start < end, sentences.c.end > start)
        .order_by(sentences.c.start)
    )
    with engine.connect() as connection:
        return [SentenceSpan(*row) for row in connection.execute(query)]


def find_page_span(engine: Engine, document: Document, page: int) -> tuple[int, int] | None:
    """From the first sentence that begins on a page to the end of the last."""
    query = select(func.min(sentences.c.start), func.max(sentences.c.end)).where(
        _belongs_to(sentences, document), sentences.c.page == page
    )
    with engine.connect() as connection:
        start, end = connection.execute(query).one()
    return None if start is None else (start, end)


def find_documents_by_hash(engine: Engine, sha256: str, visible: VisibleCollections) -> list[str]:
    """Ids of the readable documents made of these bytes, those that are current first."""
    query = select(documents.c.id, documents.c.collection).where(
        documents.c.sha256 == sha256, documents.c.state.in_(sorted(READABLE)), documents.c.leaving == ""
    )
    with engine.connect() as connection:
        rows = connection.execute(query.order_by(documents.c.current.desc(), documents.c.added)).all()
    return [row.id for row in rows if row.collection in visible]


def _belongs_to(table, document: Document):
    return (table.c.document_id == document.id) & (table.c.pipeline == document.pipeline)


# Vectors of sentences, by the words they were made of: who has read a text once need not read it again.


class VectorsMixin:
    """The part of the Catalog that knows vectors."""

    engine: Engine

    def find_hashes_without_vector(self, hashes: Iterable[bytes], model: str) -> set[bytes]:
        """Those of these texts that this model has not read yet."""
        missing = set(hashes)
        wanted = list(missing)
        with self.engine.connect() as connection:
            for at in range(0, len(wanted), MAX_VALUES_PER_QUERY):
                some = wanted[at : at + MAX_VALUES_PER_QUERY]
                query = select(vectors.c.text_hash).where(vectors.c.text_hash.in_(some), vectors.c.model == model)
                missing.difference_update(connection.scalars(query))
        return missing

    def save_vectors(self, hashes: list[bytes], rows: np.ndarray, model: str) -> None:
        """Kept batch by batch, ahead of the document: whoever is killed on the way has not lost this work."""
        values = [
            {"text_hash": key, "model": model, "vector": row.astype(np.float32).tobytes()}
            for key, row in zip(hashes, rows, strict=True)
        ]
        with write_transaction(self.engine) as connection:
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
