"""What may be asked of passages and of the library, and what is answered; and what all requests have in common.

These models check requests and make the OpenAPI document.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, model_validator

from highlighter.evidence.explanations import Explanation
from highlighter.models import ScoredSentence
from highlighter.search import DEFAULT_HITS, MAX_HITS, MAX_QUESTION_CHARACTERS, MIN_SCORE
from highlighter.text.characters import repair_surrogates

MAX_TEXT_CHARACTERS = 200_000

Question = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_QUESTION_CHARACTERS)]
# Of any length, and with no half of a character, which could neither be read nor sent back.
WellFormedText = Annotated[str, AfterValidator(repair_surrogates)]
DocumentId = Annotated[str, StringConstraints(min_length=1, max_length=64)]
ChunkIndex = Annotated[int, Field(ge=0, le=2**31 - 1, description="counts from 0")]
Offset = Annotated[int, Field(ge=0, le=2**31 - 1)]
HighlightMethod = Literal["evidence", "cosine"]


class HighlightQuery(BaseModel):
    """A chunk and what it is held against."""

    document_id: DocumentId
    chunk_index: ChunkIndex
    sub_question: Question
    method: HighlightMethod | None = None
    start: Offset | None = Field(None, description="with `end` and `v`: the span and pipeline the link was made for")
    end: Offset | None = None
    v: int | None = Field(None, ge=1, le=2**31 - 1)
    view: Literal["text", "page"] = Field("text", description="its text, or the document's pages")
    cited: str | None = Field(
        None,
        pattern=r"^\d{1,10}-\d{1,10}$",
        description="a span `start-end` of the document: always highlighted and shown first",
    )


class HighlightRequest(BaseModel):
    """Either a text of your own, or a chunk that is kept here."""

    model_config = ConfigDict(extra="forbid")

    question: Question
    text: str | None = Field(None, min_length=1, max_length=MAX_TEXT_CHARACTERS)
    document_id: DocumentId | None = None
    chunk_index: ChunkIndex | None = None
    method: HighlightMethod | None = None
    threshold: float | None = Field(None, ge=0, le=1)
    explain: bool = Field(False, description="say of each sentence what spoke for it and against it")

    @model_validator(mode="after")
    def _check_one_passage(self) -> HighlightRequest:
        stored = self.document_id is not None and self.chunk_index is not None
        half = self.document_id is not None or self.chunk_index is not None
        if (self.text is not None) == stored or (self.text is not None and half):
            raise ValueError("give either text, or document_id and chunk_index")
        return self


class ExplanationOut(BaseModel):
    shared: list[str] = Field(description="the question's words, as the sentence writes them")
    speaks_for: list[str]
    speaks_against: list[str]


class SentenceOut(BaseModel):
    index: int
    start: int = Field(description="code points; into the caller's own text, or into the document's")
    end: int
    text: str
    similarity: float
    score: float
    highlighted: bool
    page: int | None = Field(None, description="where it begins, from 1; null in a text of the caller's own")
    because: ExplanationOut | None = Field(None, description="when asked to explain")

    @classmethod
    def from_scored(cls, scored: ScoredSentence, because: Explanation | None = None) -> SentenceOut:
        sentence = scored.sentence
        return cls(
            index=sentence.index, start=sentence.start, end=sentence.end, text=sentence.text,
            similarity=scored.similarity, score=scored.score, highlighted=scored.highlighted, page=sentence.page or None,
            because=because and ExplanationOut(**asdict(because)),
        )  # fmt: skip


class HighlightAnswer(BaseModel):
    sentences: list[SentenceOut]
    threshold: float
    method: HighlightMethod
    degraded: str | None = Field(description="a sentence for people when less than the whole method could run")
    links: dict[str, str] = Field({}, description="to the highlighted chunk; none for a text of the caller")


MetadataValue = str | int | float | bool
MetadataKey = Annotated[str, StringConstraints(min_length=1, max_length=200)]
MetadataFilter = dict[MetadataKey, MetadataValue | Annotated[list[MetadataValue], Field(max_length=1000)]]


class SearchRequest(BaseModel):
    """What is looked for, and where."""

    model_config = ConfigDict(extra="forbid")

    question: Question
    limit: int = Field(DEFAULT_HITS, ge=1, le=MAX_HITS)
    collection: str | None = Field(None, min_length=1, max_length=200, description="only this one")
    where: MetadataFilter = Field(
        default_factory=dict,
        max_length=20,
        description="metadata keys (or kind, name, collection), each with a value or a list of which any will do",
    )
    min_score: float = Field(MIN_SCORE, ge=0, le=1, description="chunks that score less are left out")


class HitOut(BaseModel):
    score: float = Field(description="0 to 1: likeness of the best sentence and share of the question's words")
    document_id: str
    name: str
    collection: str
    kind: str
    doc_url: str | None = Field(description="the document's own address, when its metadata says doc_url")
    chunk_index: int
    start: int
    end: int
    text: str
    section: str
    pages: list[int]
    page_labels: list[str] = Field(description="as printed on them, when that differs")
    sentences: list[SentenceOut] = Field(description="the best ones, best first")
    links: dict[str, str]


class SearchAnswer(BaseModel):
    hits: list[HitOut]
    degraded: str | None = Field(description="a sentence for people when less than the whole method could run")


class Problem(BaseModel):
    """RFC 9457."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str
    errors: list[dict[str, str]] = []
    request_id: str = Field("", description="as in X-Request-Id: give it when you report a fault")
