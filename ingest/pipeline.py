"""A file in, a searchable document out: the table of contents of ingestion."""

from __future__ import annotations

import hashlib
import logging
import shutil
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from highlighter.access import DEFAULT_COLLECTION, validate_collection_name
from highlighter.errors import UnreadableFile
from highlighter.locale import N_
from highlighter.models import (  # fmt: skip
    DAMAGED,
    EMPTY,
    ENCRYPTED,
    FAILED,
    NO_TEXT,
    PARTIAL,
    PIPELINE_VERSION,
    QUEUED,
    READABLE,
    READY,
    TIMED_OUT,
    TOO_LARGE,
    UNREADABLE,
    UNSUPPORTED,
    Document,
)
from highlighter.services import Services
from highlighter.settings import LIBREOFFICE
from highlighter.store.catalog import DocumentContents, DocumentDeleted, VectorsMissing
from highlighter.store.documents import Registration
from highlighter.store.storage_errors import CatalogDamaged, DiskFull, has_space, is_catalog_damage, is_disk_full
from highlighter.store.verified_files import get_verified_original
from highlighter.workers.process_pool import WALL_SECONDS_PER_CPU_SECOND, ProcessPool, ProcessPoolClosed
from ingest.embedding import embed_sentences, split_long_sentences
from ingest.input_files import detect_kind, normalise_name, normalise_path
from ingest.preparation import PreparedDocument, prepare_document
from ingest.quarantine import MAX_CHILD_DEATHS, process_in_quarantine

log = logging.getLogger(__name__)

# By the clock, for programs that a reading child starts. Their processor time is limited as its own is.
NON_OCR_SECONDS = 10  # seconds that recognising words leaves to everything else
OFFICE_SECONDS_PER_CPU_SECOND = 2  # no more: our own pages take its place, should it fail

WAITING_FOR_SPACE = N_("The disk is full. Processing continues when there is space.")

# Reading the same bytes again would end the same way; a time-out or a fault of ours may not.
FINAL_STATES = READABLE | {NO_TEXT, ENCRYPTED, DAMAGED, TOO_LARGE, UNSUPPORTED, EMPTY}

ProgressCallback = Callable[[str, int, int], None]  # stage, done, total


@dataclass(frozen=True, slots=True)
class IngestOutcome:
    """What became of one file, and how much of that is new."""

    document: Document
    was_known: bool  # these bytes were here before, and read
    seconds: float
    new_version: bool = False  # of its path; the first is one, too
    metadata_updated: bool = False  # the metadata given changed what was kept


def ingest_file(
    path: Path,
    services: Services,
    pool: ProcessPool,
    collection: str = DEFAULT_COLLECTION,
    progress: ProgressCallback | None = None,
    meta: dict[str, str] | None = None,
    requeue_timeout: bool = False,
) -> IngestOutcome:
    """Takes a file in and ends what was begun. Killed at any moment and called again, it comes to the same end.

    With `requeue_timeout`, a document whose reading timed out is left in the queue for the caller to try once more.
    """
    began = time.monotonic()
    entry = register_file(path, path.name, services, collection, meta, str(path))
    known = _is_final(entry.document, services.settings.ocr)
    document = entry.document if known else process_document(entry.document, services, pool, progress, requeue_timeout)
    return IngestOutcome(document, known, time.monotonic() - began, entry.is_new_version, entry.metadata_changed)


def register_file(
    path: Path,
    name: str,
    services: Services,
    collection: str = DEFAULT_COLLECTION,
    meta: dict[str, str] | None = None,
    known_path: str = "",
) -> Registration:
    """Keeps the user's own bytes and makes the document's row: from here on, nothing of the caller's is needed.

    `place` is the path the user knows the file by, or its name again: other bytes there are a new version.
    """
    validate_collection_name(collection)
    try:
        with path.open("rb") as file:
            sha256 = hashlib.file_digest(file, "sha256").hexdigest()
            with services.files.lock_original(sha256):  # or somebody might just be deleting their last other use
                stored = services.files.original_path(sha256)
                if services.files.compute_sha256_cached(stored) != sha256:  # missing, or damaged since: put right
                    file.seek(0)
                    services.files.save_original(file)
                size = path.stat().st_size
                entry = services.catalog.register_upload(
                    collection,
                    sha256,
                    normalise_name(name),
                    _detect_kind_or_blank(path),
                    size,
                    meta,
                    normalise_path(known_path or name),
                )
        return _requeue_if_unread(entry, services)
    except Exception as err:
        if is_disk_full(err):
            raise DiskFull from err
        raise


def _requeue_if_unread(entry: Registration, services: Services) -> Registration:
    """The old error of a document that is to be read again is not shown any more."""
    document = entry.document
    if document.state not in UNREADABLE or _is_final(document, services.settings.ocr):
        return entry
    services.catalog.set_state(document.id, QUEUED)
    return replace(entry, document=replace(document, state=QUEUED, reason=""))


def process_document(
    document: Document,
    services: Services,
    pool: ProcessPool,
    progress: ProgressCallback | None = None,
    requeue_timeout: bool = False,
) -> Document:
    """Reads, splits, chunks, embeds and keeps a document that was taken in, unless that is done."""
    with services.files.lock_document(document.id):
        found = _get_existing_document(document, services)
        if _is_final(found, services.settings.ocr):
            return found
        if services.catalog.start_processing(found.id) > MAX_CHILD_DEATHS:
            process_in_quarantine(found, services, pool)
        else:
            attempt_processing(found, services, pool, progress, requeue_timeout)
        return _get_existing_document(document, services)


def attempt_processing(
    document: Document,
    services: Services,
    pool: ProcessPool,
    progress: ProgressCallback | None = None,
    requeue_timeout: bool = False,
) -> None:
    """Brings a claimed document to some end, which the catalog then tells."""
    work = services.files.create_work_folder()
    try:
        _read_and_save(document, services, pool, work, progress or _ignore_progress)
    except ProcessPoolClosed:  # we are being stopped: the document stays unfinished, and the next start takes it up
        services.catalog.cancel_processing(document.id)
        raise
    except DocumentDeleted:
        services.files.remove_generated_files(document.id)
        raise
    except Exception as err:
        if pool.closed or _is_interpreter_exiting():  # whatever failed, it is no fault of the document
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
                services.catalog.set_state(document.id, err.state, err.detail)
            return
        _record_failure(document, services, err)
        raise
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _read_and_save(
    document: Document, services: Services, pool: ProcessPool, work: Path, progress: ProgressCallback
) -> None:
    progress("reading", 0, 1)
    original = get_verified_original(services.files, document)  # damaged bytes must not become the recorded text
    kind = detect_kind(original)
    settings = services.settings
    wall_seconds = settings.read_seconds * WALL_SECONDS_PER_CPU_SECOND
    ocr_seconds = max(wall_seconds - NON_OCR_SECONDS, 1) if settings.ocr else 0
    uses_office = settings.typesetter == LIBREOFFICE
    office_seconds = settings.read_seconds * OFFICE_SECONDS_PER_CPU_SECOND if uses_office else 0
    limits = (ocr_seconds, office_seconds)
    prepared: PreparedDocument = pool.run(
        prepare_document, original, kind, document.name, document.id, PIPELINE_VERSION, work, *limits
    )
    sentences = split_long_sentences(prepared.sentences, services.embedder)
    contents = DocumentContents(
        prepared.text, prepared.source_map, prepared.facts, prepared.chunks, sentences, prepared.page_labels
    )
    embed_sentences([sentence.text for _, sentence in sentences], services, progress)
    contents = replace(contents, file_hashes=services.files.save_generated_folder(work, document.id, PIPELINE_VERSION))
    told = " ".join([prepared.note, *prepared.warnings]).strip()
    end = (PARTIAL if prepared.warnings else READY, told, services.embedder.name)
    try:
        services.catalog.save_contents(document.id, contents, *end)
    except VectorsMissing:  # another document was deleted meanwhile, with sentences that ours has too
        embed_sentences([sentence.text for _, sentence in sentences], services, progress)
        services.catalog.save_contents(document.id, contents, *end)


def _is_final(document: Document, ocr: bool) -> bool:
    if document.state == NO_TEXT and ocr:  # it may have been a scan before there was OCR
        return False
    return document.state in FINAL_STATES and document.pipeline == PIPELINE_VERSION


def _detect_kind_or_blank(path: Path) -> str:
    try:
        return detect_kind(path)
    except UnreadableFile:
        return ""  # told again, and kept, when it is read


def _ignore_progress(stage: str, done: int, total: int) -> None: ...


def _get_existing_document(document: Document, services: Services) -> Document:
    found = services.catalog.document(document.id)
    if found is None:
        raise DocumentDeleted
    return found


def _is_interpreter_exiting() -> bool:
    """Thread pools refuse work from then on."""
    return not threading.main_thread().is_alive()


def requeue_until_space(document: Document, services: Services) -> None:
    """Put the document back into the queue, so that a service takes it up again once the disk has space."""
    try:
        services.catalog.requeue(document.id, WAITING_FOR_SPACE)
    except Exception as err:  # no space for this either; as unfinished as it is, it is taken up again, too
        log.warning("%s could not be put back into the queue (%s)", document.id, type(err).__name__)


def _record_failure(document: Document, services: Services, err: Exception) -> None:
    why = N_(f"The file could not be processed ({type(err).__name__}). Upload it again.")
    try:
        services.catalog.set_state(document.id, FAILED, why)
    except Exception:  # unfinished, it is taken up again
        log.exception("The end of %s could not be noted", document.id)
