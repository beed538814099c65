"""Counts over the whole catalog, and what in it does not go together."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from sqlalchemy import Engine, and_, delete, func, select, text

from highlighter.models import READABLE
from highlighter.store.database import write_transaction
from highlighter.store.schema import chunks, documents, sentences, vectors


@dataclass(frozen=True, slots=True)
class CatalogStatistics:
    states: dict[str, int]  # documents by state
    documents: int
    superseded: int  # those that are not current
    chunks: int
    sentences: int
    vectors: int  # of this model
    missing_vectors: int  # sentences that this model has not read
    unused_vectors: int  # left by what was killed, deleted or failed: harmless, and known again if its text comes back
    damage: str  # what SQLite says of its own file; empty: it is sound


def collect_statistics(engine: Engine, model: str) -> CatalogStatistics:
    with engine.connect() as connection:

        def count(query) -> int:
            return connection.execute(query).scalar() or 0

        states = Counter(dict(map(tuple, connection.execute(_STATES_QUERY))))
        said = connection.execute(text("PRAGMA quick_check(1)")).scalar()
        return CatalogStatistics(
            dict(states),
            states.total(),
            count(select(func.count()).where(~documents.c.current)),
            count(_select_readable_count(chunks)),
            count(_select_readable_count(sentences)),
            count(select(func.count()).select_from(vectors).where(vectors.c.model == model)),
            count(_select_missing_vectors(model, func.count())),
            count(select(func.count()).select_from(vectors).where(_IS_UNUSED_VECTOR)),
            "" if said == "ok" else str(said),
        )


def list_documents_without_vectors(engine: Engine, model: str) -> list[str]:
    """Ids of the documents that have sentences which this model has not read."""
    with engine.connect() as connection:
        return list(connection.scalars(_select_missing_vectors(model, documents.c.id).distinct()))


def delete_unused_vectors(engine: Engine) -> int:
    with write_transaction(engine) as connection:
        return connection.execute(delete(vectors).where(_IS_UNUSED_VECTOR)).rowcount


_STATES_QUERY = select(documents.c.state, func.count()).group_by(documents.c.state).order_by(documents.c.state)
_IS_UNUSED_VECTOR = ~select(sentences.c.idx).where(sentences.c.text_hash == vectors.c.text_hash).exists()


def _select_readable_count(table):
    mine = (documents.c.id == table.c.document_id) & (documents.c.pipeline == table.c.pipeline)
    return select(func.count()).select_from(table).join(documents, mine).where(documents.c.state.in_(READABLE))


def _select_missing_vectors(model: str, column):
    mine = (documents.c.id == sentences.c.document_id) & (documents.c.pipeline == sentences.c.pipeline)
    return (
        select(column)
        .select_from(sentences)
        .join(documents, mine)
        .outerjoin(vectors, and_(vectors.c.text_hash == sentences.c.text_hash, vectors.c.model == model))
        .where(documents.c.state.in_(READABLE), vectors.c.text_hash.is_(None))
    )
