"""What all model APIs do with a question: answer it, whole or streamed."""

from __future__ import annotations

from collections.abc import Iterator

from flask import Response

from highlighter.access import get_visible_collections
from highlighter.answering.answer import Answer, AnswerEvent, CitationEvent, DoneEvent, SubQuestionsEvent, TokenEvent
from highlighter.answering.request import QuestionRequest
from highlighter.web.answer_delivery import ErrorWriter, EventWriter, stream_answer_texts, write_whole_answer
from highlighter.web.application import current_services
from highlighter.web.model_api.citation_links import split_cited_parts


def write_answer(question: QuestionRequest) -> Answer:
    _wait_for_model()
    return write_whole_answer(question, get_visible_collections())


def stream_answer(question: QuestionRequest, write: EventWriter, write_error: ErrorWriter) -> Response:
    _wait_for_model()
    if current_services().settings.min_grounding > 0:  # these clients cannot take back what was written
        write = _hold_until_checked(write)
    return stream_answer_texts(question, get_visible_collections(), write, write_error)


def _hold_until_checked(write: EventWriter) -> EventWriter:
    """Return a writer of the text and the citations of the checked answer, which may be a refusal."""

    def write_checked(event: AnswerEvent) -> Iterator[str]:
        if isinstance(event, DoneEvent):
            answer = event.answer
            for part in split_cited_parts(answer):
                yield from write(TokenEvent(answer.text[part.start : part.end]))
                for citation in part.citations:
                    yield from write(CitationEvent(citation))
        if isinstance(event, DoneEvent | SubQuestionsEvent):
            yield from write(event)

    return write_checked


def _wait_for_model() -> None:
    services = current_services()
    services.embedder.wait_until_loaded(services.settings.warm_up_seconds)
