"""The routes of answers, stored answers and checks: /api/v1/answers and /api/v1/check."""

from __future__ import annotations

import tempfile

from flask import Blueprint, Response, request, send_file
from spectree import Response as Responses

from highlighter.access import get_current_principal, get_visible_collections
from highlighter.answering.records import StoredAnswer
from highlighter.answering.request import CallerSource, QuestionRequest
from highlighter.grounding.cited_sources import check_answer
from highlighter.notes.note_source import NoteSource
from highlighter.schemas.answers import AnswerList, AnswerListQuery, AnswerOut, AnswerRequest, GivenSource, PackQuery
from highlighter.schemas.checks import CheckRequest, CheckResponse
from highlighter.schemas.search import Problem
from highlighter.serializers.answers import serialize_answer, summarize_answer
from highlighter.serializers.checks import build_sources, serialize_check
from highlighter.store.answer_history import HistoryPosition
from highlighter.store.source_texts import load_source_texts
from highlighter.urls import Links
from highlighter.web.answer_delivery import stream_answer, write_whole_answer
from highlighter.web.api.idempotency import accept_idempotency_key
from highlighter.web.api.openapi import ANSWERS_TAG, spec
from highlighter.web.api.pagination import build_cursor_header, decode_cursor, encode_cursor
from highlighter.web.application import current_services
from highlighter.web.event_stream import EVENT_STREAM_MEDIA_TYPE
from highlighter.web.request_context import build_absolute_links, get_links

answers_api = Blueprint("answers_api", __name__, url_prefix="/api/v1")
answer_records_api = Blueprint("answer_records_api", __name__, url_prefix="/api/v1/answers")
checks_api = Blueprint("checks_api", __name__, url_prefix="/api/v1")


@answers_api.post("/answers")
@accept_idempotency_key
@spec.validate(resp=Responses(HTTP_200=AnswerOut, HTTP_404=Problem), tags=[ANSWERS_TAG])
def answer(json: AnswerRequest) -> Response:
    """Answer a question. Every claim has links to its evidence; with stream, server-sent events while it is written."""
    services, visible = current_services(), get_visible_collections()
    services.embedder.wait_until_loaded(services.settings.warm_up_seconds)
    question, links = convert_answer_request(json), Links(request.script_root)
    if json.stream or request.accept_mimetypes.best == EVENT_STREAM_MEDIA_TYPE:
        return stream_answer(question, visible, links)
    body = serialize_answer(write_whole_answer(question, visible), links)
    return Response(body.model_dump_json(), mimetype="application/json")


def convert_answer_request(json: AnswerRequest) -> QuestionRequest:
    """Return the question that a request asks, with its options."""
    return QuestionRequest(
        question=json.question,
        mode=json.mode,
        format=json.format,
        citation_style=json.citation_style,
        history=tuple((turn.question, turn.answer) for turn in json.history),
        filters={**json.filters, "collection": json.collection} if json.collection else json.filters,
        sources=None if json.sources is None else tuple(map(_convert_source, json.sources)),
        schema=json.answer_schema,
        instructions=json.instructions,
        include_citations=json.include_citations,
        require_grounding=json.require_grounding,
        max_tokens=json.max_tokens,
        temperature=json.temperature,
        limit=json.limit,
        min_score=json.min_score,
        append_warnings=json.append_warnings,
        model=json.model,
        refusal=json.refusal.strip(),
        min_grounding=json.min_grounding,
    )


def _convert_source(source: GivenSource) -> CallerSource:
    return CallerSource(source.text, source.filename, source.page, source.document_id or "", source.chunk_index)


@answer_records_api.get("")
@spec.validate(resp=Responses(HTTP_200=AnswerList), tags=[ANSWERS_TAG])
def list_answers(query: AnswerListQuery) -> tuple[AnswerList, int, dict[str, str]]:
    """List the answers that your key has asked for, pinned ones first, then the latest first: Link leads to the next page."""
    after = None if query.cursor is None else HistoryPosition(*decode_cursor(query.cursor, bool, int))
    history, owner = current_services().answer_history, get_current_principal().history_owner
    found = history.list_items(owner, get_visible_collections(), query.q, query.limit + 1, after)
    page = found[: query.limit]
    next_cursor = encode_cursor(page[-1].position) if len(found) > query.limit else None
    links = get_links()
    answers = [summarize_answer(item.stored_answer.answer, item.pinned, links) for item in page]
    return AnswerList(answers=answers, next_cursor=next_cursor), 200, build_cursor_header(next_cursor)


@answer_records_api.get("/<answer_id>")
@spec.validate(resp=Responses(HTTP_200=AnswerOut, HTTP_404=Problem), tags=[ANSWERS_TAG])
def answer_record(answer_id: str) -> AnswerOut:
    """Return a stored answer. Words of documents that were deleted since are left out."""
    return serialize_answer(_open_answer_record(answer_id).answer, get_links())


@answer_records_api.get("/<answer_id>/pack")
@spec.validate(resp=Responses(HTTP_404=Problem, HTTP_200=None), tags=[ANSWERS_TAG])
def answer_pack(answer_id: str, query: PackQuery) -> Response:
    """Return an evidence pack as a zip: the answer as HTML, Markdown and Word, highlighted documents, annotations, hashes."""
    services = current_services()
    notes = None
    if query.notes:
        notes = NoteSource(services.note_book, get_current_principal(), build_absolute_links())
    file = tempfile.TemporaryFile(dir=services.files.scratch, prefix=services.files.scratch_prefix)  # noqa: SIM115 (the response closes it)
    try:
        services.evidence_packs.write(answer_id, get_visible_collections(), file, notes)
        size = file.tell()
        file.seek(0)
    except BaseException:
        file.close()
        raise
    response = send_file(file, "application/zip", as_attachment=True, download_name=f"answer-{answer_id[:12]}.zip")
    response.content_length = size
    response.headers["Cache-Control"] = "private, no-cache"
    return response


def _open_answer_record(answer_id: str) -> StoredAnswer:
    return current_services().answer_records.load(answer_id, get_visible_collections())


@checks_api.post("/check")
@spec.validate(resp=Responses(HTTP_200=CheckResponse, HTTP_404=Problem, HTTP_409=Problem), tags=[ANSWERS_TAG])
def check(json: CheckRequest) -> CheckResponse:
    """Check an answer of any system: a verdict and evidence for each claim, and a state for each quotation."""
    services = current_services()
    services.embedder.wait_until_loaded(services.settings.warm_up_seconds)
    sources = load_source_texts(build_sources(json.sources), services.catalog, get_visible_collections())
    return serialize_check(check_answer(services.answer_checker, json.answer, sources), sources, json.append_warnings)
