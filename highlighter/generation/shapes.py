"""Answers that are data: the shapes that go by name, and text inside JSON."""

from __future__ import annotations

import json
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pydantic import BaseModel, Field

from highlighter.generation.answer import Answer
from highlighter.generation.ask import COMPARED, JSON, WITH_SOURCES, Ask
from highlighter.generation.events import Checked, Cited, Event, Token

NOT_FOUND = "Nothing was found on: {question}"


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


def shape_of(ask: Ask) -> type[BaseModel] | Mapping[str, Any] | None:
    if ask.schema is None:
        return AnswerInJson if ask.format == JSON else None
    return {WITH_SOURCES: AnswerWithSources, COMPARED: ComparisonResult}[ask.schema] if _named(ask) else ask.schema


def _named(ask: Ask) -> bool:
    return isinstance(ask.schema, str)


def dumped(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, indent=2)


def strings(data: Any) -> Iterator[str]:
    """Every text in it, in the order in which it is written out."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, Mapping):
        for value in data.values():
            yield from strings(value)
    elif isinstance(data, Sequence):
        for value in data:
            yield from strings(value)


def with_strings(data: Any, texts: Sequence[str]) -> Any:
    """The same data with other texts, in the order of `strings`."""
    return _replaced(data, iter(texts))


def _replaced(data: Any, texts: Iterator[str]) -> Any:
    if isinstance(data, str):
        return next(texts)
    if isinstance(data, Mapping):
        return {name: _replaced(value, texts) for name, value in data.items()}
    return [_replaced(value, texts) for value in data] if isinstance(data, Sequence) else data


@dataclass(frozen=True, slots=True)
class Within:
    """Where texts stand in JSON: from an offset of the texts, one after another with a line's end between, to its own."""

    texts: tuple[str, ...]
    starts: tuple[int, ...]

    @classmethod
    def of(cls, whole: str, texts: Sequence[str]) -> Within:
        starts, at = [], 0
        for text in texts:
            written = json.dumps(text, ensure_ascii=False)
            at = whole.index(written, at)
            while whole.startswith(":", at + len(written)):  # a name that reads the same
                at = whole.index(written, at + len(written))
            starts.append(at + 1)
            at += len(written)
        return cls(tuple(texts), tuple(starts))

    def place(self, offset: int) -> int:
        for text, start in zip(self.texts, self.starts, strict=True):
            if offset <= len(text):
                return start + len(_escaped(text[:offset]))
            offset -= len(text) + 1
        return self.starts[-1] + len(_escaped(self.texts[-1])) if self.starts else 0


def _escaped(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)[1:-1]


def quoted(answer: Answer, ask: Ask) -> dict[str, Any]:
    """The shape filled without a model: with the sentences themselves."""
    facts = [f"{' '.join(one.quote.split())} {one.label}".rstrip() for one in answer.citations]
    if ask.schema == COMPARED:
        return {"conclusion": answer.text, "similarities": [], "differences": facts, "contradictions": []}
    if ask.schema == WITH_SOURCES:
        labels = list(dict.fromkeys(answer.sources[one.source].label for one in answer.citations))
        missing = [NOT_FOUND.format(question=one.text) for one in answer.sub_questions if not one.sentences]
        return {
            "answer": answer.text, "confidence": round(answer.confidence, 4), "sources_used": labels,
            "key_facts": facts, "limitations": missing,
        }  # fmt: skip
    return {"answer": answer.text, "key_facts": facts}


def in_json(answer: Answer, data: Any) -> Generator[Event, None, Answer]:
    """The same answer with its text as JSON, and every place moved to where it stands there; without data, as it is."""
    if data is None:
        yield Token(answer.text)
        yield from map(Cited, answer.citations)
        yield Checked(answer.claims, answer.grounding_score)
        return answer
    texts = list(strings(data))
    if "\n".join(texts) != answer.text:  # its text is one of the strings
        texts = [answer.text]
    text = dumped(data)
    within = Within.of(text, texts)

    def moved(one):
        return replace(one, start=within.place(one.start), end=within.place(one.end))

    def marked(one):
        """Its label is what stands there: in JSON a quotation mark has a backslash before it."""
        there = moved(one)
        return replace(there, label=text[there.start : there.end])

    yield Token(text)
    citations = tuple(marked(one) for one in answer.citations)
    for citation in citations:
        yield Cited(citation)
    claims = tuple(moved(one) for one in answer.claims)
    yield Checked(claims, answer.grounding_score)
    unresolved = tuple(marked(one) for one in answer.unresolved)
    return replace(answer, text=text, data=data, citations=citations, claims=claims, unresolved=unresolved)
