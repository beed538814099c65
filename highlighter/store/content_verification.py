"""Compare documents, their files and feedback with the digests that the audit's chain covers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sqlalchemy import Connection, RowMapping, Select, func, select

from highlighter.models import PIPELINE_VERSION, RECOGNITION_STEP, UNFINISHED
from highlighter.store import digests
from highlighter.store.audit_log import compute_digest
from highlighter.store.digests import CONTENTS, DETAILS, FEEDBACK_FACTS, FEEDBACK_WORDS, OUTCOME, DigestRecord
from highlighter.store.files import FileStore
from highlighter.store.schema import audit_digests, documents, feedback, texts

# Groups of discrepancies, beside the groups of digests.
ORIGINAL, FILES, EARLIER_PIPELINE = "original", "files", "earlier"
MISSING, CHANGED, ADDED = "missing", "changed", "added"


@dataclass(frozen=True, slots=True)
class Discrepancy:
    """One part that differs from what the audit recorded. The last three fields are set for parts of documents."""

    seq: int  # the row of the audit that recorded it; 0: none
    description: str
    document_id: str = ""
    part: str = ""  # the name of the part, as in the description
    group: str = ""  # a group of digests, or one of those above


@dataclass(slots=True)
class Coverage:
    """The numbers of compared things, and of those that were never recorded. The field names are keys of JSON."""

    documents: int = 0
    chunks: int = 0
    sentences: int = 0
    originals: int = 0
    made_files: int = 0
    feedback: int = 0
    processing: int = 0  # documents that were being processed meanwhile
    uncovered: list[str] = field(default_factory=list)  # ids of documents with parts that were never recorded
    uncovered_feedback: int = 0


@dataclass(slots=True)
class RecordedState:
    """What the chain recorded, by the numbers of its rows."""

    document_sources: dict[str, tuple[str, str]] = field(default_factory=dict)  # collection and hash, by document
    document_rows: dict[str, list[int]] = field(default_factory=dict)  # since a document was last deleted
    feedback_rows: dict[str, int] = field(default_factory=dict)
    deletion_rows: dict[str, int] = field(default_factory=dict)


class _RecordedGroup(NamedTuple):
    """The latest record of a group of a document's digests."""

    seq: int
    salt: str
    digests: Mapping[str, str]


class ContentVerifier:
    """The comparison of documents and feedback with their recorded digests. Without `files`, only tables are compared."""

    def __init__(self, connection: Connection, recorded: RecordedState, files: FileStore | None = None):
        self.connection, self.recorded, self.files = connection, recorded, files
        self.coverage = Coverage()
        self._original_faults: dict[str, str] = {}  # fault by hash: collections may share a file

    def find_discrepancies(self) -> Iterator[Discrepancy]:
        rows = self.connection.execute(select(documents).order_by(documents.c.added, documents.c.id)).mappings().all()
        for row in rows:
            yield from self._verify_document(row)
        existing_ids = {row["id"] for row in rows}
        for id, seqs in self.recorded.document_rows.items():
            if id not in existing_ids:
                yield Discrepancy(seqs[-1], f"document {id}: missing, and no row says that it was deleted", id)
        yield from self._verify_feedback()

    # -- documents -----------------------------------------------------------------------------------------------

    def _verify_document(self, row: RowMapping) -> Iterator[Discrepancy]:
        id, unfinished = row["id"], row["state"] in UNFINISHED
        source, groups = self.recorded.document_sources.get(id), self._read_recorded_groups(id)
        if source is None and not unfinished:
            yield _make_discrepancy(row, 0, "row", "not in the chain, so put in by hand")
            return
        if source not in (None, (row["collection"], row["sha256"])):
            yield _make_discrepancy(row, self.recorded.document_rows.get(id, [0])[-1], "collection or hash", CHANGED)
        yield from self._verify_original(row, source)
        compared = [
            (DETAILS, 0),
            (OUTCOME, 0),
            *((CONTENTS, pipeline) for pipeline in self._list_pipelines(id, groups)),
        ]
        if unfinished:  # its contents and files are being replaced
            self.coverage.processing += 1
            replaced = {(OUTCOME, 0)} | {group for group in compared if group[1] % RECOGNITION_STEP == PIPELINE_VERSION}
            compared = [group for group in compared if group not in replaced]
        elif all(group in groups for group in compared):
            self.coverage.documents += 1
        else:
            self.coverage.uncovered.append(id)
        for group in compared:
            if group in groups:
                yield from self._verify_group(row, *group, groups[group])

    def _require_record(self, seq: int) -> DigestRecord:
        """Return a record that the pass over the chain has found."""
        record = digests.read_digest_record(self.connection, seq)
        if record is None:
            raise LookupError(f"no digests for row {seq} of the audit")
        return record

    def _read_recorded_groups(self, id: str) -> dict[tuple[str, int], _RecordedGroup]:
        """Return the latest record of each group; of contents, for each pipeline that read the document."""
        groups = {}
        for seq in self.recorded.document_rows.get(id, []):
            record = self._require_record(seq)
            for group, part_digests in record.parse_groups().items():
                pipeline = record.pipeline if group == CONTENTS else 0
                groups[group, pipeline] = _RecordedGroup(seq, record.salt or "", part_digests)
        return groups

    def _list_pipelines(self, id: str, groups: Mapping[tuple[str, int], _RecordedGroup]) -> list[int]:
        stored = self.connection.scalars(select(texts.c.pipeline).where(texts.c.document_id == id))
        return sorted({*stored, *(pipeline for group, pipeline in groups if group == CONTENTS)})

    def _verify_group(
        self, row: RowMapping, group: str, pipeline: int, recorded: _RecordedGroup
    ) -> Iterator[Discrepancy]:
        values, before = self._read_current_values(row["id"], group, pipeline), recorded.digests
        if self.files is None:
            before = {name: digest for name, digest in before.items() if not digests.is_file_part(name)}
        current = digests.compute_salted_digests(recorded.salt, values)
        self._count_values(current)
        for name in (*before, *(current.keys() - before.keys())):
            fault = MISSING if name not in current else ADDED if name not in before else CHANGED
            if current.get(name) != before.get(name) and self._is_still_current(row, name):
                earlier = pipeline if pipeline != row["pipeline"] else 0
                kind = EARLIER_PIPELINE if earlier else FILES if digests.is_file_part(name) else group
                yield _make_discrepancy(row, recorded.seq, name, fault, kind, earlier)

    def _read_current_values(self, id: str, group: str, pipeline: int) -> digests.PartValues:
        if group == DETAILS:
            return digests.read_details(self.connection, id)
        if group == OUTCOME:
            return digests.read_outcome(self.connection, id)
        return {
            **digests.read_contents(self.connection, id, pipeline),
            **self._read_generated_file_values(id, pipeline),
        }

    def _read_generated_file_values(self, id: str, pipeline: int) -> digests.PartValues:
        return digests.make_file_values(self.files.hash_generated_files(id, pipeline)) if self.files else {}

    def _verify_original(self, row: RowMapping, source: tuple[str, str] | None) -> Iterator[Discrepancy]:
        if self.files is None:
            return
        sha256 = source[1] if source else row["sha256"]
        if sha256 not in self._original_faults:
            stored_sha256 = self.files.compute_original_sha256(sha256)
            self._original_faults[sha256] = "" if stored_sha256 == sha256 else CHANGED if stored_sha256 else MISSING
            self.coverage.originals += bool(stored_sha256)
        if (fault := self._original_faults[sha256]) and self._is_still_current(row, ORIGINAL):
            yield _make_discrepancy(row, self.recorded.document_rows.get(row["id"], [0])[-1], ORIGINAL, fault, ORIGINAL)

    def _is_still_current(self, row: RowMapping, part: str) -> bool:
        """Return whether the row is unchanged since the tables were read.

        Files are read later than tables, so the document may have been deleted or processed again in between.
        """
        if part != ORIGINAL and not digests.is_file_part(part):
            return True
        queries: tuple[Select[Any], ...] = (
            select(documents.c.state).where(documents.c.id == row["id"]),
            select(func.max(audit_digests.c.seq)).where(audit_digests.c.document_id == row["id"]),
        )
        with self.connection.engine.connect() as fresh:
            return all(fresh.scalar(query) == self.connection.scalar(query) for query in queries)

    def _count_values(self, values: digests.PartValues) -> None:
        self.coverage.chunks += sum(name.startswith("chunk ") for name in values)
        self.coverage.sentences += sum(name.startswith("sentence ") for name in values)
        self.coverage.made_files += sum(map(digests.is_file_part, values))

    # -- feedback ------------------------------------------------------------------------------------------------

    def _verify_feedback(self) -> Iterator[Discrepancy]:
        rows = self.connection.execute(select(feedback).order_by(feedback.c.seq)).mappings().all()
        recorded_seqs = [row["seq"] for row in rows if row["id"] in self.recorded.feedback_rows]
        for row in rows:
            if seq := self.recorded.feedback_rows.get(row["id"]):
                self.coverage.feedback += 1
                yield from self._verify_verdict(row, seq)
            elif recorded_seqs and row["seq"] > recorded_seqs[0]:
                yield Discrepancy(0, f"feedback {row['id']}: not in the chain, so put in by hand")
            else:
                self.coverage.uncovered_feedback += 1
        existing_ids = {row["id"] for row in rows}
        for id, seq in self.recorded.feedback_rows.items():
            if id not in existing_ids:
                yield Discrepancy(seq, f"feedback {id}: {MISSING}")

    def _verify_verdict(self, row: RowMapping, seq: int) -> Iterator[Discrepancy]:
        record = self._require_record(seq)
        recorded = record.parse_feedback_digests()
        if compute_digest(digests.serialise_feedback_facts(row)) != recorded[FEEDBACK_FACTS]:
            yield Discrepancy(seq, f"feedback {row['id']}, verdict, place or time: {CHANGED}")
        if record.salt is None:
            is_unchanged = row["question"] is None and row["note"] is None
            is_unchanged = is_unchanged and (
                not recorded[FEEDBACK_WORDS] or row["document_id"] in self.recorded.deletion_rows
            )
        else:
            is_unchanged = (
                digests.compute_salted_digest(record.salt, digests.serialise_feedback_words(row))
                == recorded[FEEDBACK_WORDS]
            )
        if not is_unchanged:
            yield Discrepancy(seq, f"feedback {row['id']}, question or note: {CHANGED}")


def _make_discrepancy(
    row: RowMapping, seq: int, part: str, fault: str, group: str = "", pipeline: int = 0
) -> Discrepancy:
    owner = f"document {row['id']} ({row['name']})"
    earlier = f" as read by pipeline {pipeline}" if pipeline else ""
    return Discrepancy(seq, f"{owner}, {part}{earlier}: {fault}", row["id"], part, group)
