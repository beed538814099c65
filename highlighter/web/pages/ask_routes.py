"""The ask page, and its answers: whole, or streamed while they are written."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, redirect, request
from flask.typing import ResponseReturnValue

from highlighter.access import get_default_collection, get_visible_collections
from highlighter.errors import HighlighterError
from highlighter.evidence.strength import grade_score
from highlighter.grounding.verdicts import FALSE_CLAIMS_SUPPORTED_PERCENT, TRUE_CLAIMS_SUPPORTED_PERCENT
from highlighter.urls import add_tint, choose_tint
from highlighter.web import request_context, request_parameters
from highlighter.web.answer_delivery import stream_answer, write_whole_answer
from highlighter.web.application import current_services
from highlighter.web.auth.browser_session import begin_session
from highlighter.web.event_stream import EVENT_STREAM_MEDIA_TYPE
from highlighter.web.pages.answer_presenter import present_answer_page, trim_citation_context
from highlighter.web.pages.answer_stream import AnswerEventPresenter, present_stream_error
from highlighter.web.pages.ask_page import render_ask_page
from highlighter.web.pages.question_form import QuestionForm
from highlighter.web.pages.sample_questions import list_sample_files

ask_pages = Blueprint("ask_pages", __name__)


@ask_pages.app_context_processor
def _shared_template_variables() -> dict[str, Any]:
    return {
        "trim_citation_context": trim_citation_context,
        "grade_score": grade_score,
        "choose_tint": choose_tint,
        "add_tint": add_tint,
        "false_claims_supported_percent": FALSE_CLAIMS_SUPPORTED_PERCENT,
        "true_claims_supported_percent": TRUE_CLAIMS_SUPPORTED_PERCENT,
    }


@ask_pages.get("/")
def start() -> ResponseReturnValue:
    """Show the ask page with the question of the URL; the page's script then submits it.

    A GET request alone starts no work on an answer: another site's page may have made it, with an image.
    """
    return render_ask_page(QuestionForm.from_url(request_parameters.read_unchecked_question(), request.args))


@ask_pages.post("/")
def answer() -> ResponseReturnValue:
    """Answer the question of the form, as a page or as a stream of events."""
    services, form = current_services(), QuestionForm.from_fields(request.form)
    begin_session()
    services.embedder.wait_until_loaded(services.settings.warm_up_seconds)
    if request.accept_mimetypes.best == EVENT_STREAM_MEDIA_TYPE:
        presenter = AnswerEventPresenter(form.format, form.source_query)
        return stream_answer(
            form.build_ask(), get_visible_collections(), request_context.get_links(), presenter, present_stream_error
        )
    try:
        answer = write_whole_answer(form.build_ask(), get_visible_collections())
    except HighlighterError as err:
        return render_ask_page(form, error=err), err.status
    return render_ask_page(
        form.build_follow_up("" if answer.refused else answer.text, answer.id),
        present_answer_page(answer, request_context.get_links(), form.format, form.source_query),
    )


@ask_pages.post("/samples")
def add_samples() -> ResponseReturnValue:
    """Add the sample documents to the library."""
    for path in list_sample_files():
        current_services().ingest_queue.enqueue_file(path, path.name, get_default_collection())
    return redirect(request_context.get_links().library(), 303)
