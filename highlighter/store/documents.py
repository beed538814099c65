"""The rows of documents: coming in, being read, ending, going."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Engine, bindparam, delete, select, update
from sqlalchemy.dialects.sqlite import insert

from highlighter.access import VisibleCollections
from highlighter.models import PIPELINE_VERSION, QUEUED, READABLE, READING, UNFINISHED, Document
from highlighter.store import answer_records, audit_log, digests, feedback, listing
from highlighter.store.database import MAX_VALUES_PER_QUERY, write_transaction
from highlighter.store.schema import changes, documents, sentences, vectors
from highlighter.store.versions import (
    DocumentVersion,
    add_version,
    list_paths,
    list_versions,
    select_superseding_document,
    update_current_versions,
    update_current_versions_at,
)


def compute_document_id(collection: str, sha256: str) -> str:
    """The same bytes in two collections are two documents, and neither id tells of the other."""
    return hashlib.sha256(f"{collection}\0{sha256}".encode()).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class Registration:
    """What became of bytes that came in."""

    document: Document
    is_new_version: bool  # of its path; the first is one, too
    metadata_changed: bool  # what was given as metadata differs from what was kept before


class DocumentsMixin:
    """The part of the Catalog that knows documents without their words."""

    engine: Engine

    def register(
        self,
        collection: str,
        sha256: str,
        name: str,
        kind: str,
        size: int,
        meta: dict[str, Any] | None = None,
        path: str = "",
    ) -> Document:
        """The row of these bytes, made if it was not there."""
        return self.register_upload(collection, sha256, name, kind, size, meta, path).document

    def register_upload(
        self,
        collection: str,
        sha256: str,
        name: str,
        kind: str,
        size: int,
        meta: dict[str, Any] | None = None,
        path: str = "",
    ) -> Registration:
        """Makes or finds the row of these bytes and lays it under its path; metadata is added to what there is."""
        id = compute_document_id(collection, sha256)
        row = {
            "id": id, "collection": collection, "sha256": sha256, "name": name, "kind": kind, "size": size,
            "state": QUEUED, "reason": "", "pipeline": PIPELINE_VERSION, "meta": meta or {}, "labels": [], "added": audit_log.current_timestamp(),
        }  # fmt: skip
        with write_transaction(self.engine) as connection:
            made = connection.execute(insert(documents).values(row).on_conflict_do_nothing()).rowcount
            kept = connection.execute(select(documents.c.meta).where(documents.c.id == id)).scalar_one()
            # Handed in while it was leaving: somebody wants it after all.
            connection.execute(update(documents).where(documents.c.id == id).values(leaving=""))
            described = any(kept.get(key) != value for key, value in (meta or {}).items())
            if described:
                connection.execute(update(documents).where(documents.c.id == id).values(meta={**kept, **meta}))
            new_version = add_version(connection, id, collection, path or name)
            if not made and (described or new_version):  # a new row is recorded when reading it has ended
                digests.record_document_digests(connection, audit_log.DESCRIBED, id, (digests.DETAILS,))
            return Registration(_read_document(connection, id), new_version, described)

    def document(self, id: str, visible: VisibleCollections = VisibleCollections()) -> Document | None:
        with self.engine.connect() as connection:
            found = _read_document(connection, id)
        return found if found and found.collection in visible else None

    def documents(
        self, visible: VisibleCollections = VisibleCollections(), states: Iterable[str] = (), superseded: bool = True
    ) -> list[Document]:
        """All of them, newest first; with or without those whose place a newer version has taken.

        Whoever shows a page of them, or needs them one by one, asks store/listing.py.
        """
        return list(
            listing.iterate_documents(
                self.engine, listing.DocumentFilter(visible, tuple(states), include_superseded=superseded)
            )
        )

    def superseding_document(self, document: Document) -> Document | None:
        """What has taken this document's place, if anything has."""
        if document.current:
            return None
        with self.engine.connect() as connection:
            row = connection.execute(select_superseding_document(document.id)).mappings().first()
        return listing.document_from_row(row) if row else None

    def versions(self, document: Document) -> list[DocumentVersion]:
        """All that lay or lie under this document's path, the latest first."""
        with self.engine.connect() as connection:
            return list_versions(connection, document.collection, document.path)

    def unfinished_documents(self) -> list[Document]:
        """What somebody began and nobody ended: a process was killed, or is still at it. What is leaving may yet stay."""
        query = select(documents).where(documents.c.state.in_(sorted(UNFINISHED))).order_by(documents.c.added)
        with self.engine.connect() as connection:
            return [listing.document_from_row(row) for row in connection.execute(query).mappings()]

    # -- being read ----------------------------------------------------------------------------------------------

    def start_processing(self, id: str) -> int:
        """Notes that somebody begins to read it; how often that was begun by now without coming to any end."""
        mine = documents.c.id == id
        values = {"state": READING, "reason": "", "progress": None, "attempts": documents.c.attempts + 1}
        with write_transaction(self.engine) as connection:
            connection.execute(update(documents).where(mine).values(values))
            return connection.execute(select(documents.c.attempts).where(mine)).scalar() or 0

    def cancel_processing(self, id: str) -> None:
        """Whoever began was told to stop, which is nothing against the document."""
        self._update_document(id, state=QUEUED, progress=None, attempts=0)

    def requeue(self, id: str, reason: str) -> None:
        """Queue a document again that could not be processed for a reason of ours; one that has ended stays as it is."""
        unfinished = (documents.c.id == id) & documents.c.state.in_(UNFINISHED)
        values = {"state": QUEUED, "reason": reason, "progress": None, "attempts": 0}
        with write_transaction(self.engine) as connection:
            connection.execute(update(documents).where(unfinished).values(values))

    def set_progress(self, id: str, stage: str, done: int, total: int) -> None:
        self._update_document(id, state=READING, progress=[stage, done, total])

    def set_state(self, id: str, state: str, reason: str = "") -> None:
        """An end without text, or, with QUEUED, another beginning."""
        mine = documents.c.id == id
        with write_transaction(self.engine) as connection:
            before = connection.execute(select(documents).where(mine)).first()
            if before is None:  # deleted meanwhile
                return
            values = {"state": state, "reason": reason, "progress": None, "attempts": 0}
            connection.execute(update(documents).where(mine).values(values))
            if state in UNFINISHED:
                return
            if state not in READABLE:
                digests.record_document_digests(connection, audit_log.FAILED, id, (digests.DETAILS, digests.OUTCOME))
            if before.state in READABLE:
                connection.execute(insert(changes), {"document_id": id, "pipeline": before.pipeline})
            update_current_versions(connection, id)

    def _update_document(self, id: str, **values: Any) -> None:
        with write_transaction(self.engine) as connection:
            connection.execute(update(documents).where(documents.c.id == id).values(values))

    # -- going ---------------------------------------------------------------------------------------------------

    def delete(self, id: str, overdue_only: bool = False) -> Document | None:
        """Removes a document with all that was read from it, and returns what it was. Its files are removed after.

        With `overdue_only`, nothing when its departure was called off in this moment.
        """
        with write_transaction(self.engine) as connection:
            found = _read_document(connection, id)
            if found is None or (overdue_only and not "" < found.leaving <= audit_log.current_timestamp()):
                return None
            where = list_paths(connection, id)
            hashes = set(connection.scalars(select(sentences.c.text_hash).where(sentences.c.document_id == id)))
            answer_records.redact_answers(connection, id)
            feedback.redact_feedback(connection, id)
            digests.remove_salts(connection, id)
            connection.execute(delete(documents).where(documents.c.id == id))  # and what refers to it, by cascade
            _delete_unneeded_vectors(connection, hashes)
            update_current_versions_at(connection, where)
            connection.execute(insert(changes), {"document_id": id, "pipeline": found.pipeline})
            audit_log.record_event(connection, audit_log.DELETED, id, found.collection, found.sha256)
        return found

    def has_document_with_hash(self, sha256: str) -> bool:
        """Whether any document, of any collection, is made of these bytes."""
        with self.engine.connect() as connection:
            return (
                connection.execute(select(documents.c.id).where(documents.c.sha256 == sha256).limit(1)).first()
                is not None
            )

    def filter_known_hashes(self, hashes: list[str]) -> set[str]:
        """Those of these that any document's bytes have."""
        return self._filter_known(documents.c.sha256, hashes)

    def filter_known_ids(self, ids: list[str]) -> set[str]:
        """Those of these that are a document's."""
        return self._filter_known(documents.c.id, ids)

    def _filter_known(self, column, values: list[str]) -> set[str]:
        found: set[str] = set()
        with self.engine.connect() as connection:
            for at in range(0, len(values), MAX_VALUES_PER_QUERY):
                found.update(
                    connection.scalars(select(column).where(column.in_(values[at : at + MAX_VALUES_PER_QUERY])))
                )
        return found

    def audit_entries(self, document_id: str = "") -> list[audit_log.AuditEntry]:
        """The audit, of one document or of all."""
        with self.engine.connect() as connection:
            return audit_log.list_audit_entries(connection, document_id)


_DOCUMENT_QUERY = select(documents).where(documents.c.id == bindparam("id"))


def _read_document(connection: Connection, id: str) -> Document | None:
    row = connection.execute(_DOCUMENT_QUERY, {"id": id}).mappings().first()
    return listing.document_from_row(row) if row else None


def _delete_unneeded_vectors(connection: Connection, hashes: set[bytes]) -> None:
    """Those that no other document's sentence needs: who deletes a text wants its traces gone, too."""
    unused = ~select(sentences.c.idx).where(sentences.c.text_hash == vectors.c.text_hash).exists()
    one = delete(vectors).where(vectors.c.text_hash == bindparam("hash"), unused)
    if hashes:
        connection.execute(one, [{"hash": key} for key in hashes])
