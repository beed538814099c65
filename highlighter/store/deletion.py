"""Deletions that are held back, so that they can be undone: nobody finds the document, and everything of it is there yet.

When it goes for good is kept in its row. So a deletion does not depend on the page it was asked for on, nor on the process
that heard of it: whoever runs when the time has come, or comes next, carries it out (`removal.remove_overdue`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import islice

from sqlalchemy import Engine, select, update

from highlighter.access import LOCAL_OPERATOR, VisibleCollections, acting_as, get_current_principal
from highlighter.models import Document
from highlighter.store import deletion
from highlighter.store.audit_log import current_timestamp
from highlighter.store.catalog import Catalog
from highlighter.store.database import write_transaction
from highlighter.store.files import FileStore
from highlighter.store.listing import document_from_row
from highlighter.store.schema import documents


def schedule_deletion(engine: Engine, document_id: str, seconds: int) -> bool:
    """From now on it is not found; False when it was not there, or is leaving already, for that is not put off."""
    until = (datetime.now(UTC) + timedelta(seconds=seconds)).isoformat(timespec="seconds")
    return _set_deletion_time(engine, document_id, documents.c.leaving == "", until, get_current_principal().key)


def cancel_deletion(engine: Engine, document_id: str) -> bool:
    """It is found again; False when it was not leaving, or is gone."""
    return _set_deletion_time(engine, document_id, documents.c.leaving != "", "")


def list_pending_deletions(engine: Engine, visible: VisibleCollections = VisibleCollections()) -> list[Document]:
    """Those that can still be brought back, the first to go first."""
    query = select(documents).where(documents.c.leaving != "").order_by(documents.c.leaving, documents.c.name)
    with engine.connect() as connection:
        found = [document_from_row(row) for row in connection.execute(query).mappings()]
    return [document for document in found if document.collection in visible]


def list_overdue_deletions(engine: Engine) -> list[tuple[str, str]]:
    """(id, the key that asked for it) of those whose time has come."""
    query = select(documents.c.id, documents.c.leaving_by).where(
        documents.c.leaving != "", documents.c.leaving <= current_timestamp()
    )
    with engine.connect() as connection:
        return [tuple(row) for row in connection.execute(query)]


def _set_deletion_time(engine: Engine, document_id: str, condition, deletion_time: str, key_id: str = "") -> bool:
    with write_transaction(engine) as connection:
        change = (
            update(documents)
            .where(documents.c.id == document_id, condition)
            .values(leaving=deletion_time, leaving_by=key_id)
        )
        return connection.execute(change).rowcount == 1


# Deleting a document whole: its rows in one transaction, then its files. Killed in between, the sweep does the rest.


NAMES_PER_LOOKUP = 500


def remove_document(
    document_id: str, catalog: Catalog, files: FileStore, overdue_only: bool = False
) -> Document | None:
    """The document that was, or None when there was none; what an earlier attempt left of its files goes either way."""
    removed = catalog.delete(document_id, overdue_only)
    remove_generated_files(document_id, catalog, files)
    if removed:
        remove_unused_original(removed.sha256, catalog, files)
    return removed


def remove_overdue_documents(catalog: Catalog, files: FileStore) -> int:
    """Carries out the deletions that were held back and whose time has come; how many that were."""
    gone = 0
    for id, key in deletion.list_overdue_deletions(catalog.engine):
        with acting_as(replace(LOCAL_OPERATOR, key=key)):  # so that the audit tells who asked for it
            gone += remove_document(id, catalog, files, overdue_only=True) is not None
    return gone


def remove_generated_files(document_id: str, catalog: Catalog, files: FileStore) -> bool:
    """What was made of a document that is gone. Whoever is still reading it cleans up behind itself."""
    with files.try_lock_document(document_id) as claimed:
        gone = claimed and catalog.document(document_id) is None
        if gone:
            files.remove_generated_files(document_id)
    return gone


def remove_unused_original(sha256: str, catalog: Catalog, files: FileStore) -> bool:
    """Bytes that no document of any collection is made of."""
    with files.lock_original(sha256):
        gone = not catalog.has_document_with_hash(sha256)
        if gone:
            files.remove_original(sha256)
    return gone


def find_orphans(catalog: Catalog, files: FileStore) -> tuple[list[str], list[str]]:
    """(hashes of originals, ids of documents) for which there are files and no row."""
    return list(_find_unknown_names(files.list_original_hashes(), catalog.filter_known_hashes)), list(
        _find_unknown_names(files.list_document_ids(), catalog.filter_known_ids)
    )


def _find_unknown_names(names: Iterable[str], filter_known: Callable[[list[str]], set[str]]) -> Iterator[str]:
    """Looked up some at a time: however large the library, it is never in memory as a whole."""
    names = iter(names)
    while some := list(islice(names, NAMES_PER_LOOKUP)):
        there = filter_known(some)
        yield from (name for name in some if name not in there)


def remove_orphans(catalog: Catalog, files: FileStore) -> int:
    """Removes them; each is looked at again under its lock, for somebody may be taking it in at this moment."""
    hashes, ids = find_orphans(catalog, files)
    removed = [remove_unused_original(sha256, catalog, files) for sha256 in hashes]
    removed += [remove_generated_files(document_id, catalog, files) for document_id in ids]
    return sum(removed)
