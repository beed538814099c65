"""The request and response models of signed links."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, model_validator

from highlighter.access import COLLECTION_NAME_PATTERN, MAX_COLLECTION_CHARACTERS
from highlighter.origins import parse_origin
from highlighter.schemas.search import ChunkIndex, DocumentId, Offset, Question
from highlighter.signed_links import LINK_PERMISSIONS, LINK_SCOPES

MAX_ORIGINS, MAX_LINKED_QUOTE_CHARACTERS = 10, 5_000
MIN_EXPIRY_SECONDS, DEFAULT_EXPIRY_SECONDS, MAX_EXPIRY_SECONDS = 1, 600, 86_400

Origin = Annotated[str, StringConstraints(max_length=200), AfterValidator(parse_origin)]


class LinkRequest(BaseModel):
    """The document, quote or collection that a link opens, and what its reader may see."""

    model_config = ConfigDict(extra="forbid")

    document_id: DocumentId | None = None
    collection: (
        Annotated[str, StringConstraints(pattern=COLLECTION_NAME_PATTERN, max_length=MAX_COLLECTION_CHARACTERS)] | None
    ) = Field(None, description="the whole collection; opens at the best answer to the question")
    chunk_index: ChunkIndex | None = None
    page: int | None = Field(
        None, ge=1, le=2**31 - 1, description="from 1; with a question, opens at the best answer on the page"
    )
    question: Question | None = Field(
        None, description="its evidence is highlighted; a claim that cites the document works, too"
    )
    quote: str | None = Field(
        None,
        min_length=1,
        max_length=MAX_LINKED_QUOTE_CHARACTERS,
        description="located and highlighted; 404 where it is not found",
    )
    start: Offset | None = Field(None, description="with `end`: a span of the document's text to highlight")
    end: Offset | None = None
    scope: Literal[LINK_SCOPES] | None = Field(  # type: ignore[valid-type]  # the names are defined once, in a tuple
        None,
        description="how much the link opens; by default the document, or the collection where no document is named",
    )
    may: list[Literal[LINK_PERMISSIONS]] = Field(  # type: ignore[valid-type]  # the names are defined once, in a tuple
        list(LINK_PERMISSIONS),
        min_length=1,
        max_length=len(LINK_PERMISSIONS),
        description="view: the text; page: page images; download: files",
    )
    origins: list[Origin] = Field(
        [],
        max_length=MAX_ORIGINS,
        description="origins that may frame the viewer, each scheme://host[:port]; by default those of EMBED_ORIGINS",
    )
    expires_in: int = Field(DEFAULT_EXPIRY_SECONDS, ge=MIN_EXPIRY_SECONDS, le=MAX_EXPIRY_SECONDS, description="seconds")

    @model_validator(mode="after")
    def _check_target(self) -> LinkRequest:
        if self.document_id is None and self.collection is None and self.quote is None:
            raise ValueError("give a document_id, a collection, or a quote")
        if self.document_id is not None and self.collection is not None:
            raise ValueError("give a document_id or a collection, not both")
        if (self.start is None) != (self.end is None):
            raise ValueError("give start and end, or neither")
        if self.document_id is None and (
            self.start is not None or self.chunk_index is not None or self.page is not None
        ):
            raise ValueError("start and end, chunk_index and page need a document_id")
        if "view" not in self.may and "page" not in self.may:
            raise ValueError("may must hold view, or page, or both")
        return self


class LinkResponse(BaseModel):
    """A signed link, and where it opens."""

    url: str = Field(description="for an iframe, or <citation-viewer src>")
    path: str = Field(description="the URL without the host, for services with several host names")
    token: str
    expires: str = Field(description="ISO 8601, UTC")
    scope: Literal[LINK_SCOPES]  # type: ignore[valid-type]  # the names are defined once, in a tuple
    document_id: str | None
    filename: str | None
    chunk_index: int | None
    tier: str | None = Field(description="how closely the quote matches")
