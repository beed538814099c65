"""What may be asked of a check, and what is answered."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from highlighter.schemas.search import ChunkIndex, DocumentId, WellFormedText

VerdictName = Literal["supported", "partly", "contradicted", "unsupported"]
QuotationState = Literal["verified", "altered", "not found"]


class CheckedSource(BaseModel):
    """A text of your own, or a document that is kept here, or one chunk of it."""

    model_config = ConfigDict(extra="forbid")

    text: WellFormedText | None = Field(None, description="at most 200,000 characters")
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
    """Any system's answer, and what it stands on."""

    model_config = ConfigDict(extra="forbid")

    answer: WellFormedText = Field(description="at most 100,000 characters; citations in it are no words of its claims")
    sources: list[CheckedSource] = Field(description="at most 100")
    append_warnings: bool = Field(False, description="return the text with a line for each claim that does not hold")


class CheckedSupport(BaseModel):
    source: int = Field(description="index into the sources sent")
    start: int = Field(description="code points of the source's own text: of the chunk's for a chunk")
    end: int
    text: str
    score: float = Field(description="how likely it is evidence for the claim")
    document_id: str | None
    chunk_index: int | None


class ClaimOut(BaseModel):
    text: str = Field(description="without citations and bullets")
    start: int = Field(description="code points of the answer")
    end: int
    verdict: VerdictName
    score: float = Field(description="0 to 1: how likely the sources support it")
    evidence: list[CheckedSupport]
    why: str | None = Field(description="a sentence for people, when it is not supported")


class QuotationOut(BaseModel):
    text: str
    start: int = Field(description="code points of the answer")
    end: int
    state: QuotationState
    source: int | None = Field(description="index into the sources sent")
    why: str | None


class CheckAnswer(BaseModel):
    grounded: bool = Field(description="every claim is supported")
    grounding_score: float = Field(description="0 to 1: the share of the claims that holds, as far as can be told")
    confidence: float = Field(description="the best probability that a sentence of the sources is evidence")
    confidence_level: Literal["high", "medium", "low"]
    claims: list[ClaimOut]
    ungrounded_claims: list[str]
    quotations: list[QuotationOut] = Field(description="what the answer puts in quotation marks")
    text: str | None = Field(description="the answer with its warnings, when asked for")
