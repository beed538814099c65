"""The request and response models of quotes, later versions, annotations, search in a document, and references."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

from highlighter.references import misses
from highlighter.references.resolver import TIERS
from highlighter.schemas.documents import RectangleOut
from highlighter.schemas.search import ChunkIndex, DocumentId, Offset, Question, describe_limit
from highlighter.search.document_search import MAX_QUERY_CHARACTERS
from highlighter.search.quote_locator import MAX_CONTEXT_CHARACTERS, MAX_QUOTE_CHARACTERS
from highlighter.search.reference_lookup import MAX_SOURCES, MAX_TEXT_CHARACTERS

QuoteTier = Literal["exact", "normalised", "fuzzy", "semantic", "none"]
MissReason = Literal["number", "negation", "words", "omission", "not found", "too short"]
DifferenceKind = Literal["same", "changed", "dropped", "added"]
SpanOutcomeName = Literal["same", "moved", "changed", "gone"]


class LocateRequest(BaseModel):
    """A quote, with hints on where it stands. Hints choose among equal matches; they exclude none."""

    model_config = ConfigDict(extra="forbid")

    quote: str = Field(description="at most 20,000 characters", json_schema_extra=describe_limit(MAX_QUOTE_CHARACTERS))
    document_id: DocumentId | None = Field(None, description="search only this document, which may be an older version")
    filename: str = Field("", max_length=1_000, description="instead of document_id, where one document has this name")
    page: int | None = Field(None, ge=1, le=2**31 - 1, description="from 1; a hint that chooses among equal matches")
    prefix: str = Field("", max_length=MAX_CONTEXT_CHARACTERS, description="the text before it: breaks ties")
    suffix: str = Field("", max_length=MAX_CONTEXT_CHARACTERS, description="the text after it")

    @model_validator(mode="after")
    def _check_page_has_document(self) -> LocateRequest:
        if self.document_id is not None and self.filename:
            raise ValueError("give either document_id or filename")
        if self.page is not None and self.document_id is None and not self.filename:
            raise ValueError("page needs a document_id or a filename")
        return self


class DifferenceOut(BaseModel):
    """A run of words in a word diff."""

    kind: DifferenceKind
    ours: str = Field(description="the words of the quote, or of the older version")
    theirs: str = Field(description="the words of the text")


class LocatedSentence(BaseModel):
    """A sentence that overlaps the located quote."""

    index: int
    start: int
    end: int
    text: str
    page: int


class SpanOut(BaseModel):
    """A span of a document's canonical text."""

    start: int
    end: int


class QuoteMatchOut(BaseModel):
    """A span that matches a quote, with its tier and the differences."""

    document_id: str
    name: str
    version: int
    start: int
    end: int
    spans: list[SpanOut] = Field(description="what is highlighted: the fragments, where the quote leaves words out")
    text: str
    tier: QuoteTier
    score: float
    chunk_index: int
    page: int
    last_page: int
    differs: list[DifferenceOut] = Field(description="word diff of the quote and the text; empty when nothing differs")
    why: str | None = Field(description="a sentence for people: why a near miss does not match")
    reason: MissReason | None = Field(
        description="the kind of that difference: another number, negation or word, or an omission"
    )
    links: dict[str, str]


class LocateResponse(BaseModel):
    """The best match of a quote, and other candidates."""

    quote: str
    tier: QuoteTier = Field(description="how closely it matches; none means that nothing may be highlighted")
    document_id: str | None
    start: int | None
    end: int | None
    sentences: list[LocatedSentence] = Field(description="the sentences that the match overlaps")
    rectangles: list[RectangleOut]
    score: float
    place: QuoteMatchOut | None
    candidates: list[QuoteMatchOut] = Field(description="other places with the same words, and near misses (tier none)")
    why: str | None = Field(description="a sentence for people: why there is no match")
    reason: MissReason | None = Field(description="the kind of reason: what differs in the nearest match, or not found")
    notes: list[str] = Field(description="for people: what was ignored")


class SpanQuery(BaseModel):
    """A span of a document's canonical text."""

    start: Offset = Field(description="in code points of the canonical text")
    end: Offset


class SpanChangeQuery(SpanQuery):
    """A span, and the document to find it in."""

    into: DocumentId | None = Field(None, description="another document; by default the current version")


class SpanChangeResponse(BaseModel):
    """A span in a later version of its document."""

    outcome: SpanOutcomeName
    says: str = Field(description="a sentence for people")
    before: QuoteMatchOut
    after: QuoteMatchOut | None
    differs: list[DifferenceOut]


class AnnotationsQuery(BaseModel):
    """A span, or a chunk and a question whose evidence in the chunk is wanted."""

    start: Offset | None = None
    end: Offset | None = None
    chunk_index: ChunkIndex | None = None
    sub_question: Question | None = None

    @model_validator(mode="after")
    def _check_one_target(self) -> AnnotationsQuery:
        span, evidence = (self.start, self.end), (self.chunk_index, self.sub_question)
        if (None in span) == (None in evidence) or (span if None in span else evidence) != (None, None):
            raise ValueError("give either start and end, or chunk_index and sub_question")
        return self


class AnnotationPage(BaseModel):
    """W3C Web Annotations as JSON-LD."""

    model_config = ConfigDict(populate_by_name=True)

    context: Any = Field(alias="@context")
    type: str = "AnnotationPage"
    items: list[dict[str, Any]]


class FindQuery(BaseModel):
    """A search within a document."""

    q: str = Field(description="words to find, or a meaning", json_schema_extra=describe_limit(MAX_QUERY_CHARACTERS))
    by: Literal["words", "meaning"] = "words"
    limit: int = Field(200, ge=1, le=2000)
    offset: Offset = 0


class FindMatch(BaseModel):
    """A match of a search within a document."""

    start: int
    end: int
    text: str
    before: str = Field(description="the text before the match, for a list of results")
    after: str
    page: int
    chunk_index: int
    score: float | None = Field(description="only for a search by meaning")
    link: str


class FindResponse(BaseModel):
    """The matches of a search within a document."""

    query: str
    by: Literal["words", "meaning"]
    count: int
    spans: list[FindMatch] = Field(description="in reading order")
    note: str | None = Field(description="a sentence for people")


# References

MAX_NAME_CHARACTERS, MAX_PAGES = 1_000, 10_000

PhysicalPage = Annotated[int, Field(ge=1, le=2**31 - 1)]
UNRESOLVED_REASONS = (
    misses.UNKNOWN, misses.AMBIGUOUS, misses.UNNAMED, misses.NO_PAGE, misses.NO_CHUNK, misses.NO_NUMBER, misses.NO_CLAUSE,
)  # fmt: skip


class CitableSource(BaseModel):
    """A source that the text may cite. Its position in the list is its number."""

    model_config = ConfigDict(extra="forbid")

    filename: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_NAME_CHARACTERS)]
    document_id: DocumentId | None = Field(
        None, description="of a stored document, for links to it; by default the one document with this file name"
    )
    pages: list[PhysicalPage] | None = Field(
        None,
        max_length=MAX_PAGES,
        description="the pages that may be cited, from 1; by default any page of the document",
    )
    chunk_index: ChunkIndex | None = None
    label: str = Field(
        "", max_length=MAX_NAME_CHARACTERS, description="the label that the source is cited by, without brackets"
    )


class ResolveRequest(BaseModel):
    """A text, and the sources that it may cite; by default, every document that you may see."""

    model_config = ConfigDict(extra="forbid")

    text: str = Field(max_length=MAX_TEXT_CHARACTERS)
    sources: list[CitableSource] | None = Field(None, max_length=MAX_SOURCES)


class ReferenceLinks(BaseModel):
    """The links to what a reference cites."""

    view: str
    pdf: str | None = Field(description="null where the document has no pages")


class ReferenceOut(BaseModel):
    """A marker in the text, resolved to a source."""

    label: str = Field(description="text[start:end] with its brackets; where several share brackets, its part of them")
    start: int = Field(description="in code points of the text")
    end: int
    tier: Literal[TIERS] = Field(  # type: ignore[valid-type]  # the names are defined once, in a tuple
        description="how the source was found; exact, normalised and fuzzy compare its name"
    )
    document_id: str | None
    filename: str
    page: int | None = Field(description="the physical page, from 1")
    chunk_index: int | None
    source: int | None = Field(description="index into the sources given")
    quote: str | None = Field(description="the words quoted directly before the marker, or in it")
    clause: SpanOut | None = Field(
        description="the heading or first sentence of a cited clause, in a document whose text numbers its clauses"
    )
    links: ReferenceLinks | None = Field(description="for stored documents")


class CandidateOut(BaseModel):
    """A source that an unresolved marker may mean."""

    document_id: str | None
    filename: str
    source: int | None = Field(description="index into the sources given")


class UnresolvedReference(BaseModel):
    """A marker in the text that is not resolved, with the reason."""

    label: str
    start: int
    end: int
    reason: Literal[UNRESOLVED_REASONS]  # type: ignore[valid-type]  # the names are defined once, in a tuple
    why: str = Field(description="a sentence for people")
    candidates: list[CandidateOut] = Field(description="sources that the marker may mean; none of them is linked")


class ResolveResponse(BaseModel):
    """The resolved and the unresolved references of a text."""

    citations: list[ReferenceOut] = Field(description="resolved references, in the order of the text")
    unresolved: list[UnresolvedReference]
