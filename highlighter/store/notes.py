"""Readers' notes: highlighted words of a document in a colour, with or without a text.

A note belongs to the key, the person or the browser session that made it, and only its owner sees it unless it is shared. A note that
its owner deletes is hidden until its deletion time, and can be restored until then. Notes are no part of the audit.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    Select,
    and_,
    delete,
    func,
    insert,
    literal,
    or_,
    select,
    tuple_,
    update,
)

from highlighter.access import VisibleCollections
from highlighter.store.audit_log import current_timestamp
from highlighter.store.database import MAX_VALUES_PER_QUERY, write_transaction
from highlighter.store.schema import api_keys, documents, notes, people, versions

COLOURS = ("yellow", "green", "blue", "pink")
MAX_NOTE_TEXT_CHARACTERS = 10_000
MAX_NOTES_PER_DOCUMENT = 2_000  # of one owner


@dataclass(frozen=True, slots=True)
class Note:
    """A note on the words `exact`, which are at `[start, end)` of a text of the document."""

    id: str
    document_id: str
    pipeline: int  # that read the text
    start: int
    end: int
    page: int
    chunk: int
    exact: str
    prefix: str
    suffix: str
    colour: str
    text: str
    owner: str
    shared: bool
    created: str
    modified: str
    author: str = ""  # the name of the owner's key, or of the person; empty for an owner without either

    @property
    def tag(self) -> str:
        """The name of this state of the note, which is another one after a change."""
        state = repr((self.colour, self.text, self.shared, self.modified))
        return hashlib.sha256(state.encode("utf-8", "surrogatepass")).hexdigest()[:32]


class NotePosition(NamedTuple):
    """The position of a note in the list by documents. None of the values ever changes."""

    added: str  # of the document
    document_id: str
    start: int
    created: str
    id: str


@dataclass(frozen=True, slots=True)
class NoteFilter:
    """The notes to be listed: those of an owner, on one document or all, with some words."""

    owner: str
    visible: VisibleCollections = VisibleCollections()
    document_id: str = ""
    words: str = ""


def insert_note(engine: Engine, fields: dict[str, Any]) -> str | None:
    """Store a note and return its id; None when its document was deleted, or the owner has too many notes on it."""
    id, now = secrets.token_hex(16), current_timestamp()
    is_of_owner = (notes.c.document_id == fields["document_id"]) & (notes.c.owner == fields["owner"])
    with write_transaction(engine) as connection:
        if not connection.scalar(select(documents.c.id).where(documents.c.id == fields["document_id"])):
            return None
        if (connection.scalar(select(func.count()).where(is_of_owner)) or 0) >= MAX_NOTES_PER_DOCUMENT:
            return None
        connection.execute(insert(notes), {"id": id, "created": now, "modified": now, "deletion_time": "", **fields})
    return id


def find_note(engine: Engine, id: str, owner: str, visible: VisibleCollections) -> Note | None:
    """Return a note that the owner may read: one of their own, or a shared one."""
    query = _select_notes().where(notes.c.id == id, notes.c.deletion_time == "", _is_readable_by(owner))
    with engine.connect() as connection:
        found = _read_notes(connection, query, visible)
    return found[0] if found else None


def list_notes_on(engine: Engine, document_ids: Sequence[str], owner: str) -> list[Note]:
    """Return the notes on some documents that an owner may read, in the order of their positions."""
    is_on_documents = notes.c.document_id.in_(document_ids[:MAX_VALUES_PER_QUERY])
    query = _select_notes().where(is_on_documents, notes.c.deletion_time == "", _is_readable_by(owner))
    with engine.connect() as connection:
        return _read_notes(connection, query.order_by(notes.c.start, notes.c.end, notes.c.created))


def list_own_notes(engine: Engine, wanted: NoteFilter, limit: int, offset: int = 0) -> list[Note]:
    """Return the notes of an owner by document, the document with the latest note first, in the order of the text."""
    latest = func.max(notes.c.created).over(partition_by=notes.c.document_id)
    query = (
        _select_notes()
        .where(*_conditions(wanted))
        .order_by(latest.desc(), notes.c.document_id, notes.c.start, notes.c.created, notes.c.id)
    )
    with engine.connect() as connection:
        return _read_notes(connection, query.limit(limit).offset(offset))


def list_own_notes_by_document(
    engine: Engine, wanted: NoteFilter, limit: int, offset: int = 0, after: NotePosition | None = None
) -> list[tuple[Note, NotePosition]]:
    """Return the notes of an owner by document, the newest document first, in the order of the text.

    With `after`, those that follow this position.
    """
    rest = notes.c.document_id, notes.c.start, notes.c.created, notes.c.id
    query = _select_notes().add_columns(documents.c.added.label("added")).where(*_conditions(wanted))
    if after is not None:
        is_later = tuple_(*rest) > tuple_(*map(literal, after[1:]))
        is_same_time = and_(documents.c.added == after.added, is_later)
        query = query.where(or_(documents.c.added < after.added, is_same_time))
    query = query.order_by(documents.c.added.desc(), *rest).limit(limit).offset(offset)
    with engine.connect() as connection:
        rows = [dict(row) for row in connection.execute(query).mappings()]
    return [_place_in_list(row) for row in rows]


def count_own_notes(engine: Engine, wanted: NoteFilter) -> int:
    query = select(func.count()).select_from(notes.join(documents)).where(*_conditions(wanted))
    with engine.connect() as connection:
        return connection.scalar(query) or 0


def update_note(engine: Engine, before: Note, changed: dict[str, Any], only_unchanged: bool = False) -> bool:
    """Change a note of its owner. Return False when there is none, or with `only_unchanged` none as it was before."""
    return _update_rows(engine, _is_note(before, only_unchanged), {**changed, "modified": current_timestamp()})


def schedule_note_deletion(engine: Engine, before: Note, seconds: int, only_unchanged: bool = False) -> bool:
    """Hide a note and delete it after some seconds. Return False when there is none, or none as it was before."""
    until = (datetime.now(UTC) + timedelta(seconds=seconds)).isoformat(timespec="seconds")
    return _update_rows(engine, _is_note(before, only_unchanged), {"deletion_time": until})


def restore_note(engine: Engine, id: str, owner: str) -> bool:
    """Undo the deletion of a note. Return False when it was deleted for good, or not at all."""
    is_note = (notes.c.id == id) & (notes.c.owner == owner) & (notes.c.deletion_time != "")
    return _update_rows(engine, is_note, {"deletion_time": ""})


def remove_overdue_notes(engine: Engine) -> int:
    """Delete the notes whose deletion can no longer be undone, and return how many."""
    is_overdue = (notes.c.deletion_time != "") & (notes.c.deletion_time <= current_timestamp())
    with engine.connect() as connection:  # most often there is none, and no write lock is needed
        if connection.scalar(select(notes.c.id).where(is_overdue).limit(1)) is None:
            return 0
    with write_transaction(engine) as connection:
        return connection.execute(delete(notes).where(is_overdue)).rowcount


def list_earlier_versions(engine: Engine, document_id: str) -> list[str]:
    """Return the ids of the documents that this one supersedes under its paths, the latest first."""
    own, earlier = versions.alias("own"), versions.alias("earlier")
    same_path = (own.c.collection == earlier.c.collection) & (own.c.path == earlier.c.path)
    query = (
        select(earlier.c.document_id)
        .join(own, same_path & (earlier.c.version < own.c.version))
        .join(documents, documents.c.id == earlier.c.document_id)
        .where(own.c.document_id == document_id, own.c.current, earlier.c.document_id != document_id)
        .where(documents.c.deletion_time == "")
        .order_by(earlier.c.version.desc())
    )
    with engine.connect() as connection:
        return list(dict.fromkeys(connection.scalars(query)))


def _select_notes() -> Select[Any]:
    is_key = notes.c.owner == literal("key ").concat(api_keys.c.id)
    is_person = notes.c.owner == literal("person ").concat(people.c.id)
    columns = [column for column in notes.c if column is not notes.c.deletion_time]
    return (
        select(*columns, func.coalesce(api_keys.c.name, people.c.name, "").label("author"), documents.c.collection)
        .join(documents, documents.c.id == notes.c.document_id)
        .join(api_keys, is_key, isouter=True)
        .join(people, is_person, isouter=True)
        .where(documents.c.deletion_time == "")
    )


def _is_readable_by(owner: str) -> ColumnElement[bool]:
    return or_(notes.c.owner == owner, notes.c.shared)


def _conditions(wanted: NoteFilter) -> list[ColumnElement[bool]]:
    conditions = [notes.c.owner == wanted.owner, notes.c.deletion_time == "", documents.c.deletion_time == ""]
    if wanted.visible.names is not None:
        conditions.append(documents.c.collection.in_(sorted(wanted.visible.names)))
    if wanted.document_id:
        conditions.append(notes.c.document_id == wanted.document_id)
    if wanted.words:
        texts = func.casefolded(notes.c.text.concat("\n").concat(notes.c.exact))
        conditions.append(texts.contains(wanted.words.casefold(), autoescape=True))
    return conditions


def _read_notes(
    connection: Connection, query: Select[Any], visible: VisibleCollections = VisibleCollections()
) -> list[Note]:
    rows = [dict(row) for row in connection.execute(query).mappings()]
    return [Note(**row) for row in rows if row.pop("collection") in visible]


def _place_in_list(row: dict[str, Any]) -> tuple[Note, NotePosition]:
    added = row.pop("added")
    del row["collection"]
    note = Note(**row)
    return note, NotePosition(added, note.document_id, note.start, note.created, note.id)


def _is_note(before: Note, only_unchanged: bool) -> ColumnElement[bool]:
    """Select a note of its owner that is not deleted; with `only_unchanged` if it is as it was before."""
    names = ("id", "owner", *(("colour", "text", "shared", "modified") if only_unchanged else ()))
    return and_(notes.c.deletion_time == "", *(notes.c[name] == getattr(before, name) for name in names))


def _update_rows(engine: Engine, condition: ColumnElement[bool], values: dict[str, Any]) -> bool:
    with write_transaction(engine) as connection:
        return connection.execute(update(notes).where(condition).values(values)).rowcount > 0
