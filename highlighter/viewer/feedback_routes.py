"""Was the right sentence lit? By a plain form: what was said is shown, and can be taken back."""

from __future__ import annotations

from flask import Blueprint, render_template, request

from highlighter.errors import BadRequest
from highlighter.store.feedback import MOST_OF_A_NOTE, Span
from highlighter.viewer.heard import heard, taken_back
from highlighter.viewer.numbers import count
from highlighter.viewer.sought import span_of

saying = Blueprint("saying", __name__)


@saying.post("/feedback")
def say():
    form = request.form
    lit = [_span(written) for written in form.get("lit", "").split()]
    where = form.get("document", ""), form.get("chunk", -1, type=count), form.get("v", type=count)
    id = heard(
        *where,
        _span(form.get("span", "")),
        form.get("verdict", ""),
        form.get("question", ""),
        lit,
        form.get("note", ""),
    )
    return render_template("feedback.html", id=id, said=form, back=_back(), most=MOST_OF_A_NOTE), 201


@saying.post("/feedback/<id>/undo")
def undo(id: str):
    taken_back(id)
    return render_template("feedback.html", id="", said={}, back=_back(), most=MOST_OF_A_NOTE)


def _span(written: str) -> Span:
    found = span_of({"span": written}, "span")
    if found is None:
        raise BadRequest("A sentence is named by where it begins and ends: start-end.")
    return found


def _back() -> str:
    """The page it was said on: an address of ours, or none."""
    back = request.form.get("back", "")
    return back if back.startswith("/") and not back.startswith(("//", "/\\")) else ""
