"""Where a service hands files in: kept at once, read in the background, told about while it goes on."""

from __future__ import annotations

import logging
import threading
import time
from collections import Counter
from concurrent.futures import Future, wait
from dataclasses import replace
from pathlib import Path

from highlighter.access import for_caller
from highlighter.daemon_executor import DaemonExecutor
from highlighter.models import QUEUED, UNREADABLE, Document
from highlighter.services import Services
from highlighter.store.catalog import Deleted
from highlighter.store.disk import DiskFull, has_space
from highlighter.store.removal import sweep_orphans
from highlighter.workers.jail import Closed
from ingest.named import files
from ingest.pipeline import DEFAULT_COLLECTION, end, ingest_file, take_in, wait_for_space
from ingest.quiet import wait_until_quiet

log = logging.getLogger(__name__)

MIN_PAUSE_SECONDS, MAX_PAUSE_SECONDS = 5.0, 20.0  # before a document that met a full disk is read again
TELL_EVERY_SECONDS = 0.5  # progress is a write to the catalog: often enough for a bar, seldom enough for a disk


class Desk:
    def __init__(self, services: Services):
        self.services = services
        self.closing = False
        self._clerks = DaemonExecutor(services.settings.workers, thread_name_prefix="ingest")
        self._pending: Counter[str] = Counter()  # jobs of this process by document: queued here, or being processed
        self._counting = threading.Lock()
        self._retried: set[str] = set()  # waiting, as they timed out once; the next time is the last
        self._pauses: dict[str, tuple[float, float]] = {}  # of documents that met a full disk: until when, how long

    def hand_in(
        self, path: Path, name: str, collection: str = DEFAULT_COLLECTION, meta: dict[str, str] | None = None
    ) -> Document:
        """Returns as soon as the bytes are safe; the caller may delete its file."""
        place = name.replace("\\", "/")  # some systems part folders their own way
        document = take_in(path, name, self.services, collection, meta, place).document
        self._begin(document)
        return document

    def take(self, path: Path, collection: str = DEFAULT_COLLECTION) -> Document:
        """Takes a file in and waits for the end of it. A file that times out is tried once more."""
        jail = self.services.jail
        document = ingest_file(path, self.services, jail, collection, requeue_timeout=True).document
        if document.state == QUEUED:
            wait_until_quiet(lambda: jail.closed)
            document = end(document, self.services, jail)
        return document

    def take_folder(self, folder: Path, collection: str = DEFAULT_COLLECTION) -> list[Document]:
        """Take in every document of a folder and of the folders in it; log each file of another kind."""
        found = files([str(folder)], recursive=True)
        for path, err in found.unsupported.items():
            log.warning("%s: %s", path, err.detail)
        return [self.take(path, collection) for path in found.to_read]

    def retry(self, document: Document) -> Document:
        """Read a document again that could not be read; one that can be, or is being read, is left as it is."""
        if document.state not in UNREADABLE:
            return document
        self._retried.discard(document.id)
        self.services.catalog.set_state(document.id, QUEUED)
        self._begin(document)
        return replace(document, state=QUEUED, reason="")

    def take_up_unfinished(self) -> list[Future]:
        """What an earlier process was killed in. Another that is still at it keeps its claim, and we find it done."""
        self.services.files.sweep()
        sweep_orphans(self.services.catalog, self.services.files)
        return [self._begin(document) for document in self.services.catalog.unfinished()]

    def end_unfinished(self) -> int:
        """The same, and waits for it; how many there were. What times out is not tried again."""
        self._retried.update(document.id for document in self.services.catalog.unfinished())
        return len(wait(self.take_up_unfinished()).done)

    def resume_waiting(self) -> None:
        """Queue the unfinished documents that no process is at: those that met a full disk, or an upload to a server
        that was being stopped."""
        elsewhere = self._pending.keys() | self._retried
        waiting = [
            document
            for document in self.services.catalog.unfinished()
            if document.id not in elsewhere and not self._is_paused(document.id)
        ]
        if self.closing or not waiting or not has_space(self.services.files.scratch):
            return
        for document in waiting:
            with self.services.files.claim_if_free(document.id) as free:
                pass
            if free:
                self._begin(document)

    def close(self) -> None:
        """Begin no more jobs. What is queued stays queued in the catalog, for the next start."""
        self.closing = True
        self._clerks.shutdown(wait=False, cancel_futures=True)

    def join(self, seconds: float) -> None:
        """Wait for the jobs that were begun before `close`."""
        self._clerks.join(seconds)

    def _begin(self, document: Document) -> Future:
        with self._counting:
            self._pending[document.id] += 1
        future = self._clerks.submit(for_caller(self._end), document)
        future.add_done_callback(lambda _: self._count_down(document.id))
        return future

    def _count_down(self, document_id: str) -> None:
        with self._counting:
            self._pending[document_id] -= 1
            if not self._pending[document_id]:
                del self._pending[document_id]

    def _end(self, document: Document) -> None:
        try:
            if self.closing:
                raise Closed
            first = document.id not in self._retried
            self._retried.discard(document.id)
            if not has_space(self.services.files.scratch):
                wait_for_space(document, self.services)
                raise DiskFull
            ended = end(document, self.services, self.services.jail, _Teller(self, document.id), first)
            self._pauses.pop(document.id, None)
            if ended.state == QUEUED:
                self._retried.add(document.id)
                retry = for_caller(self._retry_when_quiet)
                threading.Thread(target=retry, args=[document], name="retry", daemon=True).start()
        except Closed:
            log.info("Stopped while %s was being read; the next start goes on", document.id)
        except DiskFull:
            self._pause(document.id)
            log.warning("The disk is full; %s waits until there is space", document.id)
        except Deleted:
            log.info("%s was deleted while it waited or was being read", document.id)
        except Exception:
            log.exception("%s could not be taken in", document.id)

    def _retry_when_quiet(self, document: Document) -> None:
        wait_until_quiet(lambda: self.closing)
        try:
            found = None if self.closing else self.services.catalog.document(document.id)
        except Exception:
            log.exception("%s could not be tried once more", document.id)
            found = None
        if found and found.state == QUEUED:
            self._begin(document)
        else:
            self._retried.discard(document.id)

    def _pause(self, document_id: str) -> None:
        """A document that needs more than is free would else be read again and again."""
        _, pause = self._pauses.get(document_id, (0.0, MIN_PAUSE_SECONDS / 2))
        pause = min(2 * pause, MAX_PAUSE_SECONDS)
        self._pauses[document_id] = (time.monotonic() + pause, pause)

    def _is_paused(self, document_id: str) -> bool:
        until, _ = self._pauses.get(document_id, (0.0, 0.0))
        return time.monotonic() < until


class _Teller:
    """Writes progress to the catalog, but not at every step. Between steps is also where a job can be stopped."""

    def __init__(self, desk: Desk, document_id: str):
        self._desk = desk
        self._document_id = document_id
        self._stage, self._told = "", 0.0

    def __call__(self, stage: str, done: int, total: int) -> None:
        if self._desk.closing:
            raise Closed
        if stage == self._stage and time.monotonic() - self._told < TELL_EVERY_SECONDS:
            return
        self._stage, self._told = stage, time.monotonic()
        self._desk.services.catalog.set_progress(self._document_id, stage, done, total)
