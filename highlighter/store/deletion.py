"""The deletion of documents: pending ones, which can be undone, and final ones.

A document whose deletion is pending is hidden, but nothing of it is removed yet. The time of its final deletion is stored
in its row, so the deletion depends neither on the page nor on the process that requested it: any process that runs at that
time or later carries it out (`remove_overdue_documents`).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import islice

from sqlalchemy import ColumnElement, Engine, select, update

from highlighter.access import LOCAL_OPERATOR, VisibleCollections, acting_as, get_current_principal
from highlighter.models import Document
from highlighter.store.audit_log import current_timestamp
from highlighter.store.catalog import Catalog
from highlighter.store.catalog_identity import read_catalog_id
from highlighter.store.database import write_transaction
from highlighter.store.files import FileStore
from highlighter.store.listing import document_from_row
from highlighter.store.remote_files import RemoteFileStore
from highlighter.store.schema import documents
from highlighter.store.storage_errors import FilesUnavailable, is_catalog_unreachable

log = logging.getLogger(__name__)


def schedule_deletion(engine: Engine, document_id: str, seconds: int) -> bool:
    """Hide a document and delete it after some seconds. Return False when there is none, or its deletion is already
    pending, which is not postponed."""
    until = (datetime.now(UTC) + timedelta(seconds=seconds)).isoformat(timespec="seconds")
    return _set_deletion_time(
        engine, document_id, documents.c.deletion_time == "", until, get_current_principal().audit_id
    )


def cancel_deletion(engine: Engine, document_id: str) -> bool:
    """Restore a document. Return False when its deletion was not pending, or has been carried out."""
    return _set_deletion_time(engine, document_id, documents.c.deletion_time != "", "")


def list_pending_deletions(engine: Engine, visible: VisibleCollections = VisibleCollections()) -> list[Document]:
    """Return the documents that can still be restored, the one to be deleted next first."""
    query = (
        select(documents).where(documents.c.deletion_time != "").order_by(documents.c.deletion_time, documents.c.name)
    )
    with engine.connect() as connection:
        pending = [document_from_row(row) for row in connection.execute(query).mappings()]
    return [document for document in pending if document.collection in visible]


def list_overdue_deletions(engine: Engine) -> list[tuple[str, str]]:
    """Return (document id, id of the key or person that requested the deletion) of the deletions that are due."""
    query = select(documents.c.id, documents.c.deletion_key).where(
        documents.c.deletion_time != "", documents.c.deletion_time <= current_timestamp()
    )
    with engine.connect() as connection:
        return [(row.id, row.deletion_key) for row in connection.execute(query)]


def _set_deletion_time(
    engine: Engine, document_id: str, condition: ColumnElement[bool], deletion_time: str, key_id: str = ""
) -> bool:
    with write_transaction(engine) as connection:
        change = (
            update(documents)
            .where(documents.c.id == document_id, condition)
            .values(deletion_time=deletion_time, deletion_key=key_id)
        )
        return connection.execute(change).rowcount == 1


# A document is deleted in two steps: its rows in one transaction, then its files. If the process is killed in between,
# `remove_orphans` removes the files later.

NAMES_PER_LOOKUP = 500


def remove_document(
    document_id: str, catalog: Catalog, files: FileStore, overdue_only: bool = False
) -> Document | None:
    """Delete a document and return it as it was; None when there was none. Files that an earlier attempt left are removed
    in either case."""
    files.check_available()  # or nothing is deleted now; a deletion that is due is tried again
    removed = catalog.delete(document_id, overdue_only)
    sha256 = removed.sha256 if removed else ""
    try:
        _remove_files(document_id, sha256, catalog, files)
    except Exception as err:
        if not (isinstance(err, FilesUnavailable) or is_catalog_unreachable(err)):
            raise
        # The document is gone; its files follow.
        log.warning("The files of deleted document %s are removed once storage and database answer", document_id)
        files.removals.add((document_id, sha256))
    return removed


def retry_removals(catalog: Catalog, files: FileStore) -> None:
    """Remove the files that could not be removed with their documents."""
    for removal in list(files.removals):
        _remove_files(*removal, catalog, files)
        files.removals.discard(removal)


def _remove_files(document_id: str, sha256: str, catalog: Catalog, files: FileStore) -> None:
    remove_generated_files(document_id, catalog, files)
    if sha256:
        remove_unused_original(sha256, catalog, files)


def remove_overdue_documents(catalog: Catalog, files: FileStore) -> int:
    """Carry out the pending deletions that are due, and return how many."""
    removed_count = 0
    for document_id, key_id in list_overdue_deletions(catalog.engine):
        with acting_as(replace(LOCAL_OPERATOR, key=key_id)):  # the audit records who requested it
            removed_count += remove_document(document_id, catalog, files, overdue_only=True) is not None
    return removed_count


def remove_generated_files(document_id: str, catalog: Catalog, files: FileStore) -> bool:
    """Remove the files generated from a deleted document. A process that is still reading the document removes its own."""
    with files.try_lock_document(document_id) as is_locked:
        removed = is_locked and catalog.document(document_id) is None
        if removed:
            files.remove_generated_files(document_id)
    return removed


def remove_unused_original(sha256: str, catalog: Catalog, files: FileStore) -> bool:
    """Remove an original that no document of any collection uses."""
    with files.lock_original(sha256):
        unused = not catalog.has_document_with_hash(sha256)
        if unused:
            files.remove_original(sha256)
    return unused


def find_orphans(catalog: Catalog, files: FileStore) -> tuple[list[str], list[str]]:
    """Return the hashes of originals, and the ids of documents, that have files but no row."""
    return list(_find_unknown_names(files.list_original_hashes(), catalog.filter_known_hashes)), list(
        _find_unknown_names(files.list_document_ids(), catalog.filter_known_ids)
    )


def _find_unknown_names(names: Iterable[str], filter_known: Callable[[list[str]], set[str]]) -> Iterator[str]:
    """Yield the names that are not known. Looked up in batches, so a large library is never in memory as a whole."""
    names = iter(names)
    while batch := list(islice(names, NAMES_PER_LOOKUP)):
        known = filter_known(batch)
        yield from (name for name in batch if name not in known)


def remove_orphans(catalog: Catalog, files: FileStore) -> int:
    """Remove files without a row, and return how many. Each is checked again under its lock, as it may just be ingested.

    Files of another catalog are kept.
    """
    hashes, ids = find_orphans(catalog, files)
    if has_orphans_of_another_catalog(catalog, files, len(hashes) + len(ids)):
        log.warning(
            "The files in %s belong to another catalog: %s originals and the generated files of %s documents are kept",
            files.root,
            len(hashes),
            len(ids),
        )
        return 0
    with suppress(OSError):  # no space, perhaps; recorded later
        files.set_owner(read_catalog_id(catalog.engine))
    removed = [remove_unused_original(sha256, catalog, files) for sha256 in hashes]
    removed += [remove_generated_files(document_id, catalog, files) for document_id in ids]
    return sum(removed)


def has_orphans_of_another_catalog(catalog: Catalog, files: FileStore, orphan_count: int) -> bool:
    """Return whether orphans are documents of another catalog, which was lost, or which a setting should name.

    Where no owner is recorded, they are if this catalog never had a document.
    """
    if not orphan_count:
        return False
    owner = files.read_owner()
    return owner != read_catalog_id(catalog.engine) if owner else not catalog.has_had_documents()


def remove_unused_copies(catalog: Catalog, files: RemoteFileStore) -> None:
    """Remove the local copies of files whose documents were deleted, perhaps by another machine."""
    hashes, ids = files.list_copies()
    for sha256 in _find_unknown_names(hashes, catalog.filter_known_hashes):
        with files.lock_original(sha256):  # not while its document is being registered
            if not catalog.has_document_with_hash(sha256):
                files.remove_original_copy(sha256)
    for document_id in _find_unknown_names(ids, catalog.filter_known_ids):
        files.remove_generated_copies(document_id)
