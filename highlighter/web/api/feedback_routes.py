"""/api/v1/feedback: whether a highlight was right, said by readers and taken back by them."""

from __future__ import annotations

from typing import Annotated, Literal

from flask import Blueprint
from pydantic import BaseModel, ConfigDict, Field
from spectree import Response

from highlighter.schemas.search import ChunkIndex, DocumentId, Offset, Problem, Question
from highlighter.store.feedback import MAX_HIGHLIGHTED_SPANS, MAX_NOTE_CHARACTERS
from highlighter.web.api.openapi import HIGHLIGHTS_TAG, spec
from highlighter.web.feedback import FeedbackSubmission, record_feedback, withdraw_feedback

feedback_api = Blueprint("feedback_api", __name__, url_prefix="/api/v1/feedback")


class FeedbackRequest(BaseModel):
    """A verdict on one sentence of a chunk, for the question it was lit for."""

    model_config = ConfigDict(extra="forbid")

    document_id: DocumentId
    chunk_index: ChunkIndex
    start: Offset
    end: Offset
    question: Question
    verdict: Literal["right", "wrong"]
    v: int | None = Field(None, ge=1, le=2**31 - 1, description="the pipeline the link was made for")
    lit: Annotated[list[tuple[Offset, Offset]], Field(max_length=MAX_HIGHLIGHTED_SPANS)] = Field(
        [], description="every highlighted span of the chunk; spans not called wrong count as right"
    )
    note: str = Field("", max_length=MAX_NOTE_CHARACTERS)


class FeedbackAnswer(BaseModel):
    id: str = Field(description="the id to withdraw it by")


@feedback_api.post("")
@spec.validate(
    resp=Response(HTTP_201=FeedbackAnswer, HTTP_400=Problem, HTTP_404=Problem, HTTP_409=Problem), tags=[HIGHLIGHTS_TAG]
)
def create_feedback(json: FeedbackRequest):
    """Keeps whether a sentence was lit rightly. Said again, the last word counts."""
    span = json.start, json.end
    id = record_feedback(
        FeedbackSubmission(
            json.document_id, json.chunk_index, json.v, span, json.verdict, json.question, json.lit, json.note
        )
    )
    return FeedbackAnswer(id=id), 201


@feedback_api.delete("/<id>")
@spec.validate(resp=Response(HTTP_204=None, HTTP_404=Problem), tags=[HIGHLIGHTS_TAG])
def delete_feedback(id: str):
    """Takes it back."""
    withdraw_feedback(id)
    return "", 204
