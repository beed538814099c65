"""/api/v1/documents: what there is, what it says, how far its reading has come, and its end."""

from __future__ import annotations

from flask import Blueprint, Response, current_app, jsonify, request
from spectree import Response as Answers

from highlighter.access import carried, current_caller, visible_collections
from highlighter.api import events
from highlighter.api.document_schemas import (
    ChunkList,
    ChunkOut,
    DocumentList,
    DocumentListQuery,
    DocumentOut,
    SentenceList,
    SentenceListQuery,
    SentencePlace,
    TextOut,
    UploadForm,
)  # fmt: skip
from highlighter.api.schemas import Problem
from highlighter.api.spec import DOCUMENTS, spec
from highlighter.models import READABLE, UNFINISHED, Document
from highlighter.store import listing
from highlighter.viewer import requested
from highlighter.viewer.library_routes import hand_in
from highlighter.viewer.links import Links

documents_api = Blueprint("documents_api", __name__, url_prefix="/api/v1/documents")


@documents_api.get("")
@spec.validate(resp=Answers(HTTP_200=DocumentList), tags=[DOCUMENTS])
def document_list(query: DocumentListQuery):
    """The library, newest first, page by page."""
    visible = visible_collections()
    if query.collection is not None:
        visible = visible.only(query.collection)
    wanted = listing.Wanted(visible, query.state, query.kind or "", query.name, query.superseded)
    engine = current_app.services.catalog.engine
    return DocumentList(
        documents=[described(document) for document in listing.page(engine, wanted, query.limit, query.offset)],
        total=listing.totals(engine, wanted).documents,
        limit=query.limit,
        offset=query.offset,
    )


@documents_api.post("")
@spec.validate(resp=Answers(HTTP_202=DocumentOut), tags=[DOCUMENTS])
def upload(form: UploadForm):
    """Takes one file in. It is read in the background: follow links.state or links.events."""
    document = hand_in(form.file, form.collection)
    body = described(document)
    return body, 202, {"Location": body.links["state"]}


@documents_api.get("/<document_id>")
@spec.validate(resp=Answers(HTTP_200=DocumentOut, HTTP_404=Problem), tags=[DOCUMENTS])
def document_state(document_id: str):
    """What a document is, how far its reading has come, and which versions there are."""
    return described(requested.known(document_id), with_versions=True)


@documents_api.delete("/<document_id>")
@spec.validate(resp=Answers(HTTP_404=Problem, HTTP_204=None), tags=[DOCUMENTS])
def document_delete(document_id: str):
    """Removes a document: its rows, vectors and files. The audit keeps its hash."""
    current_app.services.delete(requested.known(document_id).id)
    return Response(status=204)


@documents_api.post("/<document_id>/retry")
@spec.validate(resp=Answers(HTTP_202=DocumentOut, HTTP_404=Problem), tags=[DOCUMENTS])
def document_retry(document_id: str):
    """Reads a document again that could not be read. One that can be, or is being read, is left as it is."""
    body = described(current_app.services.desk.retry(requested.known(document_id)))
    return body, 202, {"Location": body.links["state"]}


@documents_api.get("/<document_id>/text")
@spec.validate(resp=Answers(HTTP_200=TextOut, HTTP_404=Problem), tags=[DOCUMENTS])
def document_text(document_id: str):
    """The canonical text that every offset indexes."""
    document = requested.readable(document_id)
    about = {"document_id": document.id, "pipeline": document.pipeline}
    return _tagged(document, lambda: jsonify({**about, "text": current_app.services.catalog.text(document)}))


@documents_api.get("/<document_id>/chunks")
@spec.validate(resp=Answers(HTTP_200=ChunkList, HTTP_404=Problem), tags=[DOCUMENTS])
def document_chunks(document_id: str):
    """Its chunks, in order. chunk_file_path is the address of the chunk's PDF."""
    document, links = requested.readable(document_id), requested.links()
    chunks = current_app.services.catalog.chunks(document)
    return _fixed(document, ChunkList(document_id=document.id, pipeline=document.pipeline, chunks=[
        ChunkOut(
            index=chunk.index, start=chunk.start, end=chunk.end, first_page=chunk.first_page, last_page=chunk.last_page,
            section=chunk.section, chunk_file_path=links.chunk_pdf(chunk), view=links.chunk(chunk),
        )
        for chunk in chunks
    ]))  # fmt: skip


@documents_api.get("/<document_id>/sentences")
@spec.validate(resp=Answers(HTTP_200=SentenceList, HTTP_404=Problem), tags=[DOCUMENTS])
def document_sentences(document_id: str, query: SentenceListQuery):
    """Its sentences, in order; those of one chunk with chunk_index."""
    document = requested.readable(document_id)
    rows = current_app.services.catalog.sentence_places(document, query.chunk_index)
    places = [SentencePlace(index=i, start=s, end=e, page=p, chunk_index=c) for c, i, s, e, p in rows]
    return _fixed(document, SentenceList(document_id=document.id, pipeline=document.pipeline, sentences=places))


@documents_api.get("/<document_id>/events")
@spec.validate(resp=Answers(HTTP_204=None, HTTP_404=Problem), tags=[DOCUMENTS])
def document_events(document_id: str):
    """Its state as server-sent events, whenever it changes, until its reading has ended.

    When many are being followed at once, the stream ends after the state as it is now; an EventSource comes back by
    itself after a second, with Last-Event-ID, and is told what is new. Once all is told, it is sent away with 204.
    """
    document, known = requested.known(document_id), request.headers.get("Last-Event-ID", "")
    if document.state not in UNFINISHED and known == events.event_id(_state(document)):
        return Response(status=204)
    services, key, slots = current_app.services, current_caller().key, current_app.stream_slots
    staying = slots.take()

    def welcome() -> bool:
        """A stop ends the reading, too: whoever follows it comes again to the next server."""
        return not services.is_stopping and services.keys.is_good(key)

    stream = events.stream(lambda: _state_now(document_id), known, staying, welcome)
    return events.reply(carried(stream), ended=slots.give_back if staying else None)


def _state_now(document_id: str) -> tuple[str, bool]:
    """(what there is to tell, whether more will come)"""
    document = current_app.services.catalog.document(document_id)
    if document is None or document.leaving:
        return '{"state": "deleted"}', False
    return _state(document), document.state in UNFINISHED


def _state(document: Document) -> str:
    return described(document).model_dump_json()


def described(document: Document, with_versions: bool = False) -> DocumentOut:
    links = requested.links()
    progress = dict(zip(("stage", "done", "total"), document.progress, strict=True)) if document.progress else None
    versions = current_app.services.catalog.versions(document) if with_versions else []
    return DocumentOut(
        document_id=document.id, collection=document.collection, name=document.name, path=document.path,
        sha256=document.sha256, kind=document.kind, size=document.size, state=document.state,
        reason=document.reason or None, pages=document.pages, chunks=document.chunks, sentences=document.sentences,
        added=document.added, metadata=document.meta, progress=progress, version=document.version,
        current=document.current,
        versions=[{"document_id": v.document_id, "version": v.version, "current": v.current} for v in versions],
        links=_links(document, links),
    )  # fmt: skip


def _links(document: Document, links: Links) -> dict[str, str]:
    state = links.state(document.id)
    found = {"state": state, "events": f"{state}/events", "self": links.document(document.id)}
    found["original"] = links.original(document.id)
    if document.state in READABLE:
        found |= {"pdf": links.pdf(document.id), "text": f"{state}/text"}
        found |= {"chunks": f"{state}/chunks", "sentences": f"{state}/sentences"}
    return found


def _fixed(document: Document, body) -> Response:
    return _tagged(document, lambda: Response(body.model_dump_json(), mimetype="application/json"))


def _tagged(document: Document, make) -> Response:
    """What was read from fixed bytes by one pipeline never changes: a client that has it need not get it again."""
    tag = f"{document.id}-{document.pipeline}"
    answer = Response(status=304) if request.if_none_match.contains(tag) else make()
    answer.set_etag(tag)
    return answer
