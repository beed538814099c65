"""The pages of a document: each view reads the request, makes one call, and hands a dict to a template."""

from __future__ import annotations

from flask import Blueprint, current_app, redirect, render_template, request
from markupsafe import Markup

from highlighter.language import language
from highlighter.models import READABLE, UNFINISHED
from highlighter.store import parts
from highlighter.viewer import asking, requested, sought
from highlighter.viewer.answering import remembered
from highlighter.viewer.paging import Pager
from highlighter.viewer.reading import chunk_view
from highlighter.viewer.suggestions import questions_for

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
        "kept_with_finds": sought.kept_with_finds,
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
    return chunk_view(found, wanted, asking.question(), asking.method(), view=request.args.get("view", ""))
