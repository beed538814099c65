"""Walks the chain row by row, then compares what the rows cover, and says of each broken thing how it is broken."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, func, select

from highlighter.store import answers, chain, digests
from highlighter.store.answers import ALL, NONE, Part, Record
from highlighter.store.audit import ANSWERED, DELETED
from highlighter.store.chain import Head
from highlighter.store.coverage import Broken, ContentsCheck, Coverage, Covered
from highlighter.store.files import Files
from highlighter.store.schema import answers as answers_table
from highlighter.store.schema import audit

ROWS_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Proof:
    """What was looked at, and what is wrong with it. Nothing broken: it is as it was written."""

    rows: int
    before_the_chain: int
    answers: int
    redacted: int  # answers of which words were removed, with right
    head: Head | None
    broken: tuple[Broken, ...]
    coverage: Coverage


def prove(connection: Connection, against: Head | None = None, files: Files | None = None) -> Proof:
    """`against`: a head that was exported before, which must be a row of this chain. Without `files`, none is read."""
    walk = _Walk(connection)
    broken = [*walk.rows(), *_strays(connection), *_cut_off(connection)]
    contents = ContentsCheck(connection, walk.covered, files)
    broken += contents.findings()
    if against is not None:
        broken += _apart(connection, against)
    return Proof(
        walk.count, walk.before, walk.answers, walk.redacted, chain.head(connection),
        tuple(sorted(broken, key=lambda one: one.seq)), contents.coverage,
    )  # fmt: skip


class _Walk:
    def __init__(self, connection: Connection):
        self.connection = connection
        self.count = self.before = self.answers = self.redacted = 0
        query = select(audit.c.document_id, func.max(audit.c.seq)).where(audit.c.what == DELETED)
        self.deleted = dict(tuple(row) for row in connection.execute(query.group_by(audit.c.document_id)))
        self.covered = Covered(deleted=self.deleted)

    def rows(self) -> Iterator[Broken]:
        last: dict[str, Any] | None = None
        query = select(audit).order_by(audit.c.seq).execution_options(yield_per=ROWS_AT_ONCE)
        for row in map(dict, self.connection.execute(query).mappings()):
            self.count += 1
            if row["what"] == DELETED:
                self.covered.noted.pop(row["document_id"], None)
            elif row["document_id"]:
                self.covered.noted[row["document_id"]] = row["collection"], row["sha256"]
            if not row["hash"] and last is None:
                self.before += 1
                continue
            yield from (Broken(row["seq"], why) for why in self._faults(row, last))
            last = row

    def _faults(self, row: dict[str, Any], last: dict[str, Any] | None) -> Iterator[str]:
        if row["hash"] != chain.row_hash(row):
            yield "it is not what its hash was made of: it was changed" if row["hash"] else "it is not in the chain"
        if last is None:
            if row["previous"] != chain.beginning(self.connection, row["seq"]):
                yield "the rows before the chain are not those it began with"
        elif row["seq"] != last["seq"] + 1:
            yield f"{row['seq'] - last['seq'] - 1} rows before it are missing"
        elif row["previous"] != last["hash"]:
            yield f"it does not follow row {last['seq']}: that one was changed, or others stood between"
        if row["what"] == ANSWERED:
            yield from self._answer(row)
        elif row["content"]:
            yield from self._digests(row)

    def _digests(self, row: dict[str, Any]) -> Iterator[str]:
        record = digests.record_at(self.connection, row["seq"])
        if record is None:
            yield "the digests that it covers are not there"
        elif record.content != row["content"]:
            yield "the digests that it covers were changed"
        elif record.feedback_id:
            self.covered.feedback[record.feedback_id] = record.seq
        elif self.deleted.get(record.document_id, 0) > record.seq:
            return
        elif record.salt is None:
            yield f"the salt of its digests was removed, and document {record.document_id} was not deleted"
        else:
            self.covered.documents.setdefault(record.document_id, []).append(record.seq)

    def _answer(self, row: dict[str, Any]) -> Iterator[str]:
        self.answers += 1
        record = answers.read(self.connection, row["answer_id"])
        if record is None:
            yield f"answer {row['answer_id']} is not there"
            return
        self.redacted += bool(record.redacted)
        if record.content != row["content"]:
            yield f"answer {record.id} is not the one that was kept: its facts, documents or digests were changed"
        for part in record.parts:
            if why := self._part(part, record):
                yield f"answer {record.id}: {why}"

    def _part(self, part: Part, record: Record) -> str:
        if part.words is not None:
            same = answers.part_digest(part.salt, str(part.words)) == part.digest
            return "" if same else f"the words of its {part.name!r} were changed"
        if part.salt is not None:
            return f"the words of its {part.name!r} were removed, and not by redaction"
        right = any(
            not one.there or self.deleted.get(one.document_id, 0) > record.seq
            for one in record.documents
            if part.goes_with in (ALL, NONE, one.document_id)
        )
        return "" if right else f"the words of its {part.name!r} were removed, and no document of it was deleted"


def _strays(connection: Connection) -> Iterator[Broken]:
    """Answers that no row of the chain tells of."""
    told = select(audit.c.seq).where(audit.c.seq == answers_table.c.seq, audit.c.answer_id == answers_table.c.id)
    for id, seq in connection.execute(select(answers_table.c.id, answers_table.c.seq).where(~told.exists())):
        yield Broken(seq, f"answer {id} is not in the chain")


def _cut_off(connection: Connection) -> Iterator[Broken]:
    last = connection.execute(select(func.max(audit.c.seq))).scalar() or 0
    written = chain.counted(connection)
    if written != last:
        yield Broken(last + 1, f"{written} rows were written and the last is {last}: the end was cut off")


def _apart(connection: Connection, against: Head) -> Iterator[Broken]:
    if against.seq == 0:  # a chain in which nothing stood yet is the beginning of every chain
        return
    found = connection.execute(select(audit.c.hash, audit.c.at).where(audit.c.seq == against.seq)).first()
    if found is None:
        yield Broken(against.seq, "the head that was exported is not there: the end was cut off")
    elif tuple(found) != (against.hash, against.at):
        yield Broken(against.seq, "it is not the row that was the head when it was exported")
