"""Was the right sentence lit? By a plain form: what was said is shown, and can be taken back."""

from __future__ import annotations

from flask import Blueprint, render_template, request

from highlighter.errors import BadRequest
from highlighter.store.feedback import MAX_NOTE_CHARACTERS, SpanOffsets
from highlighter.web.feedback import record_feedback, withdraw_feedback
from highlighter.web.link_targets import parse_span
from highlighter.web.request_parameters import parse_count

feedback_pages = Blueprint("feedback_pages", __name__)


@feedback_pages.post("/feedback")
def submit_feedback():
    form = request.form
    lit = [_parse_required_span(written) for written in form.get("lit", "").split()]
    where = form.get("document", ""), form.get("chunk", -1, type=parse_count), form.get("v", type=parse_count)
    id = record_feedback(
        *where,
        _parse_required_span(form.get("span", "")),
        form.get("verdict", ""),
        form.get("question", ""),
        lit,
        form.get("note", ""),
    )
    return render_template("feedback.html", id=id, said=form, back=_read_return_path(), most=MAX_NOTE_CHARACTERS), 201


@feedback_pages.post("/feedback/<id>/undo")
def undo(id: str):
    withdraw_feedback(id)
    return render_template("feedback.html", id="", said={}, back=_read_return_path(), most=MAX_NOTE_CHARACTERS)


def _parse_required_span(text: str) -> SpanOffsets:
    found = parse_span({"span": text}, "span")
    if found is None:
        raise BadRequest("Give the sentence as its start and end offsets: start-end.")
    return found


def _read_return_path() -> str:
    """The page it was said on: an address of ours, or none."""
    back = request.form.get("back", "")
    return back if back.startswith("/") and not back.startswith(("//", "/\\")) else ""
