"""The request and response models of checks."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from highlighter.grounding.checker import MAX_ANSWER_CHARACTERS, MAX_SOURCE_CHARACTERS
from highlighter.schemas.search import ChunkIndex, DocumentId, WellFormedText, describe_limit

VerdictName = Literal["supported", "partly", "contradicted", "unsupported", "wrong_source", "not_compared"]
QuotationState = Literal["verified", "altered", "not found"]
ConfidenceLevel = Literal["high", "medium", "low"]


class CheckedSource(BaseModel):
    """A source that an answer rests on: a text of your own, a stored document, or one chunk of it."""

    model_config = ConfigDict(extra="forbid")

    text: Annotated[WellFormedText, Field(json_schema_extra=describe_limit(MAX_SOURCE_CHARACTERS))] | None = Field(
        None, description="at most 200,000 characters"
    )
    filename: str | None = Field(None, max_length=1_000)
    document_id: DocumentId | None = None
    chunk_index: ChunkIndex | None = None

    @model_validator(mode="after")
    def _check_one_source(self) -> CheckedSource:
        if (self.text is None) == (self.document_id is None):
            raise ValueError("give either text, or document_id (and chunk_index)")
        if self.chunk_index is not None and self.document_id is None:
            raise ValueError("chunk_index needs a document_id")
        return self


class CheckRequest(BaseModel):
    """An answer of any system, with its sources."""

    model_config = ConfigDict(extra="forbid")

    answer: WellFormedText = Field(
        json_schema_extra=describe_limit(MAX_ANSWER_CHARACTERS),
        description="at most 100,000 characters; where all sources have names, each claim is held to the sources that its markers cite",
    )
    sources: list[CheckedSource] = Field(description="at most 100")
    append_warnings: bool = Field(False, description="return the text with a line for each claim that does not hold")


class CheckedSupport(BaseModel):
    """A sentence of a source that is evidence for a claim, or against it."""

    source: int = Field(description="index into the sources sent")
    start: int = Field(description="in code points of the source's text; for a chunk, of the chunk's text")
    end: int
    text: str
    score: float = Field(description="0 to 1: how likely the sentence is evidence for the claim")
    marks: list[tuple[int, int]] = Field([], description="spans of `text`: the words that differ from the claim's")
    document_id: str | None
    chunk_index: int | None


class ClaimOut(BaseModel):
    """A checkable statement of the answer, with its verdict and evidence."""

    text: str = Field(description="without citation markers and bullets")
    start: int = Field(description="in code points of the answer")
    end: int
    verdict: VerdictName
    score: float = Field(description="0 to 1: how likely the sources support it")
    evidence: list[CheckedSupport]
    why: str | None = Field(description="a sentence for people, when the claim is not supported")
    marks: list[tuple[int, int]] = Field([], description="spans of `text`: the words that no source says")


class QuotationOut(BaseModel):
    """Words that the answer puts in quotation marks, and whether a source says them."""

    text: str
    start: int = Field(description="in code points of the answer")
    end: int
    state: QuotationState
    source: int | None = Field(description="index into the sources sent")
    why: str | None


class CheckResponse(BaseModel):
    """The result of a check: claims with verdicts, and quotations with states."""

    grounded: bool | None = Field(description="every claim is supported; null without claims, as nothing was checked")
    grounding_score: float | None = Field(
        description="0 to 1: the share of the claims that is supported; null without claims"
    )
    confidence: float = Field(
        description="the highest probability that a sentence is evidence, never above grounding_score"
    )
    confidence_level: ConfidenceLevel
    claims: list[ClaimOut]
    ungrounded_claims: list[str]
    quotations: list[QuotationOut] = Field(description="all words in quotation marks")
    warnings: list[str] = Field(
        description="sentences for people: which sources give instructions to software, and which were recognised from images (OCR)"
    )
    text: str | None = Field(description="the answer with its warnings, when asked for")
