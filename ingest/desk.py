"""Where a service hands files in: kept at once, read in the background, told about while it goes on."""

from __future__ import annotations

import logging
import time
from concurrent.futures import Executor, Future, ThreadPoolExecutor, wait
from pathlib import Path

from highlighter.access import for_caller
from highlighter.models import Document
from highlighter.services import Services
from highlighter.store.catalog import Deleted
from highlighter.store.removal import sweep_orphans
from highlighter.workers.jail import Closed
from ingest.pipeline import DEFAULT_COLLECTION, end, ingest_file, take_in

log = logging.getLogger(__name__)

TELL_EVERY_SECONDS = 0.5  # progress is a write to the catalog: often enough for a bar, seldom enough for a disk


class Desk:
    def __init__(self, services: Services):
        self.services = services
        self._clerks: Executor = ThreadPoolExecutor(services.settings.workers, thread_name_prefix="ingest")

    def hand_in(
        self, path: Path, name: str, collection: str = DEFAULT_COLLECTION, meta: dict[str, str] | None = None
    ) -> Document:
        """Returns as soon as the bytes are safe; the caller may delete its file."""
        place = name.replace("\\", "/")  # some systems part folders their own way
        document = take_in(path, name, self.services, collection, meta, place).document
        self._begin(document)
        return document

    def take(self, path: Path, collection: str = DEFAULT_COLLECTION) -> Document:
        """Takes a file in and waits for the end of it."""
        return ingest_file(path, self.services, self.services.jail, collection).document

    def take_up_unfinished(self) -> list[Future]:
        """What an earlier process was killed in. Another that is still at it keeps its claim, and we find it done."""
        self.services.files.sweep()
        sweep_orphans(self.services.catalog, self.services.files)
        return [self._begin(document) for document in self.services.catalog.unfinished()]

    def end_unfinished(self) -> int:
        """The same, and waits for it; how many there were."""
        return len(wait(self.take_up_unfinished()).done)

    def close(self) -> None:
        self._clerks.shutdown(wait=False, cancel_futures=True)

    def _begin(self, document: Document) -> Future:
        return self._clerks.submit(for_caller(self._end), document)

    def _end(self, document: Document) -> None:
        try:
            end(document, self.services, self.services.jail, _Teller(self.services, document.id))
        except Closed:
            log.info("Stopped while %s was being read; the next start goes on", document.id)
        except Deleted:
            log.info("%s was deleted while it waited or was being read", document.id)
        except Exception:
            log.exception("%s could not be taken in", document.id)


class _Teller:
    """Writes progress to the catalog, but not at every step."""

    def __init__(self, services: Services, document_id: str):
        self._services = services
        self._document_id = document_id
        self._stage, self._told = "", 0.0

    def __call__(self, stage: str, done: int, total: int) -> None:
        if stage == self._stage and time.monotonic() - self._told < TELL_EVERY_SECONDS:
            return
        self._stage, self._told = stage, time.monotonic()
        self._services.catalog.set_progress(self._document_id, stage, done, total)
