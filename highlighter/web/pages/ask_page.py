"""The ask page: the question box, below the answer that a conversation begins with, where there is one."""

from __future__ import annotations

from typing import Any

from flask import g, render_template

from highlighter.access import get_visible_collections
from highlighter.answering.request import CITATION_STYLES, FORMATS, MAX_QUESTION_CHARACTERS, MODES
from highlighter.errors import HighlighterError
from highlighter.models import READABLE
from highlighter.store import listing
from highlighter.web import request_parameters
from highlighter.web.application import current_services
from highlighter.web.pages.answer_presenter import AnswerPresentation
from highlighter.web.pages.question_form import QuestionForm
from highlighter.web.pages.sample_questions import list_sample_files, suggest_questions

MAX_SUGGESTED_QUESTIONS = 6
MAX_DOCUMENTS_WITH_SUGGESTIONS = 200  # the latest, to find the sample documents among them


def render_ask_page(
    form: QuestionForm,
    presentation: AnswerPresentation | None = None,
    error: HighlighterError | None = None,
    template: str = "ask.html",
    **variables: Any,
) -> str:
    """Return the HTML of the ask page, or of a template that extends it, with its own `variables`."""
    g.allows_frames = True  # a frame beside the answer shows the cited sentence
    engine, visible = current_services().catalog.engine, get_visible_collections()
    readable = listing.DocumentFilter(visible, READABLE, include_superseded=False)
    latest = [] if presentation else listing.list_documents(engine, readable, MAX_DOCUMENTS_WITH_SUGGESTIONS)
    return render_template(
        template,
        form=form,
        presentation=presentation,
        error=error,
        is_model_loading=request_parameters.is_model_loading(),
        suggestions=suggest_questions((document.sha256 for document in latest), MAX_SUGGESTED_QUESTIONS),
        readable=bool(latest),
        totals=listing.count_totals(engine, listing.DocumentFilter(visible, include_superseded=False)),
        samples=bool(list_sample_files()),
        collections=listing.list_collections(engine, visible),
        choices={"mode": MODES, "format": FORMATS, "citation_style": CITATION_STYLES},
        max_question_characters=MAX_QUESTION_CHARACTERS,
        **variables,
    )
