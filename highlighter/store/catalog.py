"""The truth, in SQL: which documents there are, what they say, and where their chunks and sentences begin and end."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import numpy as np
from sqlalchemy import Engine, bindparam, delete, func, select, update
from sqlalchemy.dialects.sqlite import insert

from highlighter.access import Visible
from highlighter.models import PIPELINE, QUEUED, READABLE, READING, UNFINISHED, Chunk, Document, Sentence
from highlighter.pages.source_map import SourceMap
from highlighter.store import words
from highlighter.store.database import Watch, writing
from highlighter.store.schema import changes, chunks, documents, sentences, texts, vectors

ROWS_AT_ONCE = 500  # below SQLite's limit on parameters in one statement


def document_id(collection: str, sha256: str) -> str:
    """The same bytes in two collections are two documents, and neither id tells of the other."""
    return hashlib.sha256(f"{collection}\0{sha256}".encode()).hexdigest()[:32]


def text_hash(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:16]


@dataclass(frozen=True, slots=True)
class Contents:
    """All that reading a file brought, ready to be kept in one go."""

    text: str
    source_map: SourceMap
    facts: dict[str, Any]  # headings, hidden, pages, warnings
    chunks: tuple[Chunk, ...]
    sentences: tuple[tuple[int, Sentence], ...]  # (chunk index, sentence)
    labels: tuple[str, ...] = ()


class Catalog:
    def __init__(self, engine: Engine):
        self.engine = engine
        self._watch = Watch(engine)

    def close(self) -> None:
        self._watch.close()
        self.engine.dispose()

    def version(self) -> int:
        """Moves on whenever anybody has written, in this process or another."""
        return self._watch.version()

    # -- documents -----------------------------------------------------------------------------------------------

    def register(
        self, collection: str, sha256: str, name: str, kind: str, size: int, meta: dict[str, Any] | None = None
    ) -> Document:
        """The row of these bytes, made if it was not there."""
        row = {
            "id": document_id(collection, sha256), "collection": collection, "sha256": sha256, "name": name,
            "kind": kind, "size": size, "state": QUEUED, "reason": "", "pipeline": PIPELINE, "meta": meta or {},
            "labels": [], "added": datetime.now(UTC).isoformat(timespec="seconds"),
        }  # fmt: skip
        with writing(self.engine) as connection:
            connection.execute(insert(documents).values(row).on_conflict_do_nothing())
        return self.document(row["id"])

    def document(self, id: str, visible: Visible = Visible()) -> Document | None:
        with self.engine.connect() as connection:
            row = connection.execute(_ONE_DOCUMENT, {"id": id}).mappings().first()
        return _document(row) if row and row["collection"] in visible else None

    def documents(self, visible: Visible = Visible(), states: Iterable[str] = ()) -> list[Document]:
        """Newest first."""
        query = select(documents).order_by(documents.c.added.desc(), documents.c.name)
        if visible.names is not None:
            query = query.where(documents.c.collection.in_(visible.names))
        if states:
            query = query.where(documents.c.state.in_(list(states)))
        with self.engine.connect() as connection:
            return [_document(row) for row in connection.execute(query).mappings()]

    def unfinished(self) -> list[Document]:
        """What somebody began and nobody ended: a process was killed, or is still at it."""
        return self.documents(states=UNFINISHED)

    def set_state(self, id: str, state: str, reason: str = "") -> None:
        self._update(id, state=state, reason=reason, progress=None)

    def set_progress(self, id: str, stage: str, done: int, total: int) -> None:
        self._update(id, state=READING, progress=[stage, done, total])

    def _update(self, id: str, **values: Any) -> None:
        with writing(self.engine) as connection:
            connection.execute(update(documents).where(documents.c.id == id).values(values))

    # -- what they say -------------------------------------------------------------------------------------------

    def keep(self, id: str, contents: Contents, state: str, reason: str = "") -> None:
        """Everything of one document in one transaction: it is all there, or none of it is."""
        key = {"document_id": id, "pipeline": PIPELINE}
        with writing(self.engine) as connection:
            for table in (texts, chunks, sentences):
                ours = (table.c.document_id == id) & (table.c.pipeline == PIPELINE)
                connection.execute(delete(table).where(ours))
            text_row = {"text": contents.text, "source_map": contents.source_map.to_bytes(), "facts": contents.facts}
            connection.execute(insert(texts), {**key, **text_row})
            connection.execute(insert(chunks), [{**key, **_chunk_row(chunk)} for chunk in contents.chunks])
            connection.execute(insert(sentences), [{**key, **_sentence_row(*item)} for item in contents.sentences])
            words.keep(connection, key, [(chunk.index, chunk.text) for chunk in contents.chunks])
            connection.execute(insert(changes), key)
            connection.execute(
                update(documents).where(documents.c.id == id),
                {
                    "state": state, "reason": reason, "pipeline": PIPELINE, "progress": None,
                    "pages": len(contents.facts["pages"]), "chunks": len(contents.chunks),
                    "sentences": len(contents.sentences), "labels": list(contents.labels),
                },
            )  # fmt: skip

    def text(self, document: Document) -> str:
        return self._of_text(document, texts.c.text)

    def facts(self, document: Document) -> dict[str, Any]:
        return self._of_text(document, texts.c.facts)

    def source_map(self, document: Document) -> SourceMap:
        return SourceMap.from_bytes(self._of_text(document, texts.c.source_map))

    def _of_text(self, document: Document, column: Any) -> Any:
        ours = (texts.c.document_id == document.id) & (texts.c.pipeline == document.pipeline)
        with self.engine.connect() as connection:
            return connection.execute(select(column).where(ours)).scalar_one()

    def chunk(self, document: Document, index: int, pipeline: int | None = None) -> Chunk | None:
        key = {"document": document.id, "pipeline": pipeline or document.pipeline, "idx": index}
        with self.engine.connect() as connection:
            row = connection.execute(_ONE_CHUNK, key).mappings().first()
        return _chunk(row) if row else None

    def chunk_at(self, document: Document, offset: int) -> Chunk | None:
        """The current chunk that holds this place: where a link of an earlier pipeline leads once its rows are gone."""
        query = _CHUNKS.where(chunks.c.end > offset).limit(1)
        with self.engine.connect() as connection:
            row = connection.execute(query, {"document": document.id, "pipeline": document.pipeline}).mappings().first()
        return _chunk(row) if row else None

    def chunks(self, document: Document) -> list[Chunk]:
        with self.engine.connect() as connection:
            rows = connection.execute(_CHUNKS, {"document": document.id, "pipeline": document.pipeline}).mappings()
            return [_chunk(row) for row in rows]

    def sentences(self, chunk: Chunk, model: str) -> tuple[list[Sentence], np.ndarray | None]:
        """A chunk's sentences and their vectors by this model; no vectors when the model has not read them all."""
        key = {"document": chunk.document_id, "pipeline": chunk.pipeline, "chunk": chunk.index, "model": model}
        with self.engine.connect() as connection:
            rows = connection.execute(_SENTENCES_WITH_VECTORS, key).all()
        found = [
            Sentence(row.idx, row.start, row.end, chunk.text[row.start - chunk.start : row.end - chunk.start], row.page)
            for row in rows
        ]
        if not rows or any(row.vector is None for row in rows):
            return found, None
        return found, np.frombuffer(b"".join(row.vector for row in rows), dtype=np.float32).reshape(len(rows), -1)

    def sentence_texts(self, document: Document) -> list[str]:
        """The words of every sentence of a document, in order."""
        text = self.text(document)
        ours = (sentences.c.document_id == document.id) & (sentences.c.pipeline == document.pipeline)
        query = select(sentences.c.start, sentences.c.end).where(ours).order_by(sentences.c.chunk, sentences.c.idx)
        with self.engine.connect() as connection:
            return [text[start:end] for start, end in connection.execute(query)]

    # -- the embedding cache -------------------------------------------------------------------------------------

    def unknown(self, hashes: Iterable[bytes], model: str) -> set[bytes]:
        """Those of these texts that this model has not read yet."""
        missing = set(hashes)
        wanted = list(missing)
        with self.engine.connect() as connection:
            for at in range(0, len(wanted), ROWS_AT_ONCE):
                some = wanted[at : at + ROWS_AT_ONCE]
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

    # -- for the index -------------------------------------------------------------------------------------------

    def changes_after(self, seq: int) -> list[tuple[int, str, int]]:
        query = select(changes.c.seq, changes.c.document_id, changes.c.pipeline).where(changes.c.seq > seq)
        with self.engine.connect() as connection:
            return [tuple(row) for row in connection.execute(query.order_by(changes.c.seq))]

    def last_change(self) -> int:
        with self.engine.connect() as connection:
            return connection.execute(select(func.max(changes.c.seq))).scalar() or 0

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


_ONE_DOCUMENT = select(documents).where(documents.c.id == bindparam("id"))
_CHUNKS = (
    select(chunks)
    .where(chunks.c.document_id == bindparam("document"), chunks.c.pipeline == bindparam("pipeline"))
    .order_by(chunks.c.idx)
)
_ONE_CHUNK = _CHUNKS.where(chunks.c.idx == bindparam("idx"))
_SENTENCES_WITH_VECTORS = (
    select(sentences.c.idx, sentences.c.start, sentences.c.end, sentences.c.page, vectors.c.vector)
    .outerjoin(vectors, (vectors.c.text_hash == sentences.c.text_hash) & (vectors.c.model == bindparam("model")))
    .where(
        sentences.c.document_id == bindparam("document"),
        sentences.c.pipeline == bindparam("pipeline"),
        sentences.c.chunk == bindparam("chunk"),
    )
    .order_by(sentences.c.idx)
)


def _document(row) -> Document:
    values = dict(row)
    progress = values.pop("progress")
    values["labels"] = tuple(values["labels"])
    return Document(**values, progress=tuple(progress) if progress and values["state"] not in READABLE else None)


def _chunk(row) -> Chunk:
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
        "page": sentence.page, "text_hash": text_hash(sentence.text),
    }  # fmt: skip
