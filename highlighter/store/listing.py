"""The library, narrowed and page by page: SQL looks through the rows, and only those of one page are loaded."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Engine, Select, func, or_, select

from highlighter.access import Visible
from highlighter.models import READABLE, UNFINISHED, Document
from highlighter.store.schema import documents
from highlighter.store.versions import is_latest_somewhere

ROWS_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which documents a list is to hold. What is leaving is in no list."""

    visible: Visible = Visible()
    states: Collection[str] = ()  # any of them; none named, all
    kind: str = ""
    name: str = ""  # a part of it, in whatever case
    superseded: bool = True  # those, too, whose place a newer version has taken

    def conditions(self) -> list[ColumnElement[bool]]:
        found = [documents.c.leaving == ""]
        if self.visible.names is not None:
            found.append(documents.c.collection.in_(sorted(self.visible.names)))
        if self.states:
            found.append(documents.c.state.in_(sorted(self.states)))
        if self.kind:
            found.append(documents.c.kind == self.kind)
        if self.name:
            found.append(func.instr(func.casefolded(documents.c.name), self.name.casefold()) > 0)
        if not self.superseded:
            found.append(or_(documents.c.current, is_latest_somewhere()))
        return found


@dataclass(frozen=True, slots=True)
class Totals:
    documents: int
    pages: int
    sentences: int
    unfinished: int


def newest_first(wanted: Wanted) -> Select:
    order = documents.c.added.desc(), documents.c.name, documents.c.id
    return select(documents).where(*wanted.conditions()).order_by(*order)


def page(engine: Engine, wanted: Wanted, limit: int, offset: int = 0) -> list[Document]:
    with engine.connect() as connection:
        rows = connection.execute(newest_first(wanted).limit(limit).offset(offset)).mappings()
        return [as_document(row) for row in rows]


def each(engine: Engine, wanted: Wanted) -> Iterator[Document]:
    """All of them, newest first; however many there are, only some are in memory at once."""
    with engine.connect() as connection:
        rows = connection.execution_options(yield_per=ROWS_AT_ONCE).execute(newest_first(wanted)).mappings()
        yield from map(as_document, rows)


def totals(engine: Engine, wanted: Wanted) -> Totals:
    # SQLAlchemy would return the sum of a condition as a bool.
    unfinished = func.count().filter(documents.c.state.in_(sorted(UNFINISHED)))
    counted = func.count(), func.sum(documents.c.pages), func.sum(documents.c.sentences), unfinished
    with engine.connect() as connection:
        row = connection.execute(select(*counted).where(*wanted.conditions())).one()
    return Totals(*(number or 0 for number in row))


def collections(engine: Engine, visible: Visible = Visible()) -> list[str]:
    """The names of those that hold anything, in order."""
    query = select(documents.c.collection).where(*Wanted(visible).conditions()).distinct()
    with engine.connect() as connection:
        return sorted(connection.scalars(query))


def as_document(row) -> Document:
    values = dict(row)
    del values["attempts"], values["leaving_by"]
    progress = values.pop("progress")
    values["labels"] = tuple(values["labels"])
    return Document(**values, progress=tuple(progress) if progress and values["state"] not in READABLE else None)
