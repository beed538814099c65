"""Answers delivered to the API and the ask page, whole or as a stream of events."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator
from functools import partial

from flask import Response, request

from highlighter.access import VisibleCollections, bind_context, get_current_principal
from highlighter.answering.answer import Answer, AnswerEvent
from highlighter.answering.llm.call_limits import track_disconnect
from highlighter.answering.llm.errors import CompletionCancelled
from highlighter.answering.request import QuestionRequest
from highlighter.errors import HighlighterError, KeyRequired, Unavailable
from highlighter.locale import N_
from highlighter.serializers.answers import serialize_event
from highlighter.urls import Links
from highlighter.web.application import current_application, current_services
from highlighter.web.event_stream import make_disconnect_check, send_events
from highlighter.web.problems import serialize_problem

log = logging.getLogger(__name__)

EventSerializer = Callable[[AnswerEvent, Links], tuple[str, dict]]
ErrorSerializer = Callable[[HighlighterError], dict]
KEY_REVOKED_MESSAGE = N_("The key that this was asked with is no longer good, so the rest of the answer is not told.")


class TooManyStreams(Unavailable):
    retry_after = 5

    def __init__(self) -> None:
        super().__init__("Too many answers are being written at this moment. Ask again in a few seconds.")


def write_whole_answer(ask: QuestionRequest, visible: VisibleCollections) -> Answer:
    """At once. Whoever hangs up while a model is asked is not answered on."""
    with track_disconnect(make_disconnect_check(request.environ)):
        return current_services().answer_pipeline.answer(ask, visible)


def stream_answer(
    ask: QuestionRequest,
    visible: VisibleCollections,
    links: Links,
    serialize: EventSerializer = serialize_event,
    serialize_error: ErrorSerializer = serialize_problem,
) -> Response:
    """`told`: what is sent of each step; `wrong`: of what ends it early."""
    services = current_services()
    welcome = partial(services.api_keys.is_valid, get_current_principal().key)
    steps = _generate_event_texts(
        services.answer_pipeline.stream_events(ask, visible), links, serialize, serialize_error, welcome
    )
    slots = current_application().stream_slots
    if not slots.acquire(min_slots=1):  # an answer ends by itself, so one may be written in any case
        raise TooManyStreams
    with track_disconnect(make_disconnect_check(request.environ)):
        steps = bind_context(steps)
    return send_events(steps, on_close=slots.release)


def _generate_event_texts(
    steps: Iterator[AnswerEvent],
    links: Links,
    serialize: EventSerializer,
    serialize_error: ErrorSerializer,
    is_authorized: Callable[[], bool],
) -> Iterator[str]:
    """A listener who goes away ends the work, and so does one whose key is revoked: closing this closes the steps."""
    try:
        for event in steps:
            if not is_authorized():
                raise KeyRequired(KEY_REVOKED_MESSAGE)
            yield _format_event(*serialize(event, links))
    except CompletionCancelled:
        return  # there is nobody to be told
    except HighlighterError as err:
        yield _format_event("error", serialize_error(err))
    except Exception:
        log.exception("An answer broke off")
        yield _format_event(
            "error", serialize_error(HighlighterError("Something went wrong on our side. It was noted; try again."))
        )
    finally:
        steps.close()


def _format_event(name: str, body: dict) -> str:
    return f"event: {name}\ndata: {json.dumps(body, ensure_ascii=False)}\n\n"
