"""The pages of a document: each view reads the request, makes one call, and hands a dict to a template."""

from __future__ import annotations

from functools import wraps
from pathlib import Path

from flask import Blueprint, Response, current_app, g, redirect, render_template, request, send_file
from markupsafe import Markup

from highlighter.access import visible_collections
from highlighter.embedder import WARM
from highlighter.errors import NotFound
from highlighter.models import READABLE, UNFINISHED, Chunk, Document
from highlighter.settings import METHODS
from highlighter.store import parts
from highlighter.viewer import asking, render, sought
from highlighter.viewer.chunks import known_chunk, known_document, readable_document
from highlighter.viewer.headers import new_nonce
from highlighter.viewer.language import language
from highlighter.viewer.links import Links
from highlighter.viewer.pages import page_name
from highlighter.viewer.paging import Pager
from highlighter.viewer.suggestions import questions_for

_A_NONCE = "nonce-to-be-put-here"  # in a remembered page, where each answer's own nonce goes


def remembered(view):
    """Answers with the page made before for this address, as long as nothing was written since."""

    @wraps(view)
    def answer(*args, **kwargs):
        services = current_app.services
        if services.embedder.state != WARM:
            return view(*args, **kwargs)
        key = (visible_collections(), request.script_root, request.full_path)
        version = services.catalog.version()
        page = services.pages.get(key, version)
        if page is None:
            made = current_app.make_response(view(*args, **kwargs))
            if made.status_code != 200:
                return made
            page = made.get_data(as_text=True).replace(nonce(), _A_NONCE)
            services.pages.keep(key, version, page)
        return Response(page.replace(_A_NONCE, nonce()), mimetype="text/html")

    return answer


def nonce() -> str:
    """One for each answer; its scripts carry it, and its policy names it."""
    if "nonce" not in g:
        g.nonce = new_nonce()
    return g.nonce


viewer = Blueprint("viewer", __name__)

PARTS_ON_A_PAGE = 50
MEDIA_TYPES = {
    "pdf": "application/pdf",
    "txt": "text/plain",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
}


@viewer.app_context_processor
def _for_every_page() -> dict:
    return {
        "links": Links(request.script_root),
        "lang_of": _lang_attribute,
        "UNFINISHED": UNFINISHED,
        "READABLE": READABLE,
        "BADGES": sought.BADGES,
    }


def _lang_attribute(text: str) -> Markup:
    code = language(text)
    return Markup(f' lang="{code}"') if code else Markup()


@viewer.get("/documents/<document_id>")
def document(document_id: str):
    found = known_document(_catalog(), document_id, visible_collections())
    question, links = asking.question(), Links(request.script_root)
    if question and found.chunks and not asking.warming():
        chunk = current_app.services.search.best_chunk(question, found)
        if chunk is not None:
            return redirect(links.chunk(chunk, question))
    if found.chunks and (page := request.args.get("page", type=int)):
        index = parts.holding_page(_catalog().engine, found, min(page, found.pages))
        return redirect(links.part(found.id, index, index // PARTS_ON_A_PAGE + 1))
    pager = Pager.at(request.args.get("parts", type=int), PARTS_ON_A_PAGE, found.chunks)
    return render_template(
        "document.html",
        document=found,
        newer=_catalog().newer(found),
        chunks=parts.page(_catalog().engine, found, pager.size, pager.offset) if found.state in READABLE else [],
        pager=pager,
        question=question,
        warming=bool(question) and asking.warming(),
        suggestions=questions_for(found.sha256),
    )


@viewer.get("/documents/<document_id>/chunks/<int:index>")
@remembered
def chunk(document_id: str, index: int):
    found = readable_document(_catalog(), document_id, visible_collections())
    wanted = known_chunk(_catalog(), found, index, request.args.get("v", type=int), request.args.get("start", type=int))
    return chunk_view(found, wanted, asking.question(), request.args.get("method", ""))


def chunk_view(document: Document, chunk: Chunk, question: str, method: str = "", bare: bool = False):
    """The one view of a chunk, with the site around it or without."""
    services = current_app.services
    asked = services, document, chunk, request.args, Links(request.script_root)
    finds = sought.finds(*asked)
    quoted = None if finds else sought.quoted(*asked)
    looked_for = finds or quoted
    question = "" if looked_for else question
    warming = bool(question) and not bare and asking.warming()
    if question and not warming:
        evidence = services.passages.chunk(question, chunk, method if method in METHODS else "")
    else:
        sentences, _ = services.catalog.sentences(chunk, services.embedder.name)
        evidence = services.passages.plain(sentences)
    lit = list(looked_for.marks) if looked_for else render.marks(evidence)
    newer = services.catalog.newer(document)
    return render_template(
        "chunk.html",
        document=document,
        newer=newer,
        laters=sought.laters(services, document, [(start, end) for start, end, _ in lit]) if newer else [],
        finds=finds,
        quoted=quoted,
        chunk=chunk,
        question=question,
        evidence=evidence,
        blocks=render.segments(chunk, evidence, looked_for.marks if looked_for else None),
        lit=[mark for _, _, mark in lit],
        warming=warming,
        bare=bare,
        page_name=page_name(document, chunk.first_page, chunk.last_page),
        previous=services.catalog.chunk(document, chunk.index - 1, chunk.pipeline) if chunk.index else None,
        next=services.catalog.chunk(document, chunk.index + 1, chunk.pipeline),
    )


@viewer.get("/documents/<document_id>/chunks/<int:index>.pdf")
def chunk_pdf(document_id: str, index: int):
    found = readable_document(_catalog(), document_id, visible_collections())
    wanted = known_chunk(_catalog(), found, index, request.args.get("v", type=int), request.args.get("start", type=int))
    path = current_app.services.files.chunk_pdf(wanted.document_id, wanted.pipeline, wanted.index)
    return _file(path, "pdf", f"{Path(found.name).stem}, part {index + 1}.pdf")


@viewer.get("/documents/<document_id>/original")
def original(document_id: str):
    """The user's own bytes. What a browser cannot show safely by itself is offered for saving."""
    found = known_document(_catalog(), document_id, visible_collections())
    kind = found.kind if found.kind in ("pdf", "txt") else ""
    path = current_app.services.files.original(found.sha256)
    return _file(path, kind or found.kind, found.name, save=not kind)


@viewer.get("/documents/<document_id>/pdf")
def pdf(document_id: str):
    """The paged form: the original when that is a PDF, else the one we typeset, whose page numbers are ours."""
    found = readable_document(_catalog(), document_id, visible_collections())
    path = current_app.services.files.typeset_pdf(found.id, found.pipeline)
    if found.kind == "pdf" and not path.is_file():
        return original(document_id)
    return _file(path, "pdf", f"{Path(found.name).stem}.pdf")


def _file(path: Path, kind: str, name: str, save: bool = False):
    if not path.is_file():
        raise NotFound(f"The file {name} is not there. Taking the document in again makes it anew.")
    return send_file(
        path,
        mimetype=MEDIA_TYPES.get(kind, "application/octet-stream"),
        as_attachment=save,
        download_name=name,
        conditional=True,
        max_age=0,
    )


def _catalog():
    return current_app.services.catalog
