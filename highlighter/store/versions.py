"""The versions of documents under their paths, and which version is current.

A document is its bytes in a collection; a path is where a file with these bytes was uploaded from. The same bytes under two
paths are one document: it is processed once, cited once, and current while it is current under one of its paths.

Under one path, bytes that differ from the latest make the next version. The current version is the latest that is readable;
if none is, the latest. So a new version that is being processed, or is unreadable, never hides the readable one before it;
bytes of an old version that are uploaded again become the latest again without being processed; and when the current
version is deleted, the one before takes its place.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Select, insert, select, update

from highlighter.models import READABLE
from highlighter.store.audit_log import NEW_VERSION, current_timestamp, record_event
from highlighter.store.schema import changes, documents, versions


class DocumentVersion(NamedTuple):
    """One version in the history of a path."""

    path: str
    version: int
    document_id: str
    current: bool
    added: str


def add_version(connection: Connection, document_id: str, collection: str, path: str) -> bool:
    """Add a document as the latest version of a path. Return False when it is the latest already."""
    at_path = (versions.c.collection == collection) & (versions.c.path == path)
    latest = connection.execute(select(versions).where(at_path).order_by(versions.c.version.desc()).limit(1)).first()
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
    """Choose the current version again for each path of a document that became readable or unreadable."""
    for collection, path in list_paths(connection, document_id):
        _update_current_version(connection, collection, path)


def list_paths(connection: Connection, document_id: str) -> list[tuple[str, str]]:
    """Return (collection, path) for each path of a document."""
    query = select(versions.c.collection, versions.c.path).where(versions.c.document_id == document_id).distinct()
    return [(row.collection, row.path) for row in connection.execute(query)]


def update_current_versions_at(connection: Connection, paths: list[tuple[str, str]]) -> None:
    """Choose the current version again for the paths of a document that was deleted."""
    for collection, path in paths:
        _update_current_version(connection, collection, path)


def list_versions(connection: Connection, collection: str, path: str) -> list[DocumentVersion]:
    """Return the versions under a path, the latest first."""
    at_path = (versions.c.collection == collection) & (versions.c.path == path) & (documents.c.deletion_time == "")
    query = (
        select(versions.c.path, versions.c.version, versions.c.document_id, versions.c.current, versions.c.added)
        .join(documents, documents.c.id == versions.c.document_id)
        .where(at_path)
    )
    return [DocumentVersion(*row) for row in connection.execute(query.order_by(versions.c.version.desc()))]


def select_superseding_document(document_id: str) -> Select[Any]:
    """Return the query for the document that superseded this one."""
    old, new = versions.alias("old"), versions.alias("new")
    same_path = (old.c.collection == new.c.collection) & (old.c.path == new.c.path)
    return (
        select(documents)
        .join(new, new.c.document_id == documents.c.id)
        .join(old, same_path & new.c.current & (new.c.version > old.c.version))
        .where(old.c.document_id == document_id, documents.c.deletion_time == "")
        .order_by(new.c.added.desc(), new.c.version.desc())
        .limit(1)
    )


def is_latest_somewhere() -> ColumnElement[bool]:
    """Return the condition that a document is the latest version under a path. Lists show these and the current ones."""
    own, later = versions.alias("own"), versions.alias("later")
    same_path = (later.c.collection == own.c.collection) & (later.c.path == own.c.path)
    has_later = select(later.c.version).where(same_path, later.c.version > own.c.version).exists()
    return select(own.c.version).where(own.c.document_id == documents.c.id, ~has_later).exists()


def add_missing_paths(connection: Connection) -> None:
    """Give documents of an earlier release, which had no paths, their names as paths."""
    query = select(documents.c.id, documents.c.collection, documents.c.name).order_by(documents.c.added)
    for document_id, collection, name in connection.execute(query).all():
        add_version(connection, document_id, collection, name)


def _update_current_version(connection: Connection, collection: str, path: str) -> None:
    at_path = (versions.c.collection == collection) & (versions.c.path == path)
    query = (
        select(versions.c.version, versions.c.current, documents.c.id, documents.c.state, documents.c.sha256)
        .join(documents, documents.c.id == versions.c.document_id)
        .where(at_path)
        .order_by(versions.c.version.desc())
    )
    rows = connection.execute(query).all()
    if not rows:
        return
    current = next((row for row in rows if row.state in READABLE), rows[0])
    previous = next((row for row in rows if row.current), None)
    if previous == current:
        return
    connection.execute(update(versions).where(at_path).values(current=versions.c.version == current.version))
    if previous and previous.id != current.id:
        record_event(connection, NEW_VERSION, current.id, collection, current.sha256)
    for document_id in {current.id, previous.id if previous else current.id}:
        _update_document_row(connection, document_id)


def _update_document_row(connection: Connection, document_id: str) -> None:
    """Copy a document's latest version into its own row; tell the index when it becomes current or superseded."""
    query = select(versions.c.path, versions.c.version, versions.c.current).where(versions.c.document_id == document_id)
    latest = connection.execute(
        query.order_by(versions.c.current.desc(), versions.c.added.desc(), versions.c.version.desc()).limit(1)
    ).one()
    is_document = documents.c.id == document_id
    before = connection.execute(
        select(documents.c.current, documents.c.pipeline, documents.c.state).where(is_document)
    ).one()
    connection.execute(
        update(documents).where(is_document).values(path=latest.path, version=latest.version, current=latest.current)
    )
    if before.current != latest.current and before.state in READABLE:
        connection.execute(insert(changes), {"document_id": document_id, "pipeline": before.pipeline})
