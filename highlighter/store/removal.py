"""Deleting a document whole: its rows in one transaction, then its files. Killed in between, the sweep does the rest."""

from __future__ import annotations

from highlighter.models import Document
from highlighter.store.catalog import Catalog
from highlighter.store.files import Files


def remove(document_id: str, catalog: Catalog, files: Files) -> Document | None:
    """The document that was, or None when there was none; what an earlier attempt left of its files goes either way."""
    removed = catalog.delete(document_id)
    remove_files(document_id, catalog, files)
    if removed:
        remove_original(removed.sha256, catalog, files)
    return removed


def remove_files(document_id: str, catalog: Catalog, files: Files) -> bool:
    """What was made of a document that is gone. Whoever is still reading it cleans up behind itself."""
    with files.claim_if_free(document_id) as claimed:
        gone = claimed and catalog.document(document_id) is None
        if gone:
            files.remove_made(document_id)
    return gone


def remove_original(sha256: str, catalog: Catalog, files: Files) -> bool:
    """Bytes that no document of any collection is made of."""
    with files.claim_original(sha256):
        gone = not catalog.uses(sha256)
        if gone:
            files.remove_original(sha256)
    return gone


def orphans(catalog: Catalog, files: Files) -> tuple[list[str], list[str]]:
    """(hashes of originals, ids of documents) for which there are files and no row."""
    known = catalog.documents()
    hashes, ids = {document.sha256 for document in known}, {document.id for document in known}
    return (
        [sha256 for sha256 in files.originals() if sha256 not in hashes],
        [document_id for document_id in files.documents() if document_id not in ids],
    )


def sweep_orphans(catalog: Catalog, files: Files) -> int:
    """Removes them; each is looked at again under its lock, for somebody may be taking it in at this moment."""
    hashes, ids = orphans(catalog, files)
    removed = [remove_original(sha256, catalog, files) for sha256 in hashes]
    removed += [remove_files(document_id, catalog, files) for document_id in ids]
    return sum(removed)
