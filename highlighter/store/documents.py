"""The rows of documents: registration, processing state, deletion."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, Engine, bindparam, case, delete, func, insert, select, update

from highlighter.access import VisibleCollections
from highlighter.metadata import check_metadata, check_metadata_values, merge_metadata, remove_non_finite_numbers
from highlighter.models import (
    AWAITS_RECOGNITION,
    KINDS_WITH_PAGES,
    NO_TEXT,
    PIPELINE_VERSION,
    QUEUED,
    READABLE,
    READING,
    RECOGNISING,
    UNFINISHED,
    Document,
)
from highlighter.store import answer_records, audit_log, digests, feedback, idempotent_responses, listing
from highlighter.store.database import MAX_VALUES_PER_QUERY, write_transaction
from highlighter.store.inserts import insert_missing
from highlighter.store.schema import audit, changes, documents, sentences
from highlighter.store.sentence_rows import delete_unneeded_vectors
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
    """Return the id for bytes in a collection. Ids of the same bytes in two collections reveal nothing of each other."""
    return hashlib.sha256(f"{collection}\0{sha256}".encode()).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class Registration:
    """The result of registering uploaded bytes."""

    document: Document
    is_new_version: bool  # a version of its path was added; the first counts, too
    metadata_changed: bool  # the metadata given differs from what was stored


class DocumentsMixin:
    """The methods of the Catalog for documents without their contents."""

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
        """Register uploaded bytes, and return their document."""
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
        """Create or find the document of these bytes, and add it to its path. Metadata is merged into what is stored."""
        check_metadata_values(meta or {})
        id = compute_document_id(collection, sha256)
        row = {
            "id": id, "collection": collection, "sha256": sha256, "name": name, "kind": kind, "size": size,
            "state": QUEUED, "reason": "", "pipeline": PIPELINE_VERSION, "meta": meta or {}, "labels": [], "added": audit_log.current_timestamp(),
            "arrival": _NEXT_ARRIVAL,
        }  # fmt: skip
        with write_transaction(self.engine) as connection:
            created = connection.execute(insert_missing(documents).values(row)).rowcount
            stored = connection.execute(select(documents.c.meta).where(documents.c.id == id)).scalar_one()
            # An upload cancels a pending deletion.
            connection.execute(update(documents).where(documents.c.id == id).values(deletion_time=""))
            merged = remove_non_finite_numbers(merge_metadata(stored, meta or {}))
            metadata_changed = merged != stored
            if metadata_changed:
                check_metadata(merged)
                connection.execute(update(documents).where(documents.c.id == id).values(meta=merged))
            is_new_version = add_version(connection, id, collection, path or name)
            # A new document is recorded when its processing ends.
            if not created and (metadata_changed or is_new_version):
                digests.record_document_digests(connection, audit_log.DESCRIBED, id, (digests.DETAILS,))
            return Registration(_require_document(connection, id), is_new_version, metadata_changed)

    def document(self, id: str, visible: VisibleCollections = VisibleCollections()) -> Document | None:
        with self.engine.connect() as connection:
            document = _read_document(connection, id)
        return document if document and document.collection in visible else None

    def documents(
        self, visible: VisibleCollections = VisibleCollections(), states: Iterable[str] = (), superseded: bool = True
    ) -> list[Document]:
        """Return all documents, newest first, with or without superseded ones.

        store/listing.py returns them page by page, or one by one.
        """
        return list(
            listing.iterate_documents(
                self.engine, listing.DocumentFilter(visible, tuple(states), include_superseded=superseded)
            )
        )

    def superseding_document(self, document: Document) -> Document | None:
        """Return the document that superseded this one; None when this one is current."""
        if document.current:
            return None
        with self.engine.connect() as connection:
            row = connection.execute(select_superseding_document(document.id)).mappings().first()
        return listing.document_from_row(row) if row else None

    def versions(self, document: Document) -> list[DocumentVersion]:
        """Return all versions under the document's path, the latest first."""
        with self.engine.connect() as connection:
            return list_versions(connection, document.collection, document.path)

    def unfinished_documents(self) -> list[Document]:
        """Return documents whose processing has not ended: it is still running, or was killed.

        Includes documents whose deletion is pending, as it may be undone, and scans that wait to be recognised.
        """
        query = select(documents).where(documents.c.state.in_(sorted(UNFINISHED))).order_by(documents.c.added)
        with self.engine.connect() as connection:
            return [listing.document_from_row(row) for row in connection.execute(query).mappings()]

    def documents_to_recognise(self, engine: str) -> list[Document]:
        """Return the documents with pages without text that this engine has not tried; all of them for no engine."""
        is_waiting = (documents.c.recognition != "") & documents.c.state.in_(sorted(READABLE | UNFINISHED | {NO_TEXT}))
        # An earlier release noted of a scan only that it has no text.
        is_scan = (documents.c.state == NO_TEXT) & documents.c.kind.in_(sorted(KINDS_WITH_PAGES))
        query = select(documents).where(is_waiting | is_scan).order_by(documents.c.added)
        if engine:
            query = query.where(documents.c.recognition != engine)
        with self.engine.connect() as connection:
            return [listing.document_from_row(row) for row in connection.execute(query).mappings()]

    # -- processing ----------------------------------------------------------------------------------------------

    def start_processing(self, id: str) -> int:
        """Record that processing begins. Return how many times it has begun without ending."""
        is_document = documents.c.id == id
        values = {"state": READING, "reason": "", "progress": None, "attempts": documents.c.attempts + 1}
        with write_transaction(self.engine) as connection:
            connection.execute(update(documents).where(is_document).values(values))
            return connection.execute(select(documents.c.attempts).where(is_document)).scalar() or 0

    def cancel_processing(self, id: str) -> None:
        """Queue a document again whose processing was stopped from outside. This does not count as an attempt."""
        self._update_document(id, state=QUEUED, progress=None, attempts=0)

    def requeue(self, id: str, reason: str) -> None:
        """Queue a document again that could not be processed for a reason on our side. Ended ones stay as they are."""
        unfinished = (documents.c.id == id) & documents.c.state.in_(UNFINISHED)
        values = {"state": QUEUED, "reason": reason, "progress": None, "attempts": 0}
        with write_transaction(self.engine) as connection:
            connection.execute(update(documents).where(unfinished).values(values))

    def await_recognition(self, id: str, reason: str) -> None:
        """Queue a document without text, for this reason, until the text of its pages is recognised."""
        values = {"state": QUEUED, "reason": reason, "progress": None, "attempts": 0, "recognition": AWAITS_RECOGNITION}
        self._update_document(id, **values)

    def set_recognition(self, id: str, recognition: str) -> None:
        """Record that recognition has ended, and with which engine it failed to read all pages."""
        self._update_document(id, recognition=recognition, progress=None)

    def set_recognition_progress(self, id: str, done: int, total: int) -> None:
        """Record how many pages are recognised. A document that is readable meanwhile stays so."""
        unread = case((documents.c.state == QUEUED, READING), else_=documents.c.state)
        self._update_document(id, state=unread, progress=[RECOGNISING, done, total])

    def set_progress(self, id: str, stage: str, done: int, total: int) -> None:
        self._update_document(id, state=READING, progress=[stage, done, total])

    def set_kind(self, id: str, kind: str) -> None:
        """Record the kind that the bytes of a document have, as far as it is known by now."""
        self._update_document(id, kind=kind)

    def set_state(self, id: str, state: str, reason: str = "") -> None:
        """Set a final state without text or, with QUEUED, queue the document again."""
        is_document = documents.c.id == id
        with write_transaction(self.engine) as connection:
            before = connection.execute(select(documents).where(is_document)).first()
            if before is None:  # deleted in the meantime
                return
            values = {"state": state, "reason": reason, "progress": None, "attempts": 0}
            connection.execute(update(documents).where(is_document).values(values))
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

    # -- deletion ------------------------------------------------------------------------------------------------

    def delete(self, id: str, overdue_only: bool = False) -> Document | None:
        """Delete the rows of a document, and return the document as it was. Its files are removed afterwards.

        With `overdue_only`, nothing is deleted if the pending deletion was just cancelled.
        """
        with write_transaction(self.engine) as connection:
            document = _read_document(connection, id)
            if document is None or (overdue_only and not "" < document.deletion_time <= audit_log.current_timestamp()):
                return None
            paths = list_paths(connection, id)
            hashes = set(connection.scalars(select(sentences.c.text_hash).where(sentences.c.document_id == id)))
            answer_records.redact_answers(connection, id)
            feedback.redact_feedback(connection, id)
            digests.remove_salts(connection, id)
            idempotent_responses.remove_responses_naming(connection, id)
            connection.execute(delete(documents).where(documents.c.id == id))  # rows that refer to it follow by cascade
            delete_unneeded_vectors(connection, hashes)
            update_current_versions_at(connection, paths)
            connection.execute(insert(changes), {"document_id": id, "pipeline": document.pipeline})
            audit_log.record_event(connection, audit_log.DELETED, id, document.collection, document.sha256)
        return document

    def has_document_with_hash(self, sha256: str) -> bool:
        """Return whether a document of any collection has this SHA-256."""
        with self.engine.connect() as connection:
            return (
                connection.execute(select(documents.c.id).where(documents.c.sha256 == sha256).limit(1)).first()
                is not None
            )

    def list_hashes(self, limit: int) -> list[str]:
        """Return the SHA-256 of the documents that were added last, and of those that were added first."""
        hashes: list[str] = []
        with self.engine.connect() as connection:
            for order in (documents.c.arrival.desc(), documents.c.arrival):
                hashes += connection.scalars(select(documents.c.sha256).order_by(order).limit(limit))
        return list(dict.fromkeys(hashes))

    def has_had_documents(self) -> bool:
        """Return whether there is a document, or the audit names one that was deleted."""
        queries = (select(documents.c.id), select(audit.c.seq).where(audit.c.document_id != ""))
        with self.engine.connect() as connection:
            return any(connection.scalar(query.limit(1)) is not None for query in queries)

    def filter_known_hashes(self, hashes: list[str]) -> set[str]:
        """Return those of the hashes that belong to a document."""
        return self._filter_known(documents.c.sha256, hashes)

    def filter_known_ids(self, ids: list[str]) -> set[str]:
        """Return those of the ids that belong to a document."""
        return self._filter_known(documents.c.id, ids)

    def _filter_known(self, column: ColumnElement[str], values: list[str]) -> set[str]:
        known: set[str] = set()
        with self.engine.connect() as connection:
            for offset in range(0, len(values), MAX_VALUES_PER_QUERY):
                batch = values[offset : offset + MAX_VALUES_PER_QUERY]
                known.update(connection.scalars(select(column).where(column.in_(batch))))
        return known

    def audit_entries(self, document_id: str = "") -> list[audit_log.AuditEntry]:
        """Return the audit entries of one document, or of all."""
        with self.engine.connect() as connection:
            return audit_log.list_audit_entries(connection, document_id)


_NEXT_ARRIVAL = select(func.coalesce(func.max(documents.c.arrival), 0) + 1).scalar_subquery()
_DOCUMENT_QUERY = select(documents).where(documents.c.id == bindparam("id"))


def _read_document(connection: Connection, id: str) -> Document | None:
    row = connection.execute(_DOCUMENT_QUERY, {"id": id}).mappings().first()
    return listing.document_from_row(row) if row else None


def _require_document(connection: Connection, id: str) -> Document:
    document = _read_document(connection, id)
    if document is None:
        raise LookupError(f"no row for document {id}")
    return document
