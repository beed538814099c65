"""The answer to a question, with its citations, sources and claims, and the events sent while it is written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from highlighter.grounding.verdicts import CONFIDENCE_LOW, SUPPORTED
from highlighter.models import Citation, Claim, Source, UnresolvedMarker

EXTRACTIVE_MODEL = "extractive"  # the model of an answer that a language model did not write
QUOTED_DIRECTLY = "quoted directly, no AI model used"


@dataclass(frozen=True, slots=True)
class SubQuestion:
    text: str
    sentences: int = 0  # highlighted sentences found for the sub-question
    documents: int = 0  # documents that hold them
    best_score: float = 0.0  # the evidence score of its best sentence, highlighted or not
    answered: bool | None = None  # None before the answer is checked, and where it could not be judged


@dataclass(frozen=True, slots=True)
class Headline:
    """The sum of an answer: how many parts of the question it answers, and how many of its claims are supported."""

    parts: int = 0  # those that were judged; 0 when none was
    parts_answered: int = 0
    claims: int = 0
    claims_supported: int = 0

    @property
    def text(self) -> str:
        """Return the headline in English: "2 of 3 parts answered · 4 of 5 claims supported"."""
        phrases = []
        if self.parts == 1:
            phrases.append("question answered" if self.parts_answered else "question not answered")
        elif self.parts:
            phrases.append(f"{self.parts_answered} of {self.parts} parts answered")
        if self.claims:
            phrases.append(f"{self.claims_supported} of {self.claims} claim{'s'[: self.claims > 1]} supported")
        return " · ".join(phrases)


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

    @property
    def headline(self) -> Headline:
        judged = [sub_question.answered for sub_question in self.sub_questions if sub_question.answered is not None]
        return Headline(
            len(judged), sum(judged), len(self.claims), sum(claim.verdict == SUPPORTED for claim in self.claims)
        )


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
