"""The truth, in SQL: which documents there are, what they say, and where their chunks and sentences begin and end."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sqlalchemy import Engine, bindparam, delete, func, select, update
from sqlalchemy.dialects.sqlite import insert

from highlighter.errors import AlteredContent, NotFound
from highlighter.locale import N_
from highlighter.models import PIPELINE_VERSION, Chunk, Document, Sentence
from highlighter.store import audit_log, chunk_search, digests
from highlighter.store.database import DataVersionMonitor, write_transaction
from highlighter.store.documents import DocumentsMixin
from highlighter.store.schema import changes, chunks, documents, sentences, texts, vectors
from highlighter.store.sentence_rows import SENTENCE_SPAN_COLUMNS, SentenceSpan, VectorsMixin
from highlighter.store.source_map import SourceMap
from highlighter.store.versions import update_current_versions

__all__ = ["Catalog", "DocumentContents", "DocumentDeleted", "VectorsMissing", "compute_text_hash"]


def compute_text_hash(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:16]


@dataclass(frozen=True, slots=True)
class DocumentContents:
    """All that reading a file brought, ready to be kept in one go."""

    text: str
    source_map: SourceMap
    facts: dict[str, Any]  # headings, hidden, pages, warnings
    chunks: tuple[Chunk, ...]
    sentences: tuple[tuple[int, Sentence], ...]  # (chunk index, sentence)
    labels: tuple[str, ...] = ()
    file_hashes: Mapping[str, str] = field(default_factory=dict)  # SHA-256 of each file made, by its relative path


class DocumentDeleted(NotFound):
    """Nothing of a document that was deleted comes back because somebody was still reading it."""

    def __init__(self) -> None:
        super().__init__("The document was deleted during processing.")


class VectorsMissing(Exception):
    """Vectors that were known when reading began went with another document that was deleted meanwhile."""


class Catalog(DocumentsMixin, VectorsMixin):
    def __init__(self, engine: Engine):
        self.engine = engine
        self._data_version_monitor = DataVersionMonitor(engine)

    def close(self) -> None:
        self._data_version_monitor.close()
        self.engine.dispose()

    def data_version(self) -> int:
        """Moves on whenever anybody has written, in this process or another."""
        return self._data_version_monitor.version()

    # -- what they say -------------------------------------------------------------------------------------------

    def save_contents(self, id: str, contents: DocumentContents, state: str, reason: str = "", model: str = "") -> None:
        """Everything of one document in one transaction: it is all there, or none of it is.

        Refused when the document was deleted meanwhile, or when a vector of `model` is not there for every sentence.
        """
        key = {"document_id": id, "pipeline": PIPELINE_VERSION}
        with write_transaction(self.engine) as connection:
            if connection.execute(select(documents.c.id).where(documents.c.id == id)).first() is None:
                raise DocumentDeleted
            for table in (texts, chunks, sentences):
                ours = (table.c.document_id == id) & (table.c.pipeline == PIPELINE_VERSION)
                connection.execute(delete(table).where(ours))
            text_row = {"text": contents.text, "source_map": contents.source_map.to_bytes(), "facts": contents.facts}
            connection.execute(insert(texts), {**key, **text_row})
            connection.execute(insert(chunks), [{**key, **_chunk_row(chunk)} for chunk in contents.chunks])
            connection.execute(insert(sentences), [{**key, **_sentence_row(*item)} for item in contents.sentences])
            chunk_search.save_chunk_terms(connection, key, [(chunk.index, chunk.text) for chunk in contents.chunks])
            if model and connection.execute(_SENTENCE_WITHOUT_VECTOR_QUERY, {**key, "model": model}).first():
                raise VectorsMissing
            connection.execute(insert(changes), key)
            connection.execute(
                update(documents).where(documents.c.id == id),
                {
                    "state": state, "reason": reason, "pipeline": PIPELINE_VERSION, "progress": None, "attempts": 0,
                    "pages": len(contents.facts["pages"]), "chunks": len(contents.chunks),
                    "sentences": len(contents.sentences), "labels": list(contents.labels),
                },
            )  # fmt: skip
            every = (digests.DETAILS, digests.OUTCOME, digests.CONTENTS)
            digests.record_document_digests(
                connection, audit_log.INGESTED, id, every, PIPELINE_VERSION, contents.file_hashes
            )
            update_current_versions(connection, id)

    def text(self, document: Document) -> str:
        return self._read_text_column(document, texts.c.text)

    def facts(self, document: Document) -> dict[str, Any]:
        return self._read_text_column(document, texts.c.facts)

    def source_map(self, document: Document) -> SourceMap:
        return SourceMap.from_bytes(self._read_text_column(document, texts.c.source_map))

    def _read_text_column(self, document: Document, column: Any) -> Any:
        ours = (texts.c.document_id == document.id) & (texts.c.pipeline == document.pipeline)
        with self.engine.connect() as connection:
            value = connection.execute(select(column).where(ours)).scalar_one()
            part, hashed = digests.make_text_part(column.name, value)
            recorded = digests.read_recorded_digest(connection, document.id, document.pipeline, part)
        if recorded and digests.compute_salted_digest(recorded[0], hashed) != recorded[1]:
            raise _altered_content_error(document.name)
        return value

    def chunk(self, document: Document, index: int, pipeline: int | None = None) -> Chunk | None:
        key = {"document": document.id, "pipeline": pipeline or document.pipeline, "idx": index}
        with self.engine.connect() as connection:
            row = connection.execute(_CHUNK_QUERY, key).mappings().first()
        return chunk_from_row(row) if row else None

    def chunk_at(self, document: Document, offset: int) -> Chunk | None:
        """The current chunk that holds this place: where a link of an earlier pipeline leads once its rows are gone."""
        query = _CHUNKS_QUERY.where(chunks.c.end > offset).limit(1)
        with self.engine.connect() as connection:
            row = connection.execute(query, {"document": document.id, "pipeline": document.pipeline}).mappings().first()
        return chunk_from_row(row) if row else None

    def chunks(self, document: Document) -> list[Chunk]:
        with self.engine.connect() as connection:
            rows = connection.execute(
                _CHUNKS_QUERY, {"document": document.id, "pipeline": document.pipeline}
            ).mappings()
            return [chunk_from_row(row) for row in rows]

    def sentences(self, chunk: Chunk, model: str) -> tuple[list[Sentence], np.ndarray | None]:
        """A chunk's sentences and their vectors by this model; no vectors when the model has not read them all.

        Raises AlteredContent when a sentence is not the one whose hash is stored: its chunk or its span was altered.
        """
        key = {"document": chunk.document_id, "pipeline": chunk.pipeline, "chunk": chunk.index, "model": model}
        with self.engine.connect() as connection:
            rows = connection.execute(_SENTENCES_WITH_VECTORS_QUERY, key).all()
        found = [
            Sentence(row.idx, row.start, row.end, chunk.text[row.start - chunk.start : row.end - chunk.start], row.page)
            for row in rows
        ]
        if any(compute_text_hash(one.text) != row.text_hash for one, row in zip(found, rows, strict=True)):
            document = self.document(chunk.document_id)
            raise _altered_content_error(document.name if document else chunk.document_id)
        if not rows or any(row.vector is None for row in rows):
            return found, None
        return found, np.frombuffer(b"".join(row.vector for row in rows), dtype=np.float32).reshape(len(rows), -1)

    def sentence_spans(self, document: Document, chunk: int | None = None) -> list[SentenceSpan]:
        """Those of a document, or of one of its chunks, in order."""
        ours = (sentences.c.document_id == document.id) & (sentences.c.pipeline == document.pipeline)
        query = select(*SENTENCE_SPAN_COLUMNS).where(ours).order_by(sentences.c.chunk, sentences.c.idx)
        if chunk is not None:
            query = query.where(sentences.c.chunk == chunk)
        with self.engine.connect() as connection:
            return [SentenceSpan(*row) for row in connection.execute(query)]

    def sentence_texts(self, document: Document) -> list[str]:
        """The words of every sentence of a document, in order."""
        text = self.text(document)
        ours = (sentences.c.document_id == document.id) & (sentences.c.pipeline == document.pipeline)
        query = select(sentences.c.start, sentences.c.end).where(ours).order_by(sentences.c.chunk, sentences.c.idx)
        with self.engine.connect() as connection:
            return [text[start:end] for start, end in connection.execute(query)]

    # -- for the index -------------------------------------------------------------------------------------------

    def changes_after(self, seq: int) -> list[tuple[int, str, int]]:
        query = select(changes.c.seq, changes.c.document_id, changes.c.pipeline).where(changes.c.seq > seq)
        with self.engine.connect() as connection:
            return [tuple(row) for row in connection.execute(query.order_by(changes.c.seq))]

    def last_change(self) -> int:
        with self.engine.connect() as connection:
            return connection.execute(select(func.max(changes.c.seq))).scalar() or 0


_CHUNKS_QUERY = (
    select(chunks)
    .where(chunks.c.document_id == bindparam("document"), chunks.c.pipeline == bindparam("pipeline"))
    .order_by(chunks.c.idx)
)
_CHUNK_QUERY = _CHUNKS_QUERY.where(chunks.c.idx == bindparam("idx"))
_SENTENCE_WITHOUT_VECTOR_QUERY = (
    select(sentences.c.idx)
    .outerjoin(vectors, (vectors.c.text_hash == sentences.c.text_hash) & (vectors.c.model == bindparam("model")))
    .where(
        sentences.c.document_id == bindparam("document_id"),
        sentences.c.pipeline == bindparam("pipeline"),
        vectors.c.text_hash.is_(None),
    )
    .limit(1)
)
_SENTENCES_WITH_VECTORS_QUERY = (
    select(*(sentences.c[name] for name in ("idx", "start", "end", "page", "text_hash")), vectors.c.vector)
    .outerjoin(vectors, (vectors.c.text_hash == sentences.c.text_hash) & (vectors.c.model == bindparam("model")))
    .where(
        sentences.c.document_id == bindparam("document"),
        sentences.c.pipeline == bindparam("pipeline"),
        sentences.c.chunk == bindparam("chunk"),
    )
    .order_by(sentences.c.idx)
)


def _altered_content_error(name: str) -> AlteredContent:
    return AlteredContent(
        N_(f"The stored text of {name} is damaged or was altered, so it is not shown.")
        + " "
        + N_("Run python -m highlighter doctor --fix to read the original again.")
    )


def chunk_from_row(row) -> Chunk:
    values = dict(row)
    headings = tuple(map(tuple, values.pop("headings")))
    return Chunk(index=values.pop("idx"), headings=headings, **values)


def _chunk_row(chunk: Chunk) -> dict[str, Any]:
    return {
        "idx": chunk.index, "start": chunk.start, "end": chunk.end, "text": chunk.text,
        "first_page": chunk.first_page, "last_page": chunk.last_page, "section": chunk.section,
        "headings": chunk.headings,
    }  # fmt: skip


def _sentence_row(chunk: int, sentence: Sentence) -> dict[str, Any]:
    return {
        "chunk": chunk, "idx": sentence.index, "start": sentence.start, "end": sentence.end,
        "page": sentence.page, "text_hash": compute_text_hash(sentence.text),
    }  # fmt: skip
