"""What may be asked of references in a text, and what is answered."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from highlighter.api.schemas import ChunkIndex, DocumentId
from highlighter.citations import reasons
from highlighter.citations.resolve import TIERS
from highlighter.search.references import MAX_SOURCES, MAX_TEXT

MAX_NAME, MAX_PAGES = 1_000, 10_000

PhysicalPage = Annotated[int, Field(ge=1, le=2**31 - 1)]
Tier = Literal[TIERS]
Reason = Literal[
    reasons.UNKNOWN, reasons.AMBIGUOUS, reasons.UNNAMED, reasons.NO_PAGE, reasons.NO_CHUNK, reasons.NO_NUMBER
]


class CitedSource(BaseModel):
    """One that the writer of the text was shown; its place in the list is its number."""

    model_config = ConfigDict(extra="forbid")

    filename: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_NAME)]
    document_id: DocumentId | None = Field(None, description="when it is kept here, there will be links")
    pages: list[PhysicalPage] | None = Field(
        None, max_length=MAX_PAGES, description="those shown, from 1; without them any page of the document"
    )
    chunk_index: ChunkIndex | None = None
    label: str = Field("", max_length=MAX_NAME, description="how it was to be cited, without the brackets")


class ResolveRequest(BaseModel):
    """A text, and what it may cite; without sources, every document that you may see."""

    model_config = ConfigDict(extra="forbid")

    text: str = Field(max_length=MAX_TEXT)
    sources: list[CitedSource] | None = Field(None, max_length=MAX_SOURCES)


class ReferenceLinks(BaseModel):
    view: str
    pdf: str | None = Field(description="null where the document has no pages to show")


class ReferenceOut(BaseModel):
    label: str = Field(description="text[start:end], brackets and all; of several in one bracket, its own part")
    start: int = Field(description="code points")
    end: int
    tier: Tier = Field(
        description="by what it was found; exact, normalised, fuzzy: by its name, beside a page or a chunk"
    )
    document_id: str | None
    filename: str
    page: int | None = Field(description="physical, from 1")
    chunk_index: int | None
    source: int | None = Field(description="index into the sources given")
    quote: str | None = Field(description="words quoted right before it, or in it")
    links: ReferenceLinks | None = Field(description="when the document is kept here")


class CandidateOut(BaseModel):
    document_id: str | None
    filename: str
    source: int | None = Field(description="index into the sources given")


class UnresolvedReference(BaseModel):
    label: str
    start: int
    end: int
    reason: Reason
    why: str = Field(description="the same for people")
    candidates: list[CandidateOut] = Field(description="what may have been meant; none of them is linked")


class ResolveAnswer(BaseModel):
    citations: list[ReferenceOut] = Field(description="in the order of the text")
    unresolved: list[UnresolvedReference]
