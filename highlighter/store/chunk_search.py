"""Search for chunks in SQL: the scope of a search, the candidates with their vectors, and the full-text index."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    Row,
    TextClause,
    bindparam,
    column,
    literal_column,
    select,
    table,
    text,
)
from sqlalchemy.dialects.sqlite import insert

from highlighter.access import VisibleCollections
from highlighter.models import READABLE
from highlighter.store.database import MAX_VALUES_PER_QUERY, write_transaction
from highlighter.store.schema import catalog_values, chunk_terms, chunks, documents
from highlighter.store.vector_codec import decode_vectors
from highlighter.text.terms import TERMS_VERSION, extract_indexed_terms, is_cjk_character

# Filter keys that are columns of documents; every other key is looked up in the metadata.
DOCUMENT_FILTER_COLUMNS = ("collection", "kind", "name")

_Condition = ColumnElement[bool] | TextClause


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
    where: tuple[tuple[str, tuple[str, ...]], ...] = ()
    document_id: str = ""  # only this document, current or not

    @classmethod
    def from_filters(cls, visible: VisibleCollections, where: Mapping[str, Any] | None) -> SearchScope:
        """Make a scope from filters: a value or a list of values by key. Values are compared as text: 2024 finds "2024"."""
        return cls(visible, tuple((_to_text(key), _to_texts(value)) for key, value in (where or {}).items()))

    @property
    def is_unrestricted(self) -> bool:
        """Return whether every readable, current document is in scope."""
        return self.visible.names is None and not self.where and not self.document_id

    def conditions(self) -> list[_Condition]:
        """Return the conditions on rows of `documents`."""
        conditions: list[_Condition] = [documents.c.state.in_(sorted(READABLE)), documents.c.deletion_time == ""]
        if self.visible.names is not None:
            conditions.append(documents.c.collection.in_(sorted(self.visible.names)))
        if self.document_id:
            conditions.append(documents.c.id == self.document_id)
        else:
            conditions.append(documents.c.current)
        return conditions + [_filter_condition(number, *entry) for number, entry in enumerate(self.where)]


def _filter_condition(number: int, key: str, values: tuple[str, ...]) -> _Condition:
    if key in DOCUMENT_FILTER_COLUMNS:
        return documents.c[key].in_(values)
    names = {"key": f"key_{number}", "values": f"values_{number}"}
    return text(_METADATA_CONDITION.format(**names)).bindparams(
        bindparam(names["key"], key), bindparam(names["values"], list(values), expanding=True)
    )


# true, false and null are compared by their JSON names, numbers by their digits.
_JSON_VALUE_AS_TEXT = "CASE WHEN {0}.type IN ('true', 'false', 'null') THEN {0}.type ELSE CAST({0}.value AS TEXT) END"

# The value of a key, or any item of a list. json_each is used instead of a JSON path, so that any text can be a key.
_METADATA_CONDITION = f"""EXISTS (
    SELECT 1 FROM json_each(documents.meta) AS entry WHERE entry.key = :{{key}} AND (
        (entry.type <> 'array' AND {_JSON_VALUE_AS_TEXT.format("entry")} IN :{{values}})
        OR EXISTS (
            SELECT 1 FROM json_each(CASE entry.type WHEN 'array' THEN entry.value ELSE '[]' END) AS item
            WHERE {_JSON_VALUE_AS_TEXT.format("item")} IN :{{values}})))"""


def _to_texts(value: Any) -> tuple[str, ...]:
    values = value if isinstance(value, list | tuple | set | frozenset) else [value]
    return tuple(_to_text(item) for item in values)


def _to_text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    # A lone surrogate can neither be sent to SQLite nor be stored in it.
    return "null" if value is None else str(value).encode("utf-8", "backslashreplace").decode("utf-8")


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
_FROM_WANTED_KEYS = """FROM (
        SELECT json_extract(value, '$[0]') AS document_id, json_extract(value, '$[1]') AS pipeline,
            json_extract(value, '$[2]') AS idx
        FROM json_each(:keys)
    ) AS wanted"""
_CHUNKS_QUERY = text(f"""SELECT wanted.document_id, wanted.pipeline, wanted.idx, chunks.start, chunks.text, chunk_terms.terms
    {_FROM_WANTED_KEYS}
    CROSS JOIN chunks USING (document_id, pipeline, idx)
    LEFT JOIN chunk_terms ON chunk_terms.document_id = wanted.document_id
        AND chunk_terms.pipeline = wanted.pipeline AND chunk_terms.idx = wanted.idx""")
_SENTENCES_QUERY = text(f"""SELECT wanted.document_id, wanted.pipeline, wanted.idx,
        sentences.start, sentences."end", vectors.vector
    {_FROM_WANTED_KEYS}
    CROSS JOIN sentences ON sentences.document_id = wanted.document_id AND sentences.pipeline = wanted.pipeline
        AND sentences.chunk = wanted.idx
    LEFT JOIN vectors ON vectors.text_hash = sentences.text_hash AND vectors.model = :model
    ORDER BY wanted.document_id, wanted.pipeline, wanted.idx, sentences.idx""")


# The full-text index: the terms of every chunk, stored and deleted with it.

# Of longer questions the first terms are used: no person writes that many, and each term costs a pass over its chunks.
MAX_QUESTION_TERMS = 256

_full_text_table = table("chunk_words", column("rowid"))
_same_chunk = (
    (chunk_terms.c.document_id == chunks.c.document_id)
    & (chunk_terms.c.pipeline == chunks.c.pipeline)
    & (chunk_terms.c.idx == chunks.c.idx)
)


def save_chunk_terms(connection: Connection, key: dict[str, Any], texts: Sequence[tuple[int, str]]) -> None:
    """Save the terms of chunks, given as (index, text), in the transaction that saves the chunks."""
    rows = [{**key, "idx": index, "terms": " ".join(extract_indexed_terms(chunk_text))} for index, chunk_text in texts]
    if rows:
        connection.execute(insert(chunk_terms).on_conflict_do_nothing(), rows)


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
        with write_transaction(engine) as connection:
            rows = connection.execute(_CHUNKS_WITHOUT_TERMS_QUERY, {"document": document_id}).all()
            for row in rows:
                save_chunk_terms(
                    connection, {"document_id": document_id, "pipeline": row.pipeline}, [(row.idx, row.text)]
                )
            filled += len(rows)
    with write_transaction(engine) as connection:
        _save_terms_version(connection, TERMS_VERSION)
    return filled


def search_full_text(engine: Engine, wanted_terms: Sequence[str], scope: SearchScope, limit: int) -> list[ChunkKey]:
    """Return the chunks in scope that hold any of the terms, best first by BM25."""
    if not wanted_terms:
        return []
    query = (
        select(chunk_terms.c.document_id, chunk_terms.c.pipeline, chunk_terms.c.idx)
        .select_from(_full_text_table)
        .join(chunk_terms, chunk_terms.c.id == _full_text_table.c.rowid)
        .join(documents, documents.c.id == chunk_terms.c.document_id)
        .where(text("chunk_words MATCH :wanted"), chunk_terms.c.pipeline == documents.c.pipeline, *scope.conditions())
        .order_by(literal_column("bm25(chunk_words)"))
        .limit(limit)
    )
    with engine.connect() as connection:
        return [ChunkKey(*row) for row in connection.execute(query, {"wanted": _match_expression(wanted_terms)})]


def _match_expression(wanted_terms: Sequence[str]) -> str:
    """Return the FTS5 query. Every term is quoted, so that none is read as an operator."""
    terms = list(dict.fromkeys(wanted_terms))[:MAX_QUESTION_TERMS]
    return " OR ".join(
        '"{}"{}'.format(term.replace('"', '""'), "*" if is_cjk_character(term) else "") for term in terms
    )


def _list_all_document_ids(engine: Engine) -> list[str]:
    with engine.connect() as connection:
        return list(connection.scalars(select(documents.c.id)))


def _save_terms_version(connection: Connection, value: int) -> None:
    row = {"name": "terms", "value": value}
    connection.execute(
        insert(catalog_values).values(row).on_conflict_do_update(index_elements=["name"], set_={"value": value})
    )


_TERMS_VERSION_QUERY = select(catalog_values.c.value).where(catalog_values.c.name == "terms")
_CHUNKS_WITHOUT_TERMS_QUERY = (
    select(chunks.c.pipeline, chunks.c.idx, chunks.c.text)
    .outerjoin(chunk_terms, _same_chunk)
    .where(chunks.c.document_id == text(":document"), chunk_terms.c.id.is_(None))
)
