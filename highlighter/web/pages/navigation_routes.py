"""Ways through a long document: its outline, the form that leads to a page, and the list of finds."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, redirect, render_template, request
from flask.typing import ResponseReturnValue

from highlighter.errors import BadRequest
from highlighter.locale import N_
from highlighter.models import Document, InDocumentMatch
from highlighter.store import lookup
from highlighter.store.lookup import require_chunk, require_page
from highlighter.web import link_targets, request_context, request_parameters
from highlighter.web.application import current_services
from highlighter.web.chunk_page import PAGE_VIEW
from highlighter.web.document_outline import build_outline
from highlighter.web.page_cache import cache_page
from highlighter.web.request_parameters import Pager, parse_count_or_zero

navigation_pages = Blueprint("navigation_pages", __name__)

FINDS_PER_PAGE = 100
_CONTEXT_CHARACTERS = 60  # before and after a find


@dataclass(frozen=True, slots=True)
class ListedFind:
    """A find with the text around it, and the URL that shows it."""

    number: int
    page: int
    before: str
    text: str
    after: str
    url: str


@navigation_pages.get("/documents/<document_id>/outline")
@cache_page
def outline(document_id: str) -> ResponseReturnValue:
    """Show the outline of a document, with links into the view that the request names."""
    document = request_context.get_readable_document(document_id)
    entries = build_outline(current_services(), document)
    view = PAGE_VIEW if request.args.get("view") == PAGE_VIEW else ""
    return render_template("outline.html", document=document, outline=entries, view=view)


@navigation_pages.get("/documents/<document_id>/pages")
def go_to_page(document_id: str) -> ResponseReturnValue:
    """Redirect to a page in the page view, or to the text that begins on it."""
    document, catalog = request_context.get_readable_document(document_id), request_context.get_catalog()
    page = require_page(document, _find_page(document, request.args.get("page", "").strip()))
    chunk = require_chunk(catalog, document, lookup.find_chunk_of_page(catalog.engine, document, page))
    view = PAGE_VIEW if request.args.get("view") == PAGE_VIEW else ""
    method = request_parameters.read_highlight_method()
    return redirect(request_context.get_links().chunk(chunk, request_parameters.read_question(), view, page, method))


def _find_page(document: Document, name: str) -> int:
    """Return the page with a number, or else the one on which this is printed as its number."""
    if name.isdecimal():
        return min(int(name[:10]), request_parameters.MAX_NUMBER)
    labels = [label.casefold() for label in document.labels]
    if name.casefold() not in labels:
        raise BadRequest(N_("Enter the number of a page, from 1 to {pages}.", pages=document.pages))
    return labels.index(name.casefold()) + 1


@navigation_pages.get("/documents/<document_id>/finds")
def list_finds(document_id: str) -> str:
    """List the finds of a search within a document: the page of the list with the find that `from_hit=` names."""
    document, args = request_context.get_readable_document(document_id), request.args
    query, by = args.get("find", "").strip(), link_targets.read_find_mode(args)
    if not query:
        raise BadRequest(N_("Enter words to find in the document."))
    results = current_services().document_search.find(document, query, by)
    list_page = parse_count_or_zero(args.get("list", "")) or -(
        -parse_count_or_zero(args.get("from_hit", "")) // FINDS_PER_PAGE
    )
    pager = Pager.for_page(list_page, FINDS_PER_PAGE, len(results.spans))
    preserved = link_targets.pick_preserved_parameters(args)
    open_chunk_index = parse_count_or_zero(args["from"]) if "from" in args else None
    text, links = request_context.get_catalog().text(document), request_context.get_links()
    finds = [
        _build_listed_find(
            text,
            number,
            match,
            link_targets.build_find_url(document, results, number, links, preserved, open_chunk_index),
        )
        for number, match in enumerate(results.spans[pager.offset : pager.offset + pager.size], pager.offset + 1)
    ]
    parameters = {"find": query, "by": by, **preserved, **({"from": open_chunk_index} if "from" in args else {})}
    return render_template(
        "find_list.html", document=document, query=query, finds=finds, pager=pager, parameters=parameters
    )


def _build_listed_find(text: str, number: int, match: InDocumentMatch, url: str) -> ListedFind:
    """Return a find with the rest of its paragraph on both sides, cut off at whole words where it is long."""
    before = text[max(match.start - _CONTEXT_CHARACTERS, 0) : match.start].rpartition("\n")[2]
    after = text[match.end : match.end + _CONTEXT_CHARACTERS].partition("\n")[0]
    if len(before) == _CONTEXT_CHARACTERS:
        before = f"…{before.partition(' ')[2] or before}"
    if len(after) == _CONTEXT_CHARACTERS:
        after = f"{after.rpartition(' ')[0] or after}…"
    return ListedFind(number, match.page, before, text[match.start : match.end], after, url)
