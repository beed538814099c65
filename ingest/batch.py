"""Ingest many files at once: report each file as it ends, and keep the search index up to date meanwhile."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from contextlib import nullcontext
from dataclasses import dataclass, field, replace

from highlighter.models import QUEUED, Document
from highlighter.store.deletion import remove_orphans, remove_overdue_documents
from highlighter.store.index import INDEX_SYNC_INTERVAL_SECONDS
from highlighter.store.storage_errors import convert_unreachable_error, is_catalog_unreachable, is_disk_full
from highlighter.workers.cluster import ClusterUnavailable
from highlighter.workers.process_pool import ProcessPool
from ingest.context import IngestContext
from ingest.document_writer import ProgressCallback
from ingest.input_objects import InputFile, InputObject
from ingest.pipeline import IngestOutcome, ingest_file
from ingest.quarantine import wait_for_idle_cpu
from ingest.recognition import awaits_recognition, list_waiting, recognise_document

log = logging.getLogger(__name__)

_RECOGNITION_POLL_SECONDS = 1.0  # while another process recognises the same document
_CLUSTER_POLL_SECONDS = 1.0
_CATALOG_POLL_SECONDS = 1.0
MAX_CATALOG_WAIT_SECONDS = 60.0  # a restart of the database takes seconds
FileDoneCallback = Callable[[InputFile, IngestOutcome | Exception], None]


def ingest_files(
    paths: list[InputFile],
    services: IngestContext,
    collection: str,
    meta: dict[str, str],
    workers: int,
    make_progress: Callable[[], ProgressCallback],
    on_file_done: FileDoneCallback,
) -> dict[InputFile, IngestOutcome | Exception]:
    """Ingest the files and return the outcome of each.

    Interrupted, it stops its child processes and leaves the remaining files for the next run.
    """
    settings = services.settings
    services.files.sweep_scratch()
    remove_overdue_documents(services.catalog, services.files)
    remove_orphans(services.catalog, services.files)
    if not paths:
        return {}
    process_pool = ProcessPool(min(workers, len(paths)), settings.read_seconds, settings.read_memory_mb)
    index_follower = _IndexFollower(services)
    try:
        with ThreadPoolExecutor(workers) as executor:
            batch = _Batch(services, executor, process_pool, collection, meta, make_progress, on_file_done)
            try:
                batch.ingest(paths)
            except BaseException:
                executor.shutdown(wait=False, cancel_futures=True)
                process_pool.close()
                if services.cluster:
                    services.cluster.close()
                raise
        index_follower.catch_up()
    finally:
        index_follower.stop()
        process_pool.close()
    return batch.outcomes


@dataclass(slots=True)
class _CatalogWait:
    """How long the files of a batch have waited for a database that cannot be reached; after a while, none waits any more."""

    lost_at: float | None = None  # by the monotonic clock

    def may_continue(self) -> bool:
        self.lost_at = self.lost_at or time.monotonic()
        return time.monotonic() - self.lost_at < MAX_CATALOG_WAIT_SECONDS

    def end(self) -> None:
        self.lost_at = None


@dataclass(slots=True)
class _Batch:
    """Files that are ingested together, and the outcomes so far."""

    services: IngestContext
    executor: ThreadPoolExecutor
    process_pool: ProcessPool
    collection: str
    meta: dict[str, str]
    make_progress: Callable[[], ProgressCallback]
    on_file_done: FileDoneCallback
    outcomes: dict[InputFile, IngestOutcome | Exception] = field(default_factory=dict)
    catalog_wait: _CatalogWait = field(default_factory=_CatalogWait)
    scans: dict[InputFile, IngestOutcome] = field(default_factory=dict)  # read, but for the text of their pictures

    def ingest(self, paths: list[InputFile]) -> None:
        """Ingest the files: first all at once, then those that timed out, and last the text of scans."""
        timed_out: list[InputFile] = []
        path_by_future = {self._submit(path, requeue_after_timeout=True): path for path in paths}
        for future in as_completed(path_by_future):
            path = path_by_future[future]
            outcome = _get_outcome(future)
            if isinstance(outcome, IngestOutcome) and _has_timed_out(outcome.document, self.services):
                timed_out.append(path)
            else:
                self._finish(path, outcome)
        for path in timed_out:  # one at a time, now that the others are done
            wait_for_idle_cpu(lambda: self.process_pool.closed)
            self._finish(path, _get_outcome(self._submit(path, requeue_after_timeout=False)))
        for path, scan in self.scans.items():  # last: the text of a page takes seconds
            self._report(path, _recognise(scan, self.services, self.process_pool, self.make_progress()))

    def _submit(self, path: InputFile, requeue_after_timeout: bool) -> Future[IngestOutcome]:
        return self.executor.submit(
            _ingest,
            path,
            self.services,
            self.process_pool,
            self.collection,
            self.make_progress(),
            self.meta,
            requeue_after_timeout,
            self.catalog_wait,
        )

    def _finish(self, path: InputFile, outcome: IngestOutcome | Exception) -> None:
        """Report the outcome of a file, unless the text of its scans is still to be recognised."""
        if isinstance(outcome, IngestOutcome) and list_waiting(outcome.document, self.services):
            self.scans[path] = outcome
        else:
            self._report(path, outcome)

    def _report(self, path: InputFile, outcome: IngestOutcome | Exception) -> None:
        self.outcomes[path] = outcome
        self.on_file_done(path, outcome)


def _ingest(
    file: InputFile,
    services: IngestContext,
    process_pool: ProcessPool,
    collection: str,
    progress: ProgressCallback,
    meta: dict[str, str],
    requeue_after_timeout: bool,
    catalog_wait: _CatalogWait,
) -> IngestOutcome:
    """Ingest a file; while the cluster does not answer, and for a while without a database, wait and try again."""
    with file.download() if isinstance(file, InputObject) else nullcontext(file) as path:
        while True:
            try:
                outcome = ingest_file(
                    path,
                    services,
                    process_pool,
                    collection,
                    progress,
                    meta,
                    requeue_after_timeout,
                    known_path=str(file),
                )
                catalog_wait.end()
                return outcome
            except ClusterUnavailable:
                while services.cluster and services.cluster.find_problem() and not process_pool.closed:
                    time.sleep(_CLUSTER_POLL_SECONDS)
                if process_pool.closed:
                    raise
            except Exception as err:
                if not is_catalog_unreachable(err):
                    raise
                if process_pool.closed or not catalog_wait.may_continue():
                    raise convert_unreachable_error(err) from err
                time.sleep(_CATALOG_POLL_SECONDS)


def _recognise(
    outcome: IngestOutcome, services: IngestContext, process_pool: ProcessPool, progress: ProgressCallback
) -> IngestOutcome | Exception:
    """Recognise the text of a file's scans, or wait while a service does, and return the new outcome."""
    document, started = outcome.document, time.monotonic()
    try:
        for waiting in list_waiting(document, services):
            _recognise_document(waiting, services, process_pool, progress)
    except Exception as err:
        return err
    seconds = outcome.seconds + time.monotonic() - started
    return replace(outcome, document=services.catalog.document(document.id) or document, seconds=seconds)


def _recognise_document(
    document: Document, services: IngestContext, process_pool: ProcessPool, progress: ProgressCallback
) -> None:
    def report_progress(stage: str, done: int, total: int) -> None:
        services.catalog.set_recognition_progress(document.id, done, total)
        progress(stage, done, total)

    while not recognise_document(document, services, process_pool, report_progress):
        time.sleep(_RECOGNITION_POLL_SECONDS)


def _has_timed_out(document: Document, services: IngestContext) -> bool:
    return document.state == QUEUED and not awaits_recognition(document, services.settings)


def _get_outcome(future: Future[IngestOutcome]) -> IngestOutcome | Exception:
    """Return the outcome of a file, or the error it ended with: the other files go on."""
    try:
        return future.result()
    except Exception as err:
        return err


class _IndexFollower:
    """A thread that keeps the index up to date while files are read, unless a service does so already."""

    def __init__(self, services: IngestContext):
        self._services = services
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="follow", daemon=True)
        self._thread.start()

    def catch_up(self) -> None:
        """Stop the thread and bring the index fully up to date."""
        self.stop()
        self._follow()

    def stop(self) -> None:
        """Stop the thread and wait for it to end."""
        self._stopped.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stopped.wait(INDEX_SYNC_INTERVAL_SECONDS):
            self._follow()

    def _follow(self) -> None:
        try:
            self._services.index.sync_if_available()
        except Exception as err:  # the documents are safe, and the next process brings the index up to date
            if is_disk_full(err):
                log.warning("The disk is too full for the index; the next start brings it up to the catalog")
            else:
                log.exception("The index could not be brought up to the catalog")
