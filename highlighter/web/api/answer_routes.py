"""/api/v1/answers: a question answered, at once or as it is written."""

from __future__ import annotations

import tempfile

from flask import Blueprint, request, send_file
from flask import Response as Reply
from spectree import Response

from highlighter.access import get_visible_collections
from highlighter.answering.records import StoredAnswer
from highlighter.answering.request import CallerSource, QuestionRequest
from highlighter.models import Source
from highlighter.schemas.answers import AnswerOut, AnswerRequest
from highlighter.schemas.checks import CheckAnswer, CheckRequest
from highlighter.schemas.search import Problem
from highlighter.serializers.answers import serialize_answer
from highlighter.serializers.checks import serialize_check
from highlighter.store.source_texts import load_source_texts
from highlighter.urls import Links
from highlighter.web.answer_delivery import stream_answer, write_whole_answer
from highlighter.web.api.openapi import ANSWERS_TAG, spec
from highlighter.web.application import current_services
from highlighter.web.event_stream import EVENT_STREAM_MEDIA_TYPE as EVENTS
from highlighter.web.request_context import get_links

answers_api = Blueprint("answers_api", __name__, url_prefix="/api/v1")


@answers_api.post("/answers")
@spec.validate(resp=Response(HTTP_200=AnswerOut, HTTP_404=Problem), tags=[ANSWERS_TAG])
def answer(json: AnswerRequest):
    """An answer whose every claim can be opened; with stream, as server-sent events while it is written."""
    services, visible = current_services(), get_visible_collections()
    services.embedder.wait_until_loaded(services.settings.warm_up_seconds)
    ask, links = convert_answer_request(json), Links(request.script_root)
    if not (json.stream or request.accept_mimetypes.best == EVENTS):
        made = serialize_answer(write_whole_answer(ask, visible), links)
        return Reply(made.model_dump_json(), mimetype="application/json")
    return stream_answer(ask, visible, links)


def convert_answer_request(json: AnswerRequest) -> QuestionRequest:
    filters = {**json.filters, "collection": json.collection} if json.collection else json.filters
    given = None
    if json.sources is not None:
        given = tuple(
            CallerSource(one.text, one.filename, one.page, one.document_id or "", one.chunk_index)
            for one in json.sources
        )
    return QuestionRequest(
        json.question, json.mode, json.format, json.citation_style,
        tuple((turn.question, turn.answer) for turn in json.history), filters, given, json.answer_schema,
        json.instructions, json.include_citations, json.require_grounding, json.max_tokens, json.temperature,
        json.limit, json.min_score, json.append_warnings,
    )  # fmt: skip


# /api/v1/answers/<id>: an answer that was given before, and its pack of evidence.


answer_records_api = Blueprint("answer_records_api", __name__, url_prefix="/api/v1/answers")


@answer_records_api.get("/<answer_id>")
@spec.validate(resp=Response(HTTP_200=AnswerOut, HTTP_404=Problem), tags=[ANSWERS_TAG])
def answer_record(answer_id: str):
    """An answer as it was given, less the words that went with a document deleted since."""
    return serialize_answer(_open_answer_record(answer_id).answer, get_links())


@answer_records_api.get("/<answer_id>/pack")
@spec.validate(resp=Response(HTTP_404=Problem, HTTP_200=None), tags=[ANSWERS_TAG])
def answer_pack(answer_id: str):
    """A zip: the answer as HTML, Markdown and Word, its documents highlighted, annotations, a manifest of SHA-256."""
    services = current_services()
    out = tempfile.TemporaryFile(dir=services.files.scratch, prefix=services.files.scratch_prefix)  # noqa: SIM115 (the reply closes it)
    try:
        services.evidence_packs.write(answer_id, get_visible_collections(), out)
        size = out.tell()
        out.seek(0)
    except BaseException:
        out.close()
        raise
    reply: Reply = send_file(out, "application/zip", as_attachment=True, download_name=f"answer-{answer_id[:12]}.zip")
    reply.content_length = size
    reply.headers["Cache-Control"] = "private, no-cache"
    return reply


def _open_answer_record(answer_id: str) -> StoredAnswer:
    return current_services().answer_records.load(answer_id, get_visible_collections())


# /api/v1/check: does an answer, of any system, say what its sources say?


checks_api = Blueprint("checks_api", __name__, url_prefix="/api/v1")


@checks_api.post("/check")
@spec.validate(resp=Response(HTTP_200=CheckAnswer, HTTP_404=Problem, HTTP_409=Problem), tags=[ANSWERS_TAG])
def check(json: CheckRequest):
    """Each claim of an answer with a verdict and its evidence, each quotation with what became of it."""
    services = current_services()
    services.embedder.wait_until_loaded(services.settings.warm_up_seconds)
    sources = [
        Source(one.filename or "", document_id=one.document_id or "", chunk_index=one.chunk_index, text=one.text or "")
        for one in json.sources
    ]
    sources = load_source_texts(sources, services.catalog, get_visible_collections())
    return serialize_check(services.answer_checker.check(json.answer, sources), sources, json.append_warnings)
