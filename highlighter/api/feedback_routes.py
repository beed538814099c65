"""/api/v1/feedback: whether a highlight was right, said by readers and taken back by them."""

from __future__ import annotations

from typing import Annotated, Literal

from flask import Blueprint
from pydantic import BaseModel, ConfigDict, Field
from spectree import Response

from highlighter.api.schemas import ChunkIndex, DocumentId, Offset, Problem, Question
from highlighter.api.spec import HIGHLIGHTS, spec
from highlighter.store.feedback import MOST_LIT, MOST_OF_A_NOTE
from highlighter.viewer.heard import heard, taken_back

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
    lit: Annotated[list[tuple[Offset, Offset]], Field(max_length=MOST_LIT)] = Field(
        [], description="every span of the chunk that was lit: what is not called wrong is taken to be right"
    )
    note: str = Field("", max_length=MOST_OF_A_NOTE)


class FeedbackAnswer(BaseModel):
    id: str = Field(description="by which it is taken back")


@feedback_api.post("")
@spec.validate(
    resp=Response(HTTP_201=FeedbackAnswer, HTTP_400=Problem, HTTP_404=Problem, HTTP_409=Problem), tags=[HIGHLIGHTS]
)
def say(json: FeedbackRequest):
    """Keeps whether a sentence was lit rightly. Said again, the last word counts."""
    where = json.document_id, json.chunk_index, json.v
    id = heard(*where, (json.start, json.end), json.verdict, json.question, json.lit, json.note)
    return FeedbackAnswer(id=id), 201


@feedback_api.delete("/<id>")
@spec.validate(resp=Response(HTTP_204=None, HTTP_404=Problem), tags=[HIGHLIGHTS])
def undo(id: str):
    """Takes it back."""
    taken_back(id)
    return "", 204
