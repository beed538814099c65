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

from highlighter.access import DEFAULT_COLLECTION, checked_collection
from highlighter.errors import Unreadable
from highlighter.locale import N_
from highlighter.models import (
    DAMAGED,
    EMPTY,
    ENCRYPTED,
    FAILED,
    NO_TEXT,
    PARTIAL,
    PIPELINE,
    QUEUED,
    READABLE,
    READY,
    TIMED_OUT,
    TOO_LARGE,
    UNREADABLE,
    UNSUPPORTED,
    Document,
)  # fmt: skip
from highlighter.services import Services
from highlighter.settings import LIBREOFFICE
from highlighter.store.catalog import Contents, Deleted, VectorsMissing
from highlighter.store.checked_files import checked_original
from highlighter.store.damage import CatalogDamaged, is_damage
from highlighter.store.disk import DiskFull, has_space, no_room
from highlighter.store.documents import Entry
from highlighter.workers.jail import WALL_SECONDS_PER_CPU_SECOND, Closed, Jail
from ingest.embed import embed
from ingest.kinds import kind_of
from ingest.long_sentences import cut_long
from ingest.names import as_name, as_path
from ingest.prepare import Prepared, prepare
from ingest.trial import MOST_DEATHS, try_alone

log = logging.getLogger(__name__)

# By the clock, for programs that a reading child starts. Their processor time is limited as its own is.
FOR_THE_REST = 10  # seconds that recognising words leaves to everything else
OFFICE_SECONDS_PER_CPU_SECOND = 2  # no more: our own pages take its place, should it fail

WAITING_FOR_SPACE = N_("The disk is full. Processing continues when there is space.")

# Reading the same bytes again would end the same way; a time-out or a fault of ours may not.
SETTLED = READABLE | {NO_TEXT, ENCRYPTED, DAMAGED, TOO_LARGE, UNSUPPORTED, EMPTY}

Progress = Callable[[str, int, int], None]  # stage, done, total


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one file, and how much of that is new."""

    document: Document
    known: bool  # these bytes were here before, and read
    seconds: float
    new_version: bool = False  # of its path; the first is one, too
    described: bool = False  # the metadata given changed what was kept


def ingest_file(
    path: Path,
    services: Services,
    jail: Jail,
    collection: str = DEFAULT_COLLECTION,
    progress: Progress | None = None,
    meta: dict[str, str] | None = None,
    requeue_timeout: bool = False,
) -> Outcome:
    """Takes a file in and ends what was begun. Killed at any moment and called again, it comes to the same end.

    With `requeue_timeout`, a document whose reading timed out is left in the queue for the caller to try once more.
    """
    began = time.monotonic()
    entry = take_in(path, path.name, services, collection, meta, str(path))
    known = _is_settled(entry.document, services.settings.ocr)
    document = entry.document if known else end(entry.document, services, jail, progress, requeue_timeout)
    return Outcome(document, known, time.monotonic() - began, entry.new_version, entry.described)


def take_in(
    path: Path,
    name: str,
    services: Services,
    collection: str = DEFAULT_COLLECTION,
    meta: dict[str, str] | None = None,
    place: str = "",
) -> Entry:
    """Keeps the user's own bytes and makes the document's row: from here on, nothing of the caller's is needed.

    `place` is the path the user knows the file by, or its name again: other bytes there are a new version.
    """
    checked_collection(collection)
    try:
        with path.open("rb") as file:
            sha256 = hashlib.file_digest(file, "sha256").hexdigest()
            with services.files.claim_original(sha256):  # or somebody might just be deleting their last other use
                stored = services.files.original(sha256)
                if services.files.sha256_unless_unchanged(stored) != sha256:  # missing, or damaged since: put right
                    file.seek(0)
                    services.files.keep_original(file)
                size = path.stat().st_size
                entry = services.catalog.enter(
                    collection, sha256, as_name(name), _kind(path), size, meta, as_path(place or name)
                )
        return _requeue_if_unread(entry, services)
    except Exception as err:
        if no_room(err):
            raise DiskFull from err
        raise


def _requeue_if_unread(entry: Entry, services: Services) -> Entry:
    """The old error of a document that is to be read again is not shown any more."""
    document = entry.document
    if document.state not in UNREADABLE or _is_settled(document, services.settings.ocr):
        return entry
    services.catalog.set_state(document.id, QUEUED)
    return replace(entry, document=replace(document, state=QUEUED, reason=""))


def end(
    document: Document,
    services: Services,
    jail: Jail,
    progress: Progress | None = None,
    requeue_timeout: bool = False,
) -> Document:
    """Reads, splits, chunks, embeds and keeps a document that was taken in, unless that is done."""
    with services.files.claim(document.id):
        found = _still_there(document, services)
        if _is_settled(found, services.settings.ocr):
            return found
        if services.catalog.begin(found.id) > MOST_DEATHS:
            try_alone(found, services, jail)
        else:
            attempt(found, services, jail, progress, requeue_timeout)
        return _still_there(document, services)


def attempt(
    document: Document,
    services: Services,
    jail: Jail,
    progress: Progress | None = None,
    requeue_timeout: bool = False,
) -> None:
    """Brings a claimed document to some end, which the catalog then tells."""
    work = services.files.workplace()
    try:
        _read_and_keep(document, services, jail, work, progress or _silently)
    except Closed:  # we are being stopped: the document stays unfinished, and the next start takes it up
        services.catalog.give_up(document.id)
        raise
    except Deleted:
        services.files.remove_made(document.id)
        raise
    except Exception as err:
        if jail.closed or _is_interpreter_exiting():  # whatever failed, it is no fault of the document
            services.catalog.give_up(document.id)
            raise Closed from err
        if is_damage(err):
            raise CatalogDamaged from err
        if no_room(err) or not has_space(services.files.scratch):
            wait_for_space(document, services)
            raise DiskFull from err
        if isinstance(err, Unreadable):
            if err.state == TIMED_OUT and requeue_timeout:
                services.catalog.set_state(document.id, QUEUED)
            else:
                services.catalog.set_state(document.id, err.state, err.detail)
            return
        _note_failure(document, services, err)
        raise
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _read_and_keep(document: Document, services: Services, jail: Jail, work: Path, progress: Progress) -> None:
    progress("reading", 0, 1)
    original = checked_original(services.files, document)  # damaged bytes must not become the recorded text
    kind = kind_of(original)
    settings = services.settings
    wall_seconds = settings.read_seconds * WALL_SECONDS_PER_CPU_SECOND
    ocr_seconds = max(wall_seconds - FOR_THE_REST, 1) if settings.ocr else 0
    uses_office = settings.typesetter == LIBREOFFICE
    office_seconds = settings.read_seconds * OFFICE_SECONDS_PER_CPU_SECOND if uses_office else 0
    limits = (ocr_seconds, office_seconds)
    prepared: Prepared = jail.run(prepare, original, kind, document.name, document.id, PIPELINE, work, *limits)
    sentences = cut_long(prepared.sentences, services.embedder)
    contents = Contents(prepared.text, prepared.source_map, prepared.facts, prepared.chunks, sentences, prepared.labels)
    embed([sentence.text for _, sentence in sentences], services, progress)
    contents = replace(contents, file_hashes=services.files.keep_made(work, document.id, PIPELINE))
    told = " ".join([prepared.note, *prepared.warnings]).strip()
    end = (PARTIAL if prepared.warnings else READY, told, services.embedder.name)
    try:
        services.catalog.keep(document.id, contents, *end)
    except VectorsMissing:  # another document was deleted meanwhile, with sentences that ours has too
        embed([sentence.text for _, sentence in sentences], services, progress)
        services.catalog.keep(document.id, contents, *end)


def _is_settled(document: Document, ocr: bool) -> bool:
    if document.state == NO_TEXT and ocr:  # it may have been a scan before there was OCR
        return False
    return document.state in SETTLED and document.pipeline == PIPELINE


def _kind(path: Path) -> str:
    try:
        return kind_of(path)
    except Unreadable:
        return ""  # told again, and kept, when it is read


def _silently(stage: str, done: int, total: int) -> None: ...


def _still_there(document: Document, services: Services) -> Document:
    found = services.catalog.document(document.id)
    if found is None:
        raise Deleted
    return found


def _is_interpreter_exiting() -> bool:
    """Thread pools refuse work from then on."""
    return not threading.main_thread().is_alive()


def wait_for_space(document: Document, services: Services) -> None:
    """Put the document back into the queue, so that a service takes it up again once the disk has space."""
    try:
        services.catalog.put_back(document.id, WAITING_FOR_SPACE)
    except Exception as err:  # no space for this either; as unfinished as it is, it is taken up again, too
        log.warning("%s could not be put back into the queue (%s)", document.id, type(err).__name__)


def _note_failure(document: Document, services: Services, err: Exception) -> None:
    why = N_(f"It could not be taken in ({type(err).__name__}). Hand it in again.")
    try:
        services.catalog.set_state(document.id, FAILED, why)
    except Exception:  # unfinished, it is taken up again
        log.exception("The end of %s could not be noted", document.id)
