"""What all model APIs do with a request: read its body, and answer its question, whole or streamed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from flask import Response, request
from pydantic import BaseModel, ValidationError

from highlighter.access import get_visible_collections
from highlighter.answering.answer import Answer, AnswerEvent, CitationEvent, DoneEvent, SubQuestionsEvent, TokenEvent
from highlighter.answering.request import QuestionRequest
from highlighter.errors import BadRequest, TooLarge
from highlighter.web.answer_delivery import ErrorWriter, EventWriter, stream_answer_texts, write_whole_answer
from highlighter.web.application import current_services
from highlighter.web.model_api.citation_links import split_cited_parts
from highlighter.web.problems import convert_validation_error

MAX_REQUEST_BYTES = 4_000_000
Body = TypeVar("Body", bound=BaseModel)


def read_body(model: type[Body]) -> Body:
    """Return the body of the request; raise BadRequest where it does not fit, TooLarge where it is too large."""
    if request.content_length and request.content_length > MAX_REQUEST_BYTES:
        raise TooLarge(f"The request has {request.content_length:,} bytes; the limit is {MAX_REQUEST_BYTES:,}.")
    try:
        content = request.get_json(silent=True, force=True)
    except RecursionError:  # thousands of nested brackets
        content = None
    if not isinstance(content, dict):
        raise BadRequest("The body is not a JSON object.")
    try:
        return model.model_validate(content)
    except ValidationError as err:
        raise convert_validation_error(err) from err


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
