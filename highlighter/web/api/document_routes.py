"""/api/v1/documents: what there is, what it says, how far its reading has come, and its end."""

from __future__ import annotations

from dataclasses import replace

from flask import Blueprint, Response, jsonify, request
from spectree import Response as Answers

from highlighter.access import bind_context, get_current_principal, get_visible_collections
from highlighter.models import READABLE, UNFINISHED, Document
from highlighter.schemas.documents import (  # fmt: skip
    ChunkList,
    ChunkOut,
    DocumentList,
    DocumentListQuery,
    DocumentOut,
    PageOut,
    RectangleOut,
    RectanglesOut,
    RectanglesQuery,
    SentenceList,
    SentenceListQuery,
    SentenceSpanOut,
    TextOut,
    UploadForm,
)
from highlighter.schemas.search import Problem
from highlighter.store import listing
from highlighter.store.lookup import require_span
from highlighter.urls import Links
from highlighter.web import event_stream, request_context
from highlighter.web.api.openapi import DOCUMENTS_TAG, spec
from highlighter.web.application import current_application, current_services
from highlighter.web.uploads import queue_upload

documents_api = Blueprint("documents_api", __name__, url_prefix="/api/v1/documents")


@documents_api.get("")
@spec.validate(resp=Answers(HTTP_200=DocumentList), tags=[DOCUMENTS_TAG])
def document_list(query: DocumentListQuery):
    """The library, newest first, page by page."""
    visible = get_visible_collections()
    if query.collection is not None:
        visible = visible.restrict_to(query.collection)
    wanted = listing.DocumentFilter(visible, query.state, query.kind or "", query.name, query.superseded)
    engine = current_services().catalog.engine
    return DocumentList(
        documents=[
            serialize_document(document)
            for document in listing.list_documents(engine, wanted, query.limit, query.offset)
        ],
        total=listing.count_totals(engine, wanted).documents,
        limit=query.limit,
        offset=query.offset,
    )


@documents_api.post("")
@spec.validate(resp=Answers(HTTP_202=DocumentOut), tags=[DOCUMENTS_TAG])
def upload(form: UploadForm):
    """Takes one file in. It is read in the background: follow links.state or links.events."""
    document = queue_upload(form.file, form.collection)
    body = serialize_document(document)
    return body, 202, {"Location": body.links["state"]}


@documents_api.get("/<document_id>")
@spec.validate(resp=Answers(HTTP_200=DocumentOut, HTTP_404=Problem), tags=[DOCUMENTS_TAG])
def document_state(document_id: str):
    """What a document is, how far its reading has come, and which versions there are."""
    return serialize_document(request_context.get_known_document(document_id), with_versions=True)


@documents_api.delete("/<document_id>")
@spec.validate(resp=Answers(HTTP_404=Problem, HTTP_204=None), tags=[DOCUMENTS_TAG])
def document_delete(document_id: str):
    """Removes a document: its rows, vectors and files. The audit keeps its hash."""
    current_services().delete_document(request_context.get_known_document(document_id).id)
    return Response(status=204)


@documents_api.post("/<document_id>/retry")
@spec.validate(resp=Answers(HTTP_202=DocumentOut, HTTP_404=Problem), tags=[DOCUMENTS_TAG])
def document_retry(document_id: str):
    """Reads a document again that could not be read. One that can be, or is being read, is left as it is."""
    body = serialize_document(current_services().ingest_queue.retry(request_context.get_known_document(document_id)))
    return body, 202, {"Location": body.links["state"]}


@documents_api.get("/<document_id>/text")
@spec.validate(resp=Answers(HTTP_200=TextOut, HTTP_404=Problem), tags=[DOCUMENTS_TAG])
def document_text(document_id: str):
    """The canonical text that every offset indexes."""
    document = request_context.get_readable_document(document_id)
    about = {"document_id": document.id, "pipeline": document.pipeline}
    return _send_with_etag(document, lambda: jsonify({**about, "text": current_services().catalog.text(document)}))


@documents_api.get("/<document_id>/chunks")
@spec.validate(resp=Answers(HTTP_200=ChunkList, HTTP_404=Problem), tags=[DOCUMENTS_TAG])
def document_chunks(document_id: str):
    """Its chunks, in order. chunk_file_path is the address of the chunk's PDF."""
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
@spec.validate(resp=Answers(HTTP_200=SentenceList, HTTP_404=Problem), tags=[DOCUMENTS_TAG])
def document_sentences(document_id: str, query: SentenceListQuery):
    """Its sentences, in order; those of one chunk with chunk_index."""
    document = request_context.get_readable_document(document_id)
    rows = current_services().catalog.sentence_spans(document, query.chunk_index)
    places = [SentenceSpanOut(index=i, start=s, end=e, page=p, chunk_index=c) for c, i, s, e, p in rows]
    return _send_json_with_etag(
        document, SentenceList(document_id=document.id, pipeline=document.pipeline, sentences=places)
    )


@documents_api.get("/<document_id>/events")
@spec.validate(resp=Answers(HTTP_204=None, HTTP_404=Problem), tags=[DOCUMENTS_TAG])
def document_events(document_id: str):
    """Its state as server-sent events, whenever it changes, until its reading has ended.

    When many are being followed at once, the stream ends after the state as it is now; an EventSource comes back by
    itself after a second, with Last-Event-ID, and is told what is new. Once all is told, it is sent away with 204.
    """
    document, known = request_context.get_known_document(document_id), request.headers.get("Last-Event-ID", "")
    if document.state not in UNFINISHED and known == event_stream.compute_event_id(_serialize_state(document)):
        return Response(status=204)
    services, key, slots = current_services(), get_current_principal().key, current_application().stream_slots
    staying = slots.acquire()

    def welcome() -> bool:
        """A stop ends the reading, too: whoever follows it comes again to the next server."""
        return not services.is_stopping and services.api_keys.is_valid(key)

    stream = event_stream.stream_state(lambda: _read_state(document_id), known, staying, welcome)
    return event_stream.send_events(bind_context(stream), on_close=slots.release if staying else None)


def _read_state(document_id: str) -> tuple[str, bool]:
    """(what there is to tell, whether more will come)"""
    document = current_services().catalog.document(document_id)
    if document is None or document.leaving:
        return '{"state": "deleted"}', False
    return _serialize_state(document), document.state in UNFINISHED


def _serialize_state(document: Document) -> str:
    return serialize_document(document).model_dump_json()


def serialize_document(document: Document, with_versions: bool = False) -> DocumentOut:
    links = request_context.get_links()
    progress = dict(zip(("stage", "done", "total"), document.progress, strict=True)) if document.progress else None
    versions = current_services().catalog.versions(document) if with_versions else []
    return DocumentOut(
        document_id=document.id, collection=document.collection, name=document.name, path=document.path,
        sha256=document.sha256, kind=document.kind, size=document.size, state=document.state,
        reason=document.reason or None, pages=document.pages, chunks=document.chunks, sentences=document.sentences,
        added=document.added, metadata=document.meta, progress=progress, version=document.version,
        current=document.current,
        versions=[{"document_id": v.document_id, "version": v.version, "current": v.current} for v in versions],
        links=_build_document_links(document, links),
    )  # fmt: skip


def _build_document_links(document: Document, links: Links) -> dict[str, str]:
    state = links.document_json(document.id)
    found = {"state": state, "events": f"{state}/events", "self": links.document(document.id)}
    found["original"] = links.original(document.id)
    if document.state in READABLE:
        found |= {"pdf": links.pdf(document.id), "text": f"{state}/text"}
        found |= {"chunks": f"{state}/chunks", "sentences": f"{state}/sentences"}
    return found


def _send_json_with_etag(document: Document, body) -> Response:
    return _send_with_etag(document, lambda: Response(body.model_dump_json(), mimetype="application/json"))


def _send_with_etag(document: Document, make) -> Response:
    """What was read from fixed bytes by one pipeline never changes: a client that has it need not get it again."""
    tag = f"{document.id}-{document.pipeline}"
    answer = Response(status=304) if request.if_none_match.contains(tag) else make()
    answer.set_etag(tag)
    return answer


# /api/v1/documents/<id>/rectangles: where a span stands on paper, so that any viewer can draw it.


rectangles_api = Blueprint("rectangles_api", __name__, url_prefix="/api/v1/documents")


@rectangles_api.get("/<document_id>/rectangles")
@spec.validate(
    resp=Answers(HTTP_200=RectanglesOut, HTTP_400=Problem, HTTP_404=Problem, HTTP_409=Problem), tags=[DOCUMENTS_TAG]
)
def document_rectangles(document_id: str, query: RectanglesQuery):
    """Where a span of the canonical text stands: one rectangle a line, in columns and over pages."""
    services = current_services()
    document = request_context.get_readable_document(document_id)
    document = replace(document, pipeline=query.v or document.pipeline)
    require_span(services.catalog, document, query.start, query.end)
    found = services.page_renderer.find_rectangles(document, query.start, query.end)
    pages = services.page_renderer.read_characters(document, dict.fromkeys(one.page for one in found))
    return RectanglesOut(
        rectangles=[RectangleOut.from_rectangle(box) for box in found],
        pages=[
            PageOut(page=number, width=round(seen.width, 2), height=round(seen.height, 2), rotation=seen.rotation)
            for number, seen in pages.items()
            if seen
        ],
    )
