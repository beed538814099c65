"""Deleting a document whole: its rows in one transaction, then its files. Killed in between, the sweep does the rest."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import islice

from highlighter.access import HOUSE, acting
from highlighter.models import Document
from highlighter.store import departures
from highlighter.store.catalog import Catalog
from highlighter.store.files import Files

LOOKED_UP_AT_ONCE = 500


def remove(document_id: str, catalog: Catalog, files: Files, overdue_only: bool = False) -> Document | None:
    """The document that was, or None when there was none; what an earlier attempt left of its files goes either way."""
    removed = catalog.delete(document_id, overdue_only)
    remove_files(document_id, catalog, files)
    if removed:
        remove_original(removed.sha256, catalog, files)
    return removed


def remove_overdue(catalog: Catalog, files: Files) -> int:
    """Carries out the deletions that were held back and whose time has come; how many that were."""
    gone = 0
    for id, key in departures.overdue(catalog.engine):
        with acting(replace(HOUSE, key=key)):  # so that the audit tells who asked for it
            gone += remove(id, catalog, files, overdue_only=True) is not None
    return gone


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
    return list(_without(files.originals(), catalog.known_hashes)), list(_without(files.documents(), catalog.known_ids))


def _without(names: Iterable[str], known: Callable[[list[str]], set[str]]) -> Iterator[str]:
    """Looked up some at a time: however large the library, it is never in memory as a whole."""
    names = iter(names)
    while some := list(islice(names, LOOKED_UP_AT_ONCE)):
        there = known(some)
        yield from (name for name in some if name not in there)


def sweep_orphans(catalog: Catalog, files: Files) -> int:
    """Removes them; each is looked at again under its lock, for somebody may be taking it in at this moment."""
    hashes, ids = orphans(catalog, files)
    removed = [remove_original(sha256, catalog, files) for sha256 in hashes]
    removed += [remove_files(document_id, catalog, files) for document_id in ids]
    return sum(removed)
