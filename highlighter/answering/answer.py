"""The answer to a question, with its citations, sources and claims, and the events sent while it is written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from highlighter.models import Citation, Claim, Source, UnresolvedMarker

CONFIDENCE_HIGH, CONFIDENCE_MEDIUM, CONFIDENCE_LOW = "high", "medium", "low"


@dataclass(frozen=True, slots=True)
class SubQuestion:
    text: str
    sentences: int = 0  # highlighted sentences found for the sub-question
    documents: int = 0  # documents that hold them


@dataclass(frozen=True, slots=True)
class Answer:
    id: str
    question: str
    text: str  # with its markers
    sub_questions: tuple[SubQuestion, ...]
    citations: tuple[Citation, ...] = ()
    unresolved: tuple[UnresolvedMarker, ...] = ()  # they stay in the text, without a link
    sources: tuple[Source, ...] = ()
    claims: tuple[Claim, ...] = ()
    grounding_score: float = 0.0
    confidence: float = 0.0
    confidence_level: str = CONFIDENCE_LOW
    refused: bool = False
    refusal_reason: str = ""
    sources_used: int = 0
    sources_provided: int = 0
    model_used: str = ""
    tokens_used: int = 0
    latency_ms: int = 0
    warnings: tuple[str, ...] = ()
    data: Any = None  # the answer in the shape of the requested schema
    mode: str = ""
    asked_at: str = ""  # ISO 8601, UTC
    prompt_version: str = ""
    is_stored: bool = False  # and so can be opened again


# Events: what a stream sends and a page draws while an answer is written, in this order.


@dataclass(frozen=True, slots=True)
class SubQuestionsEvent:
    sub_questions: tuple[str, ...]
    name = "sub_questions"


@dataclass(frozen=True, slots=True)
class EvidenceEvent:
    """The number of sources, and the evidence found for each sub-question."""

    sub_questions: tuple[SubQuestion, ...]
    source_count: int
    name = "evidence"


@dataclass(frozen=True, slots=True)
class TokenEvent:
    text: str
    name = "token"


@dataclass(frozen=True, slots=True)
class CitationEvent:
    """A citation whose marker has just been written."""

    citation: Citation
    name = "citation"


@dataclass(frozen=True, slots=True)
class CheckEvent:
    claims: tuple[Claim, ...]
    grounding_score: float
    name = "check"


@dataclass(frozen=True, slots=True)
class DoneEvent:
    answer: Answer
    name = "done"


AnswerEvent = SubQuestionsEvent | EvidenceEvent | TokenEvent | CitationEvent | CheckEvent | DoneEvent
