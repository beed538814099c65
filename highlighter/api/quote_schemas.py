"""What may be asked of quotes, anchors, versions and find in document, and what is answered."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from highlighter.api.paper_schemas import RectangleOut
from highlighter.api.schemas import ChunkIndex, DocumentId, Offset, Question
from highlighter.search.locate import CONTEXT_AT_MOST

Tier = Literal["exact", "normalised", "fuzzy", "semantic", "none"]


class LocateRequest(BaseModel):
    """A quote, and what is known of where it stands. Only the words decide."""

    model_config = ConfigDict(extra="forbid")

    quote: str = Field(description="at most 20,000 characters")
    document_id: DocumentId | None = Field(None, description="look in this one alone, be it the current version or not")
    page: int | None = Field(None, ge=1, le=2**31 - 1, description="from 1; a hint that chooses among equal places")
    prefix: str = Field("", max_length=CONTEXT_AT_MOST, description="what stands before it: breaks ties")
    suffix: str = Field("", max_length=CONTEXT_AT_MOST, description="what stands after it")

    @model_validator(mode="after")
    def _page_of_a_document(self) -> LocateRequest:
        if self.page is not None and self.document_id is None:
            raise ValueError("page needs a document_id")
        return self


class PieceOut(BaseModel):
    kind: Literal["same", "changed", "dropped", "added"]
    ours: str = Field(description="what the quote, or the older version, says here")
    theirs: str = Field(description="what the text says here")


class SentenceAt(BaseModel):
    index: int
    start: int
    end: int
    text: str
    page: int


class PlaceOut(BaseModel):
    document_id: str
    name: str
    version: int
    start: int
    end: int
    text: str
    tier: Tier
    score: float
    chunk_index: int
    page: int
    last_page: int
    differs: list[PieceOut] = Field(description="the quote beside the text, word by word; empty when nothing differs")
    why: str | None = Field(description="for people: what is wrong with a near miss")
    links: dict[str, str]


class LocateAnswer(BaseModel):
    quote: str
    tier: Tier = Field(description="how surely: none means that nothing may be lit")
    document_id: str | None
    start: int | None
    end: int | None
    sentences: list[SentenceAt] = Field(description="those the place touches")
    rectangles: list[RectangleOut]
    score: float
    place: PlaceOut | None
    candidates: list[PlaceOut] = Field(description="other places that say the same, and near misses (tier none)")
    why: str | None = Field(description="for people: why there is no place")
    notes: list[str] = Field(description="for people: what was left aside")


class SpanQuery(BaseModel):
    start: Offset = Field(description="code points of the canonical text")
    end: Offset


class LaterQuery(SpanQuery):
    into: DocumentId | None = Field(None, description="another document; without it, the current version")


class LaterAnswer(BaseModel):
    outcome: Literal["same", "moved", "changed", "gone"]
    says: str = Field(description="the same for people")
    before: PlaceOut
    after: PlaceOut | None
    differs: list[PieceOut]


class AnnotationsQuery(BaseModel):
    """Either one span, or the sentences of a chunk that answer a question."""

    start: Offset | None = None
    end: Offset | None = None
    chunk_index: ChunkIndex | None = None
    sub_question: Question | None = None

    @model_validator(mode="after")
    def _one_way(self) -> AnnotationsQuery:
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


class FoundSpan(BaseModel):
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
    spans: list[FoundSpan] = Field(description="in reading order")
    note: str | None = Field(description="a sentence for people")
