"""The ask page: as it is opened, and what it answers, at once or while it is written."""

from __future__ import annotations

from flask import Blueprint, g, redirect, render_template, request

from highlighter.access import get_default_collection, get_visible_collections
from highlighter.answering.request import CITATION_STYLES, FORMATS, MAX_QUESTION_CHARACTERS, MODES
from highlighter.errors import HighlighterError
from highlighter.models import READABLE
from highlighter.store import listing
from highlighter.web import request_context
from highlighter.web import request_parameters as asked
from highlighter.web.answer_delivery import stream_answer, write_whole_answer
from highlighter.web.application import current_services
from highlighter.web.event_stream import EVENT_STREAM_MEDIA_TYPE as EVENTS
from highlighter.web.pages.answer_presenter import (
    AnswerPresentation,
    format_citation_chip,
    present_answer_page,
    trim_citation_context,
)
from highlighter.web.pages.answer_stream import AnswerEventPresenter, present_stream_error
from highlighter.web.pages.question_form import QuestionForm
from highlighter.web.pages.sample_questions import list_sample_files, suggest_questions

ask_pages = Blueprint("ask_pages", __name__)

MAX_SUGGESTED_QUESTIONS = 6
MAX_DOCUMENTS_WITH_SUGGESTIONS = 200  # documents, the latest, for samples among them


@ask_pages.app_context_processor
def _shared_template_variables() -> dict:
    return {"chip_name": format_citation_chip, "around_of": trim_citation_context}


@ask_pages.get("/")
def start():
    """The question of a link stands in the box; a script asks it at once. A link alone makes nobody work: it may have
    been followed by an image of another site's page."""
    return _render_ask_page(QuestionForm(asked.read_unchecked_question()))


@ask_pages.post("/")
def answer():
    services, form = current_services(), QuestionForm.from_fields(request.form)
    services.embedder.wait_until_loaded(services.settings.warm_up_seconds)
    if request.accept_mimetypes.best == EVENTS:
        return stream_answer(
            form.build_ask(),
            get_visible_collections(),
            request_context.get_links(),
            AnswerEventPresenter(form.format),
            present_stream_error,
        )
    try:
        made = write_whole_answer(form.build_ask(), get_visible_collections())
    except HighlighterError as err:
        return _render_ask_page(form, error=err), err.status
    return _render_ask_page(
        form.build_follow_up("" if made.refused else made.text),
        present_answer_page(made, request_context.get_links(), form.format),
    )


@ask_pages.post("/samples")
def add_samples():
    """The documents that come with the project, for whoever has none at hand yet."""
    for path in list_sample_files():
        current_services().ingest_queue.enqueue_file(path, path.name, get_default_collection())
    return redirect(request_context.get_links().library(), 303)


def _render_ask_page(
    form: QuestionForm, shown: AnswerPresentation | None = None, error: HighlighterError | None = None
) -> str:
    g.framing = True  # the sentence that is cited is shown beside the answer
    engine, visible = current_services().catalog.engine, get_visible_collections()
    latest = listing.list_documents(
        engine, listing.DocumentFilter(visible, READABLE, include_superseded=False), MAX_DOCUMENTS_WITH_SUGGESTIONS
    )
    return render_template(
        "ask.html",
        form=form,
        shown=shown,
        error=error,
        warming=asked.is_model_loading(),
        suggestions=suggest_questions((document.sha256 for document in latest), MAX_SUGGESTED_QUESTIONS),
        readable=bool(latest),
        totals=listing.count_totals(engine, listing.DocumentFilter(visible, include_superseded=False)),
        samples=bool(list_sample_files()),
        collections=listing.list_collections(engine, visible),
        choices={"mode": MODES, "format": FORMATS, "citation_style": CITATION_STYLES},
        most=MAX_QUESTION_CHARACTERS,
    )
