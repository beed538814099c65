"""Queue files for ingestion: store them at once, process them in the background, report their progress."""

from __future__ import annotations

import logging
import threading
import time
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import Future, wait
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO

from highlighter.access import DEFAULT_COLLECTION, bind_principal
from highlighter.models import QUEUED, UNREADABLE, Document
from highlighter.store.catalog import DocumentDeleted
from highlighter.store.deletion import remove_orphans
from highlighter.store.storage_errors import (
    DiskFull,
    FilesUnavailable,
    find_disk_problem,
    has_space,
    is_catalog_unreachable,
)
from highlighter.workers.cluster import ClusterUnavailable
from highlighter.workers.daemon_executor import DaemonExecutor
from highlighter.workers.process_pool import ProcessPoolClosed
from ingest.context import IngestContext
from ingest.input_files import find_input_files
from ingest.pipeline import WAITING_FOR_SPACE, ingest_file, process_document, requeue
from ingest.quarantine import wait_for_idle_cpu
from ingest.recognition import awaits_recognition, list_waiting
from ingest.recognition_queue import RecognitionQueue
from ingest.registration import register_file, register_upload

log = logging.getLogger(__name__)

MIN_PAUSE_SECONDS, MAX_PAUSE_SECONDS = 5.0, 20.0  # before a document that met a full disk is read again
PROGRESS_INTERVAL_SECONDS = 0.5  # a write to the catalog: often enough for a progress bar, seldom enough for the disk


class IngestQueue:
    """The queue of documents to be ingested, and the workers that process them."""

    def __init__(self, services: IngestContext):
        self.services = services
        self.is_closing = False
        self._executor = DaemonExecutor(services.settings.workers, thread_name_prefix="ingest")
        self._recogniser = RecognitionQueue(services)
        self._pending: Counter[str] = Counter()  # jobs of this process by document, queued or running
        self._pending_lock = threading.Lock()
        self._retried_ids: set[str] = set()  # documents that timed out once; the next attempt is the last
        self._pauses: dict[str, tuple[float, float]] = {}  # by document that met a full disk: (end, seconds)

    def enqueue_file(
        self, path: Path, name: str, collection: str = DEFAULT_COLLECTION, meta: dict[str, str] | None = None
    ) -> Document:
        """Register a file and return as soon as its bytes are safe; the caller may then delete the file."""
        registration = register_file(path, name, self.services, collection, meta, _to_known_path(name))
        self._submit(registration.document)
        return registration.document

    def enqueue_upload(
        self,
        source: BinaryIO,
        name: str,
        collection: str = DEFAULT_COLLECTION,
        meta: Mapping[str, Any] | None = None,
    ) -> Document:
        """Register an upload and return as soon as its bytes are safe."""
        registration = register_upload(source, name, self.services, collection, dict(meta or {}), _to_known_path(name))
        self._submit(registration.document)
        return registration.document

    def ingest_file(self, path: Path, collection: str = DEFAULT_COLLECTION) -> Document:
        """Ingest a file and wait for the outcome. A file that times out is tried once more."""
        process_pool = self.services.process_pool
        document = ingest_file(path, self.services, process_pool, collection, requeue_after_timeout=True).document
        if document.state == QUEUED and not awaits_recognition(document, self.services.settings):
            wait_for_idle_cpu(lambda: process_pool.closed)
            document = process_document(document, self.services, process_pool)
        for waiting in list_waiting(document, self.services):
            self._recogniser.submit(waiting).result()
        return self.services.catalog.document(document.id) or document

    def ingest_folder(self, folder: Path, collection: str = DEFAULT_COLLECTION) -> list[Document]:
        """Ingest every document of a folder and its subfolders; log each file of another kind."""
        input_files = find_input_files([str(folder)], recursive=True)
        for path, err in input_files.unsupported.items():
            log.warning("%s: %s", path, err.detail)
        return [self.ingest_file(path, collection) for path in input_files.to_read]

    def retry(self, document: Document) -> Document:
        """Queue an unreadable document again; a document that is readable, queued or being read stays as it is."""
        if document.state not in UNREADABLE:
            return document
        self._retried_ids.discard(document.id)
        self.services.catalog.set_recognition(document.id, "")
        self.services.catalog.set_state(document.id, QUEUED)
        self._submit(document)
        return replace(document, state=QUEUED, reason="")

    def resume_unfinished(self) -> list[Future[None]]:
        """Queue the documents that an earlier process left unfinished.

        A process still working on one of them keeps its lock, and the job here then finds the document finished.
        """
        self.services.files.sweep_scratch()
        remove_orphans(self.services.catalog, self.services.files)
        self._recogniser.requeue_scans()
        return [self._submit(document) for document in self.services.catalog.unfinished_documents()]

    def finish_unfinished(self) -> int:
        """Resume the unfinished documents, wait for them and return their number; none is retried after a timeout.

        Waits for the recognition of scans, too.
        """
        self._retried_ids.update(document.id for document in self.services.catalog.unfinished_documents())
        done = wait(self.resume_unfinished()).done
        wait(self._recogniser.resume())
        return len(done)

    def requeue_waiting(self) -> None:
        """Queue the unfinished documents that no process works on.

        These are documents that met a full disk, or were uploaded to a server that was being stopped.
        """
        busy_ids = self._pending.keys() | self._retried_ids
        waiting = [
            document
            for document in self.services.catalog.unfinished_documents()
            if document.id not in busy_ids
            and not self._is_paused(document.id)
            and not awaits_recognition(document, self.services.settings)
        ]
        if self.is_closing or not has_space(self.services.files.scratch):
            return
        self._recogniser.resume()
        for document in waiting:
            with self.services.files.try_lock_document(document.id) as is_free:
                pass
            if is_free:
                self._submit(document)

    def close(self) -> None:
        """Start no more jobs. What is queued stays queued in the catalog for the next start."""
        self.is_closing = True
        self._executor.shutdown(wait=False, cancel_futures=True)
        self._recogniser.close()

    def join(self, seconds: float) -> None:
        """Wait for the jobs that were started before `close`."""
        self._executor.join(seconds)
        self._recogniser.join(seconds)

    def _submit(self, document: Document) -> Future[None]:
        with self._pending_lock:
            self._pending[document.id] += 1
        future = self._executor.submit(bind_principal(self._process), document)
        future.add_done_callback(lambda _: self._decrement_pending(document.id))
        return future

    def _decrement_pending(self, document_id: str) -> None:
        with self._pending_lock:
            self._pending[document_id] -= 1
            if not self._pending[document_id]:
                del self._pending[document_id]

    def _process(self, document: Document) -> None:
        try:
            if self.is_closing:
                raise ProcessPoolClosed
            is_first_attempt = document.id not in self._retried_ids
            self._retried_ids.discard(document.id)
            if problem := find_disk_problem(self.services.files.scratch):
                requeue(document, self.services, WAITING_FOR_SPACE)
                raise problem
            processed = process_document(
                document,
                self.services,
                self.services.process_pool,
                _ProgressReporter(self, document.id),
                is_first_attempt,
            )
            self._pauses.pop(document.id, None)
            for waiting in list_waiting(processed, self.services):
                self._recogniser.submit(waiting)
            if processed.state == QUEUED and not awaits_recognition(processed, self.services.settings):
                self._retried_ids.add(document.id)
                retry = bind_principal(self._retry_when_quiet)
                threading.Thread(target=retry, args=[document], name="retry", daemon=True).start()
        except ProcessPoolClosed:
            log.info("Stopped while %s was being read; the next start goes on", document.id)
        except DiskFull as err:
            self._pause(document.id)
            log.warning("%s; %s waits until there is space", err.title, document.id)
        except FilesUnavailable:
            self._pause(document.id)
            log.warning("The file storage does not answer; %s waits until it does", document.id)
        except ClusterUnavailable:
            self._pause(document.id)
            log.warning("The Dask cluster does not answer; %s waits until it does", document.id)
        except DocumentDeleted:
            log.info("%s was deleted while it waited or was being read", document.id)
        except Exception as err:
            if is_catalog_unreachable(err):
                log.warning("The database cannot be reached; %s waits until it can be", document.id)
            else:
                log.exception("%s could not be taken in", document.id)

    def _retry_when_quiet(self, document: Document) -> None:
        wait_for_idle_cpu(lambda: self.is_closing)
        try:
            current = None if self.is_closing else self.services.catalog.document(document.id)
        except Exception:
            log.exception("%s could not be tried once more", document.id)
            current = None
        if current and current.state == QUEUED:
            self._submit(document)
        else:
            self._retried_ids.discard(document.id)

    def _pause(self, document_id: str) -> None:
        """Pause a document that lacks space or its file, or one that needs more than is free would be read again and again."""
        _, pause = self._pauses.get(document_id, (0.0, MIN_PAUSE_SECONDS / 2))
        pause = min(2 * pause, MAX_PAUSE_SECONDS)
        self._pauses[document_id] = (time.monotonic() + pause, pause)

    def _is_paused(self, document_id: str) -> bool:
        end, _ = self._pauses.get(document_id, (0.0, 0.0))
        return time.monotonic() < end


def _to_known_path(name: str) -> str:
    """Return the path under which an uploaded file is known; Windows separates folders by backslashes."""
    return name.replace("\\", "/")


class _ProgressReporter:
    """A progress callback that writes to the catalog, but not at each step, and stops the job when the queue closes."""

    def __init__(self, queue: IngestQueue, document_id: str):
        self._queue = queue
        self._document_id = document_id
        self._stage, self._reported_at = "", 0.0

    def __call__(self, stage: str, done: int, total: int) -> None:
        if self._queue.is_closing:
            raise ProcessPoolClosed
        if stage == self._stage and time.monotonic() - self._reported_at < PROGRESS_INTERVAL_SECONDS:
            return
        self._stage, self._reported_at = stage, time.monotonic()
        self._queue.services.catalog.set_progress(self._document_id, stage, done, total)
