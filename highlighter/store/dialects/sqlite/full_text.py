"""The full-text index of SQLite: FTS5 over the terms of chunks, ranked by its BM25.

Triggers add and remove its rows in the transaction that writes those of `chunk_terms`, deletions by cascade included.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, ScalarSelect, Select, column, func, literal_column, select, table, text

from highlighter.store.dialects.document_condition import DocumentCondition
from highlighter.store.schema import chunk_terms, documents
from highlighter.text.terms import is_cjk_character

# The terms are final, so the tokenizer must only split at spaces.
_STATEMENTS = (
    """CREATE VIRTUAL TABLE IF NOT EXISTS chunk_words USING fts5(
        terms, content='chunk_terms', content_rowid='id', tokenize="ascii tokenchars '.,'''")""",
    """CREATE TRIGGER IF NOT EXISTS chunk_words_come AFTER INSERT ON chunk_terms BEGIN
        INSERT INTO chunk_words (rowid, terms) VALUES (new.id, new.terms); END""",
    """CREATE TRIGGER IF NOT EXISTS chunk_words_go AFTER DELETE ON chunk_terms BEGIN
        INSERT INTO chunk_words (chunk_words, rowid, terms) VALUES ('delete', old.id, old.terms); END""",
)

_index_table = table("chunk_words", column("rowid"))


def create_full_text_index(connection: Connection) -> None:
    for statement in _STATEMENTS:
        connection.exec_driver_sql(statement)


def rank_chunks(
    terms: Sequence[str], rare_terms: Sequence[str], conditions: Sequence[DocumentCondition]
) -> Select[Any]:
    """Return the query for the chunks that hold any of the rare terms, best first by BM25 over all terms."""
    query = (
        select(chunk_terms.c.document_id, chunk_terms.c.pipeline, chunk_terms.c.idx)
        .select_from(_index_table)
        .join(chunk_terms, chunk_terms.c.id == _index_table.c.rowid)
        .join(documents, documents.c.id == chunk_terms.c.document_id)
        .where(chunk_terms.c.pipeline == documents.c.pipeline, *conditions)
        .where(text("chunk_words MATCH :wanted").bindparams(wanted=_build_match_expression(terms)))
        .order_by(literal_column("bm25(chunk_words)"))
    )
    if len(rare_terms) == len(terms):
        return query
    # The plus sign forbids SQLite to look each rare chunk up in the index, one by one.
    is_rare = "+chunk_words.rowid IN (SELECT rowid FROM chunk_words WHERE chunk_words MATCH :rare)"
    return query.where(text(is_rare).bindparams(rare=_build_match_expression(rare_terms)))


def count_chunks(terms: Sequence[str], limit: int) -> Select[Any]:
    """Return the query for one row: how many chunks hold each term, counted up to a limit."""
    return select(*(_count_chunks_with_term(term, number, limit) for number, term in enumerate(terms)))


def _count_chunks_with_term(term: str, number: int, limit: int) -> ScalarSelect[Any]:
    name = f"term_{number}"
    is_held = text(f"chunk_words MATCH :{name}").bindparams(**{name: _build_match_expression([term])})
    found = select(_index_table.c.rowid).where(is_held).limit(limit).subquery()
    return select(func.count()).select_from(found).scalar_subquery()


def _build_match_expression(terms: Sequence[str]) -> str:
    """Return the FTS5 query. Every term is quoted, so that none is read as an operator."""
    return " OR ".join(
        '"{}"{}'.format(term.replace('"', '""'), "*" if is_cjk_character(term) else "") for term in terms
    )
