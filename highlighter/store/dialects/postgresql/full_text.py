"""The full-text index of PostgreSQL: the terms of each chunk with their frequencies, ranked by BM25 as FTS5 does.

A trigger adds the rows of `chunk_words` in the transaction that writes those of `chunk_terms`; they are deleted with their
chunk. PostgreSQL's own ranking knows no frequencies of terms in the library, so it is not BM25. Candidates from a GIN index
would have to be read and counted for each question: for 10,000 chunks that took 30 times as long as these rows do.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Float, ScalarSelect, Select, column, func, select, table, text, true

from highlighter.store.column_types import Integer
from highlighter.store.dialects.document_condition import DocumentCondition
from highlighter.store.schema import chunk_terms, documents
from highlighter.text.terms import is_cjk_character

MAX_TERM_CHARACTERS = 200  # an entry of a B-tree has at most 2,704 bytes
LAST_CHARACTER = "\U0010ffff"

# As FTS5 has them: the weight of a term that most chunks hold, and the saturation and length normalisation of BM25.
_SMALLEST_WEIGHT, _K1, _B = "1e-6", "1.2", "0.75"

_index_table = table("chunk_words", column("chunk_id"), column("term"))

_STATEMENTS = (
    """CREATE TABLE IF NOT EXISTS chunk_words (
        chunk_id BIGINT NOT NULL REFERENCES chunk_terms (id) ON DELETE CASCADE,
        frequency INTEGER NOT NULL,
        length INTEGER NOT NULL, -- of the chunk, in terms
        term TEXT COLLATE "C" NOT NULL)""",
    "CREATE INDEX IF NOT EXISTS chunk_words_by_term ON chunk_words (term)",
    "CREATE INDEX IF NOT EXISTS chunk_words_by_chunk ON chunk_words (chunk_id)",
    """CREATE TABLE IF NOT EXISTS chunk_lengths (
        chunk_id BIGINT PRIMARY KEY REFERENCES chunk_terms (id) ON DELETE CASCADE, length INTEGER NOT NULL)""",
    f"""CREATE OR REPLACE FUNCTION index_chunk_terms() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        terms text[] := string_to_array(new.terms, ' ');
    BEGIN
        INSERT INTO chunk_lengths (chunk_id, length) VALUES (new.id, cardinality(terms));
        INSERT INTO chunk_words (chunk_id, frequency, length, term)
            SELECT new.id, count(*), cardinality(terms), left(term, {MAX_TERM_CHARACTERS})
            FROM unnest(terms) AS term GROUP BY 4;
        RETURN NULL;
    END $$""",
    """CREATE OR REPLACE TRIGGER chunk_words_come AFTER INSERT ON chunk_terms
        FOR EACH ROW EXECUTE FUNCTION index_chunk_terms()""",
)

# A term is found as a whole, or by its beginning where it is one CJK character. The scores of a chunk are summed in the
# order of the question's terms, as FTS5 does, so that chunks with equal scores have equal sums.
_RANKING = f"""
    WITH wanted AS (
        SELECT * FROM unnest(CAST(:first_terms AS text[]), CAST(:last_terms AS text[]))
            WITH ORDINALITY AS wanted (first_term, last_term, position)
    ), postings AS (
        SELECT position, chunk_id, frequency, length
            FROM wanted JOIN chunk_words ON term = first_term WHERE last_term = ''
        UNION ALL
        SELECT position, chunk_id, frequency, length
            FROM wanted JOIN chunk_words ON term BETWEEN first_term AND last_term WHERE last_term <> ''
    ), hits AS (
        SELECT position, chunk_id, sum(frequency)::float8 AS frequency, max(length)::float8 AS length
        FROM postings GROUP BY position, chunk_id
    ), total AS (
        SELECT count(*)::float8 AS chunks, avg(length)::float8 AS length FROM chunk_lengths
    ), weights AS (
        SELECT position,
            greatest(ln((chunks - count(*) + 0.5::float8) / (count(*) + 0.5::float8)), {_SMALLEST_WEIGHT}) AS weight
        FROM hits, total GROUP BY position, chunks
    )
    SELECT chunk_id, sum(
        weight * (frequency * ({_K1} + 1)) / (frequency + {_K1} * (1 - {_B} + {_B} * hits.length / total.length))
        ORDER BY position) AS score
    FROM hits JOIN weights USING (position), total
    WHERE chunk_id IN (SELECT chunk_id FROM hits WHERE position = ANY(CAST(:rare_positions AS bigint[])))
    GROUP BY chunk_id"""


def create_full_text_index(connection: Connection) -> None:
    for statement in _STATEMENTS:
        connection.exec_driver_sql(statement)


def rank_chunks(
    terms: Sequence[str], rare_terms: Sequence[str], conditions: Sequence[DocumentCondition]
) -> Select[Any]:
    """Return the query for the chunks that hold any of the rare terms, best first by BM25 over all terms.

    Each ranked chunk and its document are looked up by key: OFFSET 0 forbids the planner to begin with the documents and to
    rank all chunks again for each, as it does while it has no statistics of a new catalog.
    """
    first_terms = [term[:MAX_TERM_CHARACTERS] for term in terms]
    last_terms = [term + LAST_CHARACTER if is_cjk_character(term) else "" for term in terms]
    rare_positions = [position for position, term in enumerate(terms, start=1) if term in rare_terms]
    ranking = text(_RANKING).bindparams(first_terms=first_terms, last_terms=last_terms, rare_positions=rare_positions)
    ranked = ranking.columns(column("chunk_id", Integer), column("score", Float)).subquery("ranked")
    key_columns = (chunk_terms.c.id, chunk_terms.c.document_id, chunk_terms.c.pipeline, chunk_terms.c.idx)
    key = select(*key_columns).where(chunk_terms.c.id == ranked.c.chunk_id).offset(0).lateral("key")
    is_document = (documents.c.id == key.c.document_id, documents.c.pipeline == key.c.pipeline)
    in_scope = select(documents.c.id).where(*is_document, *conditions).offset(0).lateral("in_scope")
    return (
        select(key.c.document_id, key.c.pipeline, key.c.idx)
        .select_from(ranked)
        .join(key, true())
        .join(in_scope, true())
        .order_by(ranked.c.score.desc(), key.c.id)
    )


def count_chunks(terms: Sequence[str], limit: int) -> Select[Any]:
    """Return the query for one row: how many chunks hold each term, counted up to a limit."""
    return select(*(_count_chunks_with_term(term[:MAX_TERM_CHARACTERS], limit) for term in terms))


def _count_chunks_with_term(term: str, limit: int) -> ScalarSelect[Any]:
    stored = _index_table.c.term
    is_held = stored.between(term, term + LAST_CHARACTER) if is_cjk_character(term) else stored == term
    found = select(_index_table.c.chunk_id).where(is_held).limit(limit).subquery()
    return select(func.count()).select_from(found).scalar_subquery()
