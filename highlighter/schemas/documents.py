"""What may be asked of documents, and what is answered."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, Field, StringConstraints, model_validator
from spectree.model_adapter.pydantic_adapter import BaseFile

from highlighter.access import COLLECTION_NAME_PATTERN
from highlighter.models import READABLE, UNFINISHED, UNREADABLE, Rectangle
from highlighter.schemas.search import ChunkIndex, Offset

DocumentState = Literal[tuple(sorted(READABLE | UNFINISHED | UNREADABLE))]


def _require_file(value: Any) -> Any:
    if not getattr(value, "filename", None):
        raise ValueError("is not a file")
    return value


class UploadForm(BaseModel):
    file: Annotated[BaseFile, AfterValidator(_require_file)]
    collection: Annotated[str, StringConstraints(pattern=COLLECTION_NAME_PATTERN)] = Field(
        "", description="if none is named: default, or one that the key is bound to"
    )


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
    progress: Progress | None = Field(description="while it is being processed")
    version: int
    current: bool = Field(description="whether search finds it: an older version stays readable, and is not found")
    versions: list[VersionOut] = Field(description="all that lay under its path, when one document is asked for")
    links: dict[str, str]


class DocumentListQuery(BaseModel):
    limit: int = Field(50, ge=1, le=500)
    offset: Offset = 0
    collection: Annotated[str, StringConstraints(max_length=100)] | None = None
    state: list[DocumentState] = Field([], max_length=20)
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


class SentenceSpanOut(BaseModel):
    index: int
    start: int
    end: int
    page: int
    chunk_index: int


class SentenceList(BaseModel):
    document_id: str
    pipeline: int
    sentences: list[SentenceSpanOut]


# What may be asked of places on paper, and what is answered.


class RectanglesQuery(BaseModel):
    """A span of the document's canonical text."""

    start: Offset
    end: Offset
    v: int | None = Field(None, ge=1, le=2**31 - 1, description="the pipeline the offsets are of; the current one")

    @model_validator(mode="after")
    def _check_order(self) -> RectanglesQuery:
        if self.end <= self.start:
            raise ValueError(f"end ({self.end}) must be greater than start ({self.start})")
        return self


class RectangleOut(BaseModel):
    page: int = Field(description="counts from 1")
    x0: float
    y0: float
    x1: float
    y1: float

    @classmethod
    def from_rectangle(cls, box: Rectangle) -> RectangleOut:
        return cls(page=box.page, x0=box.x0, y0=box.y0, x1=box.x1, y1=box.y1)


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
