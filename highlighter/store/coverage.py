"""Compares documents, their files and feedback with the digests that the audit's chain covers, and counts what it compared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sqlalchemy import Connection, func, select

from highlighter.models import PIPELINE, UNFINISHED
from highlighter.store import digests
from highlighter.store.digests import CONTENTS, DETAILS, FEEDBACK_FACTS, FEEDBACK_WORDS, OUTCOME
from highlighter.store.files import Files
from highlighter.store.schema import audit_digests, documents, feedback, texts

ORIGINAL, FILES, EARLIER = "original", "files", "earlier"  # groups of findings beside those of digests
MISSING, CHANGED, ADDED = "missing", "changed", "added"


@dataclass(frozen=True, slots=True)
class Broken:
    """One thing that is not as it was written; the rest where it belongs to a document."""

    seq: int  # the row of the audit that says what it was; 0: none does
    why: str
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
class Covered:
    """What a walk along the chain found recorded, by the number of the row that recorded it."""

    noted: dict[str, tuple[str, str]] = field(default_factory=dict)  # collection and hash, by document
    documents: dict[str, list[int]] = field(default_factory=dict)  # since a document was last deleted
    feedback: dict[str, int] = field(default_factory=dict)
    deleted: dict[str, int] = field(default_factory=dict)


class _Group(NamedTuple):
    """Where a group of a document's digests was recorded last."""

    seq: int
    salt: str
    digests: Mapping[str, str]


class ContentsCheck:
    """Without `files` the tables alone are compared."""

    def __init__(self, connection: Connection, covered: Covered, files: Files | None = None):
        self.connection, self.covered, self.files = connection, covered, files
        self.coverage = Coverage()
        self._originals: dict[str, str] = {}  # what is wrong with it, by hash: collections may share a file

    def findings(self) -> Iterator[Broken]:
        rows = self.connection.execute(select(documents).order_by(documents.c.added, documents.c.id)).mappings().all()
        for row in rows:
            yield from self._document(row)
        there = {row["id"] for row in rows}
        for id, seqs in self.covered.documents.items():
            if id not in there:
                yield Broken(seqs[-1], f"document {id}: missing, and no row says that it was deleted", id)
        yield from self._feedback()

    # -- documents -----------------------------------------------------------------------------------------------

    def _document(self, row: Mapping[str, Any]) -> Iterator[Broken]:
        id, unfinished = row["id"], row["state"] in UNFINISHED
        noted, groups = self.covered.noted.get(id), self._recorded(id)
        if noted is None and not unfinished:
            yield _finding(row, 0, "row", "not in the chain, so put in by hand")
            return
        if noted not in (None, (row["collection"], row["sha256"])):
            yield _finding(row, self.covered.documents.get(id, [0])[-1], "collection or hash", CHANGED)
        yield from self._original(row, noted)
        compared = [(DETAILS, 0), (OUTCOME, 0), *((CONTENTS, one) for one in self._pipelines(id, groups))]
        if unfinished:  # its contents and files are just being replaced
            self.coverage.processing += 1
            compared = [one for one in compared if one not in ((OUTCOME, 0), (CONTENTS, PIPELINE))]
        elif all(one in groups for one in compared):
            self.coverage.documents += 1
        else:
            self.coverage.uncovered.append(id)
        for one in compared:
            if one in groups:
                yield from self._group(row, *one, groups[one])

    def _recorded(self, id: str) -> dict[tuple[str, int], _Group]:
        """The latest of each group; contents for each pipeline that read the document."""
        found = {}
        for seq in self.covered.documents.get(id, []):
            record = digests.record_at(self.connection, seq)
            for group, some in record.groups().items():
                pipeline = record.pipeline if group == CONTENTS else 0
                found[group, pipeline] = _Group(seq, record.salt or "", some)
        return found

    def _pipelines(self, id: str, groups: Mapping[tuple[str, int], _Group]) -> list[int]:
        stored = self.connection.scalars(select(texts.c.pipeline).where(texts.c.document_id == id))
        return sorted({*stored, *(pipeline for group, pipeline in groups if group == CONTENTS)})

    def _group(self, row: Mapping[str, Any], group: str, pipeline: int, recorded: _Group) -> Iterator[Broken]:
        values, before = self._values(row["id"], group, pipeline), recorded.digests
        if self.files is None:
            before = {name: one for name, one in before.items() if not digests.is_file(name)}
        now = digests.salted_values(recorded.salt, values)
        self._count(now)
        for name in (*before, *(now.keys() - before.keys())):
            how = MISSING if name not in now else ADDED if name not in before else CHANGED
            if now.get(name) != before.get(name) and self._is_still_so(row, name):
                earlier = pipeline if pipeline != row["pipeline"] else 0
                kind = EARLIER if earlier else FILES if digests.is_file(name) else group
                yield _finding(row, recorded.seq, name, how, kind, earlier)

    def _values(self, id: str, group: str, pipeline: int) -> digests.Values:
        if group == DETAILS:
            return digests.details(self.connection, id)
        if group == OUTCOME:
            return digests.outcome(self.connection, id)
        return {**digests.contents(self.connection, id, pipeline), **self._made_files(id, pipeline)}

    def _made_files(self, id: str, pipeline: int) -> digests.Values:
        return digests.file_values(self.files.made_hashes(id, pipeline)) if self.files else {}

    def _original(self, row: Mapping[str, Any], noted: tuple[str, str] | None) -> Iterator[Broken]:
        if self.files is None:
            return
        sha256 = noted[1] if noted else row["sha256"]
        if sha256 not in self._originals:
            found = self.files.sha256(self.files.original(sha256))
            self._originals[sha256] = "" if found == sha256 else CHANGED if found else MISSING
            self.coverage.originals += bool(found)
        if (how := self._originals[sha256]) and self._is_still_so(row, ORIGINAL):
            yield _finding(row, self.covered.documents.get(row["id"], [0])[-1], ORIGINAL, how, ORIGINAL)

    def _is_still_so(self, row: Mapping[str, Any], part: str) -> bool:
        """Files are read at another moment than tables: the document may have been deleted or read again in between."""
        if part != ORIGINAL and not digests.is_file(part):
            return True
        mine, recorded = documents.c.id == row["id"], audit_digests.c.document_id == row["id"]
        queries = (select(documents.c.state).where(mine), select(func.max(audit_digests.c.seq)).where(recorded))
        with self.connection.engine.connect() as fresh:
            return all(fresh.scalar(query) == self.connection.scalar(query) for query in queries)

    def _count(self, values: digests.Values) -> None:
        self.coverage.chunks += sum(name.startswith("chunk ") for name in values)
        self.coverage.sentences += sum(name.startswith("sentence ") for name in values)
        self.coverage.made_files += sum(map(digests.is_file, values))

    # -- feedback ------------------------------------------------------------------------------------------------

    def _feedback(self) -> Iterator[Broken]:
        rows = self.connection.execute(select(feedback).order_by(feedback.c.seq)).mappings().all()
        recorded = [row["seq"] for row in rows if row["id"] in self.covered.feedback]
        for row in rows:
            if seq := self.covered.feedback.get(row["id"]):
                self.coverage.feedback += 1
                yield from self._verdict(row, seq)
            elif recorded and row["seq"] > recorded[0]:
                yield Broken(0, f"feedback {row['id']}: not in the chain, so put in by hand")
            else:
                self.coverage.uncovered_feedback += 1
        there = {row["id"] for row in rows}
        for id, seq in self.covered.feedback.items():
            if id not in there:
                yield Broken(seq, f"feedback {id}: {MISSING}")

    def _verdict(self, row: Mapping[str, Any], seq: int) -> Iterator[Broken]:
        record = digests.record_at(self.connection, seq)
        before = record.groups()
        if digests.digest(digests.feedback_facts(row)) != before[FEEDBACK_FACTS]:
            yield Broken(seq, f"feedback {row['id']}, verdict, place or time: {CHANGED}")
        if record.salt is None:
            right = row["question"] is None and row["note"] is None
            right = right and (not before[FEEDBACK_WORDS] or row["document_id"] in self.covered.deleted)
        else:
            right = digests.salted(record.salt, digests.feedback_words(row)) == before[FEEDBACK_WORDS]
        if not right:
            yield Broken(seq, f"feedback {row['id']}, question or note: {CHANGED}")


def _finding(row: Mapping[str, Any], seq: int, part: str, how: str, group: str = "", pipeline: int = 0) -> Broken:
    whose = f"document {row['id']} ({row['name']})"
    earlier = f" as read by pipeline {pipeline}" if pipeline else ""
    return Broken(seq, f"{whose}, {part}{earlier}: {how}", row["id"], part, group)
