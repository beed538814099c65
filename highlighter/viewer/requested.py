"""What the request at hand is about: the documents it names, as far as its asker may see them, and their addresses."""

from __future__ import annotations

from flask import current_app, g, request

from highlighter.access import visible_collections
from highlighter.locale.choosing import ROOT
from highlighter.models import Chunk, Document
from highlighter.store.catalog import Catalog
from highlighter.store.known import known_chunk, known_document, readable_document
from highlighter.viewer.links import Links
from highlighter.viewer.numbers import count
from highlighter.viewer.sought import span_of


def catalog() -> Catalog:
    return current_app.services.catalog


def known(document_id: str) -> Document:
    return known_document(catalog(), document_id, visible_collections())


def readable(document_id: str) -> Document:
    return readable_document(catalog(), document_id, visible_collections())


def chunk(document: Document, index: int) -> Chunk:
    """The one that the address was made for: it may name the pipeline that cut it, and where it began."""
    start, _ = span_of(request.args) or (None, None)
    made_for = request.args.get("v", type=count), request.args.get("start", start, type=count)
    return known_chunk(catalog(), document, index, *made_for)


def lasting() -> Links:
    """Whole addresses, for what is taken along: they say where the service is, and nothing of this reader's language."""
    return Links(request.host_url.rstrip("/") + request.environ.get(ROOT, ""))


def links() -> Links:
    """Addresses as they are written to whoever asks, by way of a proxy or not, by a signed link or not."""
    return g.get("links") or Links(request.script_root)
