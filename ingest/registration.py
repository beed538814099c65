"""Register files: store their bytes, and queue their documents where these were not read yet."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO

from highlighter.access import DEFAULT_COLLECTION, validate_collection_name
from highlighter.errors import UnreadableFile
from highlighter.models import (  # fmt: skip
    DAMAGED,
    EMPTY,
    ENCRYPTED,
    NO_TEXT,
    PICTURE_KINDS,
    PIPELINE_VERSION,
    QUEUED,
    READABLE,
    TOO_LARGE,
    UNFINISHED,
    UNREADABLE,
    UNSUPPORTED_KIND,
    Document,
)
from highlighter.settings import Settings
from highlighter.store.attachments import restore_attachments
from highlighter.store.documents import Registration
from highlighter.store.storage_errors import convert_disk_error
from ingest.context import ProcessingContext
from ingest.file_kinds import OFFICE_KINDS, detect_kind
from ingest.input_files import normalise_name, normalise_path
from ingest.recognition import awaits_recognition

# Reading the same bytes again would end the same way; after a timeout or an internal error it may not.
FINAL_STATES = READABLE | {NO_TEXT, ENCRYPTED, DAMAGED, TOO_LARGE, UNSUPPORTED_KIND, EMPTY}


def register_file(
    path: Path,
    name: str,
    services: ProcessingContext,
    collection: str = DEFAULT_COLLECTION,
    meta: dict[str, str] | None = None,
    known_path: str = "",
) -> Registration:
    """Store the bytes of a file and register its document: from here on, the caller's file is no longer needed.

    `known_path` is the path under which the user knows the file, by default its name: other bytes there are a new
    version.
    """
    validate_collection_name(collection)
    known_path = known_path or name
    with _report_full_disk(), path.open("rb") as file:
        # Hashed before it is copied: most files of a folder that is ingested again are stored already.
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
        with services.files.lock_original(sha256):
            # Held while the catalog records the document: another process may be deleting the last use of these bytes.
            if is_stored := services.files.has_intact_original(sha256, path):
                stored = services.files.original_path(
                    sha256
                )  # which nobody changes meanwhile, if it is on this machine
                copy = stored if stored.is_file() else path
                registration = _register(sha256, copy, name, services, collection, meta, known_path)
        if is_stored:
            return _requeue_if_unread(registration, services)
        file.seek(0)
        return register_upload(file, name, services, collection, meta, known_path)


def register_upload(
    source: BinaryIO,
    name: str,
    services: ProcessingContext,
    collection: str = DEFAULT_COLLECTION,
    meta: dict[str, Any] | None = None,
    known_path: str = "",
) -> Registration:
    """Store the bytes of an upload and register its document. The bytes are read, hashed and written once."""
    validate_collection_name(collection)
    with _report_full_disk():
        with services.files.stage_original(source) as staged, services.files.lock_original(staged.sha256):
            bytes_path = staged.path
            if not services.files.has_intact_original(staged.sha256, staged.path):
                services.files.save_staged_original(staged)
                bytes_path = services.files.original_path(staged.sha256)
            registration = _register(staged.sha256, bytes_path, name, services, collection, meta, known_path or name)
        return _requeue_if_unread(registration, services)


@contextmanager
def _report_full_disk() -> Iterator[None]:
    try:
        yield
    except Exception as err:
        if problem := convert_disk_error(err):
            raise problem from err
        raise


def _register(
    sha256: str,
    path: Path,
    name: str,
    services: ProcessingContext,
    collection: str,
    meta: dict[str, Any] | None,
    known_path: str,
) -> Registration:
    """Register the document of a stored original. `path` is the original or a file with the same bytes."""
    kind = _detect_kind_or_blank(path, name)
    registration = services.catalog.register_upload(
        collection,
        sha256,
        normalise_name(name),
        kind,
        path.stat().st_size,
        meta,
        normalise_path(known_path),
    )
    if kind and not registration.document.kind:  # an earlier version of this program knew fewer kinds
        services.catalog.set_kind(registration.document.id, kind)
        registration = replace(registration, document=replace(registration.document, kind=kind))
    restore_attachments(services.catalog.engine, registration.document)  # an upload cancels a pending deletion
    return registration


def _requeue_if_unread(registration: Registration, services: ProcessingContext) -> Registration:
    """Queue a document that will be read again, and clear its old error."""
    document = registration.document
    if document.state not in UNREADABLE or is_final(document, services.settings):
        return registration
    services.catalog.set_state(document.id, QUEUED)
    return replace(registration, document=replace(document, state=QUEUED, reason=""))


def is_final(document: Document, settings: Settings) -> bool:
    """Return whether reading the document again would end the same way. Recognition comes after reading."""
    if document.pipeline_version != PIPELINE_VERSION:
        return False
    # LibreOffice, or a release that knows the kind, may have been installed since.
    if document.state == UNSUPPORTED_KIND and document.kind in OFFICE_KINDS | PICTURE_KINDS:
        return False
    is_waiting = awaits_recognition(document, settings)
    if document.state in UNFINISHED:
        return is_waiting  # a scan that was read, and waits for its text to be recognised
    return document.state in FINAL_STATES and not (document.state == NO_TEXT and is_waiting)


def _detect_kind_or_blank(path: Path, name: str) -> str:
    try:
        return detect_kind(path, name)
    except UnreadableFile:
        return ""  # reported and recorded when the file is read
