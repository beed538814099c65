"""Answer records, stored for good: in parts, each with a digest, so that text can be removed while the digests stay.

A part belongs to a document: when that is deleted, the part's text and salt are removed. ANY_DOCUMENT stands for each document
that the answer was given, NO_DOCUMENT for the asker's own text, which is removed if it quotes a document. Digests are
salted, as otherwise a guess of a short text could be confirmed by its digest.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, Table, bindparam, insert, select, update

from highlighter.store.audit_log import canonical_json, compute_digest, record_answer
from highlighter.store.schema import answer_documents, answer_parts, answers, audit, documents
from highlighter.text.characters import fold

ANY_DOCUMENT, NO_DOCUMENT = "*", ""
QUESTION_PART = "question"


class AnswerPart(NamedTuple):
    """A part of an answer record, with the document that it belongs to."""

    name: str
    document_id: str
    digest: str
    salt: str | None
    content: str | None  # JSON; None: redacted

    @classmethod
    def create(cls, name: str, document_id: str, value: Any) -> AnswerPart:
        content, salt = canonical_json(value), secrets.token_hex(16)
        return cls(name, document_id, compute_part_digest(salt, content), salt, content)

    @property
    def value(self) -> Any:
        return None if self.content is None else json.loads(self.content)

    def redact(self) -> AnswerPart:
        """Return the part without its content; the digest stays."""
        return self._replace(salt=None, content=None)


class AnswerDocument(NamedTuple):
    """A document that the answer was given, whether or not the answer cites it."""

    document_id: str
    collection: str
    sha256: str
    existed: bool  # when the answer was saved


@dataclass(frozen=True, slots=True)
class AnswerRecord:
    """An answer as it is stored."""

    id: str
    facts: str  # JSON: settings, scores and verdicts, without any text
    documents: tuple[AnswerDocument, ...]
    parts: tuple[AnswerPart, ...]
    seq: int = 0  # the number of its row in the chain

    @property
    def content_digest(self) -> str:
        """Return the digest that the chain holds. Text and salts are no part of it, so that they can be redacted."""
        parts = [[part.name, part.document_id, part.digest] for part in self.parts]
        return compute_digest(
            canonical_json([self.id, self.facts, [list(document) for document in self.documents], parts])
        )

    @property
    def redacted_parts(self) -> frozenset[str]:
        return frozenset(part.name for part in self.parts if part.content is None)

    def part_value(self, name: str) -> Any:
        return next((part.value for part in self.parts if part.name == name), None)


def compute_part_digest(salt: str | None, content: str) -> str:
    return compute_digest(f"{salt}\n{content}")


def save_answer_record(
    connection: Connection, id: str, facts: Any, document_ids: Iterable[str], parts: Iterable[AnswerPart]
) -> AnswerRecord:
    """Save an answer in one transaction with its row in the chain. Text of documents deleted meanwhile is not saved."""
    parts = list(parts)
    given = tuple(_read_answer_document(connection, document_id) for document_id in sorted(set(document_ids)))
    deleted_ids = {document.document_id for document in given if not document.existed}
    redacted_names = _find_parts_to_redact(parts, deleted_ids) if deleted_ids else set()
    stored_parts = (part.redact() if part.name in redacted_names else part for part in parts)
    record = AnswerRecord(id, canonical_json(facts), given, tuple(sorted(stored_parts)))
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
    given = tuple(
        AnswerDocument._make(values) for values in _read_rows(connection, answer_documents, AnswerDocument._fields, id)
    )
    parts = tuple(AnswerPart._make(values) for values in _read_rows(connection, answer_parts, AnswerPart._fields, id))
    return AnswerRecord(row.id, row.facts, given, parts, row.seq)


def read_chain_row(connection: Connection, record: AnswerRecord) -> dict[str, Any]:
    """Return the record's row in the chain, with its hashes."""
    return dict(connection.execute(select(audit).where(audit.c.seq == record.seq)).mappings().one())


def redact_answers(connection: Connection, document_id: str) -> int:
    """Remove the text that belongs to a document, in the transaction that deletes it. Return how many answers had any."""
    query = select(answer_documents.c.answer_id).where(answer_documents.c.document_id == document_id)
    ids = list(connection.scalars(query))
    question_parts = {
        id: QUESTION_PART if _question_repeats_document(connection, id, document_id) else "" for id in ids
    }
    if ids:
        connection.execute(
            _REDACT_PARTS,
            [
                {"id": id, "any_document": ANY_DOCUMENT, "document": document_id, "part_name": question_parts[id]}
                for id in ids
            ],
        )
    return len(ids)


_REDACT_PARTS = (
    update(answer_parts)
    .where(
        answer_parts.c.answer_id == bindparam("id"),
        answer_parts.c.document_id.in_([bindparam("any_document"), bindparam("document")])
        | (answer_parts.c.name == bindparam("part_name")),
    )
    .values(content=None, salt=None)
)


def _question_repeats_document(connection: Connection, id: str, document_id: str) -> bool:
    """Return whether a question quotes a document. Only then is it redacted with the document."""
    query = select(answer_parts.c.content).where(answer_parts.c.answer_id == id, answer_parts.c.content.is_not(None))
    question = connection.scalar(query.where(answer_parts.c.name == QUESTION_PART))
    texts = (
        _collect_text(json.loads(content))
        for content in connection.scalars(query.where(answer_parts.c.document_id == document_id))
    )
    return question is not None and repeats_any_text(_collect_text(json.loads(question)), texts)


def _find_parts_to_redact(parts: Iterable[AnswerPart], deleted_ids: set[str]) -> set[str]:
    """Return the names of the parts that belong to documents which were deleted before the answer is saved."""
    parts = list(parts)
    names = {part.name for part in parts if part.document_id in deleted_ids or part.document_id == ANY_DOCUMENT}
    question = next((part.value for part in parts if part.name == QUESTION_PART), None)
    if repeats_any_text(
        _collect_text(question), (_collect_text(part.value) for part in parts if part.document_id in deleted_ids)
    ):
        names.add(QUESTION_PART)
    return names


def _collect_text(value: Any) -> str:
    """Return all text in a JSON value."""
    if isinstance(value, dict | list):
        return "\n".join(map(_collect_text, value.values() if isinstance(value, dict) else value))
    return value if isinstance(value, str) else ""


def _read_answer_document(connection: Connection, document_id: str) -> AnswerDocument:
    query = select(documents.c.collection, documents.c.sha256).where(documents.c.id == document_id)
    if row := connection.execute(query).first():
        return AnswerDocument(document_id, row.collection, row.sha256, True)
    last = select(audit.c.collection, audit.c.sha256).where(audit.c.document_id == document_id)
    row = connection.execute(last.order_by(audit.c.seq.desc()).limit(1)).first()
    return AnswerDocument(document_id, row.collection if row else "", row.sha256 if row else "", False)


def _read_rows(connection: Connection, table: Table, names: tuple[str, ...], id: str) -> Sequence[Row[Any]]:
    columns = [table.c[name] for name in names]
    return connection.execute(select(*columns).where(table.c.answer_id == id).order_by(columns[0])).all()


# A question repeats a document if they share a run of words too long to be chance.

# Shorter runs of words, or of Chinese characters, are names or common phrases.
MIN_QUOTED_WORDS, MIN_QUOTED_CHARACTERS = 6, 10
_IDEOGRAPH = re.compile(r"([\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff])")
# A deletion compares one passage with many questions.
MAX_CACHED_PASSAGES = 256


def repeats_any_text(statement: str, texts: Iterable[str]) -> bool:
    """Return whether a statement repeats any of the texts, which are not read if the statement is too short."""
    runs = _list_long_runs(_split_words(statement))
    return bool(runs) and any(run in text for text in map(_normalise_text, texts) for run in runs)


def _list_long_runs(words: list[str]) -> list[str]:
    """Return the runs of words that are long enough to be a quotation. Each Chinese character counts as a word."""
    runs = []
    for start in range(len(words)):
        has_ideograph = any(map(_IDEOGRAPH.match, words[start : start + MIN_QUOTED_WORDS]))
        length = MIN_QUOTED_CHARACTERS if has_ideograph else MIN_QUOTED_WORDS
        if len(run := words[start : start + length]) == length:
            runs.append(_join_words(run))
    return runs


@lru_cache(maxsize=MAX_CACHED_PASSAGES)
def _normalise_text(text: str) -> str:
    return _join_words(_split_words(text))


def _join_words(words: list[str]) -> str:
    return f" {' '.join(words)} "


def _split_words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", _IDEOGRAPH.sub(r" \1 ", fold(text)))
