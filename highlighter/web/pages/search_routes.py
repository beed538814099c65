"""The page that searches the whole library."""

from __future__ import annotations

from flask import Blueprint, current_app, redirect, render_template, request

from highlighter.access import get_visible_collections
from highlighter.errors import BadRequest
from highlighter.models import READABLE, Document, QuoteLocation, SearchOutcome
from highlighter.quotes.significance import list_content_words
from highlighter.search import DEFAULT_HITS, MAX_HITS, MAX_QUESTION_CHARACTERS
from highlighter.search.quote_locator import MAX_CONTEXT_CHARACTERS
from highlighter.store import listing
from highlighter.store.listing import DocumentFilter
from highlighter.web import request_context, request_parameters
from highlighter.web.excerpts import present_search_hit
from highlighter.web.link_targets import build_first_find_url
from highlighter.web.request_parameters import parse_count

search_pages = Blueprint("search_pages", __name__)

HITS_PER_SHOW_MORE = 20  # hits that a further look brings


@search_pages.get("/search")
def search():
    services, visible = current_app.services, get_visible_collections()
    question, collection = request_parameters.read_unchecked_question(), request.args.get("collection", "")
    too_long = len(question) > MAX_QUESTION_CHARACTERS
    warming = bool(question) and request_parameters.is_model_loading()
    limit = min(max(request.args.get("limit", DEFAULT_HITS, type=parse_count), 1), MAX_HITS)
    found = SearchOutcome(())
    if question and not (too_long or warming):
        where = {"collection": collection} if collection else None
        found = services.search.find(question, limit, visible, where)
    page = render_template(
        "search.html",
        question=question,
        collection=collection,
        collections=listing.list_collections(services.catalog.engine, visible),
        totals=listing.count_totals(services.catalog.engine, listing.DocumentFilter(visible, include_superseded=False)),
        results=[present_search_hit(hit) for hit in found.hits],
        degraded=found.degraded,
        warming=warming,
        most=MAX_QUESTION_CHARACTERS if too_long else 0,
        more=min(limit + HITS_PER_SHOW_MORE, MAX_HITS) if len(found.hits) == limit < MAX_HITS else 0,
    )
    return page, 400 if too_long else 200


# Pages for quotes: a form that says where one stands, links that open one years later, and find in document.


quote_pages = Blueprint("quote_pages", __name__)

# After a miss these many of its words are offered to be found one by one.
MAX_SUGGESTED_WORDS = 2
MAX_LISTED_DOCUMENTS = 200


@quote_pages.get("/open")
def open_quote():
    """Opens the place a link was made for, or says that it is not there and what is nearest."""
    quote, sha256 = request.args.get("quote", "").strip(), request.args.get("document", "")
    if not quote and not sha256:
        return render_template(
            "quote.html", found=None, document=None, documents=_list_selectable_documents(), quote=""
        )
    document = _read_chosen_document()
    found = _locate_quote(quote, sha256, document)
    if found.place is not None:
        return redirect(request_context.get_links().place(found.place, quote))
    shown = {"found": found, "document": document, "documents": _list_selectable_documents(document), "quote": quote}
    return render_template("quote.html", **shown, words=" ".join(list_content_words(quote)[:MAX_SUGGESTED_WORDS])), 404


@quote_pages.get("/documents/<document_id>/find")
def find_in_document(document_id: str):
    """To the first find at or after the part that is open."""
    document = request_context.get_readable_document(document_id)
    return redirect(build_first_find_url(current_app.services, document, request.args, request_context.get_links()))


def _locate_quote(quote: str, sha256: str, document: Document | None) -> QuoteLocation:
    services, visible = current_app.services, get_visible_collections()
    hints = {name: request.args.get(name, "")[:MAX_CONTEXT_CHARACTERS] for name in ("prefix", "suffix")}
    page = request.args.get("page", 0, type=parse_count)
    if document is not None:
        return services.quote_locator.locate(quote, document, visible, page, **hints)
    start, end = _read_offset("start"), _read_offset("end")
    return services.citation_reopener.reopen(sha256, start, end, quote, visible, page=page, **hints)


def _read_offset(name: str) -> int:
    try:
        return parse_count(request.args.get(name, "0"))
    except ValueError:
        raise BadRequest(f"{name} is not a valid offset: offsets count code points from 0.") from None


def _read_chosen_document() -> Document | None:
    """The one the form names, by our id."""
    document_id = request.args.get("in", "")
    return request_context.get_readable_document(document_id) if document_id else None


def _list_selectable_documents(chosen: Document | None = None) -> list[Document]:
    """Those to choose among: not all of a great library, but the latest."""
    services = current_app.services
    wanted = DocumentFilter(get_visible_collections(), READABLE, include_superseded=False)
    found = {one.id: one for one in listing.list_documents(services.catalog.engine, wanted, MAX_LISTED_DOCUMENTS)}
    if chosen is not None:
        found[chosen.id] = chosen
    return sorted(found.values(), key=lambda document: document.name)
