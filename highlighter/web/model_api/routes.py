"""The routes of the library as a model: /v1/models, /v1/chat/completions, /v1/responses and /v1/messages."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from flask import Blueprint, Response, jsonify

from highlighter.access import get_visible_collections
from highlighter.errors import BadRequest, NotFound
from highlighter.store.listing import list_collections
from highlighter.web.application import current_services
from highlighter.web.json_bodies import read_body
from highlighter.web.model_api import anthropic_shapes, openai_shapes
from highlighter.web.model_api.anthropic_shapes import MessageStream
from highlighter.web.model_api.conversations import (
    MODEL_NAME,
    AnswerOptions,
    ChatRequest,
    ConversationMessage,
    MessageRequest,
    ModelRequest,
    ResponseRequest,
    build_question,
    parse_model_name,
    read_text,
)
from highlighter.web.model_api.openai_streams import ChatStream, ResponseStream
from highlighter.web.model_api.requests import stream_answer, write_answer
from highlighter.web.request_context import build_absolute_links

model_api = Blueprint("model_api", __name__, url_prefix="/v1")

MODEL_CREATED = 1_735_689_600  # a model has a date, which means nothing here


@model_api.get("/models")
def list_models() -> Response:
    """Return the model of the whole library, and one for each collection."""
    names = _list_model_names()
    return jsonify(
        object="list", data=list(map(_describe_model, names)), has_more=False, first_id=names[0], last_id=names[-1]
    )


@model_api.get("/models/<path:model>")
def show_model(model: str) -> Response:
    parse_model_name(model)
    if model not in _list_model_names():
        raise NotFound(f"No model is called {model}.")
    return jsonify(_describe_model(model))


@model_api.post("/chat/completions")
def complete_chat() -> Response:
    """Answer the last message of a chat; annotations lead to the cited sentences."""
    body = read_body(ChatRequest)
    max_tokens = body.max_completion_tokens or body.max_tokens
    question = build_question(body.messages, _make_options(body, max_tokens=max_tokens))
    links = build_absolute_links()
    if body.stream:
        stream = ChatStream(body.model, links, body.has_usage)
        return stream_answer(question, stream.write, stream.write_error)
    return jsonify(openai_shapes.build_chat_completion(write_answer(question), body.model, links))


@model_api.post("/responses")
def create_response() -> Response:
    body = read_body(ResponseRequest)
    if body.previous_response_id:
        raise BadRequest("previous_response_id is not supported: send the turns before the question in input.")
    messages = [ConversationMessage(role="user", content=body.input)] if isinstance(body.input, str) else body.input
    options = _make_options(body, instructions=body.instructions or "", max_tokens=body.max_output_tokens)
    question = build_question(messages, options)
    stream = ResponseStream(body.model, build_absolute_links())
    if body.stream:
        return stream_answer(question, stream.write, stream.write_error)
    return jsonify(stream.build(write_answer(question)))


@model_api.post("/messages")
def create_message() -> Response:
    """Answer the last message in blocks; each block has the citations that it rests on, and no markers."""
    body = read_body(MessageRequest)
    options = _make_options(body, instructions=read_text(body.system), max_tokens=body.max_tokens, has_markers=False)
    question = build_question(body.messages, options)
    links = build_absolute_links()
    if body.stream:
        stream = MessageStream(body.model, links)
        return stream_answer(question, stream.write, stream.write_error)
    return jsonify(anthropic_shapes.build_message(write_answer(question), body.model, links))


def _list_model_names() -> list[str]:
    collections = list_collections(current_services().catalog.engine, get_visible_collections())
    return [MODEL_NAME, *(f"{MODEL_NAME}/{collection}" for collection in collections)]


def _make_options(body: ModelRequest, **options: Any) -> AnswerOptions:
    return AnswerOptions(body.model, temperature=body.temperature, **options)


def _describe_model(name: str) -> dict[str, Any]:
    """Return a model with the fields of both vendors."""
    created_at = datetime.fromtimestamp(MODEL_CREATED, UTC).isoformat()
    return {
        "id": name, "object": "model", "created": MODEL_CREATED, "owned_by": MODEL_NAME,
        "type": "model", "display_name": name, "created_at": created_at,
    }  # fmt: skip
