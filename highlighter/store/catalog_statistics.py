"""Counts over the whole catalog, and its inconsistencies."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Engine, Select, Table, and_, func, select

from highlighter.models import READABLE, UNFINISHED
from highlighter.store.database import MAX_VALUES_PER_QUERY, write_transaction
from highlighter.store.dialects import get_dialect
from highlighter.store.schema import chunks, documents, sentences, vectors
from highlighter.store.sentence_rows import IS_UNNEEDED_VECTOR, delete_unneeded_vectors


@dataclass(frozen=True, slots=True)
class CatalogStatistics:
    """The counts that `doctor` reports. The field names are keys of its JSON."""

    states: dict[str, int]  # documents by state
    documents: int
    superseded: int  # documents that are not current
    chunks: int
    sentences: int
    vectors: int  # of the current model
    missing_vectors: int  # sentences that the model has not embedded
    unused_vectors: int  # left by killed or failed documents, and used again if the text returns
    damage: str  # what the database found wrong with its files; empty: nothing


def collect_statistics(engine: Engine, model: str) -> CatalogStatistics:
    with engine.connect() as connection:

        def count(query: Select[Any]) -> int:
            return connection.execute(query).scalar() or 0

        states: Counter[str] = Counter(dict(connection.execute(_STATES_QUERY).all()))
        return CatalogStatistics(
            dict(states),
            states.total(),
            count(select(func.count()).where(~documents.c.current)),
            count(_select_readable_count(chunks)),
            count(_select_readable_count(sentences)),
            count(select(func.count()).select_from(vectors).where(vectors.c.model == model)),
            count(_select_missing_vectors(model, func.count())),
            count(select(func.count()).select_from(vectors).where(IS_UNNEEDED_VECTOR)),
            get_dialect(engine).find_damage(engine, thorough=True),
        )


@dataclass(frozen=True, slots=True)
class QueueState:
    """The documents that wait or are being read."""

    length: int
    oldest: str  # when the first of them was added; empty: none waits


def count_states(engine: Engine) -> dict[str, int]:
    """Return the number of documents in each state."""
    with engine.connect() as connection:
        return dict(connection.execute(_STATES_QUERY).all())


def measure_queue(engine: Engine) -> QueueState:
    query = select(func.count(), func.min(documents.c.added)).where(documents.c.state.in_(UNFINISHED))
    with engine.connect() as connection:
        length, oldest = connection.execute(query).one()
    return QueueState(length, oldest or "")


def list_documents_without_vectors(engine: Engine, model: str) -> list[str]:
    """Return the ids of the documents with sentences that the model has not embedded."""
    with engine.connect() as connection:
        return list(connection.scalars(_select_missing_vectors(model, documents.c.id).distinct()))


def has_documents_without_vectors(engine: Engine, model: str) -> bool:
    """Return whether any document has sentences that the model has not embedded."""
    with engine.connect() as connection:
        return connection.scalar(_select_missing_vectors(model, documents.c.id).limit(1)) is not None


def delete_unused_vectors(engine: Engine) -> None:
    """Delete the vectors without a sentence. They are found before the write, for which other writers wait."""
    with engine.connect() as connection:
        hashes = list(connection.scalars(select(vectors.c.text_hash).where(IS_UNNEEDED_VECTOR).distinct()))
    for offset in range(0, len(hashes), MAX_VALUES_PER_QUERY):
        with write_transaction(engine) as connection:
            delete_unneeded_vectors(connection, hashes[offset : offset + MAX_VALUES_PER_QUERY])


_STATES_QUERY = select(documents.c.state, func.count()).group_by(documents.c.state).order_by(documents.c.state)


def _select_readable_count(table: Table) -> Select[Any]:
    return (
        select(func.count())
        .select_from(table)
        .join(documents, _is_current_row(table))
        .where(documents.c.state.in_(READABLE))
    )


def _select_missing_vectors(model: str, column: ColumnElement[Any]) -> Select[Any]:
    return (
        select(column)
        .select_from(sentences)
        .join(documents, _is_current_row(sentences))
        .outerjoin(vectors, and_(vectors.c.text_hash == sentences.c.text_hash, vectors.c.model == model))
        .where(documents.c.state.in_(READABLE), vectors.c.text_hash.is_(None))
    )


def _is_current_row(table: Table) -> ColumnElement[bool]:
    return (documents.c.id == table.c.document_id) & (documents.c.pipeline == table.c.pipeline)
