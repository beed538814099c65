"""The catalog: the documents with their texts, chunks and sentences, in SQL. It is the source of truth."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sqlalchemy import ColumnElement, Engine, RowMapping, bindparam, delete, func, insert, select, update

from highlighter.errors import AlteredContent, NotFound
from highlighter.locale import N_, join_messages
from highlighter.models import PIPELINE_VERSION, Chunk, Document, Sentence
from highlighter.store import audit_log, chunk_search, digests
from highlighter.store.database import write_transaction
from highlighter.store.dialects import get_dialect
from highlighter.store.documents import DocumentsMixin
from highlighter.store.schema import (
    changes,
    chunks,
    documents,
    evidence_scores,
    rows_of_document,
    sentences,
    texts,
    vectors,
)
from highlighter.store.sentence_rows import SENTENCE_SPAN_COLUMNS, SentenceSpan, VectorsMixin
from highlighter.store.source_map import SourceMap
from highlighter.store.vector_codec import decode_vectors
from highlighter.store.versions import update_current_versions
from highlighter.store.word_confidences import WordConfidences
from highlighter.text.document_structure import DocumentStructure
from highlighter.text.document_tables import DocumentTables, load_table

__all__ = ["Catalog", "DocumentContents", "DocumentDeleted", "TextMissing", "VectorsMissing", "compute_text_hash"]


def compute_text_hash(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:16]


@dataclass(frozen=True, slots=True)
class DocumentContents:
    """Everything that was read from a file, to be saved in one transaction."""

    text: str
    source_map: SourceMap
    facts: dict[str, Any]  # headings, hidden, pages, warnings
    chunks: tuple[Chunk, ...]
    sentences: tuple[tuple[int, Sentence], ...]  # (chunk index, sentence)
    labels: tuple[str, ...] = ()
    file_hashes: Mapping[str, str] = field(default_factory=dict)  # SHA-256 of each generated file, by relative path


@dataclass(frozen=True, slots=True)
class ReadingOutcome:
    """How the reading of a document ended that gave it contents."""

    state: str
    reason: str = ""
    model: str = ""  # the embedding model that has a vector for every sentence; empty: not checked
    pipeline: int = PIPELINE_VERSION
    recognition: str = ""  # whether pages without text are still to be recognised: see Document.recognition


class DocumentDeleted(NotFound):
    """The document was deleted while it was being processed, so its contents must not be saved."""

    def __init__(self) -> None:
        super().__init__("The document was deleted during processing.")


class TextMissing(NotFound):
    """The text that a pipeline read from a document is stored no more."""

    def __init__(self, document: Document):
        super().__init__(
            N_("This text of {name} no longer exists: the document was deleted or processed again.", name=document.name)
        )


class VectorsMissing(Exception):
    """Vectors that existed when processing began were deleted with another document."""


class Catalog(DocumentsMixin, VectorsMixin):
    """The store of documents and of everything that was read from them."""

    def __init__(self, engine: Engine):
        self.engine = engine
        self._version_monitor = get_dialect(engine).monitor_version(engine)

    def close(self) -> None:
        self._version_monitor.close()
        self.engine.dispose()

    def data_version(self) -> int:
        """Return a number that changes with every write, by this process or another."""
        return self._version_monitor.version()

    # -- contents ------------------------------------------------------------------------------------------------

    def save_contents(self, id: str, contents: DocumentContents, outcome: ReadingOutcome) -> None:
        """Save all contents of a document in one transaction.

        Raises DocumentDeleted when the document was deleted meanwhile, and VectorsMissing unless the outcome's model has a
        vector for every sentence.
        """
        pipeline, model = outcome.pipeline, outcome.model
        key = {"document_id": id, "pipeline": pipeline}
        term_rows = chunk_search.make_term_rows(key, ((chunk.index, chunk.text) for chunk in contents.chunks))
        with write_transaction(self.engine) as connection:
            if connection.execute(select(documents.c.id).where(documents.c.id == id)).first() is None:
                raise DocumentDeleted
            for table in (texts, chunks, sentences, evidence_scores):
                connection.execute(delete(table).where(rows_of_document(table, id, pipeline)))
            text_row = {"text": contents.text, "source_map": contents.source_map.to_bytes(), "facts": contents.facts}
            connection.execute(insert(texts), {**key, **text_row})
            connection.execute(insert(chunks), [{**key, **_chunk_row(chunk)} for chunk in contents.chunks])
            connection.execute(insert(sentences), [{**key, **_sentence_row(*item)} for item in contents.sentences])
            chunk_search.save_chunk_terms(connection, term_rows)
            if model and connection.execute(_SENTENCE_WITHOUT_VECTOR_QUERY, {**key, "model": model}).first():
                raise VectorsMissing
            connection.execute(insert(changes), key)
            connection.execute(
                update(documents).where(documents.c.id == id),
                {
                    "state": outcome.state, "reason": outcome.reason, "pipeline": pipeline, "progress": None, "attempts": 0,
                    "recognition": outcome.recognition,
                    "pages": len(contents.facts["pages"]), "chunks": len(contents.chunks),
                    "sentences": len(contents.sentences), "labels": list(contents.labels),
                },
            )  # fmt: skip
            groups = (digests.DETAILS, digests.OUTCOME, digests.CONTENTS)
            digests.record_document_digests(connection, audit_log.INGESTED, id, groups, pipeline, contents.file_hashes)
            update_current_versions(connection, id)

    def text(self, document: Document) -> str:
        text: str = self._read_text_column(document, texts.c.text)
        return text

    def facts(self, document: Document) -> dict[str, Any]:
        facts: dict[str, Any] = self._read_text_column(document, texts.c.facts)
        return facts

    def recognition_at(self, document: Document, pipeline: int) -> dict[str, Any] | None:
        """Return the facts about recognised text in one reading of a document; None without that reading."""
        query = select(texts.c.facts).where(rows_of_document(texts, document.id, pipeline))
        with self.engine.connect() as connection:
            facts: dict[str, Any] | None = connection.execute(query).scalar()
        return facts.get("recognition") if facts else None

    def word_confidences(self, document: Document) -> WordConfidences:
        """Return the recognised words of a document's text; none where no text was recognised."""
        if not document.has_recognised_text:
            return WordConfidences()
        return WordConfidences.from_text(self.facts(document)["recognition"]["words"])

    def tables(self, document: Document, chunk: Chunk) -> DocumentTables:
        """Return the tables of a chunk, with the text from the first of their headers and captions on."""
        if "\t" not in chunk.text:
            return DocumentTables()
        stored = self.facts(document).get("tables", ())  # none in documents that were read before tables were stored
        tables = tuple(
            load_table(fields) for fields in stored if fields["start"] < chunk.end and chunk.start < fields["end"]
        )
        offset = min((min(table.start, *(table.caption or (table.start,))) for table in tables), default=chunk.start)
        if offset >= chunk.start:
            return DocumentTables(tables, chunk.text, chunk.start)
        return DocumentTables(tables, self.text(document)[offset : chunk.end], offset)

    def structure(self, document: Document) -> DocumentStructure:
        """Return the tables and figures of a document; its text is read only where it has tables."""
        facts = self.facts(document)
        tables = tuple(map(load_table, facts.get("tables", ())))
        captions = tuple((start, end) for start, end in facts.get("figures", ()))
        return DocumentStructure(DocumentTables(tables, self.text(document) if tables else ""), captions)

    def source_map(self, document: Document) -> SourceMap:
        return SourceMap.from_bytes(self._read_text_column(document, texts.c.source_map))

    def _read_text_column(self, document: Document, column: ColumnElement[Any]) -> Any:
        """Return a column of the document's row in `texts`.

        Raises AlteredContent unless it matches the recorded digest, and TextMissing when the document was deleted meanwhile.
        """
        is_row = rows_of_document(texts, document.id, document.pipeline)
        with self.engine.connect() as connection:
            row = connection.execute(select(column).where(is_row)).first()
            if row is None:
                raise TextMissing(document)
            value = row[0]
            part, hashed = digests.make_text_part(str(column.name), value)
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
        """Return the current chunk at an offset. Links of an earlier pipeline lead there once its rows are gone."""
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
        """Return a chunk's sentences with their vectors; None instead of vectors unless the model has embedded them all.

        Raises AlteredContent when a sentence does not match its stored hash: its chunk or its span was altered.
        """
        key = {"document": chunk.document_id, "pipeline": chunk.pipeline, "chunk": chunk.index, "model": model}
        with self.engine.connect() as connection:
            rows = connection.execute(_SENTENCES_WITH_VECTORS_QUERY, key).all()
        result = [
            Sentence(row.idx, row.start, row.end, chunk.text[row.start - chunk.start : row.end - chunk.start], row.page)
            for row in rows
        ]
        if any(compute_text_hash(sentence.text) != row.text_hash for sentence, row in zip(result, rows, strict=True)):
            document = self.document(chunk.document_id)
            raise _altered_content_error(document.name if document else chunk.document_id)
        if not rows or any(row.vector is None for row in rows):
            return result, None
        return result, decode_vectors([row.vector for row in rows])

    def sentence_spans(self, document: Document, chunk: int | None = None) -> list[SentenceSpan]:
        """Return the sentence positions of a document, or of one of its chunks, in order."""
        is_row = rows_of_document(sentences, document.id, document.pipeline)
        query = select(*SENTENCE_SPAN_COLUMNS).where(is_row).order_by(sentences.c.chunk, sentences.c.idx)
        if chunk is not None:
            query = query.where(sentences.c.chunk == chunk)
        with self.engine.connect() as connection:
            return [SentenceSpan(*row) for row in connection.execute(query)]

    def sentence_texts(self, document: Document) -> list[str]:
        """Return the text of every sentence of a document, in order."""
        text = self.text(document)
        is_row = rows_of_document(sentences, document.id, document.pipeline)
        query = select(sentences.c.start, sentences.c.end).where(is_row).order_by(sentences.c.chunk, sentences.c.idx)
        with self.engine.connect() as connection:
            return [text[start:end] for start, end in connection.execute(query)]

    # -- changes for the index -----------------------------------------------------------------------------------

    def changes_after(self, seq: int) -> list[tuple[int, str, int]]:
        """Return (number, document id, pipeline) of the changes after a number, in order."""
        query = select(changes.c.seq, changes.c.document_id, changes.c.pipeline).where(changes.c.seq > seq)
        with self.engine.connect() as connection:
            return [
                (row.seq, row.document_id, row.pipeline) for row in connection.execute(query.order_by(changes.c.seq))
            ]

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
        join_messages(
            [
                N_("The stored text of {name} is damaged or was altered, so it is not shown.", name=name),
                N_("Run python -m highlighter doctor --fix to read the original again."),
            ]
        )
    )


def chunk_from_row(row: RowMapping) -> Chunk:
    values: dict[str, Any] = {str(name): value for name, value in row.items()}
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
