"""Pages for quotes: a form that says where one stands, links that open one years later, and find in document."""

from __future__ import annotations

from flask import Blueprint, current_app, redirect, render_template, request

from highlighter.access import visible_collections
from highlighter.citations.weight import telling
from highlighter.errors import BadRequest
from highlighter.models import READABLE, Document, Located
from highlighter.search.locate import CONTEXT_AT_MOST
from highlighter.store import listing
from highlighter.store.listing import Wanted
from highlighter.viewer import requested
from highlighter.viewer.numbers import count
from highlighter.viewer.sought import first_find

opening = Blueprint("opening", __name__)

# After a miss these many of its words are offered to be found one by one.
WORDS_OFFERED = 2
DOCUMENTS_OFFERED = 200


@opening.get("/open")
def open_quote():
    """Opens the place a link was made for, or says that it is not there and what is nearest."""
    quote, sha256 = request.args.get("quote", "").strip(), request.args.get("document", "")
    if not quote and not sha256:
        return render_template("quote.html", found=None, document=None, documents=_documents(), quote="")
    document = _chosen()
    found = _looked_for(quote, sha256, document)
    if found.place is not None:
        return redirect(requested.links().place(found.place, quote))
    shown = {"found": found, "document": document, "documents": _documents(document), "quote": quote}
    return render_template("quote.html", **shown, words=" ".join(telling(quote)[:WORDS_OFFERED])), 404


@opening.get("/documents/<document_id>/find")
def find(document_id: str):
    """To the first find at or after the part that is open."""
    document = requested.readable(document_id)
    return redirect(first_find(current_app.services, document, request.args, requested.links()))


def _looked_for(quote: str, sha256: str, document: Document | None) -> Located:
    services, visible = current_app.services, visible_collections()
    hints = {name: request.args.get(name, "")[:CONTEXT_AT_MOST] for name in ("prefix", "suffix")}
    page = request.args.get("page", 0, type=count)
    if document is not None:
        return services.locator.locate(quote, document, visible, page, **hints)
    start, end = _offset("start"), _offset("end")
    return services.reopener.open(sha256, start, end, quote, visible, page=page, **hints)


def _offset(name: str) -> int:
    try:
        return count(request.args.get(name, "0"))
    except ValueError:
        raise BadRequest(f"{name} is not a place in a text: it counts code points from 0.") from None


def _chosen() -> Document | None:
    """The one the form names, by our id."""
    document_id = request.args.get("in", "")
    return requested.readable(document_id) if document_id else None


def _documents(chosen: Document | None = None) -> list[Document]:
    """Those to choose among: not all of a great library, but the latest."""
    services = current_app.services
    wanted = Wanted(visible_collections(), READABLE, superseded=False)
    found = {one.id: one for one in listing.page(services.catalog.engine, wanted, DOCUMENTS_OFFERED)}
    if chosen is not None:
        found[chosen.id] = chosen
    return sorted(found.values(), key=lambda document: document.name)
