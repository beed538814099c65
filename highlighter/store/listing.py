"""Filtered lists of documents, page by page: SQL filters the rows, and only those of one page are loaded."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Engine, RowMapping, Select, and_, func, or_, select

from highlighter.access import VisibleCollections
from highlighter.metadata import WhereClause, remove_non_finite_numbers
from highlighter.models import AWAITS_RECOGNITION, QUEUED, READABLE, RECOGNISING, UNFINISHED, Document
from highlighter.store.metadata_filter import Condition, build_conditions
from highlighter.store.schema import documents
from highlighter.store.versions import is_latest_somewhere

ROWS_PER_FETCH = 500


@dataclass(frozen=True, slots=True)
class DocumentFilter:
    """The documents that a list shows. Documents whose deletion is pending are never listed."""

    visible: VisibleCollections = VisibleCollections()
    states: Collection[str] = ()  # any of them; empty: all
    kind: str = ""
    name: str = ""  # a part of the name, ignoring case
    include_superseded: bool = True  # also documents that a newer version has superseded
    where: WhereClause = ()  # see build_where_clause

    def conditions(self) -> list[Condition]:
        conditions: list[Condition] = [documents.c.deletion_time == ""]
        if self.visible.names is not None:
            conditions.append(documents.c.collection.in_(sorted(self.visible.names)))
        if self.states:
            conditions.append(documents.c.state.in_(sorted(self.states)))
        if self.kind:
            conditions.append(documents.c.kind == self.kind)
        if self.name:
            conditions.append(func.instr(func.casefolded(documents.c.name), self.name.casefold()) > 0)
        if not self.include_superseded:
            conditions.append(or_(documents.c.current, is_latest_somewhere()))
        return conditions + build_conditions(self.where)


class ListPosition(NamedTuple):
    """The position of a document in the list, newest first. None of the values ever changes."""

    added: str
    name: str
    id: str


@dataclass(frozen=True, slots=True)
class LibraryTotals:
    """The sums over the documents of a list."""

    documents: int
    pages: int
    sentences: int
    unfinished: int


def select_newest_first(document_filter: DocumentFilter) -> Select[Any]:
    order = documents.c.added.desc(), documents.c.name, documents.c.id
    return select(documents).where(*document_filter.conditions()).order_by(*order)


def list_documents(
    engine: Engine, document_filter: DocumentFilter, limit: int, offset: int = 0, after: ListPosition | None = None
) -> list[Document]:
    """Return a page of the list: from an offset on, or those after a position."""
    query = select_newest_first(document_filter)
    if after is not None:
        query = query.where(_is_after(after))
    with engine.connect() as connection:
        return [document_from_row(row) for row in connection.execute(query.limit(limit).offset(offset)).mappings()]


def _is_after(position: ListPosition) -> ColumnElement[bool]:
    added, name, id = documents.c.added, documents.c.name, documents.c.id
    is_later_name = or_(name > position.name, and_(name == position.name, id > position.id))
    # The first condition repeats a part of the second, so that the index over `added` is used.
    return and_(added <= position.added, or_(added < position.added, is_later_name))


def iterate_documents(engine: Engine, document_filter: DocumentFilter) -> Iterator[Document]:
    """Yield all documents, newest first, in batches, so that not all are in memory at once."""
    with engine.connect() as connection:
        rows = (
            connection.execution_options(yield_per=ROWS_PER_FETCH)
            .execute(select_newest_first(document_filter))
            .mappings()
        )
        yield from map(document_from_row, rows)


def count_totals(engine: Engine, document_filter: DocumentFilter) -> LibraryTotals:
    # SQLAlchemy would return the sum of a condition as a bool.
    unfinished = func.count().filter(documents.c.state.in_(sorted(UNFINISHED)))
    counts = func.count(), func.sum(documents.c.pages), func.sum(documents.c.sentences), unfinished
    with engine.connect() as connection:
        row = connection.execute(select(*counts).where(*document_filter.conditions())).one()
    return LibraryTotals(*(int(number or 0) for number in row))


def list_queue_positions(engine: Engine, visible: VisibleCollections = VisibleCollections()) -> dict[str, int]:
    """Return the ids of the documents that wait to be read, each with its position in the queue, from 1."""
    waiting = *DocumentFilter(visible, (QUEUED,)).conditions(), documents.c.recognition != AWAITS_RECOGNITION
    query = select(documents.c.id).where(*waiting).order_by(documents.c.added, documents.c.arrival)
    with engine.connect() as connection:
        return {id: position for position, id in enumerate(connection.scalars(query), 1)}


def list_collections(engine: Engine, visible: VisibleCollections = VisibleCollections()) -> list[str]:
    """Return the names of the collections that contain documents, sorted."""
    query = select(documents.c.collection).where(*DocumentFilter(visible).conditions()).distinct()
    with engine.connect() as connection:
        return sorted(connection.scalars(query))


def document_from_row(row: RowMapping) -> Document:
    values: dict[str, Any] = {column.key: row[column.key] for column in documents.c}
    del values["attempts"], values["arrival"], values["deletion_key"]
    progress = values.pop("progress")
    values["labels"] = tuple(values["labels"])
    values["meta"] = remove_non_finite_numbers(values["meta"])
    is_current = progress and (values["state"] not in READABLE or progress[0] == RECOGNISING)
    return Document(**values, progress=tuple(progress) if is_current else None)
