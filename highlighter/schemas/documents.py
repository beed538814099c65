"""The request and response models of documents and of rectangles on their pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    Json,
    StringConstraints,
    model_validator,
)
from spectree.model_adapter.pydantic_adapter import BaseFile

from highlighter.access import COLLECTION_NAME_PATTERN, MAX_COLLECTION_CHARACTERS
from highlighter.metadata import MAX_METADATA_KEYS
from highlighter.models import MEDIA_TYPES, READABLE, UNFINISHED, UNREADABLE, Rectangle
from highlighter.schemas.recognition import DoubtfulWords, RecognitionConfidence
from highlighter.schemas.search import (
    ChunkIndex,
    Cursor,
    MetadataKey,
    MetadataValue,
    NextCursor,
    Offset,
    Problem,
    describe_limit,
)

if TYPE_CHECKING:
    from highlighter.pages.cell_rectangles import LocatedCell

Metadata = dict[MetadataKey, MetadataValue | list[MetadataValue]]
# Of MAX_METADATA_CHARACTERS in JSON, which may write each as six.
MAX_METADATA_JSON_CHARACTERS = 150_000
MAX_BULK_FILES = 40  # a form may have 50 parts
DOCUMENT_KINDS = tuple(sorted(MEDIA_TYPES))
DOCUMENT_STATES = tuple(sorted(READABLE | UNFINISHED | UNREADABLE))


def _require_file(value: Any) -> Any:
    if not getattr(value, "filename", None):
        raise ValueError("must be a file with a name, without line breaks")
    return value


def _check_metadata_length(value: Any) -> Any:
    if isinstance(value, str) and len(value) > MAX_METADATA_JSON_CHARACTERS:
        raise ValueError(f"has more than {MAX_METADATA_JSON_CHARACTERS:,} characters")
    return value


MetadataJson = Annotated[
    Json[Metadata],
    BeforeValidator(_check_metadata_length),
    Field(json_schema_extra=describe_limit(MAX_METADATA_JSON_CHARACTERS)),
]


class UploadForm(BaseModel):
    """A file to upload, the collection for it, and its metadata."""

    file: Annotated[BaseFile, AfterValidator(_require_file)]
    collection: Annotated[
        str, StringConstraints(pattern=COLLECTION_NAME_PATTERN, max_length=MAX_COLLECTION_CHARACTERS)
    ] = Field("", description="by default: default, or a collection that the key is limited to")
    metadata: MetadataJson = Field(
        {}, description="a JSON object: values by key, and `tags`, a list; searches, answers and lists filter by it"
    )


class BulkUploadForm(BaseModel):
    """Files to upload in one request, in parts of the same name, with the collection and the metadata of all."""

    # A form with one file has no list; pydantic would take the file for a list of its lines.
    file: Annotated[
        list[Annotated[BaseFile, AfterValidator(_require_file)]],
        BeforeValidator(lambda value: value if isinstance(value, list) else [value]),
    ] = Field(min_length=1, max_length=MAX_BULK_FILES)
    collection: Annotated[
        str, StringConstraints(pattern=COLLECTION_NAME_PATTERN, max_length=MAX_COLLECTION_CHARACTERS)
    ] = Field("", description="by default: default, or a collection that the key is limited to")
    metadata: MetadataJson = Field({}, description="a JSON object, as of a single upload, for each of the files")


class Progress(BaseModel):
    """The progress of a document that is being processed."""

    stage: str
    done: int
    total: int


class VersionOut(BaseModel):
    """A version of a document."""

    document_id: str
    version: int
    current: bool


class AttachmentOut(BaseModel):
    """A document that came with an e-mail."""

    document_id: str
    name: str
    kind: str
    state: str


class DocumentOut(BaseModel):
    """A document with its state, versions and links."""

    document_id: str
    collection: str
    name: str
    path: str = Field(description="within its collection; a new file at the same path is a new version")
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
    current: bool = Field(
        description="whether search finds the document; older versions can be read, but are not found"
    )
    versions: list[VersionOut] = Field(description="all versions at its path; only for a single document")
    attachments: list[AttachmentOut] = Field(
        description="the documents attached to an e-mail, which name it in `metadata.attached_to`; only for a single document"
    )
    links: dict[str, str]


class BulkUploadResult(BaseModel):
    """The result for one of several files: its document, or why it was refused."""

    name: str
    status: int = Field(description="as of a request for this file alone: 202, or that of the problem")
    document: DocumentOut | None = None
    problem: Problem | None = None


class BulkUploadOut(BaseModel):
    """The results of an upload of several files, in the order of the files."""

    results: list[BulkUploadResult]
    accepted: int
    refused: int


class DocumentListQuery(BaseModel):
    """The filters and the page of a list of documents."""

    limit: int = Field(50, ge=1, le=500)
    offset: Offset = 0
    cursor: Cursor = None
    collection: Annotated[str, StringConstraints(max_length=100)] | None = None
    state: list[Literal[DOCUMENT_STATES]] = Field([], max_length=20)  # type: ignore[valid-type]  # the names are defined once, in a tuple
    kind: Literal[DOCUMENT_KINDS] | None = None  # type: ignore[valid-type]  # the names are defined once, in a table
    name: Annotated[str, StringConstraints(max_length=200)] = Field("", description="part of the name")
    where: list[Annotated[str, StringConstraints(max_length=500, pattern="^[^=]+=")]] = Field(
        [],
        max_length=20,
        description="KEY=VALUE of the metadata: the same key twice finds either value, different keys must all hold",
    )
    superseded: bool = Field(False, description="include older versions")


class DocumentList(BaseModel):
    """A page of the list of documents."""

    documents: list[DocumentOut]
    total: int
    limit: int
    offset: int
    next_cursor: NextCursor = None


class MetadataUpdate(BaseModel):
    """Changes to the metadata of a document."""

    model_config = ConfigDict(extra="forbid")

    metadata: dict[MetadataKey, MetadataValue | list[MetadataValue] | None] = Field(
        max_length=MAX_METADATA_KEYS,
        description="merged into what is stored; null removes a key. `tags` is a list: the tags that the library shows",
    )


class TextOut(BaseModel):
    """The canonical text of a document."""

    document_id: str
    pipeline: int
    text: str


class ChunkOut(BaseModel):
    """A chunk of a document."""

    index: int
    start: int
    end: int
    first_page: int
    last_page: int
    section: str
    chunk_file_path: str
    view: str


class ChunkList(BaseModel):
    """The chunks of a document, in order."""

    document_id: str
    pipeline: int
    chunks: list[ChunkOut]


class SentenceListQuery(BaseModel):
    """The chunk whose sentences are wanted; by default, all chunks."""

    chunk_index: ChunkIndex | None = None


class SentenceSpanOut(BaseModel):
    """The span of a sentence."""

    index: int
    start: int
    end: int
    page: int
    chunk_index: int
    recognition: RecognitionConfidence = None
    doubtful_words: DoubtfulWords = None


class SentenceList(BaseModel):
    """The sentences of a document, in order."""

    document_id: str
    pipeline: int
    sentences: list[SentenceSpanOut]


# Figures and tables


class CaptionListQuery(BaseModel):
    """The page of a list of figures or tables."""

    limit: int = Field(50, ge=1, le=200)
    offset: Offset = 0


class FigureOut(BaseModel):
    """A figure, by its caption."""

    caption: str
    start: int = Field(description="of the caption in the document's text")
    end: int
    page: int = Field(description="that the caption is on, from 1")
    rectangle: RectangleOut | None = Field(
        description="of the figure itself; null where the page shows none near the caption"
    )


class FigureList(BaseModel):
    """The figures of a document that have captions, in order."""

    document_id: str
    pipeline: int
    figures: list[FigureOut]
    total: int
    limit: int
    offset: int


class TableOut(BaseModel):
    """A table of a document."""

    caption: str | None
    start: int = Field(description="of the table in the document's text, without its caption")
    end: int
    page: int = Field(description="that the table begins on, from 1")
    rows: int
    columns: int
    header_rows: int = Field(description="at its top")
    header_columns: int = Field(description="at its left")


class TableList(BaseModel):
    """The tables of a document, in order; `/rectangles` has the cells of each."""

    document_id: str
    pipeline: int
    tables: list[TableOut]
    total: int
    limit: int
    offset: int


# Rectangles on pages


class RectanglesQuery(BaseModel):
    """A span of a document's canonical text."""

    start: Offset
    end: Offset
    v: int | None = Field(
        None, ge=1, le=2**31 - 1, description="the pipeline that the offsets belong to; by default the current one"
    )

    @model_validator(mode="after")
    def _check_order(self) -> RectanglesQuery:
        if self.end <= self.start:
            raise ValueError(f"end ({self.end}) must be greater than start ({self.start})")
        return self


class RectangleOut(BaseModel):
    """A rectangle on a page."""

    page: int = Field(description="from 1")
    x0: float
    y0: float
    x1: float
    y1: float

    @classmethod
    def from_rectangle(cls, rectangle: Rectangle) -> RectangleOut:
        return cls(page=rectangle.page, x0=rectangle.x0, y0=rectangle.y0, x1=rectangle.x1, y1=rectangle.y1)


class PageOut(BaseModel):
    """The size and rotation of a page."""

    page: int
    width: float = Field(description="of the crop box of the unrotated page")
    height: float
    rotation: int = Field(description="clockwise, as the page is shown: 0, 90, 180, 270")


class CellRectanglesOut(BaseModel):
    """A cell of a table, or a header above it, with its rectangles."""

    row: int = Field(description="from 0, with the header rows")
    column: int = Field(description="from 0")
    rows: int = Field(description="that the cell spans")
    columns: int = Field(description="that the cell spans")
    start: int = Field(description="of the cell in the document's text")
    end: int
    is_header: bool = Field(description="it heads its column or its row")
    in_span: bool = Field(description="false: the cell heads the column or row of a cell that the span overlaps")
    rectangles: list[RectangleOut] = Field(description="one for each line; none where the cell is on no page")

    @classmethod
    def from_cell(cls, located: LocatedCell) -> CellRectanglesOut:
        cell = located.cell
        return cls(
            row=cell.row, column=cell.column, rows=cell.rows, columns=cell.columns, start=cell.start, end=cell.end,
            is_header=cell.is_header, in_span=located.is_in_span,
            rectangles=[RectangleOut.from_rectangle(rectangle) for rectangle in located.rectangles],
        )  # fmt: skip


class RectanglesOut(BaseModel):
    """The rectangles of a span, and the pages that they are on."""

    rectangles: list[RectangleOut] = Field(
        description="in reading order; in PDF points from the bottom left of the unrotated page's crop box"
    )
    cells: list[CellRectanglesOut] = Field(
        description="the cells of tables that the span overlaps, at most 2,000, and the cells that head them, each once"
    )
    figures: list[RectangleOut] = Field(
        description="the figures whose captions the span overlaps, where a page shows them"
    )
    pages: list[PageOut] = Field(description="the pages that the rectangles are on")
