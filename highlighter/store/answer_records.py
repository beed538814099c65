"""Answers as they were given, kept for good: in parts, each with its digest, so that words can go and digests stay.

A part goes with a document: when that is deleted, its words and its salt are removed. ALL stands for any document the
answer was given, NONE for what holds nobody's words but the asker's (and goes when it quotes). Digests are salted, or
whoever guesses a few words could still tell from its digest that a part had said them.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, select, update
from sqlalchemy.dialects.sqlite import insert

from highlighter.store.audit_log import canonical_json, compute_digest, record_answer
from highlighter.store.schema import answer_documents, answer_parts, answers, audit, documents
from highlighter.text.characters import fold

ANY_DOCUMENT, NO_DOCUMENT = "*", ""
QUESTION_PART = "question"


class AnswerPart(NamedTuple):
    name: str
    goes_with: str
    digest: str
    salt: str | None
    words: str | None  # JSON; none: redacted

    @classmethod
    def create(cls, name: str, goes_with: str, value: Any) -> AnswerPart:
        words, salt = canonical_json(value), secrets.token_hex(16)
        return cls(name, goes_with, compute_part_digest(salt, words), salt, words)

    @property
    def value(self) -> Any:
        return None if self.words is None else json.loads(self.words)

    def without_words(self) -> AnswerPart:
        return self._replace(salt=None, words=None)


class AnswerDocument(NamedTuple):
    """One that the answer was given to read, whether or not it cites it."""

    document_id: str
    collection: str
    sha256: str
    there: bool


@dataclass(frozen=True, slots=True)
class AnswerRecord:
    id: str
    facts: str  # JSON: what was asked, found and checked, without a word of it
    documents: tuple[AnswerDocument, ...]
    parts: tuple[AnswerPart, ...]
    seq: int = 0  # its row in the chain

    @property
    def content_digest(self) -> str:
        """The digest of it all, which the chain holds. Redacting changes nothing that goes into it."""
        parts = [[part.name, part.goes_with, part.digest] for part in self.parts]
        return compute_digest(canonical_json([self.id, self.facts, [list(one) for one in self.documents], parts]))

    @property
    def redacted_parts(self) -> frozenset[str]:
        return frozenset(part.name for part in self.parts if part.words is None)

    def part_value(self, name: str) -> Any:
        return next((part.value for part in self.parts if part.name == name), None)


def compute_part_digest(salt: str | None, words: str) -> str:
    return compute_digest(f"{salt}\n{words}")


def save_answer_record(
    connection: Connection, id: str, facts: Any, document_ids: Iterable[str], parts: Iterable[AnswerPart]
) -> AnswerRecord:
    """In one transaction with its row in the chain. Words of a document that went meanwhile are not kept at all."""
    parts, known = (
        list(parts),
        tuple(_read_answer_document(connection, document_id) for document_id in sorted(set(document_ids))),
    )
    gone = {document.document_id for document in known if not document.there}
    going = _find_parts_to_redact(parts, gone) if gone else set()
    kept = (part.without_words() if part.name in going else part for part in parts)
    record = AnswerRecord(id, canonical_json(facts), known, tuple(sorted(kept)))
    seq = record_answer(connection, id, record.content_digest)
    connection.execute(insert(answers), {"id": id, "seq": seq, "facts": record.facts})
    for table, rows in ((answer_documents, record.documents), (answer_parts, record.parts)):
        if rows:
            connection.execute(insert(table), [{"answer_id": id, **row._asdict()} for row in rows])
    return record


def read_answer_record(connection: Connection, id: str) -> AnswerRecord | None:
    row = connection.execute(select(answers).where(answers.c.id == id)).first()
    if row is None:
        return None
    given = _read_rows(connection, answer_documents, AnswerDocument, id)
    return AnswerRecord(row.id, row.facts, given, _read_rows(connection, answer_parts, AnswerPart, id), row.seq)


def read_chain_row(connection: Connection, record: AnswerRecord) -> dict[str, Any]:
    """Its row in the chain, hashes and all."""
    return dict(connection.execute(select(audit).where(audit.c.seq == record.seq)).mappings().one())


def redact_answers(connection: Connection, document_id: str) -> int:
    """Removes the words that go with a document, in the transaction that deletes it; of how many answers."""
    query = select(answer_documents.c.answer_id).where(answer_documents.c.document_id == document_id)
    ids = list(connection.scalars(query))
    named = {id: QUESTION_PART if _question_repeats_document(connection, id, document_id) else "" for id in ids}
    if ids:
        connection.execute(
            _REDACT_PARTS, [{"of": id, "all": ANY_DOCUMENT, "or": document_id, "named": named[id]} for id in ids]
        )
    return len(ids)


_REDACT_PARTS = (
    update(answer_parts)
    .where(
        answer_parts.c.answer_id == bindparam("of"),
        answer_parts.c.goes_with.in_([bindparam("all"), bindparam("or")]) | (answer_parts.c.name == bindparam("named")),
    )
    .values(words=None, salt=None)
)


def _question_repeats_document(connection: Connection, id: str, document_id: str) -> bool:
    """A question is the asker's own and stays, unless it repeats what the document said."""
    words = select(answer_parts.c.words).where(answer_parts.c.answer_id == id, answer_parts.c.words.is_not(None))
    asked = connection.scalar(words.where(answer_parts.c.name == QUESTION_PART))
    passages = (
        _collect_text(json.loads(one))
        for one in connection.scalars(words.where(answer_parts.c.goes_with == document_id))
    )
    return asked is not None and repeats_any_text(_collect_text(json.loads(asked)), passages)


def _find_parts_to_redact(parts: Iterable[AnswerPart], deleted_ids: set[str]) -> set[str]:
    """What goes with these documents, which went before any of it was kept."""
    parts = list(parts)
    going = {part.name for part in parts if part.goes_with in deleted_ids or part.goes_with == ANY_DOCUMENT}
    asked = next((part.value for part in parts if part.name == QUESTION_PART), None)
    if repeats_any_text(
        _collect_text(asked), (_collect_text(part.value) for part in parts if part.goes_with in deleted_ids)
    ):
        going.add(QUESTION_PART)
    return going


def _collect_text(value: Any) -> str:
    """All that a value says in words."""
    if isinstance(value, dict | list):
        return "\n".join(map(_collect_text, value.values() if isinstance(value, dict) else value))
    return value if isinstance(value, str) else ""


def _read_answer_document(connection: Connection, document_id: str) -> AnswerDocument:
    query = select(documents.c.collection, documents.c.sha256).where(documents.c.id == document_id)
    if row := connection.execute(query).first():
        return AnswerDocument(document_id, *row, True)
    last = select(audit.c.collection, audit.c.sha256).where(audit.c.document_id == document_id)
    row = connection.execute(last.order_by(audit.c.seq.desc()).limit(1)).first()
    return AnswerDocument(document_id, *(row or ("", "")), False)


def _read_rows(connection: Connection, table, row_type: type, id: str) -> tuple:
    columns = [table.c[name] for name in row_type._fields]
    rows = connection.execute(select(*columns).where(table.c.answer_id == id).order_by(columns[0]))
    return tuple(row_type(*row) for row in rows)


# Whether somebody's words repeat a document's: a run of them, such as nobody hits upon by chance.


# Fewer words in a row, or fewer Chinese characters, are a name or a turn of phrase.
MIN_QUOTED_WORDS, MIN_QUOTED_CHARACTERS = 6, 10
_IDEOGRAPH = re.compile(r"([\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff])")
# A deletion holds one passage against many questions.
MAX_CACHED_PASSAGES = 256


def repeats_any_text(statement: str, texts: Iterable[str]) -> bool:
    """Whether it repeats any of them; they are not looked at when nothing said is long enough."""
    runs = _list_long_runs(_split_words(statement))
    return bool(runs) and any(run in held for held in map(_normalise_text, texts) for run in runs)


def _list_long_runs(words: list[str]) -> list[str]:
    """Those long enough to be a quotation; where there are Chinese characters among them, each counts as a word."""
    found = []
    for at in range(len(words)):
        some = words[at : at + MIN_QUOTED_WORDS]
        most = MIN_QUOTED_CHARACTERS if any(map(_IDEOGRAPH.match, some)) else MIN_QUOTED_WORDS
        if len(some := words[at : at + most]) == most:
            found.append(_join_words(some))
    return found


@lru_cache(maxsize=MAX_CACHED_PASSAGES)
def _normalise_text(text: str) -> str:
    return _join_words(_split_words(text))


def _join_words(words: list[str]) -> str:
    return f" {' '.join(words)} "


def _split_words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", _IDEOGRAPH.sub(r" \1 ", fold(text)))
