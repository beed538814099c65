"""Many files at once: each told of as it ends, whatever becomes of it, and the index kept up meanwhile."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from pathlib import Path

from highlighter.models import QUEUED
from highlighter.services import FOLLOW_EVERY_SECONDS, Services
from highlighter.store.disk import no_room
from highlighter.store.removal import remove_overdue, sweep_orphans
from highlighter.workers.jail import Jail
from ingest.pipeline import Outcome, Progress, ingest_file
from ingest.quiet import wait_until_quiet

log = logging.getLogger(__name__)

Ended = Callable[[Path, Outcome | Exception], None]


def ingest_files(
    paths: list[Path],
    services: Services,
    collection: str,
    meta: dict[str, str],
    workers: int,
    teller: Callable[[], Progress],
    ended: Ended,
) -> dict[Path, Outcome | Exception]:
    """What became of each file. Stopped from outside, it stops its children and leaves the rest for the next time."""
    settings = services.settings
    services.files.sweep()
    remove_overdue(services.catalog, services.files)
    sweep_orphans(services.catalog, services.files)
    if not paths:
        return {}
    jail = Jail(min(workers, len(paths)), settings.read_seconds, settings.read_memory_mb)
    following = _Following(services)
    outcomes, timed_out = {}, []
    try:
        with ThreadPoolExecutor(workers) as clerks:

            def submit(path: Path, requeue_timeout: bool) -> Future:
                return clerks.submit(
                    ingest_file, path, services, jail, collection, teller(), meta, requeue_timeout=requeue_timeout
                )

            begun = {submit(path, True): path for path in paths}
            try:
                for future in as_completed(begun):
                    path = begun[future]
                    outcome = _outcome_of(future)
                    if isinstance(outcome, Outcome) and outcome.document.state == QUEUED:
                        timed_out.append(path)
                        continue
                    outcomes[path] = outcome
                    ended(path, outcome)
                for path in timed_out:  # by itself, now that the others are done
                    wait_until_quiet(lambda: jail.closed)
                    outcomes[path] = _outcome_of(submit(path, False))
                    ended(path, outcomes[path])
            except BaseException:
                clerks.shutdown(wait=False, cancel_futures=True)
                jail.close()
                raise
        following.end()
    finally:
        following.stop()
        jail.close()
    return outcomes


def _outcome_of(future: Future) -> Outcome | Exception:
    """An outcome, or the error that one file met: the others go on."""
    try:
        return future.result()
    except Exception as err:
        return err


class _Following:
    """Keeps the index up to the catalog while files are read, if no service does so already."""

    def __init__(self, services: Services):
        self._services = services
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="follow", daemon=True)
        self._thread.start()

    def end(self) -> None:
        """All that was read is in the index after this."""
        self.stop()
        self._follow()

    def stop(self) -> None:
        self._ended.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._ended.wait(FOLLOW_EVERY_SECONDS):
            self._follow()

    def _follow(self) -> None:
        try:
            self._services.index.follow()
        except Exception as err:  # the documents are safe without it, and whoever owns it next makes it good
            if no_room(err):
                log.warning("The disk is too full for the index; the next start brings it up to the catalog")
            else:
                log.exception("The index could not be brought up to the catalog")
