"""From an answer to what is kept of it, and back: what it says in parts that can be redacted, all else as facts."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from sqlalchemy import Engine

from highlighter.access import VisibleCollections
from highlighter.answering.answer import Answer, SubQuestion
from highlighter.answering.request import QuestionRequest
from highlighter.errors import NotFound
from highlighter.models import Citation, Claim, ClaimEvidence, Source, UnresolvedMarker
from highlighter.quotes.word_diff import DiffSegment
from highlighter.store import answer_records
from highlighter.store.answer_records import ANY_DOCUMENT, NO_DOCUMENT, QUESTION_PART, AnswerPart, AnswerRecord
from highlighter.store.audit_log import ChainHead, canonical_json, compute_digest
from highlighter.store.database import write_transaction

# Fields that hold no words. Whatever else an answer has, or comes to have, is taken for words, and goes with them.
_FACT_FIELDS = (
    "refused", "grounding_score", "confidence", "confidence_level", "sources_used", "sources_provided", "model_used",
    "tokens_used", "latency_ms", "mode", "asked_at", "prompt_version",
)  # fmt: skip
_SOURCE_FACT_FIELDS = ("document_id", "pages", "chunk_index")
_CITATION_FACT_FIELDS = (
    "number", "start", "end", "tier", "source", "document_id", "sha256", "page", "chunk_index", "chunk", "quote_start",
    "quote_end", "probability", "quoted", "sub_question_index",
)  # fmt: skip
_CLAIM_FACT_FIELDS = ("start", "end", "verdict", "score")
# What stands there once the words are gone.
_BLANK_SOURCE = {"filename": ""}
_BLANK_CITATION = {"label": "", "filename": "", "quote": ""}
_BLANK_CLAIM = {"text": ""}
TEXT_PART, REQUEST_PART, CLAIMS_PART = "text", "asked", "claims"


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """An answer as it was given, less what was redacted since."""

    answer: Answer
    request_options: Mapping[str, Any]  # how: format, citation style, filters ...; empty once it is redacted
    record: AnswerRecord
    audit_row: Mapping[str, Any]  # in the chain: its columns

    @property
    def head(self) -> ChainHead:
        """The head of the chain as it was when this answer was kept."""
        return ChainHead(self.audit_row["seq"], self.audit_row["hash"], self.audit_row["at"])

    @property
    def is_complete(self) -> bool:
        return not self.record.redacted_parts

    def is_source_redacted(self, source_index: int) -> bool:
        return source_part_name(source_index) in self.record.redacted_parts


class AnswerStore:
    def __init__(self, engine: Engine):
        self.engine = engine

    def save(
        self, answer: Answer, request: QuestionRequest, visible: VisibleCollections = VisibleCollections()
    ) -> None:
        """`visible`: what its asker may see, of which a filter may have left out some."""
        facts, parts = split_answer(answer, request)
        facts |= {"over": _searched_collections(request, visible)}
        ids = [source.document_id for source in answer.sources if source.document_id]
        with write_transaction(self.engine) as connection:
            answer_records.save_answer_record(connection, answer.id, facts, ids, parts)

    def load(self, answer_id: str, visible: VisibleCollections) -> StoredAnswer:
        """It belongs to the collections that it was asked over: who may not see them all, does not see it."""
        with self.engine.connect() as connection:
            record = answer_records.read_answer_record(connection, answer_id)
            if record is None or not _is_visible(record, visible):
                raise NotFound(
                    f"Answer {answer_id[:64]} was not found. It may not have been saved, or the link is incomplete."
                )
            row = answer_records.read_chain_row(connection, record)
        return StoredAnswer(restore_answer(record), record.part_value(REQUEST_PART) or {}, record, row)


def _searched_collections(request: QuestionRequest, visible: VisibleCollections) -> list[str] | None:
    """The collections that it was asked over, whichever of them it found something in; none: all there are."""
    named = request.filters.get("collection")
    if named is not None and request.sources is None:
        narrowed = visible.restrict_to(*map(str, named if isinstance(named, list | tuple) else [named]))
        visible = narrowed if narrowed.names else visible  # over none of them: its words are still the asker's
    return None if visible.names is None else sorted(visible.names)


def _is_visible(record: AnswerRecord, visible: VisibleCollections) -> bool:
    if visible.names is None:
        return True
    over = json.loads(record.facts).get("over")  # an answer of before there were keys was asked over all
    return over is not None and {*over, *(one.collection for one in record.documents)} <= visible.names


def source_part_name(source_index: int) -> str:
    return f"source {source_index}"


def split_answer(answer: Answer, request: QuestionRequest) -> tuple[dict[str, Any], list[AnswerPart]]:
    left = asdict(answer)
    del left["id"], left["kept"]
    for one in left["sources"]:
        one["pages"] = list(one["pages"])  # they may be a range
    facts = _pop_fields(left, _FACT_FIELDS)
    sources, citations, claims = left.pop("sources"), left.pop("citations"), left.pop("claims")
    facts["sources"] = [_pop_fields(one, _SOURCE_FACT_FIELDS) for one in sources]
    facts["citations"] = [_pop_fields(one, _CITATION_FACT_FIELDS) for one in citations]
    facts["claims"] = [_pop_fields(one, _CLAIM_FACT_FIELDS) for one in claims]
    for one in citations:
        del one["sub_question"]  # said once, with the question: it may stay when a document goes, or go when one stays
    asked = {"question": left.pop("question"), "sub_questions": left.pop("sub_questions")}
    parts = [
        AnswerPart.create(QUESTION_PART, NO_DOCUMENT, asked), AnswerPart.create(REQUEST_PART, ANY_DOCUMENT, _request_options(request)), AnswerPart.create(CLAIMS_PART, ANY_DOCUMENT, claims),
        AnswerPart.create(TEXT_PART, ANY_DOCUMENT, left),
    ]  # fmt: skip
    for at, source in enumerate(sources):
        cited = {str(n): one for n, one in enumerate(citations) if facts["citations"][n]["source"] == at}
        said = {"source": source, "citations": cited}
        parts.append(AnswerPart.create(source_part_name(at), facts["sources"][at]["document_id"] or NO_DOCUMENT, said))
    return facts, parts


def restore_answer(record: AnswerRecord) -> Answer:
    facts = json.loads(record.facts)
    asked = record.part_value(QUESTION_PART) or {"question": "", "sub_questions": []}
    said = [record.part_value(source_part_name(at)) or {} for at in range(len(facts["sources"]))]
    claims = record.part_value(CLAIMS_PART) or [_BLANK_CLAIM] * len(facts["claims"])
    whole = {
        **facts, **asked, **(record.part_value(TEXT_PART) or {"text": ""}), "id": record.id, "kept": True,
        "sources": [fact | part.get("source", _BLANK_SOURCE) for fact, part in zip(facts["sources"], said, strict=True)],
        "claims": [fact | words for fact, words in zip(facts["claims"], claims, strict=True)],
        "citations": [
            fact
            | said[fact["source"]].get("citations", {}).get(str(n), _BLANK_CITATION)
            | {"sub_question": _sub_question_text(asked["sub_questions"], fact["sub_question_index"])}
            for n, fact in enumerate(facts["citations"])
        ],
    }  # fmt: skip
    return _build_answer(whole)


def _request_options(request: QuestionRequest) -> dict[str, Any]:
    """How it was asked. Of the turns before, which are answers of their own, only digests."""
    how = {
        field: getattr(request, field)
        for field in QuestionRequest.__dataclass_fields__
        if field not in ("question", "sources")
    }
    return {
        **how,
        "history": [compute_digest(canonical_json(list(turn))) for turn in request.history],
        "own": request.sources is not None,
    }


def _pop_fields(values: dict[str, Any], names: Sequence[str]) -> dict[str, Any]:
    return {name: values.pop(name) for name in names}


def _sub_question_text(sub_questions: list[dict[str, Any]], index: int) -> str:
    return sub_questions[index]["text"] if index < len(sub_questions) else ""


def _build_answer(values: dict[str, Any]) -> Answer:
    nouns = {"sub_questions": SubQuestion, "sources": Source, "unresolved": UnresolvedMarker}
    made = {name: tuple(_build_value(noun, one) for one in values.get(name, ())) for name, noun in nouns.items()}
    made["citations"] = tuple(
        _build_value(
            Citation, {**one, "differs": [_build_value(DiffSegment, piece) for piece in one.get("differs", ())]}
        )
        for one in values["citations"]
    )
    made["claims"] = tuple(
        _build_value(
            Claim, {**one, "evidence": [_build_value(ClaimEvidence, support) for support in one.get("evidence", ())]}
        )
        for one in values["claims"]
    )
    return replace(_build_value(Answer, {**values, **made}), data=values.get("data"))


def _build_value(value_type: type, values: Mapping[str, Any]) -> Any:
    """What it knew then of what it knows now; JSON has no tuples."""
    found = {field.name: values[field.name] for field in fields(value_type) if field.name in values}
    return value_type(**{name: tuple(value) if isinstance(value, list) else value for name, value in found.items()})
