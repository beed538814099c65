"""Pages for feedback on highlights: a reader sees what they submitted, and can undo it."""

from __future__ import annotations

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue

from highlighter.errors import BadRequest
from highlighter.store.feedback import MAX_NOTE_CHARACTERS, SpanOffsets
from highlighter.web.feedback import FeedbackSubmission, record_feedback, withdraw_feedback
from highlighter.web.link_targets import parse_span
from highlighter.web.request_parameters import parse_count

feedback_pages = Blueprint("feedback_pages", __name__)


@feedback_pages.post("/feedback")
def submit_feedback() -> ResponseReturnValue:
    form = request.form
    submission = FeedbackSubmission(
        document_id=form.get("document", ""),
        chunk_index=form.get("chunk", -1, type=parse_count),
        pipeline=form.get("v", type=parse_count),
        highlighted=[_parse_required_span(span) for span in form.get("lit", "").split()],
        span=_parse_required_span(form.get("span", "")),
        verdict=form.get("verdict", ""),
        question=form.get("question", ""),
        note=form.get("note", ""),
    )
    id = record_feedback(submission)
    return render_template(
        "feedback.html", id=id, submitted=form, back=_read_return_path(), max_note_characters=MAX_NOTE_CHARACTERS
    ), 201


@feedback_pages.post("/feedback/<id>/undo")
def undo(id: str) -> ResponseReturnValue:
    withdraw_feedback(id)
    return render_template(
        "feedback.html", id="", submitted={}, back=_read_return_path(), max_note_characters=MAX_NOTE_CHARACTERS
    )


def _parse_required_span(text: str) -> SpanOffsets:
    span = parse_span({"span": text}, "span")
    if span is None:
        raise BadRequest("Give the sentence as its start and end offsets: start-end.")
    return span


def _read_return_path() -> str:
    """Return the path of the page that the form was on; "" unless it is a path on this host."""
    back = request.form.get("back", "")
    return back if back.startswith("/") and not back.startswith(("//", "/\\")) else ""
