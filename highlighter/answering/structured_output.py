"""Answers that are data: the shapes that go by name, and text inside JSON."""

from __future__ import annotations

import json
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pydantic import BaseModel, Field

from highlighter.answering.answer import Answer, AnswerEvent, CheckEvent, CitationEvent, TokenEvent
from highlighter.answering.request import ANSWER_WITH_SOURCES, COMPARISON_RESULT, JSON, QuestionRequest

NOTHING_FOUND_TEXT = "Nothing was found on: {question}"


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
    """What the format JSON asks for."""

    answer: str
    key_facts: list[str]


def select_schema(request: QuestionRequest) -> type[BaseModel] | Mapping[str, Any] | None:
    if request.schema is None:
        return AnswerInJson if request.format == JSON else None
    return (
        {ANSWER_WITH_SOURCES: AnswerWithSources, COMPARISON_RESULT: ComparisonResult}[request.schema]
        if _is_named_schema(request)
        else request.schema
    )


def _is_named_schema(request: QuestionRequest) -> bool:
    return isinstance(request.schema, str)


def dump_json(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, indent=2)


def iterate_strings(data: Any) -> Iterator[str]:
    """Every text in it, in the order in which it is written out."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, Mapping):
        for value in data.values():
            yield from iterate_strings(value)
    elif isinstance(data, Sequence):
        for value in data:
            yield from iterate_strings(value)


def replace_strings(data: Any, texts: Sequence[str]) -> Any:
    """The same data with other texts, in the order of `strings`."""
    return _fill_strings(data, iter(texts))


def _fill_strings(data: Any, texts: Iterator[str]) -> Any:
    if isinstance(data, str):
        return next(texts)
    if isinstance(data, Mapping):
        return {name: _fill_strings(value, texts) for name, value in data.items()}
    return [_fill_strings(value, texts) for value in data] if isinstance(data, Sequence) else data


@dataclass(frozen=True, slots=True)
class JsonTextMap:
    """Where texts stand in JSON: from an offset of the texts, one after another with a line's end between, to its own."""

    texts: tuple[str, ...]
    starts: tuple[int, ...]

    @classmethod
    def from_json(cls, json_text: str, texts: Sequence[str]) -> JsonTextMap:
        starts, at = [], 0
        for text in texts:
            written = json.dumps(text, ensure_ascii=False)
            at = json_text.index(written, at)
            while json_text.startswith(":", at + len(written)):  # a name that reads the same
                at = json_text.index(written, at + len(written))
            starts.append(at + 1)
            at += len(written)
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
    """The shape filled without a model: with the sentences themselves."""
    facts = [f"{' '.join(one.quote.split())} {one.label}".rstrip() for one in answer.citations]
    if request.schema == COMPARISON_RESULT:
        return {"conclusion": answer.text, "similarities": [], "differences": facts, "contradictions": []}
    if request.schema == ANSWER_WITH_SOURCES:
        labels = list(dict.fromkeys(answer.sources[one.source].label for one in answer.citations))
        missing = [NOTHING_FOUND_TEXT.format(question=one.text) for one in answer.sub_questions if not one.sentences]
        return {
            "answer": answer.text, "confidence": round(answer.confidence, 4), "sources_used": labels,
            "key_facts": facts, "limitations": missing,
        }  # fmt: skip
    return {"answer": answer.text, "key_facts": facts}


def convert_to_json(answer: Answer, data: Any) -> Generator[AnswerEvent, None, Answer]:
    """The same answer with its text as JSON, and every place moved to where it stands there; without data, as it is."""
    if data is None:
        yield TokenEvent(answer.text)
        yield from map(CitationEvent, answer.citations)
        yield CheckEvent(answer.claims, answer.grounding_score)
        return answer
    texts = list(iterate_strings(data))
    if "\n".join(texts) != answer.text:  # its text is one of the strings
        texts = [answer.text]
    text = dump_json(data)
    within = JsonTextMap.from_json(text, texts)

    def moved(one):
        return replace(one, start=within.map_offset(one.start), end=within.map_offset(one.end))

    def marked(one):
        """Its label is what stands there: in JSON a quotation mark has a backslash before it."""
        there = moved(one)
        return replace(there, label=text[there.start : there.end])

    yield TokenEvent(text)
    citations = tuple(marked(one) for one in answer.citations)
    for citation in citations:
        yield CitationEvent(citation)
    claims = tuple(moved(one) for one in answer.claims)
    yield CheckEvent(claims, answer.grounding_score)
    unresolved = tuple(marked(one) for one in answer.unresolved)
    return replace(answer, text=text, data=data, citations=citations, claims=claims, unresolved=unresolved)
