"""Search for chunks in SQL: the scope of a search, the candidates with their vectors, and the full-text index."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from sqlalchemy import Connection, Engine, Row, func, insert, select, text, update

from highlighter.access import VisibleCollections
from highlighter.metadata import WhereClause, build_where_clause
from highlighter.models import READABLE
from highlighter.store.database import MAX_VALUES_PER_QUERY, write_transaction
from highlighter.store.dialects import get_dialect
from highlighter.store.inserts import insert_missing
from highlighter.store.metadata_filter import Condition, build_conditions
from highlighter.store.schema import catalog_values, chunk_terms, chunks, documents
from highlighter.store.vector_codec import decode_vectors
from highlighter.text.terms import TERMS_VERSION, extract_indexed_terms


class ChunkKey(NamedTuple):
    """The identity of a chunk."""

    document_id: str
    pipeline: int
    index: int  # type: ignore[assignment]  # hides tuple.index, which nobody calls


@dataclass(frozen=True, slots=True)
class SearchScope:
    """The documents that are searched: visible, readable and current ones that match the filters.

    `where` holds (key, values): a document matches if it has any of the values, for every key.
    """

    visible: VisibleCollections = VisibleCollections()
    where: WhereClause = ()
    document_id: str = ""  # only this document, current or not

    @classmethod
    def from_filters(cls, visible: VisibleCollections, where: Mapping[str, Any] | None) -> SearchScope:
        """Make a scope from filters: a value or a list of values by key."""
        return cls(visible, build_where_clause(where))

    @property
    def is_unrestricted(self) -> bool:
        """Return whether every readable, current document is in scope."""
        return self.visible.names is None and not self.where and not self.document_id

    def conditions(self) -> list[Condition]:
        """Return the conditions on rows of `documents`."""
        conditions: list[Condition] = [documents.c.state.in_(sorted(READABLE)), documents.c.deletion_time == ""]
        if self.visible.names is not None:
            conditions.append(documents.c.collection.in_(sorted(self.visible.names)))
        if self.document_id:
            conditions.append(documents.c.id == self.document_id)
        else:
            conditions.append(documents.c.current)
        return conditions + build_conditions(self.where)


# Reading many chunks at once: which of them are in scope, and their sentences with vectors.


@dataclass(frozen=True, slots=True)
class ChunkCandidate:
    """A chunk that may be a hit, with its terms, its sentences, and their vectors if the model has embedded all."""

    key: ChunkKey
    terms: frozenset[str]
    sentences: tuple[str, ...]
    vectors: np.ndarray | None
    spans: tuple[tuple[int, int], ...] = ()


def filter_keys_in_scope(engine: Engine, keys: Sequence[ChunkKey], scope: SearchScope) -> list[ChunkKey]:
    """Return the keys that are in scope, in their order. The index may hold deleted, superseded or invisible documents."""
    ids = sorted({key.document_id for key in keys})
    pipelines: dict[str, int] = {}
    with engine.connect() as connection:
        for offset in range(0, len(ids), MAX_VALUES_PER_QUERY):
            in_batch = documents.c.id.in_(ids[offset : offset + MAX_VALUES_PER_QUERY])
            query = select(documents.c.id, documents.c.pipeline).where(in_batch, *scope.conditions())
            pipelines.update(connection.execute(query).all())
    return [key for key in keys if pipelines.get(key.document_id) == key.pipeline]


def list_document_ids_in_scope(engine: Engine, scope: SearchScope) -> list[str]:
    """Return the ids of all documents in scope."""
    with engine.connect() as connection:
        return list(connection.scalars(select(documents.c.id).where(*scope.conditions())))


def count_sentences_in_scope(engine: Engine, scope: SearchScope) -> int:
    """Return the number of sentences of all documents in scope."""
    with engine.connect() as connection:
        return int(connection.scalar(select(func.sum(documents.c.sentences)).where(*scope.conditions())) or 0)


def read_candidates(engine: Engine, keys: Sequence[ChunkKey], model: str) -> list[ChunkCandidate]:
    """Return the candidates in the order of the keys, without those that were deleted."""
    wanted = {"keys": json.dumps(keys), "model": model}
    with engine.connect() as connection:
        chunks = {ChunkKey(*row[:3]): row for row in connection.execute(_CHUNKS_QUERY, wanted)}
        sentences: dict[ChunkKey, list[Row[Any]]] = {key: [] for key in chunks}
        for row in connection.execute(_SENTENCES_QUERY, wanted):
            sentences[ChunkKey(*row[:3])].append(row)
    return [_make_candidate(key, chunks[key], sentences[key]) for key in keys if key in chunks]


def _make_candidate(key: ChunkKey, chunk: Row[Any], rows: list[Row[Any]]) -> ChunkCandidate:
    texts = tuple(chunk.text[row.start - chunk.start : row.end - chunk.start] for row in rows)
    vectors = None
    if rows and all(row.vector is not None for row in rows):
        vectors = decode_vectors([row.vector for row in rows])
    spans = tuple((row.start, row.end) for row in rows)
    return ChunkCandidate(key, frozenset((chunk.terms or "").split(" ")), texts, vectors, spans)


# The keys are passed as one JSON list. CROSS JOIN makes SQLite look up each in the tables, which are clustered by key.
_WANTED_KEYS = """(
        SELECT json_extract(value, '$[0]') AS document_id, CAST(json_extract(value, '$[1]') AS INTEGER) AS pipeline,
            CAST(json_extract(value, '$[2]') AS INTEGER) AS idx
        FROM json_each(CAST(:keys AS TEXT), '$')
    ) AS wanted"""
_CHUNKS_QUERY = text(f"""SELECT wanted.document_id, wanted.pipeline, wanted.idx, chunks.start, chunks.text, chunk_terms.terms
    FROM {_WANTED_KEYS}
    CROSS JOIN chunks
    LEFT JOIN chunk_terms ON chunk_terms.document_id = wanted.document_id
        AND chunk_terms.pipeline = wanted.pipeline AND chunk_terms.idx = wanted.idx
    WHERE chunks.document_id = wanted.document_id AND chunks.pipeline = wanted.pipeline AND chunks.idx = wanted.idx""")
_SENTENCES_QUERY = text(f"""SELECT wanted.document_id, wanted.pipeline, wanted.idx,
        sentences.start, sentences."end", vectors.vector
    FROM {_WANTED_KEYS}
    CROSS JOIN sentences
    LEFT JOIN vectors ON vectors.text_hash = sentences.text_hash AND vectors.model = :model
    WHERE sentences.document_id = wanted.document_id AND sentences.pipeline = wanted.pipeline
        AND sentences.chunk = wanted.idx
    ORDER BY wanted.document_id, wanted.pipeline, wanted.idx, sentences.idx""")


# The full-text index: the terms of every chunk, stored and deleted with it.

# Of longer questions the first terms are used: no person writes that many, and each term costs a pass over its chunks.
MAX_QUESTION_TERMS = 256
MAX_RANKED_CHUNKS = 5_000  # by their words, in a whole library

_same_chunk = (
    (chunk_terms.c.document_id == chunks.c.document_id)
    & (chunk_terms.c.pipeline == chunks.c.pipeline)
    & (chunk_terms.c.idx == chunks.c.idx)
)


def make_term_rows(key: dict[str, Any], texts: Iterable[tuple[int, str]]) -> list[dict[str, Any]]:
    """Return the rows with the terms of chunks, given as (index, text); before a write, as it takes long."""
    return [{**key, "idx": index, "terms": " ".join(extract_indexed_terms(chunk_text))} for index, chunk_text in texts]


def save_chunk_terms(connection: Connection, rows: Sequence[dict[str, Any]]) -> None:
    """Save the terms of chunks in the transaction that saves the chunks."""
    if rows:
        connection.execute(insert_missing(chunk_terms), rows)


def fill_missing_terms(engine: Engine) -> int:
    """Add the terms of chunks that an earlier release stored, and return how many. Once done, this is one short query."""
    with engine.connect() as connection:
        if connection.execute(_TERMS_VERSION_QUERY).scalar() == TERMS_VERSION:
            return 0
    with write_transaction(engine) as connection:
        if connection.execute(_TERMS_VERSION_QUERY).scalar() not in (None, -TERMS_VERSION):
            connection.execute(chunk_terms.delete())
        # Negative: begun. A process that continues after a kill does not start again.
        _save_terms_version(connection, -TERMS_VERSION)
    filled = 0
    for document_id in _list_all_document_ids(engine):
        with engine.connect() as connection:
            missing = connection.execute(_CHUNKS_WITHOUT_TERMS_QUERY, {"document": document_id}).all()
        for offset in range(0, len(missing), MAX_VALUES_PER_QUERY):
            filled += _fill_terms_of_chunks(engine, document_id, missing[offset : offset + MAX_VALUES_PER_QUERY])
    with write_transaction(engine) as connection:
        _save_terms_version(connection, TERMS_VERSION)
    return filled


def _fill_terms_of_chunks(engine: Engine, document_id: str, missing: Sequence[Row[Any, Any, Any]]) -> int:
    """Save the terms of the chunks, given as (pipeline, index, text), that are still without them; return how many."""
    key = {"document_id": document_id}
    rows = [
        row
        for pipeline, index, chunk_text in missing
        for row in make_term_rows({**key, "pipeline": pipeline}, [(index, chunk_text)])
    ]
    with write_transaction(engine) as connection:
        found = connection.execute(_KEYS_WITHOUT_TERMS_QUERY, {"document": document_id})
        keys = {(row.pipeline, row.idx) for row in found}  # the document may have been deleted meanwhile
        rows = [row for row in rows if (row["pipeline"], row["idx"]) in keys]
        save_chunk_terms(connection, rows)
    return len(rows)


def search_full_text(engine: Engine, wanted_terms: Sequence[str], scope: SearchScope, limit: int) -> list[ChunkKey]:
    """Return the chunks in scope that hold any of the terms, best first by BM25.

    Of a whole library, a chunk is found by the question's rarer terms; see `choose_rare_terms`.
    """
    if not wanted_terms:
        return []
    terms = list(dict.fromkeys(wanted_terms))[:MAX_QUESTION_TERMS]
    rare_terms, dialect = terms, get_dialect(engine)
    with engine.connect() as connection:
        if scope.is_unrestricted:  # else the rare terms may be in other documents
            counts = connection.execute(dialect.count_chunks(terms, MAX_RANKED_CHUNKS + 1)).one()
            rare_terms = choose_rare_terms(terms, counts)
        query = dialect.rank_chunks(terms, rare_terms, scope.conditions()).limit(limit)
        return [ChunkKey(*row) for row in connection.execute(query)]


def choose_rare_terms(terms: Sequence[str], counts: Sequence[int]) -> list[str]:
    """Return the rarest terms in the order of the question: as many as `MAX_RANKED_CHUNKS` chunks hold, one at least.

    `counts` says how many chunks hold each. BM25 computes a score for each chunk that is found. Words that every second
    chunk holds would make it score the whole library, although they weigh next to nothing.
    """
    chosen: set[str] = set()
    total = 0
    for count, term in sorted(zip(counts, terms, strict=True)):
        if total and total + count > MAX_RANKED_CHUNKS:
            break
        chosen.add(term)
        total += count
    return [term for term in terms if term in chosen]


def _list_all_document_ids(engine: Engine) -> list[str]:
    with engine.connect() as connection:
        return list(connection.scalars(select(documents.c.id)))


def _save_terms_version(connection: Connection, value: int) -> None:
    changed = update(catalog_values).where(catalog_values.c.name == "terms").values(value=value)
    if not connection.execute(changed).rowcount:
        connection.execute(insert(catalog_values).values(name="terms", value=value))


_TERMS_VERSION_QUERY = select(catalog_values.c.value).where(catalog_values.c.name == "terms")
_CHUNKS_WITHOUT_TERMS_QUERY = (
    select(chunks.c.pipeline, chunks.c.idx, chunks.c.text)
    .outerjoin(chunk_terms, _same_chunk)
    .where(chunks.c.document_id == text(":document"), chunk_terms.c.id.is_(None))
)
_KEYS_WITHOUT_TERMS_QUERY = _CHUNKS_WITHOUT_TERMS_QUERY.with_only_columns(
    chunks.c.pipeline, chunks.c.idx, maintain_column_froms=True
)
