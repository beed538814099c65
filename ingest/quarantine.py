"""Process a document for the last time after the process that read it died repeatedly: in a watched child process.

A process whose file crashes it looks, from inside, like a process that somebody killed. A count of deaths therefore
condemns no document; it only leads here, where the parent stays alive and sees which of the two it was.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable

from highlighter.models import QUARANTINED, Document
from highlighter.settings import Settings
from highlighter.store.catalog import DocumentDeleted
from highlighter.workers.child import ChildDied, ChildProcess
from highlighter.workers.process_pool import MAX_DEATHS, QUARANTINE_REASON, ProcessPool, ProcessPoolClosed, is_crash
from ingest.context import ProcessingContext, open_standalone_context

log = logging.getLogger(__name__)

# A function of a module, as the child process gets it by its name.
ProcessingAttempt = Callable[[Document, ProcessingContext, ProcessPool], object]

MAX_CHILD_DEATHS = 3
CHILD_POLL_SECONDS = 1  # how often to check whether the pool is being closed


def process_in_quarantine(
    document: Document, context: ProcessingContext, pool: ProcessPool, attempt: ProcessingAttempt
) -> None:
    """Make an attempt to process a document in a child process, and quarantine the document when the child dies of it.

    A child that was killed from outside is replaced, as in the pool, until MAX_DEATHS children have died.
    """
    for deaths in range(1, MAX_DEATHS + 1):
        try:
            return _process_in_child(document, context, pool, attempt)
        except ChildDied as err:
            if deaths == MAX_DEATHS or is_crash(err.exit_code):
                log.warning("%s took down a process of its own (exit code %s); quarantined", document.id, err.exit_code)
                return context.catalog.set_state(document.id, QUARANTINED, QUARANTINE_REASON)


def _process_in_child(
    document: Document, context: ProcessingContext, pool: ProcessPool, attempt: ProcessingAttempt
) -> None:
    """Make an attempt in a child process. Raises ChildDied, and what the attempt raises."""
    child = ChildProcess()
    try:
        child.send(_attempt_in_child, attempt, document.id, context.settings)
        while not child.has_answered(CHILD_POLL_SECONDS):
            if pool.closed:
                raise ProcessPoolClosed
        is_done, error = child.receive()
        if not is_done:
            raise error
    finally:
        child.close()


def _attempt_in_child(attempt: ProcessingAttempt, document_id: str, settings: Settings) -> None:
    process_pool = ProcessPool(1, settings.read_seconds, settings.read_memory_mb)
    try:
        with open_standalone_context(settings) as context:
            document = context.catalog.document(document_id)
            if document is None:
                raise DocumentDeleted
            attempt(document, context, process_pool)
    finally:
        process_pool.close()


# A file that timed out is tried once more when the machine is less busy.

MAX_IDLE_WAIT_SECONDS = 60.0  # a caller that waits for the result waits little longer than reading takes
IDLE_POLL_SECONDS = 2.0


def wait_for_idle_cpu(is_stopped: Callable[[], bool]) -> None:
    """Wait until every runnable process has a processor, a minute has passed, or `is_stopped` returns true."""
    end = time.monotonic() + MAX_IDLE_WAIT_SECONDS
    while os.getloadavg()[0] > (os.cpu_count() or 1) and time.monotonic() < end and not is_stopped():
        time.sleep(IDLE_POLL_SECONDS)
