"""The work that a server does besides answering: keep the index in step, delete, resume ingestion, check the catalog."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from highlighter.embedding.embedder import WARM, Embedder
from highlighter.errors import Unavailable
from highlighter.free_memory import return_free_memory
from highlighter.pages.document_pages import DocumentPages
from highlighter.settings import Settings
from highlighter.store import chunk_search
from highlighter.store.catalog import Catalog
from highlighter.store.catalog_health import CatalogHealth
from highlighter.store.catalog_statistics import delete_unused_vectors, has_documents_without_vectors
from highlighter.store.deletion import remove_orphans, remove_overdue_documents, remove_unused_copies, retry_removals
from highlighter.store.file_stores import FilesElsewhere, has_files_elsewhere
from highlighter.store.files import FileStore
from highlighter.store.idempotent_responses import remove_overdue_responses
from highlighter.store.index import INDEX_SYNC_INTERVAL_SECONDS, VectorIndex
from highlighter.store.notes import remove_overdue_notes
from highlighter.store.remote_files import RemoteFileStore
from highlighter.store.storage_errors import is_catalog_damage, is_catalog_unreachable, is_disk_full, is_unwritable
from highlighter.store.webhooks import remove_old_deliveries
from highlighter.webhooks.dispatcher import WebhookDispatcher

log = logging.getLogger(__name__)

PURGE_INTERVAL_SECONDS = 1.0
RESUME_INTERVAL_SECONDS = 5.0
MAX_RETRY_DELAY_SECONDS = 10.0  # short, so that freed disk space or any other repair is noticed soon
CATALOG_PROBE_INTERVAL_SECONDS = 5.0
FILES_PROBE_INTERVAL_SECONDS = 5.0
COPIES_INTERVAL_SECONDS = 60.0
OLD_ROWS_INTERVAL_SECONDS = 600.0
WEBHOOKS_INTERVAL_SECONDS = 1.0
MEMORY_INTERVAL_SECONDS = 10.0
LEFTOVERS_INTERVAL_SECONDS = 3600.0
CATALOG_CHECK_INTERVAL_SECONDS = 86_400.0  # a thorough check reads the whole file


class ResumableQueue(Protocol):
    """The queue of documents to be ingested, which can take up unfinished ones."""

    def resume_unfinished(self) -> Sequence[object]: ...

    def requeue_waiting(self) -> None: ...


class MaintainedServices(Protocol):
    """The stores and models that the background jobs work on."""

    @property
    def settings(self) -> Settings: ...

    @property
    def embedder(self) -> Embedder: ...

    @property
    def catalog(self) -> Catalog: ...

    @property
    def catalog_health(self) -> CatalogHealth: ...

    @property
    def files(self) -> FileStore: ...

    @property
    def index(self) -> VectorIndex: ...

    @property
    def page_renderer(self) -> DocumentPages: ...

    @property
    def ingest_queue(self) -> ResumableQueue: ...

    @property
    def webhook_dispatcher(self) -> WebhookDispatcher: ...


@dataclass(frozen=True, slots=True)
class BackgroundJob:
    """A task that one thread repeats until the worker stops."""

    name: str
    task: Callable[[], None]
    interval_seconds: float
    failure_message: str
    prepare: Callable[[], None] = lambda: None  # called once, before the first run
    waits_before_first_run: bool = True


class BackgroundWorker:
    """The threads that run the background jobs.

    Each job has a thread of its own: no deletion that was promised, and no upload, waits for the index.
    """

    def __init__(self, services: MaintainedServices):
        self._services = services
        self._stopping = threading.Event()
        self._has_resumed = False
        self._next_thorough_check = 0.0

    def start(self) -> None:
        for job in self._list_jobs():
            threading.Thread(target=self._run, args=(job,), name=job.name, daemon=True).start()

    def stop(self) -> None:
        """Start no further run of any job; a run that has begun ends by itself."""
        self._stopping.set()

    @property
    def is_stopping(self) -> bool:
        return self._stopping.is_set()

    def _list_jobs(self) -> list[BackgroundJob]:
        return [
            BackgroundJob(
                "sync index",
                self._sync_index,
                INDEX_SYNC_INTERVAL_SECONDS,
                "The index could not be brought up to the catalog",
                prepare=self._prepare_index_and_pages,
            ),
            BackgroundJob(
                "purge documents", self._purge, PURGE_INTERVAL_SECONDS, "A deleted document could not be removed"
            ),
            BackgroundJob(
                "resume ingestion",
                self._resume_ingestion,
                RESUME_INTERVAL_SECONDS,
                "Unfinished documents could not be taken up",
                prepare=self._wait_for_model,
                waits_before_first_run=False,
            ),
            BackgroundJob(
                "check catalog",
                self._check_catalog,
                CATALOG_PROBE_INTERVAL_SECONDS,
                "The catalog could not be checked",
                waits_before_first_run=False,
            ),
            BackgroundJob(
                "remove old rows",
                self._remove_old_rows,
                OLD_ROWS_INTERVAL_SECONDS,
                "Old responses and deliveries could not be removed",
            ),
            BackgroundJob(
                "send webhooks",
                self._send_webhooks,
                WEBHOOKS_INTERVAL_SECONDS,
                "Events could not be sent to webhooks",
            ),
            BackgroundJob(
                "remove leftovers",
                self._remove_leftovers,
                LEFTOVERS_INTERVAL_SECONDS,
                "Files and vectors without a document could not be removed",
            ),
            BackgroundJob(
                "return memory", return_free_memory, MEMORY_INTERVAL_SECONDS, "Free memory could not be returned"
            ),
            *self._list_remote_file_jobs(),
        ]

    def _list_remote_file_jobs(self) -> list[BackgroundJob]:
        files = self._services.files
        if not isinstance(files, RemoteFileStore):
            return []
        return [
            BackgroundJob(
                "probe files",
                files.check_available,
                FILES_PROBE_INTERVAL_SECONDS,
                "The file storage cannot be used",
                waits_before_first_run=False,
            ),
            BackgroundJob(
                "remove copies",
                lambda: remove_unused_copies(self._services.catalog, files),
                COPIES_INTERVAL_SECONDS,
                "Copies of deleted files could not be removed",
            ),
        ]

    def _run(self, job: BackgroundJob) -> None:
        job.prepare()
        delay = job.interval_seconds
        wait_seconds = delay if job.waits_before_first_run else 0
        while not self._stopping.wait(wait_seconds):
            if self._services.catalog_health.damage:
                return
            try:
                job.task()
                delay = job.interval_seconds
            except Exception as err:
                if self._stopping.is_set():
                    return
                if is_catalog_damage(err):
                    self._services.catalog_health.mark_damaged(str(err))
                    return
                delay = min(2 * delay, MAX_RETRY_DELAY_SECONDS)
                if isinstance(err, Unavailable):
                    log.warning("%s: %s Trying again in %d s", job.failure_message, err.detail, delay)
                elif is_disk_full(err) and not is_unwritable(err):
                    log.warning("%s, as the disk is full; trying again in %d s", job.failure_message, delay)
                elif is_unwritable(err):
                    log.warning(
                        "%s, as the data folder cannot be written; trying again in %d s", job.failure_message, delay
                    )
                elif is_catalog_unreachable(err):
                    log.warning(
                        "%s, as the database cannot be reached; trying again in %d s", job.failure_message, delay
                    )
                else:
                    log.exception("%s; trying again in %d s", job.failure_message, delay)
            wait_seconds = delay

    def _wait_for_model(self) -> None:
        self._services.embedder.wait_until_loaded(self._services.settings.warm_up_seconds)

    def _prepare_index_and_pages(self) -> None:
        # Before the model is loaded: an ingestion that starts now leaves the index to this process.
        if not self._services.catalog_health.damage:
            try:
                self._services.index.acquire_ownership()
            except Exception:  # `VectorIndex.sync` tries again
                log.exception("The index could not be locked")
        self._wait_for_model()
        if not self.is_stopping and not self._services.catalog_health.damage:
            self._services.page_renderer.start_drawing_process()

    def _sync_index(self) -> None:
        chunk_search.fill_missing_terms(self._services.catalog.engine)
        self._services.index.sync(pauses=True)

    def _purge(self) -> None:
        remove_overdue_documents(self._services.catalog, self._services.files)
        retry_removals(self._services.catalog, self._services.files)
        remove_overdue_notes(self._services.catalog.engine)

    def _remove_old_rows(self) -> None:
        remove_overdue_responses(self._services.catalog.engine)
        remove_old_deliveries(self._services.catalog.engine)

    def _send_webhooks(self) -> None:
        self._services.webhook_dispatcher.run()

    def _remove_leftovers(self) -> None:
        """Remove what refused uploads, killed processes and lost databases left of documents that there are not."""
        catalog = self._services.catalog
        remove_orphans(catalog, self._services.files)
        if not catalog.unfinished_documents():  # which may use vectors saved before
            delete_unused_vectors(catalog.engine)

    def _resume_ingestion(self) -> None:
        """Finish what earlier processes left unfinished; later, what could not be finished at the first attempt."""
        if self._services.embedder.state != WARM:
            return
        if self._has_resumed:
            self._services.ingest_queue.requeue_waiting()
        else:
            services = self._services
            # The start may not have known, where the database did not answer then.
            if has_files_elsewhere(services.settings, services.catalog, services.files):
                raise FilesElsewhere(services.files.root)
            self._warn_of_missing_vectors()
            self._services.ingest_queue.resume_unfinished()
            self._has_resumed = True

    def _warn_of_missing_vectors(self) -> None:
        model = self._services.embedder.name
        if has_documents_without_vectors(self._services.catalog.engine, model):
            log.warning(
                "Some sentences are found only by their words, as %s has not embedded them: run python -m highlighter doctor --fix",
                model,
            )

    def _check_catalog(self) -> None:
        thorough = time.monotonic() >= self._next_thorough_check
        self._services.catalog_health.check(thorough)
        if thorough:
            self._next_thorough_check = time.monotonic() + CATALOG_CHECK_INTERVAL_SECONDS
