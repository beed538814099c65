"""The request and response models of search and highlights, and the fields that all requests share.

The models validate requests, and the OpenAPI document is made from them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    AliasChoices,
    BaseModel,
    ConfigDict,
    Field,
    FiniteFloat,
    StringConstraints,
    model_validator,
)

from highlighter.evidence.explanations import Explanation
from highlighter.metadata import MAX_METADATA_CHARACTERS
from highlighter.models import CitedCell, ScoredSentence
from highlighter.schemas.recognition import DoubtfulWords, RecognitionConfidence, RecognitionFields
from highlighter.search import DEFAULT_HITS, MAX_HITS, MAX_QUESTION_CHARACTERS, MIN_SCORE
from highlighter.text.characters import repair_surrogates
from highlighter.text.language import detect_language

MAX_TEXT_CHARACTERS = 200_000


def describe_limit(characters: int) -> dict[str, Any]:
    """Return what the OpenAPI document says of a limit that is enforced elsewhere, by an error that says what to do instead."""
    return {"maxLength": characters}


Question = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_QUESTION_CHARACTERS)]
# Lone surrogates are repaired, because they could neither be processed nor sent back.
WellFormedText = Annotated[str, AfterValidator(repair_surrogates)]
DocumentId = Annotated[str, StringConstraints(min_length=1, max_length=64)]
ChunkIndex = Annotated[int, Field(ge=0, le=2**31 - 1, description="counts from 0")]
Offset = Annotated[int, Field(ge=0, le=2**31 - 1)]
HighlightMethod = Literal["evidence", "cosine"]
MAX_CURSOR_CHARACTERS = 2_000  # of a document with a long name
Cursor = Annotated[
    str | None,
    Field(
        max_length=MAX_CURSOR_CHARACTERS,
        description="`next_cursor` of the page before: entries that are added or deleted meanwhile move no page; "
        "it replaces `offset`",
    ),
]
NextCursor = Annotated[str | None, Field(description="the `cursor` of the next page; null on the last one")]


class HighlightQuery(BaseModel):
    """A chunk, and the question whose evidence is highlighted in it."""

    document_id: DocumentId
    chunk_index: ChunkIndex
    sub_question: Question
    method: HighlightMethod | None = None
    start: Offset | None = Field(
        None, description="with `end` and `v`: the span and pipeline that the link was made for"
    )
    end: Offset | None = None
    v: int | None = Field(None, ge=1, le=2**31 - 1)
    view: Literal["text", "page"] = Field("text", description="the text of the chunk, or the pages of the document")
    cited: str | None = Field(
        None,
        max_length=21,
        pattern=r"^\d{1,10}-\d{1,10}$",
        description="a span `start-end` of the document: always highlighted and shown first",
    )


class HighlightRequest(BaseModel):
    """A question, and a text of your own or a stored chunk."""

    model_config = ConfigDict(extra="forbid")

    question: Question
    text: str | None = Field(None, min_length=1, max_length=MAX_TEXT_CHARACTERS)
    document_id: DocumentId | None = None
    chunk_index: ChunkIndex | None = None
    method: HighlightMethod | None = None
    threshold: float | None = Field(None, ge=0, le=1)
    explain: bool = Field(False, description="explain for each sentence what counts for it and against it")

    @model_validator(mode="after")
    def _check_one_passage(self) -> HighlightRequest:
        has_chunk = self.document_id is not None and self.chunk_index is not None
        has_part_of_chunk = self.document_id is not None or self.chunk_index is not None
        if (self.text is not None) == has_chunk or (self.text is not None and has_part_of_chunk):
            raise ValueError("give either text, or document_id and chunk_index")
        return self


class ExplanationOut(BaseModel):
    """The reasons for a sentence's score."""

    shared: list[str] = Field(description="words of the question, as the sentence writes them")
    speaks_for: list[str]
    speaks_against: list[str]


class CellOut(BaseModel):
    """A cell of a table in which a sentence or a quote lies."""

    row: int = Field(description="from 0, with the header rows")
    column: int = Field(description="from 0")
    text: str = Field(description="of the whole cell")
    is_header: bool = Field(description="it heads its column or its row")
    column_headers: list[str] = Field(description="the header cells above it, from the top")
    row_headers: list[str] = Field(description="the header cells of its row")
    start: int = Field(description="of the cell in the document's text; its rectangles can be asked for")
    end: int


class SentenceOut(BaseModel):
    """A sentence with its scores."""

    model_config = ConfigDict(serialize_by_alias=True)

    index: int
    start: int = Field(description="in code points of the document's text, or of the caller's own")
    end: int
    text: str
    similarity: float
    score: float
    highlighted: bool
    page: int | None = Field(None, description="where the sentence begins, from 1; null in a text of the caller's own")
    language: str | None = Field(None, description="of the sentence, as in BCP 47; null where its words do not tell")
    instructs_software: bool = Field(
        False, description="it tells a language model what to do: it is never highlighted or used as evidence"
    )
    explanation: ExplanationOut | None = Field(
        None,
        validation_alias=AliasChoices("because", "explanation"),
        serialization_alias="because",
        description="with `explain`",
    )
    cells: list[CellOut] = Field(
        [], description="of a highlighted sentence in a table; headers are context, not evidence"
    )
    recognition: RecognitionConfidence = None
    doubtful_words: DoubtfulWords = None

    @classmethod
    def from_scored(
        cls,
        scored: ScoredSentence,
        explanation: Explanation | None = None,
        cells: Sequence[CitedCell] = (),
        recognition: RecognitionFields | None = None,
    ) -> SentenceOut:
        sentence = scored.sentence
        return cls(
            index=sentence.index, start=sentence.start, end=sentence.end, text=sentence.text,
            similarity=scored.similarity, score=scored.score, highlighted=scored.highlighted, page=sentence.page or None,
            language=detect_language(sentence.text) or None,
            instructs_software=scored.instructs_software, explanation=ExplanationOut(**asdict(explanation)) if explanation else None,
            cells=[CellOut(**asdict(cell)) for cell in cells], **(recognition or {}),
        )  # fmt: skip


class HighlightResponse(BaseModel):
    """The sentences of a text or chunk, with their scores."""

    sentences: list[SentenceOut]
    threshold: float
    method: HighlightMethod
    degraded: str | None = Field(description="a sentence for people, when a part of the method could not run")
    links: dict[str, str] = Field({}, description="to the highlighted chunk; none for a text of the caller")


MetadataText = Annotated[str, Field(json_schema_extra=describe_limit(MAX_METADATA_CHARACTERS))]
MetadataValue = MetadataText | int | FiniteFloat | bool
MetadataKey = Annotated[str, StringConstraints(min_length=1, max_length=200)]
# No document has a longer value.
FilterValue = Annotated[str, StringConstraints(max_length=MAX_METADATA_CHARACTERS)] | int | float | bool
MetadataFilter = dict[MetadataKey, FilterValue | Annotated[list[FilterValue], Field(max_length=1000)]]


class SearchRequest(BaseModel):
    """A question, and the documents to search."""

    model_config = ConfigDict(extra="forbid")

    question: Question
    limit: int = Field(DEFAULT_HITS, ge=1, le=MAX_HITS)
    collection: str | None = Field(None, min_length=1, max_length=200, description="search only this collection")
    where: MetadataFilter = Field(
        default_factory=dict,
        max_length=20,
        description="metadata keys (or kind, name, collection), each with a value, or with a list of allowed values",
    )
    min_score: float = Field(MIN_SCORE, ge=0, le=1, description="chunks that score less are left out")


class HitOut(BaseModel):
    """A chunk that a search found, with its best sentences."""

    score: float = Field(
        description="0 to 1: from the similarity of the best sentence and the share of the question's words"
    )
    document_id: str
    name: str
    collection: str
    kind: str
    doc_url: str | None = Field(description="doc_url of the document's metadata, if any")
    chunk_index: int
    start: int
    end: int
    text: str
    section: str
    pages: list[int]
    page_labels: list[str] = Field(description="as printed on the pages, when that differs")
    sentences: list[SentenceOut] = Field(description="the best ones, best first")
    links: dict[str, str]


class SearchResponse(BaseModel):
    """The hits of a search."""

    hits: list[HitOut]
    degraded: str | None = Field(description="a sentence for people, when a part of the method could not run")


class Problem(BaseModel):
    """Problem details (RFC 9457)."""

    type: str = Field(
        "about:blank", description="what kind of error it is, for programs: such as urn:highlighter:problem:not-found"
    )
    title: str
    status: int
    detail: str
    messages: list[dict[str, Any]] = Field(
        [], description="`id` and `values` of each sentence in `detail`, to translate it"
    )
    errors: list[dict[str, str]] = []
    request_id: str = Field("", description="as in X-Request-Id: give it when you report a fault")
