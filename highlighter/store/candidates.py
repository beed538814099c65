"""What a search reads of many chunks at once: which of them are in scope, and their sentences with vectors."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from sqlalchemy import Engine, select, text

from highlighter.store.database import NAMED_AT_ONCE
from highlighter.store.schema import documents
from highlighter.store.scope import Key, Scope


@dataclass(frozen=True, slots=True)
class Candidate:
    """A chunk that may be a hit: its words, its sentences' words, and their vectors where the model has read them."""

    key: Key
    terms: frozenset[str]
    sentences: tuple[str, ...]
    vectors: np.ndarray | None
    spans: tuple[tuple[int, int], ...] = ()


def in_scope(engine: Engine, keys: Sequence[Key], scope: Scope) -> list[Key]:
    """Those of these that may be found, in their order. An index may know what is gone, old or not for everyone."""
    ids = sorted({key.document_id for key in keys})
    found: dict[str, int] = {}
    with engine.connect() as connection:
        for at in range(0, len(ids), NAMED_AT_ONCE):
            some = documents.c.id.in_(ids[at : at + NAMED_AT_ONCE])
            query = select(documents.c.id, documents.c.pipeline).where(some, *scope.conditions())
            found.update(tuple(row) for row in connection.execute(query))
    return [key for key in keys if found.get(key.document_id) == key.pipeline]


def documents_in(engine: Engine, scope: Scope) -> list[str]:
    """The ids of all documents in scope."""
    with engine.connect() as connection:
        return list(connection.scalars(select(documents.c.id).where(*scope.conditions())))


def read(engine: Engine, keys: Sequence[Key], model: str) -> list[Candidate]:
    """In the order of the keys; those whose rows are gone are left out."""
    wanted = {"keys": json.dumps(keys), "model": model}
    with engine.connect() as connection:
        chunks = {Key(*row[:3]): row for row in connection.execute(_CHUNKS, wanted)}
        sentences: dict[Key, list] = {key: [] for key in chunks}
        for row in connection.execute(_SENTENCES, wanted):
            sentences[Key(*row[:3])].append(row)
    return [_candidate(key, chunks[key], sentences[key]) for key in keys if key in chunks]


def _candidate(key: Key, chunk, rows: list) -> Candidate:
    texts = tuple(chunk.text[row.start - chunk.start : row.end - chunk.start] for row in rows)
    vectors = None
    if rows and all(row.vector is not None for row in rows):
        vectors = np.frombuffer(b"".join(row.vector for row in rows), dtype=np.float32).reshape(len(rows), -1)
    spans = tuple((row.start, row.end) for row in rows)
    return Candidate(key, frozenset((chunk.terms or "").split(" ")), texts, vectors, spans)


# The keys come in as one JSON list and lead: each is looked up in the tables, which are clustered by it.
_WANTED = """FROM (
        SELECT json_extract(value, '$[0]') AS document_id, json_extract(value, '$[1]') AS pipeline,
            json_extract(value, '$[2]') AS idx
        FROM json_each(:keys)
    ) AS wanted"""
_CHUNKS = text(f"""SELECT wanted.document_id, wanted.pipeline, wanted.idx, chunks.start, chunks.text, chunk_terms.terms
    {_WANTED}
    CROSS JOIN chunks USING (document_id, pipeline, idx)
    LEFT JOIN chunk_terms ON chunk_terms.document_id = wanted.document_id
        AND chunk_terms.pipeline = wanted.pipeline AND chunk_terms.idx = wanted.idx""")
_SENTENCES = text(f"""SELECT wanted.document_id, wanted.pipeline, wanted.idx,
        sentences.start, sentences."end", vectors.vector
    {_WANTED}
    CROSS JOIN sentences ON sentences.document_id = wanted.document_id AND sentences.pipeline = wanted.pipeline
        AND sentences.chunk = wanted.idx
    LEFT JOIN vectors ON vectors.text_hash = sentences.text_hash AND vectors.model = :model
    ORDER BY wanted.document_id, wanted.pipeline, wanted.idx, sentences.idx""")
