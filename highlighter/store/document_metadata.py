"""Changes to the metadata of stored documents, and their tags: a list of words in the metadata, under `tags`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from sqlalchemy import Connection, Engine, func, select, update

from highlighter.metadata import TAGS, check_metadata, check_metadata_values, read_tags, remove_non_finite_numbers
from highlighter.store import audit_log, digests
from highlighter.store.database import write_transaction
from highlighter.store.listing import DocumentFilter
from highlighter.store.metadata_filter import ReadableMetadata
from highlighter.store.schema import documents


def update_metadata(engine: Engine, document_id: str, changes: Mapping[str, Any]) -> None:
    """Merge changes into the metadata of a document; a value of None removes its key."""
    check_metadata_values(changes)
    with write_transaction(engine) as connection:
        _change_metadata(connection, document_id, lambda metadata: {**metadata, **changes})


def list_unreadable_metadata(engine: Engine) -> list[str]:
    """Return the ids of the documents whose metadata holds NaN or Infinity: filters and tags pass over the whole of it."""
    with engine.connect() as connection:
        rows = connection.execute(select(documents.c.id, documents.c.meta)).all()
    return [row.id for row in rows if remove_non_finite_numbers(row.meta) != row.meta]


def repair_metadata(engine: Engine) -> int:
    """Remove NaN and Infinity from the metadata of all documents; return the number of those that had any."""
    ids = list_unreadable_metadata(engine)
    for id in ids:
        update_metadata(engine, id, {})
    return len(ids)


def add_tags(engine: Engine, document_ids: Iterable[str], tags: Iterable[str]) -> None:
    """Add tags to documents that lack them."""
    added = tuple(tags)
    _change_tags(engine, document_ids, lambda present: (*present, *added))


def remove_tags(engine: Engine, document_ids: Iterable[str], tags: Iterable[str]) -> None:
    """Remove tags from documents that have them."""
    removed = set(tags)
    _change_tags(engine, document_ids, lambda present: tuple(tag for tag in present if tag not in removed))


def rename_tag(engine: Engine, document_ids: Iterable[str], old: str, new: str) -> None:
    """Replace a tag by another on documents that have it."""
    _change_tags(engine, document_ids, lambda present: tuple(new if tag == old else tag for tag in present))


def count_tags(engine: Engine, document_filter: DocumentFilter) -> dict[str, int]:
    """Return the tags of the documents of a list, sorted, each with the number of documents that have it."""
    tag = func.json_each(ReadableMetadata(), f"$.{TAGS}").table_valued("value", joins_implicitly=True)
    count = func.count(documents.c.id.distinct())
    # The documents come first: PostgreSQL reads a function's row for each row of the tables before it.
    query = (
        select(tag.c.value, count)
        .select_from(documents, tag)
        .where(*document_filter.conditions())
        .group_by(tag.c.value)
    )
    with engine.connect() as connection:
        counts = {str(value): number for value, number in connection.execute(query) if value not in (None, "")}
    return dict(sorted(counts.items(), key=lambda item: item[0].casefold()))


def _change_tags(
    engine: Engine, document_ids: Iterable[str], change: Callable[[tuple[str, ...]], Iterable[str]]
) -> None:
    def change_metadata(metadata: dict[str, Any]) -> dict[str, Any]:
        return {**metadata, TAGS: list(dict.fromkeys(change(read_tags(metadata)))) or None}

    with write_transaction(engine) as connection:
        for document_id in document_ids:
            _change_metadata(connection, document_id, change_metadata)


def _change_metadata(
    connection: Connection, document_id: str, change: Callable[[dict[str, Any]], dict[str, Any]]
) -> None:
    is_document = documents.c.id == document_id
    stored = connection.scalar(select(documents.c.meta).where(is_document))
    if stored is None:  # deleted in the meantime
        return
    changed = {key: value for key, value in remove_non_finite_numbers(change(stored)).items() if value is not None}
    if changed == stored:
        return
    check_metadata(changed)
    connection.execute(update(documents).where(is_document).values(meta=changed))
    digests.record_document_digests(connection, audit_log.DESCRIBED, document_id, (digests.DETAILS,))
