"""Ingest one file, from its bytes to a searchable document."""

from __future__ import annotations

import hashlib
import logging
import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

from highlighter.access import DEFAULT_COLLECTION, validate_collection_name
from highlighter.errors import UnreadableFile
from highlighter.locale import N_, join_messages
from highlighter.models import (  # fmt: skip
    AWAITS_RECOGNITION,
    DAMAGED,
    EMPTY,
    ENCRYPTED,
    FAILED,
    NO_TEXT,
    PIPELINE_VERSION,
    QUEUED,
    READABLE,
    TIMED_OUT,
    TOO_LARGE,
    UNFINISHED,
    UNREADABLE,
    UNSUPPORTED,
    Document,
)
from highlighter.settings import LIBREOFFICE, Settings
from highlighter.store.attachments import restore_attachments
from highlighter.store.catalog import DocumentDeleted
from highlighter.store.documents import Registration
from highlighter.store.storage_errors import CatalogDamaged, DiskFull, has_space, is_catalog_damage, is_disk_full
from highlighter.store.verified_files import get_verified_original
from highlighter.tesseract import explain_unavailability
from highlighter.workers.process_pool import ProcessPool, ProcessPoolClosed
from ingest.attachments import ingest_attachments
from ingest.context import ProcessingContext
from ingest.document_writer import ProgressCallback, save_prepared_document
from ingest.file_kinds import OFFICE_KINDS, detect_kind
from ingest.input_files import normalise_name, normalise_path
from ingest.preparation import ATTACHMENTS_FOLDER, OfficeSeconds, PreparedDocument, SourceFile, prepare_document
from ingest.quarantine import MAX_CHILD_DEATHS, process_in_quarantine
from ingest.recognition import awaits_recognition

log = logging.getLogger(__name__)

# Wall-clock limits for programs that a reading child process starts; their processor time is limited with its own.
OFFICE_SECONDS_PER_CPU_SECOND = 2  # no more: ReportLab typesets the pages should LibreOffice fail

WAITING_FOR_SPACE = N_("The disk is full. Processing continues when there is space.")

# Reading the same bytes again would end the same way; after a timeout or an internal error it may not.
FINAL_STATES = READABLE | {NO_TEXT, ENCRYPTED, DAMAGED, TOO_LARGE, UNSUPPORTED, EMPTY}


@dataclass(frozen=True, slots=True)
class IngestOutcome:
    """The outcome of ingesting one file, and how much of it is new."""

    document: Document
    was_known: bool  # these bytes were read before
    seconds: float
    new_version: bool = False  # of its path; also true of the first version
    metadata_updated: bool = False  # the given metadata differ from those stored


def ingest_file(
    path: Path,
    services: ProcessingContext,
    pool: ProcessPool,
    collection: str = DEFAULT_COLLECTION,
    progress: ProgressCallback | None = None,
    meta: dict[str, str] | None = None,
    requeue_timeout: bool = False,
) -> IngestOutcome:
    """Register a file and process its document. Killed at any moment and called again, it gives the same result.

    With `requeue_timeout`, a document whose reading timed out stays in the queue for the caller to try once more.
    """
    started = time.monotonic()
    registration = register_file(path, path.name, services, collection, meta, str(path))
    is_known = _is_final(registration.document, services.settings)
    document = (
        registration.document
        if is_known
        else process_document(registration.document, services, pool, progress, requeue_timeout)
    )
    return IngestOutcome(
        document, is_known, time.monotonic() - started, registration.is_new_version, registration.metadata_changed
    )


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
            if is_stored := _is_stored(sha256, services):
                registration = _register(sha256, name, services, collection, meta, known_path)
        if is_stored:
            return _requeue_if_unread(registration, services)
        file.seek(0)
        return register_upload(file, name, services, collection, meta, known_path)


def register_upload(
    source: BinaryIO,
    name: str,
    services: ProcessingContext,
    collection: str = DEFAULT_COLLECTION,
    meta: dict[str, str] | None = None,
    known_path: str = "",
) -> Registration:
    """Store the bytes of an upload and register its document. The bytes are read, hashed and written once."""
    validate_collection_name(collection)
    with _report_full_disk():
        with services.files.stage_original(source) as staged, services.files.lock_original(staged.sha256):
            if not _is_stored(staged.sha256, services):
                services.files.save_staged_original(staged)
            registration = _register(staged.sha256, name, services, collection, meta, known_path or name)
        return _requeue_if_unread(registration, services)


@contextmanager
def _report_full_disk() -> Iterator[None]:
    try:
        yield
    except Exception as err:
        if is_disk_full(err):
            raise DiskFull from err
        raise


def _is_stored(sha256: str, services: ProcessingContext) -> bool:
    """Return whether the original of a hash is stored and undamaged.

    The caller holds the lock of the original, because another process may be deleting the last use of its bytes.
    """
    return services.files.compute_sha256_cached(services.files.original_path(sha256)) == sha256


def _register(
    sha256: str, name: str, services: ProcessingContext, collection: str, meta: dict[str, str] | None, known_path: str
) -> Registration:
    stored = services.files.original_path(sha256)
    registration = services.catalog.register_upload(
        collection,
        sha256,
        normalise_name(name),
        _detect_kind_or_blank(stored, name),
        stored.stat().st_size,
        meta,
        normalise_path(known_path),
    )
    restore_attachments(services.catalog.engine, registration.document)  # an upload cancels a pending deletion
    return registration


def _requeue_if_unread(registration: Registration, services: ProcessingContext) -> Registration:
    """Queue a document that will be read again, and clear its old error."""
    document = registration.document
    if document.state not in UNREADABLE or _is_final(document, services.settings):
        return registration
    services.catalog.set_state(document.id, QUEUED)
    return replace(registration, document=replace(document, state=QUEUED, reason=""))


def process_document(
    document: Document,
    services: ProcessingContext,
    pool: ProcessPool,
    progress: ProgressCallback | None = None,
    requeue_timeout: bool = False,
) -> Document:
    """Extract, split, chunk, embed and store a registered document, unless that is done."""
    with services.files.lock_document(document.id):
        existing = _get_existing_document(document, services)
        if _is_final(existing, services.settings):
            return existing
        if services.catalog.start_processing(existing.id) > MAX_CHILD_DEATHS:
            process_in_quarantine(existing, services, pool, attempt_processing)
        else:
            attempt_processing(existing, services, pool, progress, requeue_timeout)
        return _get_existing_document(document, services)


def attempt_processing(
    document: Document,
    services: ProcessingContext,
    pool: ProcessPool,
    progress: ProgressCallback | None = None,
    requeue_timeout: bool = False,
) -> None:
    """Process a document whose processing was started, and record the outcome in the catalog."""
    work = services.files.create_work_folder()
    try:
        _read_and_save(document, services, pool, work, progress or _ignore_progress)
    except ProcessPoolClosed:  # being stopped: the document stays unfinished for the next start
        services.catalog.cancel_processing(document.id)
        raise
    except DocumentDeleted:
        services.files.remove_generated_files(document.id)
        raise
    except Exception as err:
        if pool.closed or _is_interpreter_exiting():  # not the document's fault
            services.catalog.cancel_processing(document.id)
            raise ProcessPoolClosed from err
        if is_catalog_damage(err):
            raise CatalogDamaged from err
        if is_disk_full(err) or not has_space(services.files.scratch):
            requeue_until_space(document, services)
            raise DiskFull from err
        if isinstance(err, UnreadableFile):
            if err.state == TIMED_OUT and requeue_timeout:
                services.catalog.set_state(document.id, QUEUED)
            else:
                _end_unreadable(document, services, err)
            return
        _record_failure(document, services, err)
        raise
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _read_and_save(
    document: Document, services: ProcessingContext, pool: ProcessPool, work: Path, progress: ProgressCallback
) -> None:
    progress("reading", 0, 1)
    original = get_verified_original(services.files, document)  # damaged bytes must not become the recorded text
    kind = detect_kind(original, document.name)
    if kind != document.kind:  # an earlier version of this program knew fewer kinds
        services.catalog.set_kind(document.id, kind)
    settings = services.settings
    seconds = settings.read_seconds * OFFICE_SECONDS_PER_CPU_SECOND
    limits = OfficeSeconds(typesetting=seconds if settings.typesetter == LIBREOFFICE else 0, conversion=seconds)
    file = SourceFile(original, kind, document.name)
    prepared: PreparedDocument = pool.run(prepare_document, file, document.id, PIPELINE_VERSION, work, limits)
    _ingest_attachments(document, prepared, services, pool)
    shutil.rmtree(work / ATTACHMENTS_FOLDER, ignore_errors=True)
    advice = explain_unavailability(settings) if prepared.unread_pages else ""
    if prepared.warnings and advice:
        prepared = replace(prepared, warnings=(*prepared.warnings, advice))
    recognition = AWAITS_RECOGNITION if prepared.unread_pages else ""
    save_prepared_document(document, prepared, services, work, progress, PIPELINE_VERSION, recognition)
    if prepared.unread_pages and not advice:
        services.catalog.set_recognition_progress(document.id, 0, prepared.unread_pages)


def _ingest_attachments(
    document: Document, prepared: PreparedDocument, services: ProcessingContext, pool: ProcessPool
) -> None:
    if prepared.attachments:
        ingest_attachments(
            document,
            prepared.attachments,
            services,
            lambda path, name, meta, known_path: register_file(
                path, name, services, document.collection, meta, known_path
            ),
            lambda attachment: process_document(attachment, services, pool),
        )


def _end_unreadable(document: Document, services: ProcessingContext, err: UnreadableFile) -> None:
    """Record why a document cannot be read; a scan waits for its text to be recognised, where that is possible."""
    settings, reason = services.settings, err.detail
    if err.state == NO_TEXT and document.kind == "pdf":
        if advice := explain_unavailability(settings):
            reason = join_messages([reason, advice])
        elif awaits_recognition(replace(document, state=NO_TEXT), settings):
            services.catalog.await_recognition(document.id, reason)
            return
    services.catalog.set_state(document.id, err.state, reason)


def _is_final(document: Document, settings: Settings) -> bool:
    """Return whether reading the document again would end the same way. Recognition comes after reading."""
    if document.pipeline_version != PIPELINE_VERSION:
        return False
    if document.state == UNSUPPORTED and document.kind in OFFICE_KINDS:  # LibreOffice may have been installed since
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


def _ignore_progress(stage: str, done: int, total: int) -> None: ...


def _get_existing_document(document: Document, services: ProcessingContext) -> Document:
    existing = services.catalog.document(document.id)
    if existing is None:
        raise DocumentDeleted
    return existing


def _is_interpreter_exiting() -> bool:
    """Return whether the main thread has ended: from then on, thread pools refuse work."""
    return not threading.main_thread().is_alive()


def requeue_until_space(document: Document, services: ProcessingContext) -> None:
    """Queue the document again, so that a service processes it once the disk has space."""
    try:
        services.catalog.requeue(document.id, WAITING_FOR_SPACE)
    except Exception as err:  # no space for this either; an unfinished document is resumed in any case
        log.warning("%s could not be put back into the queue (%s)", document.id, type(err).__name__)


def _record_failure(document: Document, services: ProcessingContext, err: Exception) -> None:
    reason = N_("The file could not be processed ({error}). Upload it again.", error=type(err).__name__)
    try:
        services.catalog.set_state(document.id, FAILED, reason)
    except Exception:  # an unfinished document is resumed later
        log.exception("The end of %s could not be noted", document.id)
