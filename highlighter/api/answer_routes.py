"""/api/v1/answers: a question answered, at once or as it is written."""

from __future__ import annotations

import json as plain_json
import logging
from collections.abc import Callable, Iterator
from functools import partial

from flask import Blueprint, current_app, request
from flask import Response as Reply
from spectree import Response

from highlighter.access import Visible, carried, current_caller, visible_collections
from highlighter.api.answer_schemas import AnswerOut, AnswerRequest
from highlighter.api.answers import as_answer, as_event
from highlighter.api.connection import hung_up
from highlighter.api.events import MEDIA_TYPE as EVENTS
from highlighter.api.events import reply
from highlighter.api.problems import problem
from highlighter.api.schemas import Problem
from highlighter.api.spec import ANSWERS, spec
from highlighter.errors import HighlighterError, KeyNeeded, Unavailable
from highlighter.generation.answer import Answer
from highlighter.generation.ask import Ask, Given
from highlighter.generation.events import Event
from highlighter.generation.talking.failures import Cancelled
from highlighter.generation.talking.listener import listened_to
from highlighter.locale import N_
from highlighter.viewer.links import Links

log = logging.getLogger(__name__)

answers_api = Blueprint("answers_api", __name__, url_prefix="/api/v1")


Told = Callable[[Event, Links], tuple[str, dict]]
Wrong = Callable[[HighlighterError], dict]
NO_LONGER = N_("The key that this was asked with is no longer good, so the rest of the answer is not told.")


class Crowded(Unavailable):
    retry_after = 5

    def __init__(self) -> None:
        super().__init__("Too many answers are being written at this moment. Ask again in a few seconds.")


@answers_api.post("/answers")
@spec.validate(resp=Response(HTTP_200=AnswerOut, HTTP_404=Problem), tags=[ANSWERS])
def answer(json: AnswerRequest):
    """An answer whose every claim can be opened; with stream, as server-sent events while it is written."""
    services, visible = current_app.services, visible_collections()
    services.embedder.wait(services.settings.warm_up_seconds)
    ask, links = as_ask(json), Links(request.script_root)
    if not (json.stream or request.accept_mimetypes.best == EVENTS):
        made = as_answer(whole(ask, visible), links)
        return Reply(made.model_dump_json(), mimetype="application/json")
    return streamed(ask, visible, links)


def whole(ask: Ask, visible: Visible) -> Answer:
    """At once. Whoever hangs up while a model is asked is not answered on."""
    with listened_to(hung_up(request.environ)):
        return current_app.services.answering.answer(ask, visible)


def streamed(ask: Ask, visible: Visible, links: Links, told: Told = as_event, wrong: Wrong = problem) -> Reply:
    """`told`: what is sent of each step; `wrong`: of what ends it early."""
    services = current_app.services
    welcome = partial(services.keys.is_good, current_caller().key)
    steps = _events(services.answering.steps(ask, visible), links, told, wrong, welcome)
    slots = current_app.stream_slots
    if not slots.take(at_least=1):  # an answer ends by itself, so one may be written in any case
        raise Crowded
    with listened_to(hung_up(request.environ)):
        steps = carried(steps)
    return reply(steps, ended=slots.give_back)


def _events(
    steps: Iterator[Event], links: Links, told: Told, wrong: Wrong, welcome: Callable[[], bool]
) -> Iterator[str]:
    """A listener who goes away ends the work, and so does one whose key is revoked: closing this closes the steps."""
    try:
        for event in steps:
            if not welcome():
                raise KeyNeeded(NO_LONGER)
            yield _event(*told(event, links))
    except Cancelled:
        return  # there is nobody to be told
    except HighlighterError as err:
        yield _event("error", wrong(err))
    except Exception:
        log.exception("An answer broke off")
        yield _event("error", wrong(HighlighterError("Something went wrong on our side. It was noted; try again.")))
    finally:
        steps.close()


def _event(name: str, body: dict) -> str:
    return f"event: {name}\ndata: {plain_json.dumps(body, ensure_ascii=False)}\n\n"


def as_ask(json: AnswerRequest) -> Ask:
    filters = {**json.filters, "collection": json.collection} if json.collection else json.filters
    given = None
    if json.sources is not None:
        given = tuple(
            Given(one.text, one.filename, one.page, one.document_id or "", one.chunk_index) for one in json.sources
        )
    return Ask(
        json.question, json.mode, json.format, json.citation_style,
        tuple((turn.question, turn.answer) for turn in json.history), filters, given, json.answer_schema,
        json.instructions, json.include_citations, json.require_grounding, json.max_tokens, json.temperature,
        json.limit, json.min_score, json.append_warnings,
    )  # fmt: skip
