"""Where a service hands files in: kept at once, read in the background, told about while it goes on."""

from __future__ import annotations

import logging
import threading
import time
from collections import Counter
from concurrent.futures import Future, wait
from dataclasses import replace
from pathlib import Path

from highlighter.access import bind_principal
from highlighter.models import QUEUED, UNREADABLE, Document
from highlighter.store.catalog import DocumentDeleted
from highlighter.store.deletion import remove_orphans
from highlighter.store.storage_errors import DiskFull, has_space
from highlighter.workers.daemon_executor import DaemonExecutor
from highlighter.workers.process_pool import ProcessPoolClosed
from ingest.context import IngestContext
from ingest.input_files import find_input_files
from ingest.pipeline import DEFAULT_COLLECTION, ingest_file, process_document, register_file, requeue_until_space
from ingest.quarantine import wait_for_idle_cpu

log = logging.getLogger(__name__)

MIN_PAUSE_SECONDS, MAX_PAUSE_SECONDS = 5.0, 20.0  # before a document that met a full disk is read again
PROGRESS_INTERVAL_SECONDS = 0.5  # progress is a write to the catalog: often enough for a bar, seldom enough for a disk


class IngestQueue:
    def __init__(self, services: IngestContext):
        self.services = services
        self.is_closing = False
        self._executor = DaemonExecutor(services.settings.workers, thread_name_prefix="ingest")
        self._pending: Counter[str] = Counter()  # jobs of this process by document: queued here, or being processed
        self._pending_lock = threading.Lock()
        self._retried_ids: set[str] = set()  # waiting, as they timed out once; the next time is the last
        self._pauses: dict[str, tuple[float, float]] = {}  # of documents that met a full disk: until when, how long

    def enqueue_file(
        self, path: Path, name: str, collection: str = DEFAULT_COLLECTION, meta: dict[str, str] | None = None
    ) -> Document:
        """Returns as soon as the bytes are safe; the caller may delete its file."""
        place = name.replace("\\", "/")  # some systems part folders their own way
        document = register_file(path, name, self.services, collection, meta, place).document
        self._submit(document)
        return document

    def ingest_file(self, path: Path, collection: str = DEFAULT_COLLECTION) -> Document:
        """Takes a file in and waits for the end of it. A file that times out is tried once more."""
        process_pool = self.services.process_pool
        document = ingest_file(path, self.services, process_pool, collection, requeue_timeout=True).document
        if document.state == QUEUED:
            wait_for_idle_cpu(lambda: process_pool.closed)
            document = process_document(document, self.services, process_pool)
        return document

    def ingest_folder(self, folder: Path, collection: str = DEFAULT_COLLECTION) -> list[Document]:
        """Take in every document of a folder and of the folders in it; log each file of another kind."""
        found = find_input_files([str(folder)], recursive=True)
        for path, err in found.unsupported.items():
            log.warning("%s: %s", path, err.detail)
        return [self.ingest_file(path, collection) for path in found.to_read]

    def retry(self, document: Document) -> Document:
        """Read a document again that could not be read; one that can be, or is being read, is left as it is."""
        if document.state not in UNREADABLE:
            return document
        self._retried_ids.discard(document.id)
        self.services.catalog.set_state(document.id, QUEUED)
        self._submit(document)
        return replace(document, state=QUEUED, reason="")

    def resume_unfinished(self) -> list[Future]:
        """What an earlier process was killed in. Another that is still at it keeps its claim, and we find it done."""
        self.services.files.sweep_scratch()
        remove_orphans(self.services.catalog, self.services.files)
        return [self._submit(document) for document in self.services.catalog.unfinished_documents()]

    def finish_unfinished(self) -> int:
        """The same, and waits for it; how many there were. What times out is not tried again."""
        self._retried_ids.update(document.id for document in self.services.catalog.unfinished_documents())
        return len(wait(self.resume_unfinished()).done)

    def requeue_waiting(self) -> None:
        """Queue the unfinished documents that no process is at: those that met a full disk, or an upload to a server
        that was being stopped."""
        elsewhere = self._pending.keys() | self._retried_ids
        waiting = [
            document
            for document in self.services.catalog.unfinished_documents()
            if document.id not in elsewhere and not self._is_paused(document.id)
        ]
        if self.is_closing or not waiting or not has_space(self.services.files.scratch):
            return
        for document in waiting:
            with self.services.files.try_lock_document(document.id) as free:
                pass
            if free:
                self._submit(document)

    def close(self) -> None:
        """Begin no more jobs. What is queued stays queued in the catalog, for the next start."""
        self.is_closing = True
        self._executor.shutdown(wait=False, cancel_futures=True)

    def join(self, seconds: float) -> None:
        """Wait for the jobs that were begun before `close`."""
        self._executor.join(seconds)

    def _submit(self, document: Document) -> Future:
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
            first = document.id not in self._retried_ids
            self._retried_ids.discard(document.id)
            if not has_space(self.services.files.scratch):
                requeue_until_space(document, self.services)
                raise DiskFull
            ended = process_document(
                document, self.services, self.services.process_pool, _ProgressReporter(self, document.id), first
            )
            self._pauses.pop(document.id, None)
            if ended.state == QUEUED:
                self._retried_ids.add(document.id)
                retry = bind_principal(self._retry_when_quiet)
                threading.Thread(target=retry, args=[document], name="retry", daemon=True).start()
        except ProcessPoolClosed:
            log.info("Stopped while %s was being read; the next start goes on", document.id)
        except DiskFull:
            self._pause(document.id)
            log.warning("The disk is full; %s waits until there is space", document.id)
        except DocumentDeleted:
            log.info("%s was deleted while it waited or was being read", document.id)
        except Exception:
            log.exception("%s could not be taken in", document.id)

    def _retry_when_quiet(self, document: Document) -> None:
        wait_for_idle_cpu(lambda: self.is_closing)
        try:
            found = None if self.is_closing else self.services.catalog.document(document.id)
        except Exception:
            log.exception("%s could not be tried once more", document.id)
            found = None
        if found and found.state == QUEUED:
            self._submit(document)
        else:
            self._retried_ids.discard(document.id)

    def _pause(self, document_id: str) -> None:
        """A document that needs more than is free would else be read again and again."""
        _, pause = self._pauses.get(document_id, (0.0, MIN_PAUSE_SECONDS / 2))
        pause = min(2 * pause, MAX_PAUSE_SECONDS)
        self._pauses[document_id] = (time.monotonic() + pause, pause)

    def _is_paused(self, document_id: str) -> bool:
        until, _ = self._pauses.get(document_id, (0.0, 0.0))
        return time.monotonic() < until


class _ProgressReporter:
    """Writes progress to the catalog, but not at every step. Between steps is also where a job can be stopped."""

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
