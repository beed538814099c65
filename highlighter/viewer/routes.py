"""The pages of a document: each view reads the request, makes one call, and hands a dict to a template."""

from __future__ import annotations

from functools import wraps
from urllib.parse import urlencode

from flask import Blueprint, Response, current_app, g, redirect, render_template, request
from markupsafe import Markup

from highlighter.access import visible_collections
from highlighter.embedder import WARM
from highlighter.errors import NotFound
from highlighter.evidence.explaining import Because, explain
from highlighter.language import language
from highlighter.models import READABLE, UNFINISHED, Chunk, Document, Evidence
from highlighter.pages.pictures import USUAL_WIDTH, WIDTHS
from highlighter.settings import METHODS
from highlighter.store import parts
from highlighter.viewer import asking, render, requested, sought
from highlighter.viewer.headers import new_nonce
from highlighter.viewer.leaves import Lit, leaves
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
            if made.status_code != 200 or g.get("passing"):
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


# What says which span somebody looks for; kept when they turn from the text to the page.
PLACE = ("at", "quote", "find", "by", "hit")

viewer = Blueprint("viewer", __name__)

PARTS_ON_A_PAGE = 50


@viewer.app_context_processor
def _for_every_page() -> dict:
    return {
        "links": requested.links(),
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
    found, catalog = requested.known(document_id), requested.catalog()
    question, links = asking.question(), requested.links()
    if question and found.chunks and not asking.warming():
        chunk = current_app.services.search.best_chunk(question, found)
        if chunk is not None:
            view = "text" if request.args.get("view") == "text" else "page"
            return redirect(links.chunk(chunk, question, view))
    if found.chunks and (page := request.args.get("page", type=int)):
        index = parts.holding_page(catalog.engine, found, min(page, found.pages))
        return redirect(links.part(found.id, index, index // PARTS_ON_A_PAGE + 1))
    pager = Pager.at(request.args.get("parts", type=int), PARTS_ON_A_PAGE, found.chunks)
    return render_template(
        "document.html",
        document=found,
        newer=catalog.newer(found),
        chunks=parts.page(catalog.engine, found, pager.size, pager.offset) if found.state in READABLE else [],
        pager=pager,
        question=question,
        warming=bool(question) and asking.warming(),
        suggestions=questions_for(found.sha256),
    )


@viewer.get("/documents/<document_id>/chunks/<int:index>")
@remembered
def chunk(document_id: str, index: int):
    found = requested.readable(document_id)
    wanted = requested.chunk(found, index)
    view, method = request.args.get("view", ""), request.args.get("method", "")
    return chunk_view(found, wanted, asking.question(), method, view=view)


def chunk_view(document: Document, chunk: Chunk, question: str, method: str = "", bare: bool = False, view: str = ""):
    """A chunk's evidence in its text or on its pages, with the site around it or without."""
    services = current_app.services
    asked = services, document, chunk, request.args, requested.links()
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
    if view == "page":
        template, shown = "paper.html", _on_paper(document, chunk, lit)
    else:
        blocks = render.segments(chunk, evidence, looked_for.marks if looked_for else None)
        template, shown = "chunk.html", {"blocks": blocks}
    return render_template(
        template,
        **shown,
        document=document,
        newer=newer,
        laters=sought.laters(services, document, [(start, end) for start, end, _ in lit]) if newer else [],
        finds=finds,
        quoted=quoted,
        chunk=chunk,
        question=question,
        method=method if method in METHODS else "",
        evidence=evidence,
        lit=[mark for _, _, mark in lit],
        reasons=_reasons(evidence),
        lit_pages=[_page_at(start, chunk, evidence) for start, _, _ in lit],
        same_place=urlencode({key: request.args[key] for key in PLACE if request.args.get(key)}) if looked_for else "",
        warming=warming,
        bare=bare,
        view="page" if view == "page" else "text",
        page_name=page_name(document, chunk.first_page, chunk.last_page),
        previous=services.catalog.chunk(document, chunk.index - 1, chunk.pipeline) if chunk.index else None,
        next=services.catalog.chunk(document, chunk.index + 1, chunk.pipeline),
    )


def _on_paper(document: Document, chunk: Chunk, lit: list[Lit]) -> dict:
    page = request.args.get("page", 0, type=int)
    if page > document.pages:
        raise NotFound(f"{document.name} has no page {page}; its last is {document.pages}.")
    facts = requested.catalog().facts(document)["pages"]
    made = leaves(document, facts, chunk, lit, current_app.services.paper, max(page, 0))
    if made.problem:
        g.passing = True  # perhaps: not to be remembered
    return {"paper": made, "usual_width": USUAL_WIDTH, "widths": WIDTHS}


def _page_at(start: int, chunk: Chunk, evidence: Evidence) -> int:
    """Where what begins at `start` begins on paper."""
    before = [scored.sentence for scored in evidence.sentences if scored.sentence.start <= start]
    return (before[-1].page if before else 0) or chunk.first_page


def _reasons(evidence: Evidence) -> list[Because]:
    """Of the lit sentences, in reading order."""
    if not any(scored.highlighted for scored in evidence.sentences) or evidence.degraded:
        return []
    pairs = zip(evidence.sentences, explain(evidence), strict=True)
    return [because for scored, because in pairs if scored.highlighted]
