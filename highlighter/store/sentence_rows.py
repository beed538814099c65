"""Queries for sentences by span or page, for documents by hash, and for the vectors of sentences."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from sqlalchemy import ColumnElement, Connection, Engine, Table, bindparam, delete, func, select

from highlighter.access import VisibleCollections
from highlighter.models import READABLE, Document
from highlighter.store.database import MAX_VALUES_PER_QUERY, write_transaction
from highlighter.store.inserts import insert_missing
from highlighter.store.schema import chunks, documents, rows_of_document, sentences, vectors
from highlighter.store.vector_codec import decode_vectors, encode_vector


class SentenceSpan(NamedTuple):
    """The position of a sentence in its document, without its text."""

    chunk: int
    index: int  # type: ignore[assignment]  # hides tuple.index, which nobody calls
    start: int
    end: int
    page: int


SENTENCE_SPAN_COLUMNS = (sentences.c.chunk, sentences.c.idx, sentences.c.start, sentences.c.end, sentences.c.page)


def find_overlapping_sentences(engine: Engine, document: Document, start: int, end: int) -> list[SentenceSpan]:
    """Return the sentences that overlap `[start, end)`, in order. Only the chunks that overlap the span are read."""
    overlapping_chunks = select(chunks.c.idx).where(
        _belongs_to(chunks, document), chunks.c.start < end, chunks.c.end > start
    )
    query = (
        select(*SENTENCE_SPAN_COLUMNS)
        .where(_belongs_to(sentences, document), sentences.c.chunk.in_(overlapping_chunks))
        .where(sentences.c.start < end, sentences.c.end > start)
        .order_by(sentences.c.start)
    )
    with engine.connect() as connection:
        return [SentenceSpan(*row) for row in connection.execute(query)]


def find_page_span(engine: Engine, document: Document, page: int) -> tuple[int, int] | None:
    """Return the span from the first sentence that begins on a page to the end of the last."""
    query = select(func.min(sentences.c.start), func.max(sentences.c.end)).where(
        _belongs_to(sentences, document), sentences.c.page == page
    )
    with engine.connect() as connection:
        start, end = connection.execute(query).one()
    return None if start is None else (start, end)


def find_documents_by_hash(engine: Engine, sha256: str, visible: VisibleCollections) -> list[str]:
    """Return the ids of the readable documents with this SHA-256, current ones first."""
    query = select(documents.c.id, documents.c.collection).where(
        documents.c.sha256 == sha256, documents.c.state.in_(sorted(READABLE)), documents.c.deletion_time == ""
    )
    with engine.connect() as connection:
        rows = connection.execute(query.order_by(documents.c.current.desc(), documents.c.added)).all()
    return [row.id for row in rows if row.collection in visible]


def delete_unneeded_vectors(connection: Connection, hashes: Iterable[bytes]) -> None:
    """Delete those of the vectors that no document's sentence needs, so that no trace of a deleted text remains."""
    keys = [{"hash": key} for key in set(hashes)]
    if keys:
        connection.execute(delete(vectors).where(vectors.c.text_hash == bindparam("hash"), IS_UNNEEDED_VECTOR), keys)


IS_UNNEEDED_VECTOR = ~select(sentences.c.idx).where(sentences.c.text_hash == vectors.c.text_hash).exists()


def _belongs_to(table: Table, document: Document) -> ColumnElement[bool]:
    return rows_of_document(table, document.id, document.pipeline)


class VectorsMixin:
    """The methods of the Catalog for vectors, which are stored by the hash of their text, so each text is embedded once."""

    engine: Engine

    def find_hashes_without_vector(self, hashes: Iterable[bytes], model: str) -> set[bytes]:
        """Return the hashes of the texts that this model has not embedded yet."""
        missing = set(hashes)
        wanted = list(missing)
        with self.engine.connect() as connection:
            for offset in range(0, len(wanted), MAX_VALUES_PER_QUERY):
                batch = wanted[offset : offset + MAX_VALUES_PER_QUERY]
                query = select(vectors.c.text_hash).where(vectors.c.text_hash.in_(batch), vectors.c.model == model)
                missing.difference_update(connection.scalars(query))
        return missing

    def delete_unneeded_vectors(self, hashes: Iterable[bytes]) -> None:
        """Delete the vectors of texts that are in no document."""
        with write_transaction(self.engine) as connection:
            delete_unneeded_vectors(connection, hashes)

    def find_vectors(self, hashes: Iterable[bytes], model: str) -> dict[bytes, np.ndarray]:
        """Return the stored vectors of texts by their hashes."""
        found: dict[bytes, np.ndarray] = {}
        wanted = list(set(hashes))
        with self.engine.connect() as connection:
            for offset in range(0, len(wanted), MAX_VALUES_PER_QUERY):
                batch = wanted[offset : offset + MAX_VALUES_PER_QUERY]
                query = select(vectors.c.text_hash, vectors.c.vector).where(
                    vectors.c.text_hash.in_(batch), vectors.c.model == model
                )
                for text_hash, vector in connection.execute(query):
                    found[text_hash] = decode_vectors([vector])[0]
        return found

    def save_vectors(self, hashes: list[bytes], rows: np.ndarray, model: str) -> None:
        """Save vectors batch by batch, before the document, so that a killed process does not lose this work."""
        values = [
            {"text_hash": key, "model": model, "vector": encode_vector(row)}
            for key, row in zip(hashes, rows, strict=True)
        ]
        with write_transaction(self.engine) as connection:
            connection.execute(insert_missing(vectors), values)

    def sentence_vectors(self, id: str, pipeline: int, model: str) -> list[tuple[int, int, bytes]]:
        """Return (chunk, sentence, vector) for each sentence of a document, in order."""
        query = (
            select(sentences.c.chunk, sentences.c.idx, vectors.c.vector)
            .join(vectors, (vectors.c.text_hash == sentences.c.text_hash) & (vectors.c.model == model))
            .where(sentences.c.document_id == id, sentences.c.pipeline == pipeline)
            .order_by(sentences.c.chunk, sentences.c.idx)
        )
        with self.engine.connect() as connection:
            return [(row.chunk, row.idx, row.vector) for row in connection.execute(query)]
