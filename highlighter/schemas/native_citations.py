"""The request and response models of other vendors' citations."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from highlighter.native_citations.opener import MAX_RESPONSES
from highlighter.native_formats.native_response import MAX_ANSWER_CHARACTERS
from highlighter.native_formats.source_fields import MAX_SOURCES
from highlighter.schemas.checks import VerdictName
from highlighter.schemas.quotes import LocatedSentence, SpanOut

CitationTier = Literal["exact", "normalised", "fuzzy", "semantic", "chunk", "page", "document", "none"]
FoundBy = Literal["link", "id", "metadata", "path", "name", "title", "quote"]


class NativeCitationsRequest(BaseModel):
    """A response of any vendor as it came, or several."""

    model_config = ConfigDict(extra="forbid")

    response: Any = Field(
        None, description="the JSON of the response, its stream as text or as a list of events, or an answer's text"
    )
    responses: list[Any] | None = Field(None, min_length=1, max_length=MAX_RESPONSES, description="several, instead")
    answer: str = Field(
        "", max_length=MAX_ANSWER_CHARACTERS, description="the answer, where the response does not contain it"
    )
    sources: list[Any] = Field(
        [],
        max_length=MAX_SOURCES,
        description="the documents that the vendor's request held, in their order: any fields, or file names",
    )
    check: bool = Field(True, description="give a verdict on each claim")

    @model_validator(mode="after")
    def _check_one_response(self) -> NativeCitationsRequest:
        if (self.response is None) == (self.responses is None):
            raise ValueError("give either response or responses")
        return self


class TextSpan(BaseModel):
    """A span of the answer, with its text."""

    start: int = Field(description="in code points of `text`")
    end: int
    text: str


class CitedSourceOut(BaseModel):
    """A source as the response names it."""

    name: str = Field(description="what the response calls it: a name, a URL or an id")
    url: str | None
    page: int | None = Field(description="that the response cites, from 1")


class CitedPlace(BaseModel):
    """A place in a document that a citation leads to, or may lead to."""

    document_id: str
    name: str
    chunk_index: int
    page: int
    last_page: int
    start: int = Field(description="in code points of the document's text")
    end: int
    spans: list[SpanOut] = Field(description="what is highlighted")
    text: str = Field(description="its first 2,000 characters")
    links: dict[str, str] = Field(description="view: the text, highlighted; page: the page, highlighted; pdf; document")


class NativeCitationOut(BaseModel):
    """A citation of one source; one that cites several is listed once for each."""

    kind: str = Field(description='the vendor\'s word: "char_location", "url_citation", or "marker", "link", "source"')
    cited: TextSpan | None = Field(description="the text in the answer; null where the response does not say")
    marker: TextSpan | None = Field(description="the marker in the answer, if there is one")
    quote: str | None = Field(description="the words of the source that the response quotes")
    source: CitedSourceOut
    tier: CitationTier = Field(
        description="how closely the document has the cited words; chunk, page, document: nothing was quoted, and what the "
        "response names is opened; none: nothing is"
    )
    found_by: FoundBy | None = Field(description="what told which document it is")
    place: CitedPlace | None
    sentences: list[LocatedSentence] = Field(
        description="those with the cited words; of a whole chunk or page, those that are evidence for the claim"
    )
    verdict: VerdictName | None = Field(description="on the claim; null where there is none, or nothing was checked")
    claim: int | None = Field(description="index into claims")
    reason: str | None = Field(description="a sentence for people: why nothing was found, or not all")
    candidates: list[CitedPlace] = Field(description="what may be meant; none of it is certain")


class NativeClaimOut(BaseModel):
    """A statement of the answer, with its verdict."""

    text: str
    start: int
    end: int
    verdict: VerdictName
    score: float
    why: str | None


class NativeResponseOut(BaseModel):
    """A response with its citations, as they open here."""

    format: str = Field(description="the format that was recognised")
    text: str = Field(description="the answer, to which offsets refer")
    citations: list[NativeCitationOut]
    opened: int = Field(description="number of citations with a place")
    claims: list[NativeClaimOut]
    grounding_score: float | None = Field(description="share of the claims that are supported; null without claims")
    note: str | None = Field(description="a sentence for people: why nothing, or not everything, was checked")


class NativeCitationsResponse(BaseModel):
    """The responses of a request, in their order."""

    responses: list[NativeResponseOut]
