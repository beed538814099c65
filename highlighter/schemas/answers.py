"""What may be asked of the answerer, and what an answer looks like."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

from highlighter.answering.request import (
    CITATION_STYLES,
    DEFAULT_PASSAGES,
    FORMATS,
    GROUNDED,
    INLINE,
    MAX_INSTRUCTIONS_CHARACTERS,
    MAX_PASSAGES,
    MAX_QUESTION_CHARACTERS,
    MAX_SOURCE_CHARACTERS,
    MAX_SOURCES,
    MODES,
    PLAIN,
)
from highlighter.schemas.quotes import DifferenceOut
from highlighter.schemas.search import ChunkIndex, DocumentId, MetadataFilter
from highlighter.search import MIN_SCORE

MAX_TURNS, MAX_TURN_CHARACTERS = 2_000, 20_000


class Turn(BaseModel):
    """One question and its answer."""

    model_config = ConfigDict(extra="ignore")

    question: str = Field(max_length=MAX_TURN_CHARACTERS)
    answer: str = Field("", max_length=MAX_TURN_CHARACTERS)


class GivenSource(BaseModel):
    """A text of your own, or a document that is kept here, or one chunk of it."""

    model_config = ConfigDict(extra="forbid")

    text: str = Field("", max_length=MAX_SOURCE_CHARACTERS)
    filename: str = Field("", max_length=300)
    page: int = Field(0, ge=0, le=2**31 - 1)
    document_id: DocumentId | None = None
    chunk_index: ChunkIndex | None = None

    @model_validator(mode="after")
    def _check_one_source(self) -> GivenSource:
        if bool(self.text) and self.document_id is not None:
            raise ValueError("give either text or document_id")
        return self


class AnswerRequest(BaseModel):
    """A question, and how it is to be answered."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)

    question: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_QUESTION_CHARACTERS)]
    mode: Literal[MODES] = GROUNDED
    format: Literal[FORMATS] = PLAIN
    citation_style: Literal[CITATION_STYLES] = INLINE
    history: list[Turn] = Field([], max_length=MAX_TURNS, description="oldest first; the last five are read")
    filters: MetadataFilter = Field(default_factory=dict, max_length=20, description="as `where` of a search")
    collection: str | None = Field(None, min_length=1, max_length=200, description="only this one")
    sources: list[GivenSource] | None = Field(None, max_length=MAX_SOURCES, description="instead of a search")
    answer_schema: str | dict[str, Any] | None = Field(
        None, alias="schema", description="AnswerWithSources, ComparisonResult, or a JSON schema of your own"
    )
    instructions: str = Field("", max_length=MAX_INSTRUCTIONS_CHARACTERS)
    include_citations: bool = True
    require_grounding: bool = Field(False, description="each sentence with its exact quote, or a 422 that says why not")
    append_warnings: bool = Field(False, description="unsupported claims are listed at the end of the text, too")
    max_tokens: int | None = Field(None, ge=16, le=8_000)
    temperature: float = Field(0.0, ge=0, le=2)
    limit: int = Field(DEFAULT_PASSAGES, ge=1, le=MAX_PASSAGES, description="passages that are read")
    min_score: float = Field(MIN_SCORE, ge=0, le=1)
    stream: bool = Field(False, description="as server-sent events; so does Accept: text/event-stream")


class SubQuestionOut(BaseModel):
    text: str
    sentences: int = Field(description="of evidence that were found")
    documents: int


class CitationOut(BaseModel):
    number: int = Field(description="in the list of sources cited, from 1")
    label: str = Field(description="the marker as it is in the text")
    start: int = Field(description="of the marker in the text, in code points")
    end: int
    tier: str
    source: int = Field(description="index into sources")
    document_id: str | None
    filename: str
    sha256: str | None
    page: int | None
    chunk_index: int | None
    quote: str = Field(description="the words of the document")
    quote_start: int
    quote_end: int
    prefix: str
    suffix: str
    probability: float = Field(description="that these words are evidence")
    quoted: str | None = Field(description="whether the answer's own quotation was verified, altered or not found")
    differs: list[DifferenceOut] = Field(description="that quotation beside the document's words, run by run")
    sub_question: str
    sub_question_index: int
    chunk_file_path: str | None = Field(description="the chunk's PDF, highlighted; null where there is none")
    links: dict[str, str] = Field(description="view, pdf, chunk; none for a text of the caller")


class UnresolvedOut(BaseModel):
    label: str
    start: int
    end: int
    reason: str
    why: str
    candidates: list[int] = Field(description="indexes of sources")


class AnswerSourceOut(BaseModel):
    label: str
    filename: str
    document_id: str | None
    pages: list[int]
    chunk_index: int | None
    cited: bool
    link: str | None


class SupportOut(BaseModel):
    source: int
    start: int
    end: int
    text: str
    score: float


class AnswerClaimOut(BaseModel):
    text: str
    start: int
    end: int
    verdict: Literal["supported", "partly", "contradicted", "unsupported"]
    score: float
    evidence: list[SupportOut]
    why: str | None


class AnswerOut(BaseModel):
    id: str
    question: str
    text: str
    sub_questions: list[SubQuestionOut]
    citations: list[CitationOut]
    unresolved: list[UnresolvedOut] = Field(description="markers without a source: left in the text, never linked")
    hallucinated: int = Field(description="how many there are")
    sources: list[AnswerSourceOut]
    claims: list[AnswerClaimOut]
    grounding_score: float
    confidence: float
    confidence_level: Literal["high", "medium", "low"]
    refused: bool
    refusal_reason: str | None
    sources_used: int
    sources_provided: int
    model_used: str
    tokens_used: int
    latency_ms: int
    warnings: list[str]
    data: Any = Field(None, description="as the schema asked for it")
    asked_at: str
    mode: str
    links: dict[str, str]
