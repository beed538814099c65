"""The routes of documents: their list, state, text, chunks, sentences and rectangles, upload and deletion."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import cast

from flask import Blueprint, Response, jsonify, request
from pydantic import BaseModel
from spectree import Response as Responses
from werkzeug.datastructures import FileStorage

from highlighter.access import bind_context, get_visible_collections
from highlighter.errors import HighlighterError
from highlighter.metadata import build_where_clause, parse_filters
from highlighter.models import EMAIL_KINDS, READABLE, UNFINISHED, Document
from highlighter.pages.cell_rectangles import list_pages, locate_cells
from highlighter.pages.outlines import find_figure, find_figures
from highlighter.schemas.documents import (  # fmt: skip
    AttachmentOut,
    BulkUploadForm,
    BulkUploadOut,
    BulkUploadResult,
    CaptionListQuery,
    CellRectanglesOut,
    ChunkList,
    ChunkOut,
    DocumentList,
    DocumentListQuery,
    DocumentOut,
    FigureList,
    FigureOut,
    MetadataUpdate,
    PageOut,
    Progress,
    RectangleOut,
    RectanglesOut,
    RectanglesQuery,
    SentenceList,
    SentenceListQuery,
    SentenceSpanOut,
    TableList,
    TableOut,
    TextOut,
    UploadForm,
    VersionOut,
)
from highlighter.schemas.search import Problem
from highlighter.serializers.recognition import describe_recognition
from highlighter.store import listing
from highlighter.store.attachments import list_own_attachments
from highlighter.store.document_metadata import update_metadata
from highlighter.store.listing import ListPosition
from highlighter.store.lookup import require_span
from highlighter.urls import Links
from highlighter.web import event_stream, request_context
from highlighter.web.api.idempotency import accept_idempotency_key
from highlighter.web.api.openapi import DOCUMENTS_TAG, spec
from highlighter.web.api.pagination import build_cursor_header, decode_cursor, encode_cursor
from highlighter.web.application import current_application, current_services
from highlighter.web.auth.validity import make_validity_check
from highlighter.web.problems import serialize_problem
from highlighter.web.uploads import check_upload, queue_upload

documents_api = Blueprint("documents_api", __name__, url_prefix="/api/v1/documents")
rectangles_api = Blueprint("rectangles_api", __name__, url_prefix="/api/v1/documents")


@documents_api.get("")
@spec.validate(resp=Responses(HTTP_200=DocumentList), tags=[DOCUMENTS_TAG])
def document_list(query: DocumentListQuery) -> tuple[DocumentList, int, dict[str, str]]:
    """List the documents, newest first, page by page: the header Link leads to the next page."""
    visible = get_visible_collections()
    if query.collection is not None:
        visible = visible.restrict_to(query.collection)
    where = build_where_clause(parse_filters(query.where))
    filters = listing.DocumentFilter(visible, query.state, query.kind or "", query.name, query.superseded, where)
    engine, after = current_services().catalog.engine, None
    if query.cursor is not None:
        after = ListPosition(*decode_cursor(query.cursor, str, str, str))
    offset = query.offset if after is None else 0
    found = listing.list_documents(engine, filters, query.limit + 1, offset, after)
    page, next_cursor = found[: query.limit], None
    if len(found) > query.limit:
        next_cursor = encode_cursor(ListPosition(page[-1].added, page[-1].name, page[-1].id))
    body = DocumentList(
        documents=[serialize_document(document) for document in page],
        total=listing.count_totals(engine, filters).documents,
        limit=query.limit,
        offset=offset,
        next_cursor=next_cursor,
    )
    return body, 200, build_cursor_header(next_cursor)


@documents_api.post("")
@accept_idempotency_key
@spec.validate(resp=Responses(HTTP_202=DocumentOut), tags=[DOCUMENTS_TAG])
def upload(form: UploadForm) -> tuple[DocumentOut, int, dict[str, str]]:
    """Upload a file. It is processed in the background: follow links.state or links.events."""
    document = queue_upload(
        cast(FileStorage, form.file), form.collection, form.metadata
    )  # BaseFile is the type in the OpenAPI document
    body = serialize_document(document)
    return _send_accepted(body)


@documents_api.post("/bulk")
@accept_idempotency_key
@spec.validate(resp=Responses(HTTP_207=BulkUploadOut, HTTP_403=Problem), tags=[DOCUMENTS_TAG])
def upload_several(form: BulkUploadForm) -> tuple[BulkUploadOut, int]:
    """Upload several files. Each has a result of its own: what is refused of one holds up no other."""
    check_upload(form.collection, form.metadata)
    results = [_upload_one(cast(FileStorage, file), form) for file in form.file]
    accepted = sum(result.document is not None for result in results)
    return BulkUploadOut(results=results, accepted=accepted, refused=len(results) - accepted), 207


def _upload_one(file: FileStorage, form: BulkUploadForm) -> BulkUploadResult:
    name = file.filename or ""
    try:
        document = queue_upload(file, form.collection, form.metadata)
    except HighlighterError as err:
        problem = Problem.model_validate(serialize_problem(err))
        return BulkUploadResult(name=name, status=err.status, problem=problem)
    return BulkUploadResult(name=name, status=202, document=serialize_document(document))


@documents_api.get("/<document_id>")
@spec.validate(resp=Responses(HTTP_200=DocumentOut, HTTP_404=Problem), tags=[DOCUMENTS_TAG])
def document_state(document_id: str) -> DocumentOut:
    """Return a document with its state, progress and versions."""
    return serialize_document(request_context.get_known_document(document_id), is_single=True)


@documents_api.patch("/<document_id>")
@spec.validate(resp=Responses(HTTP_200=DocumentOut, HTTP_404=Problem), tags=[DOCUMENTS_TAG])
def document_update(document_id: str, json: MetadataUpdate) -> DocumentOut:
    """Change the metadata of a document, such as its tags. Searches and answers filter by it."""
    document = request_context.get_known_document(document_id)
    update_metadata(current_services().catalog.engine, document.id, json.metadata)
    return serialize_document(request_context.get_known_document(document_id))


@documents_api.delete("/<document_id>")
@spec.validate(resp=Responses(HTTP_404=Problem, HTTP_204=None), tags=[DOCUMENTS_TAG])
def document_delete(document_id: str) -> Response:
    """Delete a document: its rows, vectors and files. The audit keeps its hash."""
    current_services().delete_document(request_context.get_known_document(document_id).id)
    return Response(status=204)


@documents_api.post("/<document_id>/retry")
@spec.validate(resp=Responses(HTTP_202=DocumentOut, HTTP_404=Problem), tags=[DOCUMENTS_TAG])
def document_retry(document_id: str) -> tuple[DocumentOut, int, dict[str, str]]:
    """Process a document again whose processing failed. Any other document stays as it is."""
    return _send_accepted(
        serialize_document(current_services().ingest_queue.retry(request_context.get_known_document(document_id)))
    )


@documents_api.get("/<document_id>/text")
@spec.validate(resp=Responses(HTTP_200=TextOut, HTTP_404=Problem), tags=[DOCUMENTS_TAG])
def document_text(document_id: str) -> Response:
    """Return the canonical text, which every offset indexes."""
    document = request_context.get_readable_document(document_id)
    return _send_with_etag(
        document,
        TextOut,
        lambda: jsonify(
            document_id=document.id, pipeline=document.pipeline, text=current_services().catalog.text(document)
        ),
    )


@documents_api.get("/<document_id>/chunks")
@spec.validate(resp=Responses(HTTP_200=ChunkList, HTTP_404=Problem), tags=[DOCUMENTS_TAG])
def document_chunks(document_id: str) -> Response:
    """List the chunks of a document, in order. chunk_file_path is the URL of the chunk's PDF."""
    document, links = request_context.get_readable_document(document_id), request_context.get_links()
    chunks = current_services().catalog.chunks(document)
    return _send_json_with_etag(document, ChunkList(document_id=document.id, pipeline=document.pipeline, chunks=[
        ChunkOut(
            index=chunk.index, start=chunk.start, end=chunk.end, first_page=chunk.first_page, last_page=chunk.last_page,
            section=chunk.section, chunk_file_path=links.chunk_pdf(chunk), view=links.chunk(chunk),
        )
        for chunk in chunks
    ]))  # fmt: skip


@documents_api.get("/<document_id>/sentences")
@spec.validate(resp=Responses(HTTP_200=SentenceList, HTTP_404=Problem), tags=[DOCUMENTS_TAG])
def document_sentences(document_id: str, query: SentenceListQuery) -> Response:
    """List the sentences of a document, in order; with chunk_index, those of one chunk.

    Sentences that were recognised from images (OCR) have their mean confidence and the words that may be misread.
    """
    document, catalog = request_context.get_readable_document(document_id), current_services().catalog
    rows, confidences = catalog.sentence_spans(document, query.chunk_index), catalog.word_confidences(document)
    spans = [
        SentenceSpanOut(
            index=index, start=start, end=end, page=page, chunk_index=chunk_index,
            **describe_recognition(confidences, start, end),
        )
        for chunk_index, index, start, end, page in rows
    ]  # fmt: skip
    return _send_json_with_etag(
        document, SentenceList(document_id=document.id, pipeline=document.pipeline, sentences=spans)
    )


@documents_api.get("/<document_id>/figures")
@spec.validate(resp=Responses(HTTP_200=FigureList, HTTP_404=Problem), tags=[DOCUMENTS_TAG])
def document_figures(document_id: str, query: CaptionListQuery) -> FigureList:
    """List the figures of a document by their captions, in order, each with its page and where it is on it."""
    document, renderer = request_context.get_readable_document(document_id), current_services().page_renderer
    captions = renderer.load_structure(document).figure_captions
    shown, text = captions[query.offset : query.offset + query.limit], current_services().catalog.text(document)
    figures = []
    for start, end in shown:
        box = find_figure(renderer, document, (start, end))
        figures.append(FigureOut(
            caption=text[start:end], start=start, end=end, page=renderer.page_at(document, start),
            rectangle=RectangleOut.from_rectangle(box) if box else None,
        ))  # fmt: skip
    return FigureList(
        document_id=document.id, pipeline=document.pipeline, figures=figures, total=len(captions), limit=query.limit,
        offset=query.offset,
    )  # fmt: skip


@documents_api.get("/<document_id>/tables")
@spec.validate(resp=Responses(HTTP_200=TableList, HTTP_404=Problem), tags=[DOCUMENTS_TAG])
def document_tables(document_id: str, query: CaptionListQuery) -> TableList:
    """List the tables of a document, in order, each with its caption, its page and its size."""
    document, renderer = request_context.get_readable_document(document_id), current_services().page_renderer
    stored, text = renderer.load_structure(document).tables, current_services().catalog.text(document)
    tables = []
    for table in stored.tables[query.offset : query.offset + query.limit]:
        rows, columns = stored.measure(table)
        tables.append(TableOut(
            caption=text[slice(*table.caption)] if table.caption else None, start=table.start, end=table.end,
            page=renderer.page_at(document, table.start), rows=rows, columns=columns,
            header_rows=table.header_rows, header_columns=table.header_columns,
        ))  # fmt: skip
    return TableList(
        document_id=document.id, pipeline=document.pipeline, tables=tables, total=len(stored.tables),
        limit=query.limit, offset=query.offset,
    )  # fmt: skip


@documents_api.get("/<document_id>/events")
@spec.validate(resp=Responses(HTTP_204=None, HTTP_404=Problem), tags=[DOCUMENTS_TAG])
def document_events(document_id: str) -> Response:
    """Stream the state of a document as server-sent events, whenever it changes, until processing ends.

    When many streams are open, this one ends after the current state. An EventSource reconnects by itself after a second,
    with Last-Event-ID, and gets what is new. When nothing more will come, the response is 204, which stops an EventSource.
    """
    document, last_event_id = request_context.get_known_document(document_id), request.headers.get("Last-Event-ID", "")
    if document.state not in UNFINISHED and last_event_id == event_stream.compute_event_id(_serialize_state(document)):
        return Response(status=204)
    services, is_valid, slots = current_services(), make_validity_check(), current_application().stream_slots
    keep_open = slots.acquire()

    def is_authorized() -> bool:
        """Return whether the stream may go on. When the server stops, clients reconnect to the next one."""
        return not services.is_stopping and is_valid()

    stream = event_stream.stream_state(lambda: _read_state(document_id), last_event_id, keep_open, is_authorized)
    return event_stream.send_events(bind_context(stream), on_close=slots.release if keep_open else None)


def _read_state(document_id: str) -> tuple[str, bool]:
    """Return the state of a document as JSON, and whether it can change again."""
    document = current_services().catalog.document(document_id)
    if document is None or document.deletion_time:
        return '{"state": "deleted"}', False
    return _serialize_state(document), document.state in UNFINISHED or document.progress is not None


def _serialize_state(document: Document) -> str:
    return serialize_document(document).model_dump_json()


def serialize_document(document: Document, is_single: bool = False) -> DocumentOut:
    """Return a document; a single one with its versions and attachments."""
    catalog, progress = current_services().catalog, None
    if document.progress:
        stage, done, total = document.progress
        progress = Progress(stage=stage, done=done, total=total)
    versions = catalog.versions(document) if is_single else []
    has_attachments = is_single and document.kind in EMAIL_KINDS
    attachments = list_own_attachments(catalog.engine, document) if has_attachments else []
    return DocumentOut(
        document_id=document.id, collection=document.collection, name=document.name, path=document.path,
        sha256=document.sha256, kind=document.kind, size=document.size, state=document.state,
        reason=document.reason or None, pages=document.pages, chunks=document.chunks, sentences=document.sentences,
        added=document.added, metadata=document.meta, progress=progress, version=document.version,
        current=document.current,
        versions=[VersionOut(document_id=v.document_id, version=v.version, current=v.current) for v in versions],
        attachments=[
            AttachmentOut(document_id=one.id, name=one.name, kind=one.kind, state=one.state) for one in attachments
        ],
        links=_build_document_links(document, request_context.get_links()),
    )  # fmt: skip


def _build_document_links(document: Document, links: Links) -> dict[str, str]:
    state = links.document_json(document.id)
    urls = {"state": state, "events": f"{state}/events", "self": links.document(document.id)}
    urls["original"] = links.original(document.id)
    if document.state in READABLE:
        urls |= {"pdf": links.pdf(document.id), "text": f"{state}/text"}
        urls |= {name: f"{state}/{name}" for name in ("chunks", "sentences", "figures", "tables")}
    return urls


def _send_accepted(body: DocumentOut) -> tuple[DocumentOut, int, dict[str, str]]:
    return body, 202, {"Location": body.links["state"]}


def _send_json_with_etag(document: Document, body: BaseModel) -> Response:
    return _send_with_etag(
        document, type(body), lambda: Response(body.model_dump_json(exclude_unset=True), mimetype="application/json")
    )


def _send_with_etag(document: Document, model: type[BaseModel], build_response: Callable[[], Response]) -> Response:
    """Return a response with an ETag of the document, its pipeline and the response's fields, under which it never changes."""
    etag = f"{document.id}-{document.pipeline}-{_hash_schema(model)}"
    response = Response(status=304) if request.if_none_match.contains(etag) else build_response()
    response.set_etag(etag)
    return response


@lru_cache
def _hash_schema(model: type[BaseModel]) -> str:
    """Return a short hash of the fields of a response: a release that adds one must not answer 304 to what lacks it."""
    schema = json.dumps(model.model_json_schema(mode="serialization"), sort_keys=True)
    return hashlib.sha256(schema.encode()).hexdigest()[:12]


@rectangles_api.get("/<document_id>/rectangles")
@spec.validate(
    resp=Responses(HTTP_200=RectanglesOut, HTTP_400=Problem, HTTP_404=Problem, HTTP_409=Problem), tags=[DOCUMENTS_TAG]
)
def document_rectangles(document_id: str, query: RectanglesQuery) -> RectanglesOut:
    """Return the rectangles of a span of the canonical text on its pages: one for each line, cell, column and page."""
    services = current_services()
    document = request_context.get_readable_document(document_id)
    document = replace(document, pipeline=query.v or document.pipeline)
    require_span(services.catalog, document, query.start, query.end)
    renderer = services.page_renderer
    rectangles = renderer.find_rectangles(document, query.start, query.end)
    cells = locate_cells(renderer, document, query.start, query.end)
    figures = find_figures(renderer, document, query.start, query.end)
    pages = renderer.read_characters(document, list_pages([*rectangles, *figures], cells))
    return RectanglesOut(
        rectangles=list(map(RectangleOut.from_rectangle, rectangles)),
        cells=list(map(CellRectanglesOut.from_cell, cells)),
        figures=list(map(RectangleOut.from_rectangle, figures)),
        pages=[
            PageOut(page=number, width=round(page.width, 2), height=round(page.height, 2), rotation=page.rotation)
            for number, page in pages.items()
            if page
        ],
    )
