"""The full text in SQL: the terms of every chunk, kept with it and gone with it, and the chunks that hold a term."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Engine, column, literal_column, select, table, text
from sqlalchemy.dialects.sqlite import insert

from highlighter.store.database import writing
from highlighter.store.schema import chunk_terms, chunks, documents, marks
from highlighter.store.scope import Key, Scope
from highlighter.terms import TERMS, indexed_terms, is_character

# Of a question with more, the first ones: none a person writes has so many, and each costs a walk through its chunks.
TERMS_OF_A_QUESTION = 256

_chunk_words = table("chunk_words", column("rowid"))
_ours = (
    (chunk_terms.c.document_id == chunks.c.document_id)
    & (chunk_terms.c.pipeline == chunks.c.pipeline)
    & (chunk_terms.c.idx == chunks.c.idx)
)


def keep(connection: Connection, key: dict[str, Any], texts: Sequence[tuple[int, str]]) -> None:
    """The terms of these chunks (index, text), in the transaction that keeps the chunks themselves."""
    rows = [{**key, "idx": index, "terms": " ".join(indexed_terms(words))} for index, words in texts]
    if rows:
        connection.execute(insert(chunk_terms).on_conflict_do_nothing(), rows)


def fill(engine: Engine) -> int:
    """Makes the terms of what an earlier release kept; how many chunks that was. Once done, it costs one short look."""
    with engine.connect() as connection:
        if connection.execute(_MADE_WITH).scalar() == TERMS:
            return 0
    with writing(engine) as connection:
        if connection.execute(_MADE_WITH).scalar() not in (None, -TERMS):
            connection.execute(chunk_terms.delete())
        _mark(connection, -TERMS)  # begun: whoever is killed in it goes on, and does not start again
    filled = 0
    for document_id in _documents(engine):
        with writing(engine) as connection:
            rows = connection.execute(_WITHOUT_TERMS, {"document": document_id}).all()
            for row in rows:
                keep(connection, {"document_id": document_id, "pipeline": row.pipeline}, [(row.idx, row.text)])
            filled += len(rows)
    with writing(engine) as connection:
        _mark(connection, TERMS)
    return filled


def holding(engine: Engine, wanted: Sequence[str], scope: Scope, count: int) -> list[Key]:
    """The chunks in scope that hold any of these terms, best first by BM25."""
    if not wanted:
        return []
    query = (
        select(chunk_terms.c.document_id, chunk_terms.c.pipeline, chunk_terms.c.idx)
        .select_from(_chunk_words)
        .join(chunk_terms, chunk_terms.c.id == _chunk_words.c.rowid)
        .join(documents, documents.c.id == chunk_terms.c.document_id)
        .where(text("chunk_words MATCH :wanted"), chunk_terms.c.pipeline == documents.c.pipeline, *scope.conditions())
        .order_by(literal_column("bm25(chunk_words)"))
        .limit(count)
    )
    with engine.connect() as connection:
        return [Key(*row) for row in connection.execute(query, {"wanted": _expression(wanted)})]


def _expression(wanted: Sequence[str]) -> str:
    """Every term in quotes: whatever FTS5 would take for an operator is a word here."""
    some = list(dict.fromkeys(wanted))[:TERMS_OF_A_QUESTION]
    return " OR ".join('"{}"{}'.format(term.replace('"', '""'), "*" if is_character(term) else "") for term in some)


def _documents(engine: Engine) -> list[str]:
    with engine.connect() as connection:
        return list(connection.scalars(select(documents.c.id)))


def _mark(connection: Connection, value: int) -> None:
    row = {"name": "terms", "value": value}
    connection.execute(insert(marks).values(row).on_conflict_do_update(index_elements=["name"], set_={"value": value}))


_MADE_WITH = select(marks.c.value).where(marks.c.name == "terms")
_WITHOUT_TERMS = (
    select(chunks.c.pipeline, chunks.c.idx, chunks.c.text)
    .outerjoin(chunk_terms, _ours)
    .where(chunks.c.document_id == text(":document"), chunk_terms.c.id.is_(None))
)
