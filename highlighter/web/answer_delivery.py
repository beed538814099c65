"""The delivery of answers to the API and the ask page, whole or as a stream of events."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Generator, Iterable, Iterator
from typing import Any, cast

from flask import Response, request

from highlighter.access import VisibleCollections, bind_context
from highlighter.answering.answer import Answer, AnswerEvent
from highlighter.answering.llm.call_limits import track_disconnect
from highlighter.answering.llm.errors import CompletionCancelled
from highlighter.answering.request import QuestionRequest
from highlighter.errors import HighlighterError, KeyRequired, Unavailable
from highlighter.locale import N_
from highlighter.serializers.answers import serialize_event
from highlighter.urls import Links
from highlighter.web.application import current_application, current_services
from highlighter.web.auth.validity import make_validity_check
from highlighter.web.event_stream import make_disconnect_check, send_events
from highlighter.web.problems import serialize_problem

log = logging.getLogger(__name__)

EventSerializer = Callable[
    [AnswerEvent, Links], tuple[str, dict[str, Any]]
]  # returns the name and the data of an event
ErrorSerializer = Callable[[HighlighterError], dict[str, Any]]
EventWriter = Callable[[AnswerEvent], Iterable[str]]
ErrorWriter = Callable[[HighlighterError], str]
KEY_REVOKED_MESSAGE = N_(
    "The key or the sign-in used for this question is no longer valid, so the rest of the answer is not shown."
)


class TooManyStreams(Unavailable):
    """All slots for event streams are in use."""

    retry_after = 5

    def __init__(self) -> None:
        super().__init__("Too many answers are being written right now. Try again in a few seconds.")


def write_whole_answer(question: QuestionRequest, visible: VisibleCollections) -> Answer:
    """Answer a question as a whole. The work stops when the client disconnects while a model is called."""
    with track_disconnect(make_disconnect_check(request.environ)):
        return current_services().answer_pipeline.answer(question, visible)


def stream_answer(
    question: QuestionRequest,
    visible: VisibleCollections,
    links: Links,
    serialize: EventSerializer = serialize_event,
    serialize_error: ErrorSerializer = serialize_problem,
) -> Response:
    """Answer a question as server-sent events, while the answer is written.

    `serialize` makes the events of the client, and `serialize_error` the data of the event that ends the stream early.
    """
    return stream_answer_texts(
        question,
        visible,
        lambda event: [format_event(*serialize(event, links))],
        lambda err: format_event("error", serialize_error(err)),
    )


def stream_answer_texts(
    question: QuestionRequest, visible: VisibleCollections, write: EventWriter, write_error: ErrorWriter
) -> Response:
    """Answer a question as a stream of texts: those that `write` makes of each event, or of the error that ends it early."""
    services = current_services()
    events = services.answer_pipeline.stream_events(question, visible)
    texts = _generate_event_texts(events, write, write_error, make_validity_check())
    slots = current_application().stream_slots
    if not slots.acquire(min_slots=1):  # even with a single thread, as an answer comes to an end by itself
        raise TooManyStreams
    with track_disconnect(make_disconnect_check(request.environ)):
        texts = bind_context(texts)
    return send_events(texts, on_close=slots.release)


def _generate_event_texts(
    events: Iterator[AnswerEvent], write: EventWriter, write_error: ErrorWriter, is_authorized: Callable[[], bool]
) -> Generator[str, None, None]:
    """Yield the events of an answer as text. A disconnect, a revoked key or a sign-out ends the work on the answer."""
    try:
        for event in events:
            if not is_authorized():
                raise KeyRequired(KEY_REVOKED_MESSAGE)
            yield from write(event)
    except CompletionCancelled:
        return  # the client has disconnected
    except HighlighterError as err:
        yield write_error(err)
    except Exception:
        log.exception("An answer broke off")
        yield write_error(
            HighlighterError("Something went wrong on the server. The error was logged; try again."),
        )
    finally:
        cast(Generator[AnswerEvent, None, None], events).close()  # the pipeline stops at the step it is at


def format_event(name: str, data: dict[str, Any]) -> str:
    """Return a server-sent event with a name."""
    return f"event: {name}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n"
