"""The history: the answers that a key or a browser session has asked for, to search, pin and delete."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, request
from flask.typing import ResponseReturnValue

from highlighter.access import get_current_principal, get_visible_collections
from highlighter.web import request_context
from highlighter.web.application import current_services
from highlighter.web.request_parameters import parse_count

history_pages = Blueprint("history_pages", __name__)

ANSWERS_PER_SHOW_MORE = 30
MAX_LISTED_ANSWERS = 300
MAX_WORDS_CHARACTERS = 200


@history_pages.get("/answers")
def list_history() -> ResponseReturnValue:
    services, words = current_services(), request.args.get("q", "").strip()[:MAX_WORDS_CHARACTERS]
    limit = min(max(request.args.get("limit", ANSWERS_PER_SHOW_MORE, type=parse_count), 1), MAX_LISTED_ANSWERS)
    owner = get_current_principal().history_owner
    items = services.answer_history.list_items(owner, get_visible_collections(), words, limit + 1)
    has_more = len(items) > limit and limit < MAX_LISTED_ANSWERS
    return render_template(
        "history.html",
        items=items[:limit],
        words=words,
        next_limit=min(limit + ANSWERS_PER_SHOW_MORE, MAX_LISTED_ANSWERS) if has_more else 0,
        hidden_id=request.args.get("deleted", ""),
        are_answers_stored=services.settings.keep_answers,
    )


@history_pages.post("/answers/<answer_id>/pin")
def pin(answer_id: str) -> ResponseReturnValue:
    current_services().answer_history.pin(answer_id, get_current_principal().history_owner, _read_switch("pinned"))
    return redirect(request_context.get_links().history(request.form.get("q", "")), 303)


@history_pages.post("/answers/<answer_id>/hide")
def hide(answer_id: str) -> ResponseReturnValue:
    hidden = _read_switch("hidden")
    current_services().answer_history.hide(answer_id, get_current_principal().history_owner, hidden)
    return redirect(request_context.get_links().history(request.form.get("q", ""), answer_id if hidden else ""), 303)


def _read_switch(name: str) -> bool:
    return request.form.get(name) == "1"
