"""What may be asked and what is answered: these models check requests and make the OpenAPI document."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, model_validator
from spectree.model_adapter.pydantic_adapter import BaseFile

from highlighter.access import COLLECTION_NAME
from highlighter.search import LIMIT, MIN_SCORE, MOST

MAX_QUESTION, MAX_TEXT = 2_000, 200_000

Question = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_QUESTION)]
DocumentId = Annotated[str, StringConstraints(min_length=1, max_length=64)]
ChunkIndex = Annotated[int, Field(ge=0, le=2**31 - 1, description="counts from 0")]
Offset = Annotated[int, Field(ge=0, le=2**31 - 1)]
Method = Literal["evidence", "cosine"]


class HighlightQuery(BaseModel):
    """A chunk and what it is held against."""

    document_id: DocumentId
    chunk_index: ChunkIndex
    sub_question: Question
    method: Method | None = None
    start: Offset | None = Field(None, description="with `end` and `v`: the span and pipeline the link was made for")
    end: Offset | None = None
    v: int | None = Field(None, ge=1, le=2**31 - 1)
    view: Literal["text", "page"] = Field("text", description="its text, or the document's pages")


class HighlightRequest(BaseModel):
    """Either a text of your own, or a chunk that is kept here."""

    model_config = ConfigDict(extra="forbid")

    question: Question
    text: str | None = Field(None, min_length=1, max_length=MAX_TEXT)
    document_id: DocumentId | None = None
    chunk_index: ChunkIndex | None = None
    method: Method | None = None
    threshold: float | None = Field(None, ge=0, le=1)
    explain: bool = Field(False, description="say of each sentence what spoke for it and against it")

    @model_validator(mode="after")
    def _one_passage(self) -> HighlightRequest:
        stored = self.document_id is not None and self.chunk_index is not None
        half = self.document_id is not None or self.chunk_index is not None
        if (self.text is not None) == stored or (self.text is not None and half):
            raise ValueError("give either text, or document_id and chunk_index")
        return self


class BecauseOut(BaseModel):
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
    because: BecauseOut | None = Field(None, description="when asked to explain")


class HighlightAnswer(BaseModel):
    sentences: list[SentenceOut]
    threshold: float
    method: Method
    degraded: str | None = Field(description="a sentence for people when less than the whole method could run")


MetaValue = str | int | float | bool
MetaKey = Annotated[str, StringConstraints(min_length=1, max_length=200)]
Where = dict[MetaKey, MetaValue | Annotated[list[MetaValue], Field(max_length=1000)]]


class SearchRequest(BaseModel):
    """What is looked for, and where."""

    model_config = ConfigDict(extra="forbid")

    question: Question
    limit: int = Field(LIMIT, ge=1, le=MOST)
    collection: str | None = Field(None, min_length=1, max_length=200, description="only this one")
    where: Where = Field(
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


def _sent_as_a_file(value: Any) -> Any:
    if not getattr(value, "filename", None):
        raise ValueError("is not a file")
    return value


class UploadForm(BaseModel):
    file: Annotated[BaseFile, AfterValidator(_sent_as_a_file)]
    collection: Annotated[str, StringConstraints(pattern=COLLECTION_NAME)] = "default"


class Progress(BaseModel):
    stage: str
    done: int
    total: int


class VersionOut(BaseModel):
    document_id: str
    version: int
    current: bool


class DocumentOut(BaseModel):
    document_id: str
    collection: str
    name: str
    path: str = Field(description="where it lies in its collection: new bytes there are a new version")
    sha256: str
    kind: str
    size: int
    state: str
    reason: str | None = Field(description="a sentence for people when the document is not ready")
    pages: int
    chunks: int
    sentences: int
    added: str
    metadata: dict[str, Any]
    progress: Progress | None = Field(description="while it is being read")
    version: int
    current: bool = Field(description="whether search finds it: an older version stays readable, and is not found")
    versions: list[VersionOut] = Field(description="all that lay under its path, when one document is asked for")
    links: dict[str, str]


class DocumentListQuery(BaseModel):
    limit: int = Field(50, ge=1, le=500)
    offset: Offset = 0
    collection: Annotated[str, StringConstraints(max_length=100)] | None = None
    state: list[str] = Field([], max_length=20)
    kind: Literal["pdf", "docx", "txt"] | None = None
    name: Annotated[str, StringConstraints(max_length=200)] = Field("", description="a part of the name")
    superseded: bool = Field(False, description="older versions, too")


class DocumentList(BaseModel):
    documents: list[DocumentOut]
    total: int
    limit: int
    offset: int


class TextOut(BaseModel):
    document_id: str
    pipeline: int
    text: str


class ChunkOut(BaseModel):
    index: int
    start: int
    end: int
    first_page: int
    last_page: int
    section: str
    chunk_file_path: str
    view: str


class ChunkList(BaseModel):
    document_id: str
    pipeline: int
    chunks: list[ChunkOut]


class SentenceListQuery(BaseModel):
    chunk_index: ChunkIndex | None = None


class SentencePlace(BaseModel):
    index: int
    start: int
    end: int
    page: int
    chunk_index: int


class SentenceList(BaseModel):
    document_id: str
    pipeline: int
    sentences: list[SentencePlace]


class RectanglesQuery(BaseModel):
    """A span of the document's canonical text."""

    start: Offset
    end: Offset
    v: int | None = Field(None, ge=1, le=2**31 - 1, description="the pipeline the offsets are of; the current one")

    @model_validator(mode="after")
    def _forward(self) -> RectanglesQuery:
        if self.end <= self.start:
            raise ValueError(f"end ({self.end}) must be greater than start ({self.start})")
        return self


class RectangleOut(BaseModel):
    page: int = Field(description="counts from 1")
    x0: float
    y0: float
    x1: float
    y1: float


class PageOut(BaseModel):
    page: int
    width: float = Field(description="of the crop box, page unrotated")
    height: float
    rotation: int = Field(description="how far the page is shown turned, clockwise: 0, 90, 180, 270")


class RectanglesOut(BaseModel):
    rectangles: list[RectangleOut] = Field(
        description="in reading order; PDF points from the bottom left of the page's crop box, page unrotated"
    )
    pages: list[PageOut] = Field(description="those that the rectangles are on")


class Problem(BaseModel):
    """RFC 9457."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str
    errors: list[dict[str, str]] = []
