"""The ask page: the question box, below the answer that a conversation begins with, where there is one."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from flask import g, render_template

from highlighter.access import get_visible_collections
from highlighter.answering.request import CITATION_STYLES, FORMATS, MAX_ASKED_CHARACTERS, MODES
from highlighter.errors import HighlighterError
from highlighter.metadata import DOCUMENT_ID, TAGS, build_where_clause
from highlighter.models import READABLE
from highlighter.store import listing
from highlighter.web import request_parameters
from highlighter.web.application import current_services
from highlighter.web.pages.answer_presenter import AnswerPresentation
from highlighter.web.pages.question_form import QuestionForm
from highlighter.web.pages.question_sources import DOCUMENT_FIELD, list_question_sources
from highlighter.web.pages.sample_questions import list_sample_files
from highlighter.web.pages.suggested_questions import suggest_for_documents

MAX_DOCUMENTS_WITH_SUGGESTIONS = 200  # the latest, to find those among them that are no samples


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
    sources = list_question_sources(current_services().catalog, form.source_query)
    chosen_ids = [source.value for source in sources if source.field == DOCUMENT_FIELD]
    where = {DOCUMENT_ID: chosen_ids} if chosen_ids else {}
    readable = listing.DocumentFilter(
        visible,
        READABLE,
        include_superseded=False,
        where=build_where_clause(where | ({TAGS: form.tags} if form.tags else {})),
    )
    latest = [] if presentation else listing.list_documents(engine, readable, MAX_DOCUMENTS_WITH_SUGGESTIONS)
    return render_template(
        template,
        form=form,
        presentation=presentation,
        error=error,
        is_model_loading=request_parameters.is_model_loading(),
        suggestions=suggest_for_documents(current_services().catalog, latest),
        readable=bool(latest) or bool(sources),
        sources=sources,
        source_query=urlencode(form.source_query),
        totals=listing.count_totals(engine, listing.DocumentFilter(visible, include_superseded=False)),
        samples=bool(list_sample_files()),
        collections=listing.list_collections(engine, visible),
        choices={"mode": MODES, "format": FORMATS, "citation_style": CITATION_STYLES},
        max_question_characters=MAX_ASKED_CHARACTERS,
        **variables,
    )
