"""Answers as JSON: the named schemas, and the offsets of texts inside JSON."""

from __future__ import annotations

import json
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from pydantic import BaseModel, Field

from highlighter.answering.answer import Answer, AnswerEvent, CheckEvent, CitationEvent, TokenEvent
from highlighter.answering.request import ANSWER_WITH_SOURCES, COMPARISON_RESULT, JSON, QuestionRequest
from highlighter.models import Citation, Claim, UnresolvedMarker

NOTHING_FOUND_TEXT = "Nothing was found on: {question}"

Marker = TypeVar("Marker", Citation, UnresolvedMarker)
Spanned = TypeVar("Spanned", Citation, UnresolvedMarker, Claim)


class AnswerWithSources(BaseModel):
    answer: str
    confidence: float = Field(ge=0, le=1)
    sources_used: list[str]
    key_facts: list[str]
    limitations: list[str]


class ComparisonResult(BaseModel):
    conclusion: str
    similarities: list[str]
    differences: list[str]
    contradictions: list[str]


class AnswerInJson(BaseModel):
    """The schema of the format JSON."""

    answer: str
    key_facts: list[str]


NAMED_SCHEMA_MODELS: dict[str, type[BaseModel]] = {
    ANSWER_WITH_SOURCES: AnswerWithSources,
    COMPARISON_RESULT: ComparisonResult,
}


def select_schema(request: QuestionRequest) -> type[BaseModel] | Mapping[str, Any] | None:
    """Return the schema that a request asks for; None for an answer in plain text."""
    if request.schema is None:
        return AnswerInJson if request.format == JSON else None
    return NAMED_SCHEMA_MODELS[request.schema] if isinstance(request.schema, str) else request.schema


def dump_json(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, indent=2)


def iterate_strings(data: Any) -> Iterator[str]:
    """Yield every string in the data, in the order of the written JSON."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, Mapping):
        for value in data.values():
            yield from iterate_strings(value)
    elif isinstance(data, Sequence):
        for value in data:
            yield from iterate_strings(value)


def replace_strings(data: Any, texts: Sequence[str]) -> Any:
    """Return the data with other strings, in the order of `iterate_strings`."""
    return _fill_strings(data, iter(texts))


def _fill_strings(data: Any, texts: Iterator[str]) -> Any:
    if isinstance(data, str):
        return next(texts)
    if isinstance(data, Mapping):
        return {name: _fill_strings(value, texts) for name, value in data.items()}
    return [_fill_strings(value, texts) for value in data] if isinstance(data, Sequence) else data


@dataclass(frozen=True, slots=True)
class JsonTextMap:
    """The map from an offset in texts joined by line ends to an offset in the JSON that holds these texts."""

    texts: tuple[str, ...]
    starts: tuple[int, ...]

    @classmethod
    def from_json(cls, json_text: str, texts: Sequence[str]) -> JsonTextMap:
        starts, offset = [], 0
        for text in texts:
            quoted = json.dumps(text, ensure_ascii=False)
            offset = json_text.index(quoted, offset)
            while json_text.startswith(":", offset + len(quoted)):  # the name of a field, equal to the text
                offset = json_text.index(quoted, offset + len(quoted))
            starts.append(offset + 1)
            offset += len(quoted)
        return cls(tuple(texts), tuple(starts))

    def map_offset(self, offset: int) -> int:
        for text, start in zip(self.texts, self.starts, strict=True):
            if offset <= len(text):
                return start + len(_escape_json(text[:offset]))
            offset -= len(text) + 1
        return self.starts[-1] + len(_escape_json(self.texts[-1])) if self.starts else 0


def _escape_json(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)[1:-1]


def build_extractive_data(answer: Answer, request: QuestionRequest) -> dict[str, Any]:
    """Build the data of an extractive answer from the quoted sentences."""
    citations = [item for item in answer.citations if answer.sub_questions[item.sub_question_index].answered]
    facts = [f"{' '.join(citation.quote.split())} {citation.label}".rstrip() for citation in citations]
    if request.schema == COMPARISON_RESULT:
        return {"conclusion": answer.text, "similarities": [], "differences": facts, "contradictions": []}
    if request.schema == ANSWER_WITH_SOURCES:
        labels = list(dict.fromkeys(answer.sources[citation.source].label for citation in citations))
        missing = [
            NOTHING_FOUND_TEXT.format(question=sub_question.text)
            for sub_question in answer.sub_questions
            if not sub_question.answered
        ]
        return {
            "answer": answer.text, "confidence": round(answer.confidence, 4), "sources_used": labels,
            "key_facts": facts, "limitations": missing,
        }  # fmt: skip
    return {"answer": answer.text, "key_facts": facts}


def limit_confidence(data: Any, answer: Answer, request: QuestionRequest) -> Any:
    """Return the data of a model with no more confidence than its answer has: what a model says of itself is no measure."""
    if data is None or request.schema != ANSWER_WITH_SOURCES:
        return data
    return {**data, "confidence": round(min(data["confidence"], answer.confidence), 4)}


def convert_to_json(answer: Answer, data: Any) -> Generator[AnswerEvent, None, Answer]:
    """Return the answer with its text as JSON and all offsets moved to the JSON; without data, unchanged."""
    if data is None:
        yield TokenEvent(answer.text)
        yield from map(CitationEvent, answer.citations)
        yield CheckEvent(answer.claims, answer.grounding_score)
        return answer
    texts = list(iterate_strings(data))
    if "\n".join(texts) != answer.text:  # the text of the answer is one of the strings
        texts = [answer.text]
    text = dump_json(data)
    text_map = JsonTextMap.from_json(text, texts)

    def move_span(item: Spanned) -> Spanned:
        return replace(item, start=text_map.map_offset(item.start), end=text_map.map_offset(item.end))

    def move_marker(marker: Marker) -> Marker:
        """Move a marker, and read its label anew: in JSON a backslash precedes a quotation mark."""
        moved = move_span(marker)
        return replace(moved, label=text[moved.start : moved.end] or marker.label)

    yield TokenEvent(text)
    citations = tuple(move_marker(citation) for citation in answer.citations)
    for citation in citations:
        yield CitationEvent(citation)
    claims = tuple(move_span(claim) for claim in answer.claims)
    yield CheckEvent(claims, answer.grounding_score)
    unresolved = tuple(move_marker(marker) for marker in answer.unresolved)
    return replace(answer, text=text, data=data, citations=citations, claims=claims, unresolved=unresolved)
