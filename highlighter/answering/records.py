"""Stored answers: texts in parts that can be redacted, all other fields as facts."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, TypeVar

from sqlalchemy import Engine

from highlighter.access import VisibleCollections, get_current_principal
from highlighter.answering.answer import Answer, SubQuestion
from highlighter.answering.request import QuestionRequest
from highlighter.errors import NotFound
from highlighter.locale import N_
from highlighter.locale.user_message import decode_message, encode_message
from highlighter.models import Citation, CitedCell, Claim, ClaimEvidence, Source, UnresolvedMarker
from highlighter.quotes.word_diff import DiffSegment
from highlighter.store import answer_records
from highlighter.store.answer_history import add_to_history
from highlighter.store.answer_records import ANY_DOCUMENT, NO_DOCUMENT, QUESTION_PART, AnswerPart, AnswerRecord
from highlighter.store.audit_log import ChainHead, canonical_json, compute_digest
from highlighter.store.database import write_transaction

# Fields that hold no text. Every other field, also one that is added later, counts as text and is redacted with it.
_FACT_FIELDS = (
    "refused", "grounding_score", "confidence", "confidence_level", "sources_used", "sources_provided", "model_used",
    "tokens_used", "latency_ms", "mode", "asked_at", "prompt_version",
)  # fmt: skip
_SOURCE_FACT_FIELDS = ("document_id", "pages", "chunk_index")
_CITATION_FACT_FIELDS = (
    "number", "start", "end", "tier", "source", "document_id", "sha256", "page", "chunk_index", "chunk", "quote_start",
    "quote_end", "quote_spans", "probability", "quoted", "sub_question_index",
)  # fmt: skip
_CLAIM_FACT_FIELDS = ("start", "end", "verdict", "score")
# Values of fields whose text was redacted.
_BLANK_SOURCE = {"filename": ""}
_BLANK_CITATION = {"label": "", "filename": "", "quote": ""}
_BLANK_CLAIM = {"text": ""}
TEXT_PART, REQUEST_PART, CLAIMS_PART = "text", "asked", "claims"


Value = TypeVar(
    "Value", SubQuestion, Source, UnresolvedMarker, Citation, CitedCell, DiffSegment, Claim, ClaimEvidence, Answer
)


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """An answer as it was given, without the parts that were redacted since."""

    answer: Answer
    request_options: Mapping[str, Any]  # format, citation style, filters ...; empty once redacted
    record: AnswerRecord
    audit_row: Mapping[str, Any]  # the columns of the row in the audit chain

    @property
    def head(self) -> ChainHead:
        """Return the head of the chain as it was when this answer was stored."""
        return ChainHead(self.audit_row["seq"], self.audit_row["hash"], self.audit_row["at"])

    @property
    def is_complete(self) -> bool:
        return not self.record.redacted_parts

    def is_source_redacted(self, source_index: int) -> bool:
        return source_part_name(source_index) in self.record.redacted_parts


class AnswerStore:
    """The store of answers in the audit."""

    def __init__(self, engine: Engine):
        self.engine = engine

    def save(
        self, answer: Answer, request: QuestionRequest, visible: VisibleCollections = VisibleCollections()
    ) -> None:
        """Save an answer, with the collections that were searched: those visible to the user, less those filtered out."""
        facts, parts = split_answer(answer, request)
        facts |= {"over": _searched_collections(request, visible)}
        ids = [source.document_id for source in answer.sources if source.document_id]
        with write_transaction(self.engine) as connection:
            answer_records.save_answer_record(connection, answer.id, facts, ids, parts)
            if owner := get_current_principal().history_owner:
                add_to_history(connection, answer.id, owner)

    def load(self, answer_id: str, visible: VisibleCollections) -> StoredAnswer:
        """Load an answer; raise NotFound unless all collections that were searched for it are visible."""
        with self.engine.connect() as connection:
            record = answer_records.read_answer_record(connection, answer_id)
            if record is None or not _is_visible(record, visible):
                raise NotFound(
                    N_(
                        "Answer {id} was not found. It may not have been saved, or the link is incomplete.",
                        id=answer_id[:64],
                    )
                )
            row = answer_records.read_chain_row(connection, record)
        return StoredAnswer(restore_answer(record), record.part_value(REQUEST_PART) or {}, record, row)


def _searched_collections(request: QuestionRequest, visible: VisibleCollections) -> list[str] | None:
    """Return the names of the collections that were searched, whether they held a hit or not; None for all."""
    named = request.filters.get("collection")
    if named is not None and request.sources is None:
        narrowed = visible.restrict_to(*map(str, named if isinstance(named, list | tuple) else [named]))
        visible = (
            narrowed if narrowed.names else visible
        )  # no collection was searched: the question still belongs to the user's collections
    return None if visible.names is None else sorted(visible.names)


def _is_visible(record: AnswerRecord, visible: VisibleCollections) -> bool:
    if visible.names is None:
        return True
    searched = json.loads(record.facts).get(
        "over"
    )  # answers older than access keys were searched for in all collections
    return (
        searched is not None and {*searched, *(document.collection for document in record.documents)} <= visible.names
    )


def source_part_name(source_index: int) -> str:
    return f"source {source_index}"


def split_answer(answer: Answer, request: QuestionRequest) -> tuple[dict[str, Any], list[AnswerPart]]:
    """Split an answer into facts, which stay, and parts of text, which can be redacted."""
    fields = asdict(answer)
    del fields["id"], fields["is_stored"]
    for source in fields["sources"]:
        source["pages"] = list(source["pages"])  # they may be a range
        del source["page_spans"]  # the document knows them
    _convert_messages(fields, encode_message)
    facts = _pop_fields(fields, _FACT_FIELDS)
    sources, citations, claims = fields.pop("sources"), fields.pop("citations"), fields.pop("claims")
    facts["sources"] = [_pop_fields(source, _SOURCE_FACT_FIELDS) for source in sources]
    facts["citations"] = [_pop_fields(citation, _CITATION_FACT_FIELDS) for citation in citations]
    facts["claims"] = [_pop_fields(claim, _CLAIM_FACT_FIELDS) for claim in claims]
    for citation in citations:
        del citation["sub_question"]  # it is stored once, with the question, which is redacted on its own
    questions = {"question": fields.pop("question"), "sub_questions": fields.pop("sub_questions")}
    parts = [
        AnswerPart.create(QUESTION_PART, NO_DOCUMENT, questions),
        AnswerPart.create(REQUEST_PART, ANY_DOCUMENT, _request_options(request)),
        AnswerPart.create(CLAIMS_PART, ANY_DOCUMENT, claims),
        AnswerPart.create(TEXT_PART, ANY_DOCUMENT, fields),
    ]
    for index, source in enumerate(sources):
        cited = {
            str(number): citation
            for number, citation in enumerate(citations)
            if facts["citations"][number]["source"] == index
        }
        document_id = facts["sources"][index]["document_id"] or NO_DOCUMENT
        texts = {"source": source, "citations": cited}
        parts.append(AnswerPart.create(source_part_name(index), document_id, texts))
    return facts, parts


def _convert_messages(values: dict[str, Any], convert: Callable[[Any], Any]) -> None:
    """Convert the messages among the values of an answer, to JSON or back. Redacted values are left out."""
    if "warnings" in values:
        values["warnings"] = [convert(warning) for warning in values["warnings"]]
    if "refusal_reason" in values:
        values["refusal_reason"] = convert(values["refusal_reason"])
    for item in (*values.get("unresolved", ()), *values["claims"]):
        if "why" in item:
            item["why"] = convert(item["why"])


def restore_answer(record: AnswerRecord) -> Answer:
    """Restore an answer from its record, with blanks for what was redacted."""
    facts = json.loads(record.facts)
    questions = record.part_value(QUESTION_PART) or {"question": "", "sub_questions": []}
    source_texts = [record.part_value(source_part_name(index)) or {} for index in range(len(facts["sources"]))]
    claims = record.part_value(CLAIMS_PART) or [_BLANK_CLAIM] * len(facts["claims"])
    values = {
        **facts,
        **questions,
        **(record.part_value(TEXT_PART) or {"text": ""}),
        "id": record.id,
        "is_stored": True,
        "sources": [
            fact | texts.get("source", _BLANK_SOURCE)
            for fact, texts in zip(facts["sources"], source_texts, strict=True)
        ],
        "claims": [fact | text for fact, text in zip(facts["claims"], claims, strict=True)],
        "citations": [
            fact
            | source_texts[fact["source"]].get("citations", {}).get(str(number), _BLANK_CITATION)
            | {"sub_question": _sub_question_text(questions["sub_questions"], fact["sub_question_index"])}
            for number, fact in enumerate(facts["citations"])
        ],
    }
    _convert_messages(values, decode_message)
    return _build_answer(values)


def _request_options(request: QuestionRequest) -> dict[str, Any]:
    """Return the options of a request. Earlier turns are stored with their own answers, so only their digests remain."""
    options = {
        field: getattr(request, field)
        for field in QuestionRequest.__dataclass_fields__
        if field not in ("question", "sources")
    }
    return {
        **options,
        "history": [compute_digest(canonical_json(list(turn))) for turn in request.history],
        "own": request.sources is not None,
    }


def _pop_fields(values: dict[str, Any], names: Sequence[str]) -> dict[str, Any]:
    return {name: values.pop(name) for name in names}


def _sub_question_text(sub_questions: list[dict[str, Any]], index: int) -> str:
    return sub_questions[index]["text"] if index < len(sub_questions) else ""


def _build_answer(values: dict[str, Any]) -> Answer:
    types = {"sub_questions": SubQuestion, "sources": Source, "unresolved": UnresolvedMarker}
    restored: dict[str, tuple[Any, ...]] = {
        name: tuple(_build_value(value_type, item) for item in values.get(name, ()))
        for name, value_type in types.items()
    }
    restored["citations"] = tuple(
        _build_value(
            Citation,
            {
                **item,
                "differs": [_build_value(DiffSegment, segment) for segment in item.get("differs", ())],
                "cells": [_build_value(CitedCell, cell) for cell in item.get("cells", ())],
            },
        )
        for item in values["citations"]
    )
    restored["claims"] = tuple(
        _build_value(
            Claim, {**item, "evidence": [_build_value(ClaimEvidence, support) for support in item.get("evidence", ())]}
        )
        for item in values["claims"]
    )
    return replace(_build_value(Answer, {**values, **restored}), data=values.get("data"))


def _build_value(value_type: type[Value], values: Mapping[str, Any]) -> Value:
    """Build a dataclass from JSON: older records lack newer fields, and JSON has no tuples."""
    known = {field.name: values[field.name] for field in fields(value_type) if field.name in values}
    arguments: dict[str, Any] = {
        name: tuple(tuple(item) if isinstance(item, list) else item for item in value)
        if isinstance(value, list)
        else value
        for name, value in known.items()
    }
    return value_type(**arguments)
