"""Digests of documents and of feedback, through which the audit's chain covers them.

A row of `audit_digests` belongs to one row of the audit, whose `content` is the digest of that row. Digests are salted, as
a short name or sentence could be guessed from its digest; when a document is deleted, the salts are removed and the digests
stay. The values are always read back from the tables, so recording and verifying compute them in the same way.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from sqlalchemy import Connection, Result, RowMapping, Table, func, insert, select, update

from highlighter.models import UNFINISHED
from highlighter.store import audit_log
from highlighter.store.audit_log import canonical_json, compute_digest
from highlighter.store.files import FileStore
from highlighter.store.schema import (
    audit,
    audit_digests,
    chunks,
    documents,
    feedback,
    rows_of_document,
    sentences,
    texts,
    versions,
)

DETAILS, OUTCOME, CONTENTS = "details", "outcome", "contents"  # the groups of a document's digests
FEEDBACK_FACTS, FEEDBACK_WORDS = "facts", "words"
_DIGEST_CHARACTERS = 32  # of each part's SHA-256: a large document has a hundred thousand parts

PartValues = dict[str, str]


class DigestRecord(NamedTuple):
    """One row of `audit_digests`."""

    seq: int
    document_id: str
    pipeline: int
    feedback_id: str
    salt: str | None  # null once the document is deleted
    digests: str  # JSON, as it was hashed
    sentences: str = "{}"  # the digests of sentences, stored separately: they are many, and only verifying needs them

    @property
    def content_digest(self) -> str:
        """Return the digest that the chain holds. The salt is no part of it, so that it can be removed."""
        return compute_digest(
            canonical_json([self.document_id, self.pipeline, self.feedback_id, self.digests, self.sentences])
        )

    def parse_groups(self) -> dict[str, dict[str, str]]:
        """Return the digests of a document's parts, by group and name."""
        groups: dict[str, dict[str, str]] = json.loads(self.digests)
        if CONTENTS in groups:
            groups[CONTENTS] |= json.loads(self.sentences)
        return groups

    def parse_feedback_digests(self) -> dict[str, str]:
        """Return the digests of a row of feedback: of its facts, and of its words."""
        feedback_digests: dict[str, str] = json.loads(self.digests)
        return feedback_digests


def compute_salted_digest(salt: str, value: str) -> str:
    return compute_digest(f"{salt}\n{value}")[:_DIGEST_CHARACTERS]


def compute_salted_digests(salt: str, values: Mapping[str, str]) -> dict[str, str]:
    return {name: compute_salted_digest(salt, value) for name, value in values.items()}


# -- recording -------------------------------------------------------------------------------------------------------


def record_document_digests(
    connection: Connection,
    event: str,
    document_id: str,
    groups: tuple[str, ...],
    pipeline: int = 0,
    file_hashes: Mapping[str, str] | None = None,
) -> None:
    """Add a row to the audit that covers these groups of a document as they stand in this transaction.

    `pipeline` and `file_hashes` (SHA-256 by relative path) say which contents are meant.
    """
    row = connection.execute(select(documents).where(documents.c.id == document_id)).one()
    values: dict[str, PartValues] = {}
    if DETAILS in groups:
        values[DETAILS] = read_details(connection, document_id)
    if OUTCOME in groups:
        values[OUTCOME] = read_outcome(connection, document_id)
    if CONTENTS in groups:
        values[CONTENTS] = {**read_contents(connection, document_id, pipeline), **make_file_values(file_hashes or {})}
    salt = secrets.token_hex(16)
    digests = {group: compute_salted_digests(salt, group_values) for group, group_values in values.items()}
    sentence_names = [name for name in digests.get(CONTENTS, ()) if name.startswith("sentence ")]
    sentence_digests = {name: digests[CONTENTS].pop(name) for name in sentence_names}
    record = DigestRecord(0, document_id, pipeline, "", salt, canonical_json(digests), canonical_json(sentence_digests))
    _append_record(
        connection,
        record,
        {"what": event, "document_id": document_id, "collection": row.collection, "sha256": row.sha256},
    )


def record_feedback_digests(connection: Connection, feedback_id: str) -> None:
    """Add a row to the audit that covers one row of feedback. It names no document, as answers do not."""
    row = connection.execute(select(feedback).where(feedback.c.id == feedback_id)).mappings().one()
    document_exists = connection.scalar(select(documents.c.id).where(documents.c.id == row["document_id"]))
    salt = secrets.token_hex(16) if document_exists else None  # no text is stored about a deleted document
    words = compute_salted_digest(salt, serialise_feedback_words(row)) if salt else ""
    digests = canonical_json({FEEDBACK_FACTS: compute_digest(serialise_feedback_facts(row)), FEEDBACK_WORDS: words})
    record = DigestRecord(0, row["document_id"], 0, feedback_id, salt, digests)
    _append_record(
        connection, record, {"what": audit_log.FEEDBACK_GIVEN, "document_id": "", "collection": "", "sha256": ""}
    )


def find_feedback_author(connection: Connection, document_id: str, feedback_id: str) -> str:
    """Return the audit's id of who gave feedback on a document; "" where the audit knows nobody."""
    is_of_feedback = (audit_digests.c.document_id == document_id) & (audit_digests.c.feedback_id == feedback_id)
    query = select(audit.c.by_key).join(audit_digests, audit_digests.c.seq == audit.c.seq).where(is_of_feedback)
    return connection.scalar(query.order_by(audit.c.seq)) or ""


def remove_salts(connection: Connection, document_id: str) -> None:
    """Remove the salts of a document's digests, in the transaction that deletes it."""
    connection.execute(update(audit_digests).where(audit_digests.c.document_id == document_id).values(salt=None))


def _append_record(connection: Connection, record: DigestRecord, row: dict[str, str]) -> None:
    seq = audit_log.append_audit_row(connection, {**row, "content": record.content_digest})
    connection.execute(insert(audit_digests), record._replace(seq=seq)._asdict())


# -- reading back ----------------------------------------------------------------------------------------------------


def read_digest_record(connection: Connection, seq: int) -> DigestRecord | None:
    row = connection.execute(select(audit_digests).where(audit_digests.c.seq == seq)).first()
    return DigestRecord(*row) if row else None


def read_recorded_digest(connection: Connection, document_id: str, pipeline: int, name: str) -> tuple[str, str] | None:
    """Return the salt and the digest of one part of the latest recorded contents; None where none were recorded.

    The digest is empty when contents were recorded and this part was not among them.
    """
    query = (
        select(audit_digests.c.salt, func.json_extract(audit_digests.c.digests, f'$.{CONTENTS}."{name}"'))
        .where(rows_of_document(audit_digests, document_id, pipeline))
        .where(audit_digests.c.feedback_id == "", audit_digests.c.salt.is_not(None))
        .order_by(audit_digests.c.seq.desc())
        .limit(1)
    )
    row = connection.execute(query).first()
    return (row[0], row[1] or "") if row else None


def read_details(connection: Connection, document_id: str) -> PartValues:
    """Return the name, properties, metadata and paths of a document."""
    row = connection.execute(select(documents).where(documents.c.id == document_id)).one()
    query = select(versions.c.collection, versions.c.path, versions.c.version, versions.c.added).where(
        versions.c.document_id == document_id
    )
    paths = sorted(list(version) for version in connection.execute(query))
    return {
        "name": row.name, "properties": canonical_json([row.kind, row.size, row.added]), "metadata": canonical_json(row.meta),
        "paths": canonical_json(paths),
        # Which of its paths is shown depends on other documents; that it is one of them does not.
        "path shown": canonical_json([row.path, row.version] in [version[1:3] for version in paths]),
    }  # fmt: skip


def read_outcome(connection: Connection, document_id: str) -> PartValues:
    """Return how reading a document ended."""
    row = connection.execute(select(documents).where(documents.c.id == document_id)).one()
    counts = [row.pipeline, row.pages, row.chunks, row.sentences]
    return {
        "state": canonical_json([row.state, row.reason]),
        "counts": canonical_json(counts),
        "page labels": canonical_json(row.labels),
    }


def read_contents(connection: Connection, document_id: str, pipeline: int) -> PartValues:
    """Return everything that one pipeline read from a document, by part."""
    return dict(_iterate_contents(connection, document_id, pipeline))


def _iterate_contents(connection: Connection, document_id: str, pipeline: int) -> Iterator[tuple[str, str]]:
    def rows(table: Table) -> Result[Any]:
        return connection.execute(select(table).where(rows_of_document(table, document_id, pipeline)))

    for text_row in rows(texts).mappings():
        yield from (make_text_part(name, text_row[name]) for name in _TEXT_PARTS)
    for row in rows(chunks):
        span = [row.start, row.end, row.first_page, row.last_page]
        yield f"chunk {row.idx}", canonical_json([*span, row.section, row.text, row.headings])
    for row in rows(sentences):
        yield (
            f"sentence {row.idx} of chunk {row.chunk}",
            canonical_json([row.start, row.end, row.page, row.text_hash.hex()]),
        )


_TEXT_PARTS = {"text": "text", "source_map": "source map", "facts": "facts"}


def make_text_part(column: str, value: Any) -> tuple[str, str]:
    """Return the part name of a column of `texts`, and its value as it is hashed."""
    if isinstance(value, bytes):
        value = hashlib.sha256(value).hexdigest()
    return _TEXT_PARTS[column], value if isinstance(value, str) else canonical_json(value)


def make_file_values(file_hashes: Mapping[str, str]) -> PartValues:
    return {file_part_name(path): sha256 for path, sha256 in file_hashes.items()}


def file_part_name(path: str) -> str:
    """Return the part name of a generated file."""
    return f"file {path}"


def is_file_part(name: str) -> bool:
    return name.startswith("file ")


def serialise_feedback_facts(row: RowMapping) -> str:
    """Return everything about a row of feedback except its text, as it is hashed."""
    columns = (column for column in feedback.c if column.name not in ("question", "note"))
    return canonical_json([[column.name, row[column.key]] for column in columns])


def serialise_feedback_words(row: RowMapping) -> str:
    """Return question and note of a row of feedback, as they are hashed."""
    return canonical_json([row["question"], row["note"]])


# -- rows of an earlier release, which have no digests ---------------------------------------------------------------


def record_uncovered_document(connection: Connection, document_id: str, files: FileStore) -> bool:
    """Record a document of an earlier release as it is now: its details, outcome, and the contents of each pipeline.

    Return False when it was deleted meanwhile, or is being processed, which records it when it ends.
    """
    state = connection.scalar(select(documents.c.state).where(documents.c.id == document_id))
    if state is None or state in UNFINISHED:
        return False
    query = select(texts.c.pipeline).where(texts.c.document_id == document_id).order_by(texts.c.pipeline)
    pipelines = list(connection.scalars(query))
    record_document_digests(connection, audit_log.RECORDED, document_id, (DETAILS, OUTCOME))
    for pipeline in pipelines:
        if read_recorded_digest(connection, document_id, pipeline, "text") is None:
            hashes = files.hash_generated_files(document_id, pipeline)
            record_document_digests(connection, audit_log.RECORDED, document_id, (CONTENTS,), pipeline, hashes)
    return True


def record_uncovered_feedback(connection: Connection) -> int:
    """Record the feedback of an earlier release as it is now, and return how many rows."""
    recorded = select(audit_digests.c.seq).where(audit_digests.c.feedback_id == feedback.c.id).exists()
    ids = connection.scalars(select(feedback.c.id).where(~recorded).order_by(feedback.c.seq)).all()
    for id in ids:
        record_feedback_digests(connection, id)
    return len(ids)
