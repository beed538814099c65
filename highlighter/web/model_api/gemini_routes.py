"""The routes of the library as a model in the shape of Gemini's API: /v1beta/models/highlighter:generateContent."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify

from highlighter.answering.request import QuestionRequest
from highlighter.web.json_bodies import read_body
from highlighter.web.model_api import gemini_shapes
from highlighter.web.model_api.conversations import AnswerOptions, GeminiRequest, build_question
from highlighter.web.model_api.gemini_shapes import ContentStream
from highlighter.web.model_api.requests import stream_answer, write_answer
from highlighter.web.request_context import build_absolute_links

gemini_api = Blueprint("gemini_api", __name__, url_prefix="/v1beta")


@gemini_api.post("/models/<path:model>:generateContent")
def generate_content(model: str) -> Response:
    """Answer the last turn; the grounding metadata leads to the cited sentences."""
    answer = write_answer(_read_question(model))
    return jsonify(gemini_shapes.build_generated_content(answer, model, build_absolute_links()))


@gemini_api.post("/models/<path:model>:streamGenerateContent")
def stream_content(model: str) -> Response:
    """Answer as server-sent events, as with alt=sse."""
    stream = ContentStream(model, build_absolute_links())
    return stream_answer(_read_question(model), stream.write, stream.write_error)


def _read_question(model: str) -> QuestionRequest:
    body = read_body(GeminiRequest)
    config = body.generation_config
    options = AnswerOptions(
        model, max_tokens=config.max_output_tokens, temperature=config.temperature, has_markers=False
    )
    return build_question(body.list_messages(), options)
