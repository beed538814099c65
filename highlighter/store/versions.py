"""Which bytes lie under which path, and which of them are current.

A document is its bytes in a collection; a path is where somebody laid them. The two are told apart, so that the same bytes
under two paths are one document in two places: read once, cited once, and current as long as one of its places says so.

Under one path, other bytes than the latest make the next version. The current version is the latest that can be read; if
none can, the latest. So a new version that is being read, or cannot be, never hides the good one before it; bytes of an
old version that come in again become the latest again without being read; and when the current version is deleted, the
one before it takes its place.
"""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, Select, select, update
from sqlalchemy.dialects.sqlite import insert

from highlighter.models import READABLE
from highlighter.store.audit_log import NEW_VERSION, current_timestamp, record_event
from highlighter.store.schema import changes, documents, versions


class DocumentVersion(NamedTuple):
    """One row of a path's history."""

    path: str
    version: int
    document_id: str
    current: bool
    added: str


def add_version(connection: Connection, document_id: str, collection: str, path: str) -> bool:
    """Lays a document under a path; whether that made a version, which it does not when it is the latest there."""
    here = (versions.c.collection == collection) & (versions.c.path == path)
    latest = connection.execute(select(versions).where(here).order_by(versions.c.version.desc()).limit(1)).first()
    if latest and latest.document_id == document_id:
        return False
    row = {
        "collection": collection,
        "path": path,
        "document_id": document_id,
        "current": False,
        "added": current_timestamp(),
    }
    connection.execute(insert(versions), {**row, "version": latest.version + 1 if latest else 1})
    _update_document_row(connection, document_id)
    _update_current_version(connection, collection, path)
    return True


def update_current_versions(connection: Connection, document_id: str) -> None:
    """To be called when a document has become readable, or is no longer: its paths choose their current version anew."""
    for collection, path in list_paths(connection, document_id):
        _update_current_version(connection, collection, path)


def list_paths(connection: Connection, document_id: str) -> list[tuple[str, str]]:
    query = select(versions.c.collection, versions.c.path).where(versions.c.document_id == document_id).distinct()
    return [tuple(row) for row in connection.execute(query)]


def update_current_versions_at(connection: Connection, paths: list[tuple[str, str]]) -> None:
    """The same for paths that a document lay under before it was deleted."""
    for collection, path in paths:
        _update_current_version(connection, collection, path)


def list_versions(connection: Connection, collection: str, path: str) -> list[DocumentVersion]:
    """The versions under a path, the latest first."""
    here = (versions.c.collection == collection) & (versions.c.path == path) & (documents.c.leaving == "")
    query = (
        select(versions.c.path, versions.c.version, versions.c.document_id, versions.c.current, versions.c.added)
        .join(documents, documents.c.id == versions.c.document_id)
        .where(here)
    )
    return [DocumentVersion(*row) for row in connection.execute(query.order_by(versions.c.version.desc()))]


def select_superseding_document(document_id: str) -> Select:
    """The row of the document that has taken this one's place, where it has lost it."""
    old, new = versions.alias("old"), versions.alias("new")
    same_path = (old.c.collection == new.c.collection) & (old.c.path == new.c.path)
    return (
        select(documents)
        .join(new, new.c.document_id == documents.c.id)
        .join(old, same_path & new.c.current & (new.c.version > old.c.version))
        .where(old.c.document_id == document_id, documents.c.leaving == "")
        .order_by(new.c.added.desc(), new.c.version.desc())
        .limit(1)
    )


def is_latest_somewhere() -> ColumnElement[bool]:
    """Whether a document is the latest version under a path: with the current ones, all that a list need show."""
    mine, later = versions.alias("mine"), versions.alias("later")
    same_path = (later.c.collection == mine.c.collection) & (later.c.path == mine.c.path)
    followed = select(later.c.version).where(same_path, later.c.version > mine.c.version).exists()
    return select(mine.c.version).where(mine.c.document_id == documents.c.id, ~followed).exists()


def add_missing_paths(connection: Connection) -> None:
    """Documents of an earlier release, which knew no paths, lie under their names."""
    query = select(documents.c.id, documents.c.collection, documents.c.name).order_by(documents.c.added)
    for document_id, collection, name in connection.execute(query).all():
        add_version(connection, document_id, collection, name)


def _update_current_version(connection: Connection, collection: str, path: str) -> None:
    here = (versions.c.collection == collection) & (versions.c.path == path)
    query = (
        select(versions.c.version, versions.c.current, documents.c.id, documents.c.state, documents.c.sha256)
        .join(documents, documents.c.id == versions.c.document_id)
        .where(here)
        .order_by(versions.c.version.desc())
    )
    rows = connection.execute(query).all()
    if not rows:
        return
    chosen = next((row for row in rows if row.state in READABLE), rows[0])
    before = next((row for row in rows if row.current), None)
    if before == chosen:
        return
    connection.execute(update(versions).where(here).values(current=versions.c.version == chosen.version))
    if before and before.id != chosen.id:
        record_event(connection, NEW_VERSION, chosen.id, collection, chosen.sha256)
    for document_id in {chosen.id, before.id if before else chosen.id}:
        _update_document_row(connection, document_id)


def _update_document_row(connection: Connection, document_id: str) -> None:
    """Writes a document's latest place into its own row, and lets the index know when it comes or goes."""
    query = select(versions.c.path, versions.c.version, versions.c.current).where(versions.c.document_id == document_id)
    shown = connection.execute(
        query.order_by(versions.c.current.desc(), versions.c.added.desc(), versions.c.version.desc()).limit(1)
    ).one()
    mine = documents.c.id == document_id
    was = connection.execute(select(documents.c.current, documents.c.pipeline, documents.c.state).where(mine)).one()
    connection.execute(
        update(documents).where(mine).values(path=shown.path, version=shown.version, current=shown.current)
    )
    if was.current != shown.current and was.state in READABLE:
        connection.execute(insert(changes), {"document_id": document_id, "pipeline": was.pipeline})
