"""What a search may find, as conditions in SQL: the forced ones (visible, readable, current) and those asked for."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from sqlalchemy import ColumnElement, Connection, Engine, bindparam, column, literal_column, select, table, text
from sqlalchemy.dialects.sqlite import insert

from highlighter.access import VisibleCollections
from highlighter.models import READABLE
from highlighter.store.database import MAX_VALUES_PER_QUERY, write_transaction
from highlighter.store.schema import catalog_values, chunk_terms, chunks, documents
from highlighter.text.terms import TERMS_VERSION, extract_indexed_terms, is_cjk_character

# Keys of a filter that mean the document itself; every other key is looked up in its metadata.
DOCUMENT_FILTER_COLUMNS = ("collection", "kind", "name")


class ChunkKey(NamedTuple):
    """Names a chunk."""

    document_id: str
    pipeline: int
    index: int


@dataclass(frozen=True, slots=True)
class SearchScope:
    """Which documents are searched. `where` holds (key, values): any of the values will do, and every key must."""

    visible: VisibleCollections = VisibleCollections()
    where: tuple[tuple[str, tuple[str, ...]], ...] = ()
    document_id: str = ""  # this one alone, be it current or not

    @classmethod
    def from_filters(cls, visible: VisibleCollections, where: Mapping[str, Any] | None) -> SearchScope:
        """Values are a value or a list of them. They are compared as text: 2024 finds 2024 and "2024"."""
        return cls(visible, tuple((_to_text(key), _to_texts(value)) for key, value in (where or {}).items()))

    @property
    def is_unrestricted(self) -> bool:
        """Whether nothing is left out but what can never be found."""
        return self.visible.names is None and not self.where and not self.document_id

    def conditions(self) -> list[ColumnElement[bool]]:
        """On rows of `documents`."""
        found = [documents.c.state.in_(sorted(READABLE)), documents.c.leaving == ""]
        if self.visible.names is not None:
            found.append(documents.c.collection.in_(sorted(self.visible.names)))
        if self.document_id:
            found.append(documents.c.id == self.document_id)
        else:
            found.append(documents.c.current)
        return found + [_filter_condition(number, *asked) for number, asked in enumerate(self.where)]


def _filter_condition(number: int, key: str, values: tuple[str, ...]) -> ColumnElement[bool]:
    if key in DOCUMENT_FILTER_COLUMNS:
        return documents.c[key].in_(values)
    names = {"key": f"key_{number}", "values": f"values_{number}"}
    return text(_METADATA_CONDITION.format(**names)).bindparams(
        bindparam(names["key"], key), bindparam(names["values"], list(values), expanding=True)
    )


# true, false and null go by the names JSON gives them, numbers by their digits.
_JSON_VALUE_AS_TEXT = "CASE WHEN {0}.type IN ('true', 'false', 'null') THEN {0}.type ELSE CAST({0}.value AS TEXT) END"

# A key's own value, or any item of it where it is a list. Walked through, not addressed by a path: so any key will do.
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
    # Half a character (a lone surrogate) cannot be sent to SQLite, nor be in it.
    return "null" if value is None else str(value).encode("utf-8", "backslashreplace").decode("utf-8")


# What a search reads of many chunks at once: which of them are in scope, and their sentences with vectors.


@dataclass(frozen=True, slots=True)
class ChunkCandidate:
    """A chunk that may be a hit: its words, its sentences' words, and their vectors where the model has read them."""

    key: ChunkKey
    terms: frozenset[str]
    sentences: tuple[str, ...]
    vectors: np.ndarray | None
    spans: tuple[tuple[int, int], ...] = ()


def filter_keys_in_scope(engine: Engine, keys: Sequence[ChunkKey], scope: SearchScope) -> list[ChunkKey]:
    """Those of these that may be found, in their order. An index may know what is gone, old or not for everyone."""
    ids = sorted({key.document_id for key in keys})
    found: dict[str, int] = {}
    with engine.connect() as connection:
        for at in range(0, len(ids), MAX_VALUES_PER_QUERY):
            some = documents.c.id.in_(ids[at : at + MAX_VALUES_PER_QUERY])
            query = select(documents.c.id, documents.c.pipeline).where(some, *scope.conditions())
            found.update(tuple(row) for row in connection.execute(query))
    return [key for key in keys if found.get(key.document_id) == key.pipeline]


def list_document_ids_in_scope(engine: Engine, scope: SearchScope) -> list[str]:
    """The ids of all documents in scope."""
    with engine.connect() as connection:
        return list(connection.scalars(select(documents.c.id).where(*scope.conditions())))


def read_candidates(engine: Engine, keys: Sequence[ChunkKey], model: str) -> list[ChunkCandidate]:
    """In the order of the keys; those whose rows are gone are left out."""
    wanted = {"keys": json.dumps(keys), "model": model}
    with engine.connect() as connection:
        chunks = {ChunkKey(*row[:3]): row for row in connection.execute(_CHUNKS_QUERY, wanted)}
        sentences: dict[ChunkKey, list] = {key: [] for key in chunks}
        for row in connection.execute(_SENTENCES_QUERY, wanted):
            sentences[ChunkKey(*row[:3])].append(row)
    return [_make_candidate(key, chunks[key], sentences[key]) for key in keys if key in chunks]


def _make_candidate(key: ChunkKey, chunk, rows: list) -> ChunkCandidate:
    texts = tuple(chunk.text[row.start - chunk.start : row.end - chunk.start] for row in rows)
    vectors = None
    if rows and all(row.vector is not None for row in rows):
        vectors = np.frombuffer(b"".join(row.vector for row in rows), dtype=np.float32).reshape(len(rows), -1)
    spans = tuple((row.start, row.end) for row in rows)
    return ChunkCandidate(key, frozenset((chunk.terms or "").split(" ")), texts, vectors, spans)


# The keys come in as one JSON list and lead: each is looked up in the tables, which are clustered by it.
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


# The full text in SQL: the terms of every chunk, kept with it and gone with it, and the chunks that hold a term.


# Of a question with more, the first ones: none a person writes has so many, and each costs a walk through its chunks.
MAX_QUESTION_TERMS = 256

_full_text_table = table("chunk_words", column("rowid"))
_same_chunk = (
    (chunk_terms.c.document_id == chunks.c.document_id)
    & (chunk_terms.c.pipeline == chunks.c.pipeline)
    & (chunk_terms.c.idx == chunks.c.idx)
)


def save_chunk_terms(connection: Connection, key: dict[str, Any], texts: Sequence[tuple[int, str]]) -> None:
    """The terms of these chunks (index, text), in the transaction that keeps the chunks themselves."""
    rows = [{**key, "idx": index, "terms": " ".join(extract_indexed_terms(words))} for index, words in texts]
    if rows:
        connection.execute(insert(chunk_terms).on_conflict_do_nothing(), rows)


def fill_missing_terms(engine: Engine) -> int:
    """Makes the terms of what an earlier release kept; how many chunks that was. Once done, it costs one short look."""
    with engine.connect() as connection:
        if connection.execute(_TERMS_VERSION_QUERY).scalar() == TERMS_VERSION:
            return 0
    with write_transaction(engine) as connection:
        if connection.execute(_TERMS_VERSION_QUERY).scalar() not in (None, -TERMS_VERSION):
            connection.execute(chunk_terms.delete())
        _save_terms_version(
            connection, -TERMS_VERSION
        )  # begun: whoever is killed in it goes on, and does not start again
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
    """The chunks in scope that hold any of these terms, best first by BM25."""
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
    """Every term in quotes: whatever FTS5 would take for an operator is a word here."""
    some = list(dict.fromkeys(wanted_terms))[:MAX_QUESTION_TERMS]
    return " OR ".join('"{}"{}'.format(term.replace('"', '""'), "*" if is_cjk_character(term) else "") for term in some)


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
