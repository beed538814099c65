"""The pages that search the library, locate quotes, and lead to the finds within a document."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, request
from flask.typing import ResponseReturnValue

from highlighter.access import get_visible_collections
from highlighter.errors import BadRequest
from highlighter.locale import N_
from highlighter.models import READABLE, Document, QuoteLocation, SearchOutcome
from highlighter.quotes.significance import list_content_words
from highlighter.search import DEFAULT_HITS, MAX_HITS, MAX_QUESTION_CHARACTERS
from highlighter.search.quote_locator import MAX_CONTEXT_CHARACTERS
from highlighter.store import listing
from highlighter.store.listing import DocumentFilter
from highlighter.web import request_context, request_parameters
from highlighter.web.application import current_services
from highlighter.web.excerpts import present_search_hit
from highlighter.web.link_targets import build_first_find_url
from highlighter.web.request_parameters import parse_count

search_pages = Blueprint("search_pages", __name__)

HITS_PER_SHOW_MORE = 20


@search_pages.get("/search")
def search() -> ResponseReturnValue:
    services, visible = current_services(), get_visible_collections()
    question, collection = request_parameters.read_unchecked_question(), request.args.get("collection", "")
    too_long = len(question) > MAX_QUESTION_CHARACTERS
    is_loading = bool(question) and request_parameters.is_model_loading()
    limit = min(max(request.args.get("limit", DEFAULT_HITS, type=parse_count), 1), MAX_HITS)
    outcome = SearchOutcome(())
    if question and not (too_long or is_loading):
        filters = {"collection": collection} if collection else None
        outcome = services.search.find(question, limit, visible, filters)
    page = render_template(
        "search.html",
        question=question,
        collection=collection,
        collections=listing.list_collections(services.catalog.engine, visible),
        totals=listing.count_totals(services.catalog.engine, listing.DocumentFilter(visible, include_superseded=False)),
        results=[present_search_hit(hit) for hit in outcome.hits],
        degraded=outcome.degraded,
        is_model_loading=is_loading,
        max_question_characters=MAX_QUESTION_CHARACTERS if too_long else 0,
        next_limit=min(limit + HITS_PER_SHOW_MORE, MAX_HITS) if len(outcome.hits) == limit < MAX_HITS else 0,
    )
    return page, 400 if too_long else 200


# Quotes: a form that locates them, and permanent links that open them; finds within a document.

quote_pages = Blueprint("quote_pages", __name__)

# So many words of a quote that is not found are offered as searches of their own.
MAX_SUGGESTED_WORDS = 2
MAX_LISTED_DOCUMENTS = 200


@quote_pages.get("/open")
def open_quote() -> ResponseReturnValue:
    """Redirect to a located quote, or show that no passage says it and which one is nearest."""
    quote, sha256 = request.args.get("quote", "").strip(), request.args.get("document", "")
    if not quote and not sha256:
        return render_template(
            "quote.html", location=None, document=None, documents=list_selectable_documents(), quote=""
        )
    document = read_chosen_document()
    location = _locate_quote(quote, sha256, document)
    if location.place is not None:
        return redirect(request_context.get_links().quote_match(location.place, quote))
    page = render_template(
        "quote.html",
        location=location,
        document=document,
        documents=list_selectable_documents(document),
        quote=quote,
        words=" ".join(list_content_words(quote)[:MAX_SUGGESTED_WORDS]),
    )
    return page, 404


@quote_pages.get("/documents/<document_id>/find")
def find_in_document(document_id: str) -> ResponseReturnValue:
    """Redirect to the first find in the open chunk or after it."""
    document = request_context.get_readable_document(document_id)
    return redirect(build_first_find_url(current_services(), document, request.args, request_context.get_links()))


def _locate_quote(quote: str, sha256: str, document: Document | None) -> QuoteLocation:
    services, visible = current_services(), get_visible_collections()
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
        raise BadRequest(N_("{name} is not a valid offset: offsets count code points from 0.", name=name)) from None


def read_chosen_document() -> Document | None:
    """Return the document that the form names, if it names one."""
    document_id = request.values.get("in", "")
    return request_context.get_readable_document(document_id) if document_id else None


def list_selectable_documents(chosen: Document | None = None) -> list[Document]:
    """Return the documents for the form to choose from: the latest ones, and the chosen one."""
    services = current_services()
    document_filter = DocumentFilter(get_visible_collections(), READABLE, include_superseded=False)
    latest = listing.list_documents(services.catalog.engine, document_filter, MAX_LISTED_DOCUMENTS)
    documents = {document.id: document for document in latest}
    if chosen is not None:
        documents[chosen.id] = chosen
    return sorted(documents.values(), key=lambda document: document.name)
