"""Verify the audit: its chain row by row, then the contents that its rows cover."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, func, select

from highlighter.store import answer_records, audit_log, digests
from highlighter.store.answer_records import ANY_DOCUMENT, NO_DOCUMENT, AnswerPart, AnswerRecord
from highlighter.store.audit_log import ANSWERED, DELETED, ChainHead
from highlighter.store.content_verification import ContentVerifier, Coverage, Discrepancy, RecordedState
from highlighter.store.files import FileStore
from highlighter.store.schema import answers as answers_table
from highlighter.store.schema import audit

ROWS_PER_FETCH = 500


@dataclass(frozen=True, slots=True)
class VerificationReport:
    """The numbers of verified rows and answers, and the discrepancies. Without any, all is as it was written."""

    rows: int
    unchained_rows: int
    answers: int
    redacted: int  # answers with text that was legitimately removed
    head: ChainHead | None
    discrepancies: tuple[Discrepancy, ...]
    coverage: Coverage


def verify_audit(
    connection: Connection, exported_head: ChainHead | None = None, files: FileStore | None = None
) -> VerificationReport:
    """Verify the chain and what it covers.

    An exported head must be a row of this chain. Without `files`, only the tables are compared.
    """
    walk = _ChainWalk(connection)
    discrepancies = [*walk.verify_rows(), *_find_unchained_answers(connection), *_find_truncation(connection)]
    contents = ContentVerifier(connection, walk.recorded, files)
    discrepancies += contents.find_discrepancies()
    if exported_head is not None:
        discrepancies += _compare_with_exported_head(connection, exported_head)
    return VerificationReport(
        walk.row_count, walk.unchained_rows, walk.answers, walk.redacted, audit_log.read_head(connection),
        tuple(sorted(discrepancies, key=lambda discrepancy: discrepancy.seq)), contents.coverage,
    )  # fmt: skip


class _ChainWalk:
    """One pass over the chain, which collects what its rows recorded."""

    def __init__(self, connection: Connection):
        self.connection = connection
        self.row_count = self.unchained_rows = self.answers = self.redacted = 0
        query = select(audit.c.document_id, func.max(audit.c.seq)).where(audit.c.what == DELETED)
        self.deletion_rows = dict(connection.execute(query.group_by(audit.c.document_id)).all())
        self.recorded = RecordedState(deletion_rows=self.deletion_rows)

    def verify_rows(self) -> Iterator[Discrepancy]:
        previous_row: dict[str, Any] | None = None
        query = select(audit).order_by(audit.c.seq).execution_options(yield_per=ROWS_PER_FETCH)
        for row in map(dict, self.connection.execute(query).mappings()):
            self.row_count += 1
            if row["what"] == DELETED:
                self.recorded.document_sources.pop(row["document_id"], None)
            elif row["document_id"]:
                self.recorded.document_sources[row["document_id"]] = row["collection"], row["sha256"]
            if not row["hash"] and previous_row is None:
                self.unchained_rows += 1
                continue
            yield from (Discrepancy(row["seq"], fault) for fault in self._find_row_faults(row, previous_row))
            previous_row = row

    def _find_row_faults(self, row: dict[str, Any], previous_row: dict[str, Any] | None) -> Iterator[str]:
        if row["hash"] != audit_log.compute_row_hash(row):
            yield "it is not what its hash was made of: it was changed" if row["hash"] else "it is not in the chain"
        if previous_row is None:
            if row["previous"] != audit_log.compute_genesis_hash(self.connection, row["seq"]):
                yield "the rows before the chain are not those it began with"
        elif row["seq"] != previous_row["seq"] + 1:
            yield f"{row['seq'] - previous_row['seq'] - 1} rows before it are missing"
        elif row["previous"] != previous_row["hash"]:
            yield f"it does not follow row {previous_row['seq']}: that one was changed, or others stood between"
        if row["what"] == ANSWERED:
            yield from self._find_answer_faults(row)
        elif row["content"]:
            yield from self._find_digest_faults(row)

    def _find_digest_faults(self, row: dict[str, Any]) -> Iterator[str]:
        record = digests.read_digest_record(self.connection, row["seq"])
        if record is None:
            yield "the digests that it covers are not there"
        elif record.content_digest != row["content"]:
            yield "the digests that it covers were changed"
        elif record.feedback_id:
            self.recorded.feedback_rows[record.feedback_id] = record.seq
        elif self.deletion_rows.get(record.document_id, 0) > record.seq:
            return
        elif record.salt is None:
            yield f"the salt of its digests was removed, and document {record.document_id} was not deleted"
        else:
            self.recorded.document_rows.setdefault(record.document_id, []).append(record.seq)

    def _find_answer_faults(self, row: dict[str, Any]) -> Iterator[str]:
        self.answers += 1
        record = answer_records.read_answer_record(self.connection, row["answer_id"])
        if record is None:
            yield f"answer {row['answer_id']} is not there"
            return
        self.redacted += bool(record.redacted_parts)
        if record.content_digest != row["content"]:
            yield f"answer {record.id} is not the one that was kept: its facts, documents or digests were changed"
        for part in record.parts:
            if fault := self._find_part_fault(part, record):
                yield f"answer {record.id}: {fault}"

    def _find_part_fault(self, part: AnswerPart, record: AnswerRecord) -> str:
        if part.content is not None:
            matches = answer_records.compute_part_digest(part.salt, str(part.content)) == part.digest
            return "" if matches else f"the words of its {part.name!r} were changed"
        if part.salt is not None:
            return f"the words of its {part.name!r} were removed, and not by redaction"
        has_deleted_document = any(
            not document.existed or self.deletion_rows.get(document.document_id, 0) > record.seq
            for document in record.documents
            if part.document_id in (ANY_DOCUMENT, NO_DOCUMENT, document.document_id)
        )
        if has_deleted_document:
            return ""
        return f"the words of its {part.name!r} were removed, and no document of it was deleted"


def _find_unchained_answers(connection: Connection) -> Iterator[Discrepancy]:
    """Yield the answers that no row of the chain records."""
    row_of_answer = select(audit.c.seq).where(
        audit.c.seq == answers_table.c.seq, audit.c.answer_id == answers_table.c.id
    )
    for id, seq in connection.execute(select(answers_table.c.id, answers_table.c.seq).where(~row_of_answer.exists())):
        yield Discrepancy(seq, f"answer {id} is not in the chain")


def _find_truncation(connection: Connection) -> Iterator[Discrepancy]:
    last = connection.execute(select(func.max(audit.c.seq))).scalar() or 0
    written = audit_log.count_written_rows(connection)
    if written != last:
        yield Discrepancy(last + 1, f"{written} rows were written and the last is {last}: the end was cut off")


def _compare_with_exported_head(connection: Connection, exported_head: ChainHead) -> Iterator[Discrepancy]:
    if exported_head.seq == 0:  # the head of an empty chain, which every chain continues
        return
    row = connection.execute(select(audit.c.hash, audit.c.at).where(audit.c.seq == exported_head.seq)).first()
    if row is None:
        yield Discrepancy(exported_head.seq, "the head that was exported is not there: the end was cut off")
    elif tuple(row) != (exported_head.hash, exported_head.at):
        yield Discrepancy(exported_head.seq, "it is not the row that was the head when it was exported")
