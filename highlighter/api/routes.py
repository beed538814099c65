"""/api/v1: each view reads a checked request, makes one call, and formats."""

from __future__ import annotations

from flask import Blueprint, current_app, render_template, request
from spectree import Response, SpecTree
from spectree.model_adapter.pydantic_adapter import PydanticModelAdapter
from spectree.models import Tag

from highlighter.access import visible_collections
from highlighter.api.hits import as_answer
from highlighter.api.problems import invalid
from highlighter.api.reference import operations
from highlighter.api.schemas import (
    DocumentOut,
    HighlightAnswer,
    HighlightQuery,
    HighlightRequest,
    Problem,
    SearchAnswer,
    SearchRequest,
    SentenceOut,
    UploadForm,
)  # fmt: skip
from highlighter.errors import BadRequest, WrongMedia
from highlighter.models import Document, Evidence
from highlighter.viewer.chunks import known_chunk, known_document, readable_document
from highlighter.viewer.links import Links
from highlighter.viewer.routes import chunk_view, hand_in, remembered


class _Adapter(PydanticModelAdapter):
    def validation_errors(self, err):
        """Without what was sent, which may be a file and no JSON."""
        return err.errors(include_input=False, include_url=False, include_context=False)


def _refuse(_request, _response, err, _instance, _adapter) -> None:
    if err is not None:
        raise invalid(err)


spec = SpecTree(
    "flask",
    title="Highlighter",
    version="1",
    path="openapi",  # served below: a path of spectree's own hides every route that begins with it
    page_templates={},
    mode="strict",
    before=_refuse,
    model_adapter=_Adapter(),
    validation_error_status=400,
    validation_error_model=Problem,
    naming_strategy=lambda model: model.__name__,
    nested_naming_strategy=lambda _parent, child: child,
)
api = Blueprint("api", __name__, url_prefix="/api/v1")
DOCUMENTS, HIGHLIGHTS, SEARCH = Tag(name="documents"), Tag(name="highlights"), Tag(name="search")


@api.before_request
def _refuse_other_media() -> None:
    if request.method != "POST":
        return
    if request.endpoint == "api.upload":
        if request.mimetype != "multipart/form-data":
            raise WrongMedia("Send the file as multipart/form-data, in a part named file.")
    elif not request.is_json:
        raise WrongMedia("Send the request as application/json.")
    elif request.get_json(silent=True) is None:
        raise BadRequest("The body is not JSON.")


@api.get("/openapi.json")
def openapi():
    return spec.spec


@api.get("/")
def reference():
    """The same for people."""
    return render_template("api.html", operations=operations(spec.spec, request.host_url.rstrip("/")))


@api.get("/chunks/highlight")
@remembered
@spec.validate(tags=[HIGHLIGHTS])
def chunk_highlight(query: HighlightQuery):
    """The chunk as a page (text/html), its sentences lit by their similarity to the sub-question."""
    services = current_app.services
    services.embedder.wait(services.settings.warm_up_seconds)
    document = readable_document(services.catalog, query.document_id, visible_collections())
    chunk = known_chunk(services.catalog, document, query.chunk_index, query.v, query.start)
    return chunk_view(document, chunk, query.sub_question, query.method or "", bare=True)


@api.post("/highlight")
@spec.validate(resp=Response(HTTP_200=HighlightAnswer, HTTP_404=Problem), tags=[HIGHLIGHTS])
def highlight(json: HighlightRequest):
    """Every sentence of a text, or of a chunk, with its similarity and score."""
    services = current_app.services
    services.embedder.wait(services.settings.warm_up_seconds)
    how = {"method": json.method or "", "threshold": json.threshold}
    if json.text is not None:
        return _answer(services.passages.text(json.question, json.text, **how))
    document = readable_document(services.catalog, json.document_id, visible_collections())
    chunk = known_chunk(services.catalog, document, json.chunk_index)
    return _answer(services.passages.chunk(json.question, chunk, **how))


@api.post("/search")
@spec.validate(resp=Response(HTTP_200=SearchAnswer), tags=[SEARCH])
def search(json: SearchRequest):
    """The chunks that answer a question best, by meaning and by words, with their best sentences."""
    services = current_app.services
    services.embedder.wait(services.settings.warm_up_seconds)
    where = {**json.where, "collection": json.collection} if json.collection else json.where
    found = services.search.find(json.question, json.limit, visible_collections(), where, json.min_score)
    return as_answer(json.question, found, Links(request.script_root))


@api.post("/documents")
@spec.validate(resp=Response(HTTP_202=DocumentOut), tags=[DOCUMENTS])
def upload(form: UploadForm):
    """Takes one file in. It is read in the background: follow `links.state`."""
    document = hand_in(form.file, form.collection)
    body = _document(document)
    return body, 202, {"Location": body.links["state"]}


@api.get("/documents/<document_id>")
@spec.validate(resp=Response(HTTP_200=DocumentOut, HTTP_404=Problem), tags=[DOCUMENTS])
def document_state(document_id: str):
    """What a document is and how far its reading has come."""
    return _document(known_document(current_app.services.catalog, document_id, visible_collections()))


def _answer(evidence: Evidence) -> HighlightAnswer:
    sentences = [
        SentenceOut(
            index=scored.sentence.index, start=scored.sentence.start, end=scored.sentence.end,
            text=scored.sentence.text, similarity=scored.similarity, score=scored.score, highlighted=scored.highlighted,
        )
        for scored in evidence.sentences
    ]  # fmt: skip
    return HighlightAnswer(
        sentences=sentences, threshold=evidence.threshold, method=evidence.method, degraded=evidence.degraded or None
    )


def _document(document: Document) -> DocumentOut:
    links = Links(request.script_root)
    progress = dict(zip(("stage", "done", "total"), document.progress, strict=True)) if document.progress else None
    return DocumentOut(
        document_id=document.id, collection=document.collection, name=document.name, sha256=document.sha256,
        kind=document.kind, size=document.size, state=document.state, reason=document.reason or None,
        pages=document.pages, chunks=document.chunks, sentences=document.sentences, added=document.added,
        progress=progress,
        links={
            "state": links.state(document.id), "self": links.document(document.id),
            "original": links.original(document.id), "pdf": links.pdf(document.id),
        },
    )  # fmt: skip
