"""The routes of feedback on highlights: /api/v1/feedback."""

from __future__ import annotations

from flask import Blueprint
from spectree import Response as Responses

from highlighter.schemas.feedback import FeedbackRequest, FeedbackResponse
from highlighter.schemas.search import Problem
from highlighter.web.api.deprecation import EARLIER_NAME_OF_HIGHLIGHTED_SPANS, announce_deprecation
from highlighter.web.api.openapi import HIGHLIGHTS_TAG, spec
from highlighter.web.feedback import FeedbackSubmission, record_feedback, withdraw_feedback

feedback_api = Blueprint("feedback_api", __name__, url_prefix="/api/v1/feedback")


@feedback_api.post("")
@spec.validate(
    resp=Responses(HTTP_201=FeedbackResponse, HTTP_400=Problem, HTTP_404=Problem, HTTP_409=Problem),
    tags=[HIGHLIGHTS_TAG],
)
def create_feedback(json: FeedbackRequest) -> tuple[FeedbackResponse, int]:
    """Record whether a sentence was highlighted rightly. Feedback on the same sentence replaces earlier feedback."""
    if json.lit:
        announce_deprecation(EARLIER_NAME_OF_HIGHLIGHTED_SPANS)
    id = record_feedback(
        FeedbackSubmission(
            document_id=json.document_id,
            chunk_index=json.chunk_index,
            pipeline=json.v,
            span=(json.start, json.end),
            verdict=json.verdict,
            question=json.question,
            highlighted=json.highlighted or json.lit,
            note=json.note,
        )
    )
    return FeedbackResponse(id=id), 201


@feedback_api.delete("/<id>")
@spec.validate(resp=Responses(HTTP_204=None, HTTP_404=Problem), tags=[HIGHLIGHTS_TAG])
def delete_feedback(id: str) -> tuple[str, int]:
    """Withdraw feedback."""
    withdraw_feedback(id)
    return "", 204
