"""A last attempt at a file that was being read each time its process died: in a process of its own, and watched.

From inside, a process that its file takes down looks like one that somebody killed. So a count of deaths condemns no
document; it only leads here, where the parent lives to see which of the two it was.
"""

from __future__ import annotations

import logging

from highlighter.models import QUARANTINED, Document
from highlighter.services import Services
from highlighter.settings import Settings
from highlighter.workers.child import Child, ChildDied
from highlighter.workers.jail import SET_ASIDE, Closed, Jail

log = logging.getLogger(__name__)

MOST_DEATHS = 3
CHECK_EVERY_SECONDS = 1  # whether we are being stopped


def try_alone(document: Document, services: Services, jail: Jail) -> None:
    """Bring a document to an end: in a child process, or by the child's death."""
    child = Child()
    try:
        child.send(_attempt_alone, document.id, services.settings)
        while not child.has_answered(CHECK_EVERY_SECONDS):
            if jail.closed:
                raise Closed
        done, error = child.receive()
        if not done:
            raise error
    except ChildDied as err:
        log.warning("%s took down a process of its own (exit code %s); quarantined", document.id, err.exit_code)
        services.catalog.set_state(document.id, QUARANTINED, SET_ASIDE)
    finally:
        child.close()


def _attempt_alone(document_id: str, settings: Settings) -> None:
    from ingest.pipeline import attempt

    services = Services(settings)
    jail = Jail(1, settings.read_seconds, settings.read_memory_mb)
    try:
        attempt(services.catalog.document(document_id), services, jail)
    finally:
        jail.close()
        services.close()
