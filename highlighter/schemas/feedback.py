"""The request and response models of feedback on highlights."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from highlighter.schemas.search import ChunkIndex, DocumentId, Offset, Question
from highlighter.store.feedback import MAX_HIGHLIGHTED_SPANS, MAX_NOTE_CHARACTERS

HighlightedSpans = Annotated[list[tuple[Offset, Offset]], Field(max_length=MAX_HIGHLIGHTED_SPANS)]


class FeedbackRequest(BaseModel):
    """A verdict on one sentence of a chunk, for the question that it was highlighted for."""

    model_config = ConfigDict(extra="forbid")

    document_id: DocumentId
    chunk_index: ChunkIndex
    start: Offset
    end: Offset
    question: Question
    verdict: Literal["right", "wrong"]
    v: int | None = Field(None, ge=1, le=2**31 - 1, description="the pipeline that the offsets belong to")
    highlighted: HighlightedSpans = Field(
        [], description="every highlighted span of the chunk; spans not called wrong count as right"
    )
    lit: HighlightedSpans = Field(
        [], description="the earlier name of `highlighted`", json_schema_extra={"deprecated": True}
    )
    note: str = Field("", max_length=MAX_NOTE_CHARACTERS)


class FeedbackResponse(BaseModel):
    """The id of recorded feedback."""

    id: str = Field(description="the id to withdraw it by")
