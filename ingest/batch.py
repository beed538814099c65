"""Many files at once: each told of as it ends, whatever becomes of it, and the index kept up meanwhile."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from pathlib import Path

from highlighter.models import QUEUED
from highlighter.store.deletion import remove_orphans, remove_overdue_documents
from highlighter.store.index import INDEX_SYNC_INTERVAL_SECONDS
from highlighter.store.storage_errors import is_disk_full
from highlighter.workers.process_pool import ProcessPool
from ingest.context import IngestContext
from ingest.pipeline import IngestOutcome, ProgressCallback, ingest_file
from ingest.quarantine import wait_for_idle_cpu

log = logging.getLogger(__name__)

FileDoneCallback = Callable[[Path, IngestOutcome | Exception], None]


def ingest_files(
    paths: list[Path],
    services: IngestContext,
    collection: str,
    meta: dict[str, str],
    workers: int,
    make_progress: Callable[[], ProgressCallback],
    on_file_done: FileDoneCallback,
) -> dict[Path, IngestOutcome | Exception]:
    """What became of each file. Stopped from outside, it stops its children and leaves the rest for the next time."""
    settings = services.settings
    services.files.sweep_scratch()
    remove_overdue_documents(services.catalog, services.files)
    remove_orphans(services.catalog, services.files)
    if not paths:
        return {}
    process_pool = ProcessPool(min(workers, len(paths)), settings.read_seconds, settings.read_memory_mb)
    following = _IndexFollower(services)
    outcomes, timed_out = {}, []
    try:
        with ThreadPoolExecutor(workers) as clerks:

            def submit(path: Path, requeue_timeout: bool) -> Future:
                return clerks.submit(
                    ingest_file,
                    path,
                    services,
                    process_pool,
                    collection,
                    make_progress(),
                    meta,
                    requeue_timeout=requeue_timeout,
                )

            begun = {submit(path, True): path for path in paths}
            try:
                for future in as_completed(begun):
                    path = begun[future]
                    outcome = _get_outcome(future)
                    if isinstance(outcome, IngestOutcome) and outcome.document.state == QUEUED:
                        timed_out.append(path)
                        continue
                    outcomes[path] = outcome
                    on_file_done(path, outcome)
                for path in timed_out:  # by itself, now that the others are done
                    wait_for_idle_cpu(lambda: process_pool.closed)
                    outcomes[path] = _get_outcome(submit(path, False))
                    on_file_done(path, outcomes[path])
            except BaseException:
                clerks.shutdown(wait=False, cancel_futures=True)
                process_pool.close()
                raise
        following.catch_up()
    finally:
        following.stop()
        process_pool.close()
    return outcomes


def _get_outcome(future: Future) -> IngestOutcome | Exception:
    """An outcome, or the error that one file met: the others go on."""
    try:
        return future.result()
    except Exception as err:
        return err


class _IndexFollower:
    """Keeps the index up to the catalog while files are read, if no service does so already."""

    def __init__(self, services: IngestContext):
        self._services = services
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="follow", daemon=True)
        self._thread.start()

    def catch_up(self) -> None:
        """All that was read is in the index after this."""
        self.stop()
        self._follow()

    def stop(self) -> None:
        self._stopped.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stopped.wait(INDEX_SYNC_INTERVAL_SECONDS):
            self._follow()

    def _follow(self) -> None:
        try:
            self._services.index.sync()
        except Exception as err:  # the documents are safe without it, and whoever owns it next makes it good
            if is_disk_full(err):
                log.warning("The disk is too full for the index; the next start brings it up to the catalog")
            else:
                log.exception("The index could not be brought up to the catalog")
