"""Compares documents, their files and feedback with the digests that the audit's chain covers, and counts what it compared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sqlalchemy import Connection, func, select

from highlighter.models import PIPELINE_VERSION, UNFINISHED
from highlighter.store import digests
from highlighter.store.digests import CONTENTS, DETAILS, FEEDBACK_FACTS, FEEDBACK_WORDS, OUTCOME
from highlighter.store.files import FileStore
from highlighter.store.schema import audit_digests, documents, feedback, texts

ORIGINAL, FILES, EARLIER_PIPELINE = "original", "files", "earlier"  # groups of findings beside those of digests
MISSING, CHANGED, ADDED = "missing", "changed", "added"


@dataclass(frozen=True, slots=True)
class Discrepancy:
    """One thing that is not as it was written; the rest where it belongs to a document."""

    seq: int  # the row of the audit that says what it was; 0: none does
    description: str
    document_id: str = ""
    part: str = ""  # as in the sentence
    group: str = ""  # of digests, or one of those above


@dataclass(slots=True)
class Coverage:
    """How much was compared, and what could not be."""

    documents: int = 0
    chunks: int = 0
    sentences: int = 0
    originals: int = 0
    made_files: int = 0
    feedback: int = 0
    processing: int = 0  # documents that were queued or being read meanwhile
    uncovered: list[str] = field(default_factory=list)  # ids of documents of which something was never recorded
    uncovered_feedback: int = 0


@dataclass(slots=True)
class RecordedState:
    """What a walk along the chain found recorded, by the number of the row that recorded it."""

    document_sources: dict[str, tuple[str, str]] = field(default_factory=dict)  # collection and hash, by document
    document_rows: dict[str, list[int]] = field(default_factory=dict)  # since a document was last deleted
    feedback_rows: dict[str, int] = field(default_factory=dict)
    deletion_rows: dict[str, int] = field(default_factory=dict)


class _RecordedGroup(NamedTuple):
    """Where a group of a document's digests was recorded last."""

    seq: int
    salt: str
    digests: Mapping[str, str]


class ContentVerifier:
    """Without `files` the tables alone are compared."""

    def __init__(self, connection: Connection, recorded: RecordedState, files: FileStore | None = None):
        self.connection, self.recorded, self.files = connection, recorded, files
        self.coverage = Coverage()
        self._original_faults: dict[str, str] = {}  # what is wrong with it, by hash: collections may share a file

    def find_discrepancies(self) -> Iterator[Discrepancy]:
        rows = self.connection.execute(select(documents).order_by(documents.c.added, documents.c.id)).mappings().all()
        for row in rows:
            yield from self._verify_document(row)
        there = {row["id"] for row in rows}
        for id, seqs in self.recorded.document_rows.items():
            if id not in there:
                yield Discrepancy(seqs[-1], f"document {id}: missing, and no row says that it was deleted", id)
        yield from self._verify_feedback()

    # -- documents -----------------------------------------------------------------------------------------------

    def _verify_document(self, row: Mapping[str, Any]) -> Iterator[Discrepancy]:
        id, unfinished = row["id"], row["state"] in UNFINISHED
        noted, groups = self.recorded.document_sources.get(id), self._read_recorded_groups(id)
        if noted is None and not unfinished:
            yield _make_discrepancy(row, 0, "row", "not in the chain, so put in by hand")
            return
        if noted not in (None, (row["collection"], row["sha256"])):
            yield _make_discrepancy(row, self.recorded.document_rows.get(id, [0])[-1], "collection or hash", CHANGED)
        yield from self._verify_original(row, noted)
        compared = [(DETAILS, 0), (OUTCOME, 0), *((CONTENTS, one) for one in self._list_pipelines(id, groups))]
        if unfinished:  # its contents and files are just being replaced
            self.coverage.processing += 1
            compared = [one for one in compared if one not in ((OUTCOME, 0), (CONTENTS, PIPELINE_VERSION))]
        elif all(one in groups for one in compared):
            self.coverage.documents += 1
        else:
            self.coverage.uncovered.append(id)
        for one in compared:
            if one in groups:
                yield from self._verify_group(row, *one, groups[one])

    def _read_recorded_groups(self, id: str) -> dict[tuple[str, int], _RecordedGroup]:
        """The latest of each group; contents for each pipeline that read the document."""
        found = {}
        for seq in self.recorded.document_rows.get(id, []):
            record = digests.read_digest_record(self.connection, seq)
            for group, some in record.parse_groups().items():
                pipeline = record.pipeline if group == CONTENTS else 0
                found[group, pipeline] = _RecordedGroup(seq, record.salt or "", some)
        return found

    def _list_pipelines(self, id: str, groups: Mapping[tuple[str, int], _RecordedGroup]) -> list[int]:
        stored = self.connection.scalars(select(texts.c.pipeline).where(texts.c.document_id == id))
        return sorted({*stored, *(pipeline for group, pipeline in groups if group == CONTENTS)})

    def _verify_group(
        self, row: Mapping[str, Any], group: str, pipeline: int, recorded: _RecordedGroup
    ) -> Iterator[Discrepancy]:
        values, before = self._read_current_values(row["id"], group, pipeline), recorded.digests
        if self.files is None:
            before = {name: one for name, one in before.items() if not digests.is_file_part(name)}
        now = digests.compute_salted_digests(recorded.salt, values)
        self._count_values(now)
        for name in (*before, *(now.keys() - before.keys())):
            how = MISSING if name not in now else ADDED if name not in before else CHANGED
            if now.get(name) != before.get(name) and self._is_still_current(row, name):
                earlier = pipeline if pipeline != row["pipeline"] else 0
                kind = EARLIER_PIPELINE if earlier else FILES if digests.is_file_part(name) else group
                yield _make_discrepancy(row, recorded.seq, name, how, kind, earlier)

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

    def _verify_original(self, row: Mapping[str, Any], noted: tuple[str, str] | None) -> Iterator[Discrepancy]:
        if self.files is None:
            return
        sha256 = noted[1] if noted else row["sha256"]
        if sha256 not in self._original_faults:
            found = self.files.compute_sha256(self.files.original_path(sha256))
            self._original_faults[sha256] = "" if found == sha256 else CHANGED if found else MISSING
            self.coverage.originals += bool(found)
        if (how := self._original_faults[sha256]) and self._is_still_current(row, ORIGINAL):
            yield _make_discrepancy(row, self.recorded.document_rows.get(row["id"], [0])[-1], ORIGINAL, how, ORIGINAL)

    def _is_still_current(self, row: Mapping[str, Any], part: str) -> bool:
        """Files are read at another moment than tables: the document may have been deleted or read again in between."""
        if part != ORIGINAL and not digests.is_file_part(part):
            return True
        mine, recorded = documents.c.id == row["id"], audit_digests.c.document_id == row["id"]
        queries = (select(documents.c.state).where(mine), select(func.max(audit_digests.c.seq)).where(recorded))
        with self.connection.engine.connect() as fresh:
            return all(fresh.scalar(query) == self.connection.scalar(query) for query in queries)

    def _count_values(self, values: digests.PartValues) -> None:
        self.coverage.chunks += sum(name.startswith("chunk ") for name in values)
        self.coverage.sentences += sum(name.startswith("sentence ") for name in values)
        self.coverage.made_files += sum(map(digests.is_file_part, values))

    # -- feedback ------------------------------------------------------------------------------------------------

    def _verify_feedback(self) -> Iterator[Discrepancy]:
        rows = self.connection.execute(select(feedback).order_by(feedback.c.seq)).mappings().all()
        recorded = [row["seq"] for row in rows if row["id"] in self.recorded.feedback_rows]
        for row in rows:
            if seq := self.recorded.feedback_rows.get(row["id"]):
                self.coverage.feedback += 1
                yield from self._verify_verdict(row, seq)
            elif recorded and row["seq"] > recorded[0]:
                yield Discrepancy(0, f"feedback {row['id']}: not in the chain, so put in by hand")
            else:
                self.coverage.uncovered_feedback += 1
        there = {row["id"] for row in rows}
        for id, seq in self.recorded.feedback_rows.items():
            if id not in there:
                yield Discrepancy(seq, f"feedback {id}: {MISSING}")

    def _verify_verdict(self, row: Mapping[str, Any], seq: int) -> Iterator[Discrepancy]:
        record = digests.read_digest_record(self.connection, seq)
        before = record.parse_groups()
        if digests.compute_digest(digests.serialise_feedback_facts(row)) != before[FEEDBACK_FACTS]:
            yield Discrepancy(seq, f"feedback {row['id']}, verdict, place or time: {CHANGED}")
        if record.salt is None:
            right = row["question"] is None and row["note"] is None
            right = right and (not before[FEEDBACK_WORDS] or row["document_id"] in self.recorded.deletion_rows)
        else:
            right = (
                digests.compute_salted_digest(record.salt, digests.serialise_feedback_words(row))
                == before[FEEDBACK_WORDS]
            )
        if not right:
            yield Discrepancy(seq, f"feedback {row['id']}, question or note: {CHANGED}")


def _make_discrepancy(
    row: Mapping[str, Any], seq: int, part: str, fault: str, group: str = "", pipeline: int = 0
) -> Discrepancy:
    whose = f"document {row['id']} ({row['name']})"
    earlier = f" as read by pipeline {pipeline}" if pipeline else ""
    return Discrepancy(seq, f"{whose}, {part}{earlier}: {fault}", row["id"], part, group)
