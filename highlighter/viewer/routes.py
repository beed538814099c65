"""The pages of a document: each view reads the request, makes one call, and hands a dict to a template."""

from __future__ import annotations

from urllib.parse import quote, urlencode

from flask import Blueprint, current_app, redirect, render_template, request
from markupsafe import Markup

from highlighter.language import language
from highlighter.locale import ENGLISH, LANGUAGES, N_, spoken
from highlighter.locale.choosing import ROOT
from highlighter.models import (
    DAMAGED,
    EMPTY,
    ENCRYPTED,
    FAILED,
    NO_TEXT,
    QUARANTINED,
    READABLE,
    RETRYABLE,
    TIMED_OUT,
    TOO_LARGE,
    UNFINISHED,
    UNSUPPORTED,
)
from highlighter.store import parts
from highlighter.viewer import asking, requested, sought
from highlighter.viewer.answering import remembered
from highlighter.viewer.paging import Pager
from highlighter.viewer.reading import chunk_view
from highlighter.viewer.suggestions import questions_for

viewer = Blueprint("viewer", __name__)

PARTS_ON_A_PAGE = 50
# Why a document cannot be read, in the list of them.
STATES = {
    NO_TEXT: N_("no text"), ENCRYPTED: N_("encrypted"), DAMAGED: N_("damaged"), TOO_LARGE: N_("too large"),
    TIMED_OUT: N_("timed out"), UNSUPPORTED: N_("unsupported"), EMPTY: N_("empty"), FAILED: N_("failed"),
    QUARANTINED: N_("quarantined"),
}  # fmt: skip


@viewer.app_context_processor
def _for_every_page() -> dict:
    return {
        "links": requested.links(),
        "lang_of": _lang_attribute,
        "in_chinese": language,
        "languages": _languages,
        "STATES": STATES,
        "UNFINISHED": UNFINISHED,
        "READABLE": READABLE,
        "RETRYABLE": RETRYABLE,
        "BADGES": sought.BADGES,
        "kept_with_finds": sought.kept_with_finds,
    }


def _lang_attribute(text: str) -> Markup:
    """Of a text that is in another language than the page; what is not Chinese is taken to be English."""
    code = language(text) or ENGLISH
    return Markup(f' lang="{code}"') if code != spoken() and text.strip() else Markup()


def _languages() -> list[tuple[str, str, str]]:
    """(code, name, address) of the page at hand in each language."""
    root, query = request.environ.get(ROOT, ""), request.args.to_dict(flat=False)
    asked = urlencode({key: value for key, value in query.items() if key != "lang"}, doseq=True)
    return [
        (code, name, f"{root}/{code}{quote(request.path)}{'?' if asked else ''}{asked}")
        for code, name in LANGUAGES.items()
    ]


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
        index = parts.holding_page(catalog.engine, found, min(max(page, 1), found.pages))
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
