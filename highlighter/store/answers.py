"""Answers as they were given, kept for good: in parts, each with its digest, so that words can go and digests stay.

A part goes with a document: when that is deleted, its words and its salt are removed. ALL stands for any document the
answer was given, NONE for what holds nobody's words but the asker's (and goes when it quotes). Digests are salted, or
whoever guesses a few words could still tell from its digest that a part had said them.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, select, update
from sqlalchemy.dialects.sqlite import insert

from highlighter.store.audit import note_answer
from highlighter.store.chain import canonical, digest
from highlighter.store.quoting import quotes
from highlighter.store.schema import answer_documents, answer_parts, answers, audit, documents

ALL, NONE = "*", ""
QUESTION = "question"


class Part(NamedTuple):
    name: str
    goes_with: str
    digest: str
    salt: str | None
    words: str | None  # JSON; none: redacted

    @classmethod
    def of(cls, name: str, goes_with: str, said: Any) -> Part:
        words, salt = canonical(said), secrets.token_hex(16)
        return cls(name, goes_with, part_digest(salt, words), salt, words)

    @property
    def said(self) -> Any:
        return None if self.words is None else json.loads(self.words)

    def blank(self) -> Part:
        return self._replace(salt=None, words=None)


class GivenDocument(NamedTuple):
    """One that the answer was given to read, whether or not it cites it."""

    document_id: str
    collection: str
    sha256: str
    there: bool


@dataclass(frozen=True, slots=True)
class Record:
    id: str
    facts: str  # JSON: what was asked, found and checked, without a word of it
    documents: tuple[GivenDocument, ...]
    parts: tuple[Part, ...]
    seq: int = 0  # its row in the chain

    @property
    def content(self) -> str:
        """The digest of it all, which the chain holds. Redacting changes nothing that goes into it."""
        parts = [[part.name, part.goes_with, part.digest] for part in self.parts]
        return digest(canonical([self.id, self.facts, [list(one) for one in self.documents], parts]))

    @property
    def redacted(self) -> frozenset[str]:
        return frozenset(part.name for part in self.parts if part.words is None)

    def said(self, name: str) -> Any:
        return next((part.said for part in self.parts if part.name == name), None)


def part_digest(salt: str | None, words: str) -> str:
    return digest(f"{salt}\n{words}")


def keep(connection: Connection, id: str, facts: Any, document_ids: Iterable[str], parts: Iterable[Part]) -> Record:
    """In one transaction with its row in the chain. Words of a document that went meanwhile are not kept at all."""
    parts, known = list(parts), tuple(_given(connection, document_id) for document_id in sorted(set(document_ids)))
    gone = {document.document_id for document in known if not document.there}
    going = _going(parts, gone) if gone else set()
    kept = (part.blank() if part.name in going else part for part in parts)
    record = Record(id, canonical(facts), known, tuple(sorted(kept)))
    seq = note_answer(connection, id, record.content)
    connection.execute(insert(answers), {"id": id, "seq": seq, "facts": record.facts})
    for table, rows in ((answer_documents, record.documents), (answer_parts, record.parts)):
        if rows:
            connection.execute(insert(table), [{"answer_id": id, **row._asdict()} for row in rows])
    return record


def read(connection: Connection, id: str) -> Record | None:
    row = connection.execute(select(answers).where(answers.c.id == id)).first()
    if row is None:
        return None
    given = _rows(connection, answer_documents, GivenDocument, id)
    return Record(row.id, row.facts, given, _rows(connection, answer_parts, Part, id), row.seq)


def chained(connection: Connection, record: Record) -> dict[str, Any]:
    """Its row in the chain, hashes and all."""
    return dict(connection.execute(select(audit).where(audit.c.seq == record.seq)).mappings().one())


def redact(connection: Connection, document_id: str) -> int:
    """Removes the words that go with a document, in the transaction that deletes it; of how many answers."""
    query = select(answer_documents.c.answer_id).where(answer_documents.c.document_id == document_id)
    ids = list(connection.scalars(query))
    named = {id: QUESTION if _question_quotes(connection, id, document_id) else "" for id in ids}
    if ids:
        connection.execute(_BLANK, [{"of": id, "all": ALL, "or": document_id, "named": named[id]} for id in ids])
    return len(ids)


_BLANK = (
    update(answer_parts)
    .where(
        answer_parts.c.answer_id == bindparam("of"),
        answer_parts.c.goes_with.in_([bindparam("all"), bindparam("or")]) | (answer_parts.c.name == bindparam("named")),
    )
    .values(words=None, salt=None)
)


def _question_quotes(connection: Connection, id: str, document_id: str) -> bool:
    """A question is the asker's own and stays, unless it repeats what the document said."""
    words = select(answer_parts.c.words).where(answer_parts.c.answer_id == id, answer_parts.c.words.is_not(None))
    asked = connection.scalar(words.where(answer_parts.c.name == QUESTION))
    passages = (
        _text(json.loads(one)) for one in connection.scalars(words.where(answer_parts.c.goes_with == document_id))
    )
    return asked is not None and quotes(_text(json.loads(asked)), passages)


def _going(parts: Iterable[Part], gone: set[str]) -> set[str]:
    """What goes with these documents, which went before any of it was kept."""
    parts = list(parts)
    going = {part.name for part in parts if part.goes_with in gone or part.goes_with == ALL}
    asked = next((part.said for part in parts if part.name == QUESTION), None)
    if quotes(_text(asked), (_text(part.said) for part in parts if part.goes_with in gone)):
        going.add(QUESTION)
    return going


def _text(said: Any) -> str:
    """All that a value says in words."""
    if isinstance(said, dict | list):
        return "\n".join(map(_text, said.values() if isinstance(said, dict) else said))
    return said if isinstance(said, str) else ""


def _given(connection: Connection, document_id: str) -> GivenDocument:
    query = select(documents.c.collection, documents.c.sha256).where(documents.c.id == document_id)
    if row := connection.execute(query).first():
        return GivenDocument(document_id, *row, True)
    last = select(audit.c.collection, audit.c.sha256).where(audit.c.document_id == document_id)
    row = connection.execute(last.order_by(audit.c.seq.desc()).limit(1)).first()
    return GivenDocument(document_id, *(row or ("", "")), False)


def _rows(connection: Connection, table, shape: type, id: str) -> tuple:
    columns = [table.c[name] for name in shape._fields]
    rows = connection.execute(select(*columns).where(table.c.answer_id == id).order_by(columns[0]))
    return tuple(shape(*row) for row in rows)
