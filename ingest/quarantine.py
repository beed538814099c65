"""A last attempt at a file that was being read each time its process died: in a process of its own, and watched.

From inside, a process that its file takes down looks like one that somebody killed. So a count of deaths condemns no
document; it only leads here, where the parent lives to see which of the two it was.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable

from highlighter.models import QUARANTINED, Document
from highlighter.settings import Settings
from highlighter.workers.child import ChildDied, ChildProcess
from highlighter.workers.process_pool import QUARANTINE_REASON, ProcessPool, ProcessPoolClosed
from ingest.context import IngestContext

log = logging.getLogger(__name__)

MAX_CHILD_DEATHS = 3
CHILD_POLL_SECONDS = 1  # whether we are being stopped


def process_in_quarantine(document: Document, services: IngestContext, pool: ProcessPool) -> None:
    """Bring a document to an end: in a child process, or by the child's death."""
    child = ChildProcess()
    try:
        child.send(_process_in_child, document.id, services.settings)
        while not child.has_answered(CHILD_POLL_SECONDS):
            if pool.closed:
                raise ProcessPoolClosed
        done, error = child.receive()
        if not done:
            raise error
    except ChildDied as err:
        log.warning("%s took down a process of its own (exit code %s); quarantined", document.id, err.exit_code)
        services.catalog.set_state(document.id, QUARANTINED, QUARANTINE_REASON)
    finally:
        child.close()


def _process_in_child(document_id: str, settings: Settings) -> None:
    from highlighter.services import Services  # imported here: Services imports ingestion, which imports this module
    from ingest.pipeline import attempt_processing

    services = Services(settings)
    process_pool = ProcessPool(1, settings.read_seconds, settings.read_memory_mb)
    try:
        attempt_processing(services.catalog.document(document_id), services, process_pool)
    finally:
        process_pool.close()
        services.close()


# Waiting for a quieter machine, on which a file that timed out is tried once more.


MAX_IDLE_WAIT_SECONDS = 60.0  # whoever waits for the result is not kept much longer than reading takes
IDLE_POLL_SECONDS = 2.0


def wait_for_idle_cpu(is_stopped: Callable[[], bool]) -> None:
    """Return once there is a processor for everything that wants one, or after a minute, or when stopped."""
    end = time.monotonic() + MAX_IDLE_WAIT_SECONDS
    while os.getloadavg()[0] > (os.cpu_count() or 1) and time.monotonic() < end and not is_stopped():
        time.sleep(IDLE_POLL_SECONDS)
