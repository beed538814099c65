"""An answer, whole: what was written, what it stands on, and how well."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from highlighter.models import Citation, Claim, Source, UnresolvedMarker

CONFIDENCE_HIGH, CONFIDENCE_MEDIUM, CONFIDENCE_LOW = "high", "medium", "low"


@dataclass(frozen=True, slots=True)
class SubQuestion:
    text: str
    sentences: int = 0  # of evidence found for it
    documents: int = 0


@dataclass(frozen=True, slots=True)
class Answer:
    id: str
    question: str
    text: str  # with its marks
    sub_questions: tuple[SubQuestion, ...]
    citations: tuple[Citation, ...] = ()
    unresolved: tuple[UnresolvedMarker, ...] = ()  # marks that mean no source: left in the text, without a link
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
    data: Any = None  # as the schema asked for it
    mode: str = ""
    asked_at: str = ""  # ISO 8601, UTC
    prompt_version: str = ""
    kept: bool = False  # so that it can be opened again


# What happens while an answer is made, in order: what a stream sends, and a page draws.


@dataclass(frozen=True, slots=True)
class SubQuestionsEvent:
    sub_questions: tuple[str, ...]
    name = "sub_questions"


@dataclass(frozen=True, slots=True)
class EvidenceEvent:
    """What a search brought, by sub-question."""

    sub_questions: tuple[SubQuestion, ...]
    source_count: int
    name = "evidence"


@dataclass(frozen=True, slots=True)
class TokenEvent:
    text: str
    name = "token"


@dataclass(frozen=True, slots=True)
class CitationEvent:
    """Its mark was the last thing written."""

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
