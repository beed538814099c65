"""Ingest what came with an e-mail: each attachment is a document of its own, under the path of its e-mail."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from pathlib import Path

from highlighter.models import Document
from highlighter.store.attachments import ATTACHED_TO, count_enclosing_emails
from highlighter.store.catalog import DocumentDeleted
from highlighter.store.documents import Registration
from highlighter.store.storage_errors import CatalogDamaged, CatalogUnreachable, DiskFull
from highlighter.workers.process_pool import ProcessPoolClosed
from ingest.context import ProcessingContext

log = logging.getLogger(__name__)

MAX_NESTED_EMAILS = 5  # an e-mail attached to an e-mail, and so on

# Called with the path of an attachment, its name, the metadata and the path under which it is known.
RegisterCallback = Callable[[Path, str, dict[str, str], str], Registration]
ProcessCallback = Callable[[Document], object]


def ingest_attachments(
    email: Document,
    files: Sequence[tuple[str, Path]],
    services: ProcessingContext,
    register: RegisterCallback,
    process: ProcessCallback,
) -> None:
    """Register and process the attachments of an e-mail, before the e-mail itself is ready.

    Killed in between, the e-mail is read again, and its attachments that are done are known.
    """
    if count_enclosing_emails(services.catalog, email) >= MAX_NESTED_EMAILS:
        return
    for name, path in files:
        meta = {**email.meta, ATTACHED_TO: email.id}
        document = register(path, f"{email.name} – {name}", meta, f"{email.path}/{name}").document
        path.unlink()
        try:
            process(document)
        except (ProcessPoolClosed, DiskFull, CatalogDamaged, CatalogUnreachable):
            raise
        except DocumentDeleted:
            log.info("%s was deleted while its e-mail was being read", document.id)
        except Exception:  # recorded with the attachment; the e-mail can be read without it
            log.exception("%s, attached to %s, could not be processed", document.id, email.id)
