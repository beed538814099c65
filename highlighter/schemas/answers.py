"""The request and response models of answers."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

from highlighter.answering.request import (
    CITATION_STYLES,
    DEFAULT_PASSAGES,
    FORMATS,
    GROUNDED,
    INLINE,
    MAX_ASKED_CHARACTERS,
    MAX_INSTRUCTIONS_CHARACTERS,
    MAX_PASSAGES,
    MAX_SOURCE_CHARACTERS,
    MAX_SOURCES,
    MODES,
    PLAIN,
)
from highlighter.schemas.checks import ConfidenceLevel, VerdictName
from highlighter.schemas.message_text import MessageText
from highlighter.schemas.quotes import DifferenceOut
from highlighter.schemas.search import CellOut, ChunkIndex, Cursor, DocumentId, MetadataFilter, NextCursor
from highlighter.search import MIN_SCORE
from highlighter.settings import MAX_REFUSAL_TEXT_CHARACTERS

MAX_TURNS, MAX_TURN_CHARACTERS = 2_000, 20_000


class Turn(BaseModel):
    """An earlier question and its answer."""

    model_config = ConfigDict(extra="ignore")

    question: str = Field(max_length=MAX_TURN_CHARACTERS)
    answer: str = Field("", max_length=MAX_TURN_CHARACTERS)


class GivenSource(BaseModel):
    """A source for an answer: a text of your own, a stored document, or one chunk of it."""

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


SchemaName = Annotated[str, StringConstraints(max_length=100)]


class AnswerRequest(BaseModel):
    """A question, with options for its answer."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)

    question: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_ASKED_CHARACTERS)]
    mode: Literal[MODES] = GROUNDED  # type: ignore[valid-type]  # the names are defined once, in a tuple
    format: Literal[FORMATS] = PLAIN  # type: ignore[valid-type]  # the names are defined once, in a tuple
    citation_style: Literal[CITATION_STYLES] = INLINE  # type: ignore[valid-type]  # the names are defined once, in a tuple
    history: list[Turn] = Field([], max_length=MAX_TURNS, description="oldest first; the last five are used")
    filters: MetadataFilter = Field(default_factory=dict, max_length=20, description="as `where` of a search")
    collection: str | None = Field(None, min_length=1, max_length=200, description="search only this collection")
    sources: list[GivenSource] | None = Field(None, max_length=MAX_SOURCES, description="instead of a search")
    answer_schema: SchemaName | dict[str, Any] | None = Field(
        None, alias="schema", description="AnswerWithSources, ComparisonResult, or a JSON schema of your own"
    )
    instructions: str = Field("", max_length=MAX_INSTRUCTIONS_CHARACTERS)
    include_citations: bool = True
    require_grounding: bool = Field(
        False, description="each sentence has its exact quote; otherwise a 422 says why not"
    )
    append_warnings: bool = Field(False, description="unsupported claims are listed at the end of the text, too")
    max_tokens: int | None = Field(None, ge=16, le=8_000)
    temperature: float = Field(0.0, ge=0, le=2)
    limit: int = Field(DEFAULT_PASSAGES, ge=1, le=MAX_PASSAGES, description="number of passages given to the model")
    min_score: float = Field(MIN_SCORE, ge=0, le=1)
    model: str = Field(
        "", max_length=200, description="one of LLM_MODELS alone, or `extractive`: quotes without a language model"
    )
    refusal: str = Field(
        "", max_length=MAX_REFUSAL_TEXT_CHARACTERS, description="the words of an answer that refuses, on one line"
    )
    min_grounding: float = Field(
        0.0, ge=0, le=1, description="refuse an answer with a lower grounding score, as MIN_GROUNDING does for all"
    )
    stream: bool = Field(False, description="answer with server-sent events; so does Accept: text/event-stream")


class AnswerListQuery(BaseModel):
    """The answers to list, and the page."""

    q: str = Field("", max_length=200, description="words of the question")
    limit: int = Field(50, ge=1, le=200)
    cursor: Cursor = None


class PackQuery(BaseModel):
    """What an evidence pack holds besides the answer."""

    notes: bool = Field(False, description="your notes on the cited documents, and the shared ones")


class SubQuestionOut(BaseModel):
    """A part of the question, with the amount of evidence for it."""

    text: str
    sentences: int = Field(description="number of evidence sentences found")
    documents: int = Field(description="number of documents that hold them")
    best_score: float = Field(0.0, description="evidence score of its best sentence, 0 to 1")
    answered: bool | None = Field(
        None, description="whether a supported claim rests on evidence for it; null where that was not judged"
    )


class HeadlineOut(BaseModel):
    """The sum of an answer, in figures and in English: "2 of 3 parts answered · 4 of 5 claims supported"."""

    text: str = ""
    parts: int = 0  # those that were judged
    parts_answered: int = 0
    claims: int = 0
    claims_supported: int = 0


class CitationOut(BaseModel):
    """A citation of the answer, with the words that it refers to."""

    number: int = Field(description="in the list of cited sources, from 1")
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
    quote_spans: list[tuple[int, int]] = Field(
        [], description="the fragments, where the answer's own quotation leaves out words between them"
    )
    prefix: str
    suffix: str
    probability: float = Field(
        description="whether the quote answers the question: its evidence score, 0 to 1 (0 where it was not judged)"
    )
    recognition: float = Field(
        0.0,
        description="0 to 1: the mean confidence with which the quote was recognised from an image (OCR); 0 where it was not",
    )
    quoted: str | None = Field(
        description="whether the answer quotes it exactly: verified, altered or not found; null without a quotation. "
        "An exact quote need not answer the question"
    )
    differs: list[DifferenceOut] = Field(description="word diff of that quotation and the document's words")
    sub_question: str
    sub_question_index: int
    cells: list[CellOut] = Field([], description="where the quote lies in a table")
    table_caption: str = Field("", description="of that table")
    section: str = Field("", description="the title of the section that the quote is in")
    doc_url: str | None = Field(
        None, description="`doc_url` of the document's metadata: where the original is elsewhere"
    )
    metadata: dict[str, Any] = Field({}, description="of the document, when the question was answered")
    chunk_file_path: str | None = Field(description="URL of the chunk's PDF, highlighted; null where there is none")
    links: dict[str, str] = Field(description="view, pdf, chunk; none for a text of the caller")


class UnresolvedOut(BaseModel):
    """A marker of the answer that no source is known for."""

    label: str
    start: int
    end: int
    reason: str
    why: MessageText
    candidates: list[int] = Field(description="indexes of sources")


class AnswerSourceOut(BaseModel):
    """A source that the answer was written from."""

    label: str
    filename: str
    document_id: str | None
    pages: list[int]
    chunk_index: int | None
    cited: bool
    link: str | None


class SupportOut(BaseModel):
    """A sentence of a source that is evidence for a claim, or against it."""

    source: int
    start: int
    end: int
    text: str
    score: float
    marks: list[tuple[int, int]] = Field([], description="spans of `text`: the words that differ from the claim's")


class AnswerClaimOut(BaseModel):
    """A checkable statement of the answer, with its verdict and evidence."""

    text: str
    start: int
    end: int
    verdict: VerdictName
    score: float
    evidence: list[SupportOut]
    why: MessageText | None
    marks: list[tuple[int, int]] = Field([], description="spans of `text`: the words that no source says")


class AnswerOut(BaseModel):
    """An answer with its citations, sources, claims and checks."""

    id: str
    question: str
    text: str
    sub_questions: list[SubQuestionOut]
    citations: list[CitationOut]
    unresolved: list[UnresolvedOut] = Field(description="markers without a source: left in the text, never linked")
    hallucinated: int = Field(description="number of unresolved markers")
    sources: list[AnswerSourceOut]
    claims: list[AnswerClaimOut]
    headline: HeadlineOut = HeadlineOut()
    grounding_score: float
    confidence: float = Field(description="the evidence score of the best citation, never above grounding_score")
    confidence_level: ConfidenceLevel
    refused: bool
    refusal_reason: MessageText | None
    sources_used: int
    sources_provided: int
    model_used: str
    tokens_used: int
    latency_ms: int
    warnings: list[MessageText]
    data: Any = Field(None, description="the answer in the form of the requested schema")
    asked_at: str
    mode: str
    links: dict[str, str]


class AnswerSummary(BaseModel):
    """A stored answer in a list."""

    id: str
    question: str = Field(description="empty where it repeated words of a document that was deleted")
    asked_at: str
    mode: str
    pinned: bool
    refused: bool
    grounding_score: float
    confidence_level: ConfidenceLevel
    links: dict[str, str]


class AnswerList(BaseModel):
    """A page of the list of answers."""

    answers: list[AnswerSummary]
    next_cursor: NextCursor = None
