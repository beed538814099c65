"""What may be asked of quotes, anchors, versions and find in document, and what is answered."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

from highlighter.references import misses
from highlighter.references.resolver import TIERS
from highlighter.schemas.documents import RectangleOut
from highlighter.schemas.search import ChunkIndex, DocumentId, Offset, Question
from highlighter.search.quote_locator import MAX_CONTEXT_CHARACTERS
from highlighter.search.reference_lookup import MAX_SOURCES, MAX_TEXT_CHARACTERS

QuoteTier = Literal["exact", "normalised", "fuzzy", "semantic", "none"]


class LocateRequest(BaseModel):
    """A quote, and what is known of where it stands. Only the words decide."""

    model_config = ConfigDict(extra="forbid")

    quote: str = Field(description="at most 20,000 characters")
    document_id: DocumentId | None = Field(None, description="look in this one alone, be it the current version or not")
    page: int | None = Field(None, ge=1, le=2**31 - 1, description="from 1; a hint that chooses among equal places")
    prefix: str = Field("", max_length=MAX_CONTEXT_CHARACTERS, description="the text before it: breaks ties")
    suffix: str = Field("", max_length=MAX_CONTEXT_CHARACTERS, description="the text after it")

    @model_validator(mode="after")
    def _check_page_has_document(self) -> LocateRequest:
        if self.page is not None and self.document_id is None:
            raise ValueError("page needs a document_id")
        return self


class DifferenceOut(BaseModel):
    kind: Literal["same", "changed", "dropped", "added"]
    ours: str = Field(description="what the quote, or the older version, says here")
    theirs: str = Field(description="what the text says here")


class LocatedSentence(BaseModel):
    index: int
    start: int
    end: int
    text: str
    page: int


class QuoteMatchOut(BaseModel):
    document_id: str
    name: str
    version: int
    start: int
    end: int
    text: str
    tier: QuoteTier
    score: float
    chunk_index: int
    page: int
    last_page: int
    differs: list[DifferenceOut] = Field(
        description="the quote beside the text, word by word; empty when nothing differs"
    )
    why: str | None = Field(description="for people: what is wrong with a near miss")
    links: dict[str, str]


class LocateAnswer(BaseModel):
    quote: str
    tier: QuoteTier = Field(description="how closely it matches; none means that nothing may be highlighted")
    document_id: str | None
    start: int | None
    end: int | None
    sentences: list[LocatedSentence] = Field(description="those the place touches")
    rectangles: list[RectangleOut]
    score: float
    place: QuoteMatchOut | None
    candidates: list[QuoteMatchOut] = Field(description="other places with the same words, and near misses (tier none)")
    why: str | None = Field(description="for people: why there is no place")
    notes: list[str] = Field(description="for people: what was ignored")


class SpanQuery(BaseModel):
    start: Offset = Field(description="code points of the canonical text")
    end: Offset


class SpanChangeQuery(SpanQuery):
    into: DocumentId | None = Field(None, description="another document; without it, the current version")


class SpanChangeAnswer(BaseModel):
    outcome: Literal["same", "moved", "changed", "gone"]
    says: str = Field(description="the same for people")
    before: QuoteMatchOut
    after: QuoteMatchOut | None
    differs: list[DifferenceOut]


class AnnotationsQuery(BaseModel):
    """Either one span, or the sentences of a chunk that answer a question."""

    start: Offset | None = None
    end: Offset | None = None
    chunk_index: ChunkIndex | None = None
    sub_question: Question | None = None

    @model_validator(mode="after")
    def _check_one_target(self) -> AnnotationsQuery:
        span, lit = (self.start, self.end), (self.chunk_index, self.sub_question)
        if (None in span) == (None in lit) or (span if None in span else lit) != (None, None):
            raise ValueError("give either start and end, or chunk_index and sub_question")
        return self


class AnnotationPage(BaseModel):
    """W3C Web Annotations as JSON-LD."""

    model_config = ConfigDict(populate_by_name=True)

    context: Any = Field(alias="@context")
    type: str = "AnnotationPage"
    items: list[dict[str, Any]]


class FindQuery(BaseModel):
    q: str = Field(description="words, or what is meant by them")
    by: Literal["words", "meaning"] = "words"
    limit: int = Field(200, ge=1, le=2000)
    offset: Offset = 0


class FindMatch(BaseModel):
    start: int
    end: int
    text: str
    before: str = Field(description="a few words before it, for a list")
    after: str
    page: int
    chunk_index: int
    score: float | None = Field(description="by meaning")
    link: str


class FindAnswer(BaseModel):
    query: str
    by: Literal["words", "meaning"]
    count: int
    spans: list[FindMatch] = Field(description="in reading order")
    note: str | None = Field(description="a sentence for people")


# What may be asked of references in a text, and what is answered.


MAX_NAME_CHARACTERS, MAX_PAGES = 1_000, 10_000

PhysicalPage = Annotated[int, Field(ge=1, le=2**31 - 1)]
ReferenceTier = Literal[TIERS]
UnresolvedReason = Literal[
    misses.UNKNOWN, misses.AMBIGUOUS, misses.UNNAMED, misses.NO_PAGE, misses.NO_CHUNK, misses.NO_NUMBER
]


class CitableSource(BaseModel):
    """One that the writer of the text was shown; its place in the list is its number."""

    model_config = ConfigDict(extra="forbid")

    filename: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_NAME_CHARACTERS)]
    document_id: DocumentId | None = Field(None, description="when it is kept here, there will be links")
    pages: list[PhysicalPage] | None = Field(
        None, max_length=MAX_PAGES, description="those shown, from 1; without them any page of the document"
    )
    chunk_index: ChunkIndex | None = None
    label: str = Field("", max_length=MAX_NAME_CHARACTERS, description="how it was to be cited, without the brackets")


class ResolveRequest(BaseModel):
    """A text, and what it may cite; without sources, every document that you may see."""

    model_config = ConfigDict(extra="forbid")

    text: str = Field(max_length=MAX_TEXT_CHARACTERS)
    sources: list[CitableSource] | None = Field(None, max_length=MAX_SOURCES)


class ReferenceLinks(BaseModel):
    view: str
    pdf: str | None = Field(description="null where the document has no pages to show")


class ReferenceOut(BaseModel):
    label: str = Field(description="text[start:end], brackets and all; of several in one bracket, its own part")
    start: int = Field(description="code points")
    end: int
    tier: ReferenceTier = Field(
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
    reason: UnresolvedReason
    why: str = Field(description="the same for people")
    candidates: list[CandidateOut] = Field(description="what may have been meant; none of them is linked")


class ResolveAnswer(BaseModel):
    citations: list[ReferenceOut] = Field(description="in the order of the text")
    unresolved: list[UnresolvedReference]
