"""Recognise the text of scans in the background, one page after the other, behind everything else."""

from __future__ import annotations

import logging
import threading
from concurrent.futures import Future

from highlighter import tesseract
from highlighter.access import bind_principal
from highlighter.models import NO_TEXT, QUEUED, Document
from highlighter.store.catalog import DocumentDeleted
from highlighter.store.storage_errors import DiskFull, FilesUnavailable, is_catalog_unreachable
from highlighter.workers.daemon_executor import DaemonExecutor
from highlighter.workers.process_pool import ProcessPool, ProcessPoolClosed
from ingest.context import IngestContext
from ingest.recognition import awaits_recognition, recognise_document

log = logging.getLogger(__name__)


class RecognitionQueue:
    """The queue of documents with pages to be recognised, and its one worker.

    The catalog says which documents wait, so nothing is lost when the process ends.
    """

    def __init__(self, services: IngestContext):
        self._services = services
        self._executor = DaemonExecutor(1, thread_name_prefix="recognise")
        self._lock = threading.Lock()  # guards the attributes below
        self._is_closing = False
        self._pending: dict[str, Future[None]] = {}
        self._pool: ProcessPool | None = None

    def submit(self, document: Document) -> Future[None]:
        """Queue a document, unless it is queued already."""
        with self._lock:
            if future := self._pending.get(document.id):
                return future
            future = self._pending[document.id] = self._executor.submit(bind_principal(self._recognise), document)
        future.add_done_callback(lambda _: self._remove(document.id))
        return future

    def resume(self) -> list[Future[None]]:
        """Queue every document that waits, and return the jobs of all."""
        waiting = self._list_waiting()
        return [self.submit(document) for document in waiting if document.state != NO_TEXT]

    def requeue_scans(self) -> None:
        """Queue the scans that were given up, to be read again, where more is installed than at that time."""
        for document in self._list_waiting():
            if document.state == NO_TEXT:
                self._services.catalog.set_state(document.id, QUEUED)

    def close(self) -> None:
        """Start no more jobs, and end the running one; what is recognised so far is saved."""
        with self._lock:
            self._is_closing = True
            if self._pool:
                self._pool.close()
        self._executor.shutdown(wait=False, cancel_futures=True)

    def join(self, seconds: float) -> None:
        """Wait for the job that was running before `close`."""
        self._executor.join(seconds)

    def _list_waiting(self) -> list[Document]:
        settings = self._services.settings
        engine = tesseract.describe_engine(settings)
        waiting = self._services.catalog.documents_to_recognise(engine) if engine else []
        return [document for document in waiting if awaits_recognition(document, settings)]

    def _remove(self, document_id: str) -> None:
        with self._lock:
            self._pending.pop(document_id, None)

    def _get_pool(self) -> ProcessPool:
        """Return the pool of the one child process for recognition, so that no upload and no page waits for it."""
        settings = self._services.settings
        with self._lock:
            if self._is_closing:
                raise ProcessPoolClosed
            if self._pool is None:
                self._pool = ProcessPool(1, settings.read_seconds, settings.read_memory_mb)
            return self._pool

    def _recognise(self, document: Document) -> None:
        def report_progress(_stage: str, done: int, total: int) -> None:
            if self._is_closing:
                raise ProcessPoolClosed
            self._services.catalog.set_recognition_progress(document.id, done, total)

        try:
            recognise_document(document, self._services, self._get_pool(), report_progress)
        except ProcessPoolClosed:
            log.info("Stopped while the text of %s was recognised; the next start goes on", document.id)
        except DiskFull as err:
            log.warning("%s; the text of %s is recognised once there is space", err.title, document.id)
        except FilesUnavailable:
            log.warning("The file storage does not answer; the text of %s is recognised once it does", document.id)
        except DocumentDeleted:
            log.info("%s was deleted while its text was recognised", document.id)
        except Exception as err:
            if is_catalog_unreachable(err):
                log.warning("The database cannot be reached; the text of %s is recognised once it can be", document.id)
            else:
                log.exception("The text of %s could not be recognised", document.id)
