"""A last attempt at a file that was being read each time its process died: in a process of its own, and watched.

From inside, a process that its file takes down looks like one that somebody killed. So a count of deaths condemns no
document; it only leads here, where the parent lives to see which of the two it was.
"""

from __future__ import annotations

import logging
import multiprocessing
import os

from highlighter.locale import N_
from highlighter.models import QUARANTINED, Document
from highlighter.services import Services
from highlighter.settings import Settings
from highlighter.workers.jail import Closed, Jail
from highlighter.workers.programs import die_with

log = logging.getLogger(__name__)

MOST_DEATHS = 3
REASON = N_("Reading it takes down the whole process, every time. It was set aside; hand it in again to try once more.")


def try_alone(document: Document, services: Services, jail: Jail) -> None:
    """The document has come to an end after this: in the child, or by the child's death."""
    child = multiprocessing.get_context("spawn").Process(
        target=_alone, args=(document.id, services.settings, os.getpid()), name="trial"
    )
    child.start()
    while child.is_alive():
        child.join(timeout=1)
        if jail.closed:
            child.kill()
            child.join()
            raise Closed
    if child.exitcode != 0:
        log.warning("%s took down a process of its own (exit code %s); quarantined", document.id, child.exitcode)
        services.catalog.set_state(document.id, QUARANTINED, REASON)
    child.close()


def _alone(document_id: str, settings: Settings, parent: int) -> None:
    from ingest.pipeline import attempt

    die_with(parent)
    services = Services(settings)
    jail = Jail(1, settings.read_seconds, settings.read_memory_mb)
    try:
        attempt(services.catalog.document(document_id), services, jail)
    finally:
        jail.close()
        services.close()
