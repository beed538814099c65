"""Ingest one file, from its bytes to a searchable document."""

from __future__ import annotations

import logging
import shutil
import threading
import time
from dataclasses import dataclass, replace
from pathlib import Path

from highlighter.access import DEFAULT_COLLECTION
from highlighter.errors import UnreadableFile
from highlighter.locale import N_, join_messages
from highlighter.models import (  # fmt: skip
    AWAITS_RECOGNITION,
    FAILED,
    NO_TEXT,
    PIPELINE_VERSION,
    QUEUED,
    TIMED_OUT,
    Document,
)
from highlighter.monitoring.metrics import DOCUMENTS_PROCESSED
from highlighter.settings import LIBREOFFICE
from highlighter.store.catalog import DocumentDeleted
from highlighter.store.storage_errors import (
    CatalogDamaged,
    DiskFull,
    FilesUnavailable,
    convert_unreachable_error,
    find_disk_problem,
    has_space,
    is_catalog_damage,
    is_catalog_unreachable,
    is_disk_full,
)
from highlighter.store.verified_files import get_verified_original
from highlighter.tesseract import explain_unavailability
from highlighter.workers.cluster import ClusterUnavailable, ClusterWorkersDied
from highlighter.workers.process_pool import ProcessPool, ProcessPoolClosed
from ingest.attachments import ingest_attachments
from ingest.cluster_tasks import prepare_on_cluster
from ingest.context import ProcessingContext
from ingest.document_writer import ProgressCallback, save_prepared_document
from ingest.file_kinds import detect_kind
from ingest.preparation import ATTACHMENTS_FOLDER, OfficeSeconds, PreparedDocument, SourceFile, prepare_document
from ingest.quarantine import MAX_CHILD_DEATHS, process_in_quarantine
from ingest.recognition import awaits_recognition
from ingest.registration import is_final, register_file

log = logging.getLogger(__name__)

# Wall-clock limits for programs that a reading child process starts; their processor time is limited with its own.
OFFICE_SECONDS_PER_CPU_SECOND = 2  # no more: ReportLab typesets the pages should LibreOffice fail

WAITING_FOR_SPACE = N_("The disk is full. Processing continues when there is space.")
OTHER_COPY_ADVICE = N_("Upload another copy, or run OCR on it first.")
WAITING_FOR_FILES = N_("The file storage does not answer. Processing continues when it does.")


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
    requeue_after_timeout: bool = False,
    known_path: str = "",
) -> IngestOutcome:
    """Register a file and process its document. Killed at any moment and called again, it gives the same result.

    With `requeue_after_timeout`, a document whose reading timed out stays in the queue for the caller to try once more.
    The document is known by `known_path`, which is the file's own path by default.
    """
    started = time.monotonic()
    registration = register_file(path, path.name, services, collection, meta, known_path or str(path))
    is_known = is_final(registration.document, services.settings)
    document = (
        registration.document
        if is_known
        else process_document(registration.document, services, pool, progress, requeue_after_timeout)
    )
    return IngestOutcome(
        document, is_known, time.monotonic() - started, registration.is_new_version, registration.metadata_changed
    )


def process_document(
    document: Document,
    services: ProcessingContext,
    pool: ProcessPool,
    progress: ProgressCallback | None = None,
    requeue_after_timeout: bool = False,
) -> Document:
    """Extract, split, chunk, embed and store a registered document, unless that is done."""
    with services.files.lock_document(document.id):
        existing = _get_existing_document(document, services)
        if is_final(existing, services.settings):
            return existing
        if services.catalog.start_processing(existing.id) > MAX_CHILD_DEATHS:
            process_in_quarantine(existing, services, pool, attempt_processing)
        else:
            try:
                attempt_processing(existing, services, pool, progress, requeue_after_timeout)
            except ClusterWorkersDied:  # with this file, or with another that they read at the same time
                process_in_quarantine(existing, services, pool, attempt_processing)
        processed = _get_existing_document(document, services)
        DOCUMENTS_PROCESSED.labels(processed.state).inc()  # not of one that another process read while this one waited
        return processed


def attempt_processing(
    document: Document,
    services: ProcessingContext,
    pool: ProcessPool,
    progress: ProgressCallback | None = None,
    requeue_after_timeout: bool = False,
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
    except ClusterUnavailable as err:
        requeue(document, services, err.detail)
        raise
    except ClusterWorkersDied:
        raise
    except Exception as err:
        if pool.closed or _is_interpreter_exiting():  # not the document's fault
            services.catalog.cancel_processing(document.id)
            raise ProcessPoolClosed from err
        if is_catalog_damage(err):
            raise CatalogDamaged from err
        if is_catalog_unreachable(err):  # the document stays unfinished, and is taken up again
            raise convert_unreachable_error(err) from err
        if is_disk_full(err) or not has_space(services.files.scratch):
            requeue(document, services, WAITING_FOR_SPACE)
            raise (find_disk_problem(services.files.scratch) or DiskFull()) from err
        if isinstance(err, FilesUnavailable):
            requeue(document, services, WAITING_FOR_FILES)
            raise
        if isinstance(err, UnreadableFile):
            if err.state == TIMED_OUT and requeue_after_timeout:
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
    prepared: PreparedDocument
    if services.cluster:
        prepared = prepare_on_cluster(services.cluster, file, document.id, PIPELINE_VERSION, work, limits)
    else:
        prepared = pool.run(prepare_document, file, document.id, PIPELINE_VERSION, work, limits)
    _ingest_attachments(document, prepared, services, pool)
    shutil.rmtree(work / ATTACHMENTS_FOLDER, ignore_errors=True)
    advice = explain_unavailability(settings) if prepared.unread_pages else ""
    if prepared.warnings and advice:
        prepared = replace(prepared, warnings=(*prepared.warnings, OTHER_COPY_ADVICE, advice))
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
    if err.state == NO_TEXT and document.has_own_pages:
        if advice := explain_unavailability(settings):
            reason = join_messages([reason, advice])
        elif awaits_recognition(replace(document, state=NO_TEXT), settings):
            services.catalog.await_recognition(document.id, reason)
            return
    services.catalog.set_state(document.id, err.state, reason)


def _ignore_progress(stage: str, done: int, total: int) -> None: ...


def _get_existing_document(document: Document, services: ProcessingContext) -> Document:
    existing = services.catalog.document(document.id)
    if existing is None:
        raise DocumentDeleted
    return existing


def _is_interpreter_exiting() -> bool:
    """Return whether the main thread has ended: from then on, thread pools refuse work."""
    return not threading.main_thread().is_alive()


def requeue(document: Document, services: ProcessingContext, reason: str) -> None:
    """Queue the document again, so that a service processes it once there is what it lacks."""
    try:
        services.catalog.requeue(document.id, reason)
    except Exception as err:  # no space for this either; an unfinished document is resumed in any case
        log.warning("%s could not be put back into the queue (%s)", document.id, type(err).__name__)


def _record_failure(document: Document, services: ProcessingContext, err: Exception) -> None:
    reason = N_("The file could not be processed ({error}). Upload it again.", error=type(err).__name__)
    try:
        services.catalog.set_state(document.id, FAILED, reason)
    except Exception:  # an unfinished document is resumed later
        log.exception("The end of %s could not be noted", document.id)
