"""The documents that came with an e-mail as its attachments, and go with it."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import Engine, select

from highlighter.access import VisibleCollections
from highlighter.models import Document
from highlighter.store.catalog import Catalog
from highlighter.store.deletion import cancel_deletion
from highlighter.store.listing import document_from_row
from highlighter.store.schema import documents, versions
from highlighter.store.versions import list_paths

ATTACHED_TO = "attached_to"  # in an attachment's metadata: the id of its e-mail
_LAST_CHARACTER = "\U0010ffff"


def list_attachments(engine: Engine, email: Document) -> list[Document]:
    """Return the documents that came with this e-mail only, those of e-mails attached to it included.

    A file that was uploaded by itself, too, or came with another e-mail, is not among them.
    """
    folder = f"{email.path}/"
    is_below = (versions.c.path > folder) & (versions.c.path <= folder + _LAST_CHARACTER)
    below = (versions.c.collection == email.collection) & is_below
    query = select(documents).where(documents.c.id.in_(select(versions.c.document_id).where(below)))
    with engine.connect() as connection:
        rows = connection.execute(query.order_by(documents.c.added)).mappings().all()
        below_email = [
            document_from_row(row)
            for row in rows
            if all(path.startswith(folder) for _, path in list_paths(connection, row["id"]))
        ]
    attachments = [document for document in below_email if document.meta.get(ATTACHED_TO) == email.id]
    return attachments + [nested for document in attachments for nested in list_attachments(engine, document)]


def list_own_attachments(engine: Engine, email: Document) -> list[Document]:
    """Return the documents attached to an e-mail itself, by their names, also those that are elsewhere, too.

    What is attached to an e-mail in it belongs to that e-mail.
    """
    folder = f"{email.path}/"
    is_below = (versions.c.path > folder) & (versions.c.path <= folder + _LAST_CHARACTER)
    query = (
        select(documents, versions.c.path.label("attached_path"))
        .join(versions, versions.c.document_id == documents.c.id)
        .where((versions.c.collection == email.collection) & is_below & versions.c.current)
        .where(documents.c.deletion_time == "")
    )
    with engine.connect() as connection:
        rows = sorted(connection.execute(query).mappings().all(), key=lambda row: row["attached_path"].casefold())
    return [document_from_row(row) for row in rows if "/" not in row["attached_path"][len(folder) :]]


def find_emails(catalog: Catalog, attachments: Iterable[Document], visible: VisibleCollections) -> dict[str, Document]:
    """Return the e-mail of each document that came with one which can be seen, by the id of the document."""
    emails: dict[str, Document] = {}
    for attachment in attachments:
        email_id = attachment.meta.get(ATTACHED_TO)
        if isinstance(email_id, str) and (email := catalog.document(email_id, visible)) and not email.deletion_time:
            emails[attachment.id] = email
    return emails


def restore_attachments(engine: Engine, email: Document) -> None:
    """Cancel the pending deletions of the documents that came with this e-mail, as its own was cancelled."""
    for attachment in list_attachments(engine, email):
        cancel_deletion(engine, attachment.id)


def count_enclosing_emails(catalog: Catalog, document: Document) -> int:
    """Return how many e-mails a document is nested in."""
    count, enclosing = 0, document
    while (email_id := enclosing.meta.get(ATTACHED_TO)) and (email := catalog.document(str(email_id))):
        count, enclosing = count + 1, email
        if enclosing.id == document.id or count > 100:  # metadata can be set by users
            break
    return count
