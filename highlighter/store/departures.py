"""Deletions that are held back, so that they can be undone: nobody finds the document, and everything of it is there yet.

When it goes for good is kept in its row. So a deletion does not depend on the page it was asked for on, nor on the process
that heard of it: whoever runs when the time has come, or comes next, carries it out (`removal.remove_overdue`).
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from sqlalchemy import Engine, select, update

from highlighter.access import Visible, current_caller
from highlighter.models import Document
from highlighter.store.audit import now
from highlighter.store.database import writing
from highlighter.store.listing import as_document
from highlighter.store.schema import documents


def announce(engine: Engine, document_id: str, seconds: int) -> bool:
    """From now on it is not found; False when it was not there, or is leaving already, for that is not put off."""
    until = (datetime.now(UTC) + timedelta(seconds=seconds)).isoformat(timespec="seconds")
    return _set(engine, document_id, documents.c.leaving == "", until, current_caller().key)


def call_off(engine: Engine, document_id: str) -> bool:
    """It is found again; False when it was not leaving, or is gone."""
    return _set(engine, document_id, documents.c.leaving != "", "")


def leaving(engine: Engine, visible: Visible = Visible()) -> list[Document]:
    """Those that can still be brought back, the first to go first."""
    query = select(documents).where(documents.c.leaving != "").order_by(documents.c.leaving, documents.c.name)
    with engine.connect() as connection:
        found = [as_document(row) for row in connection.execute(query).mappings()]
    return [document for document in found if document.collection in visible]


def overdue(engine: Engine) -> list[tuple[str, str]]:
    """(id, the key that asked for it) of those whose time has come."""
    query = select(documents.c.id, documents.c.leaving_by).where(
        documents.c.leaving != "", documents.c.leaving <= now()
    )
    with engine.connect() as connection:
        return [tuple(row) for row in connection.execute(query)]


def _set(engine: Engine, document_id: str, condition, value: str, by: str = "") -> bool:
    with writing(engine) as connection:
        change = update(documents).where(documents.c.id == document_id, condition).values(leaving=value, leaving_by=by)
        return connection.execute(change).rowcount == 1
