"""What the request at hand is about: the documents it names, as far as its asker may see them, and their addresses."""

from __future__ import annotations

from flask import g, request

from highlighter.access import get_visible_collections
from highlighter.locale.language_negotiation import ENVIRON_ROOT
from highlighter.models import Chunk, Document
from highlighter.store.catalog import Catalog
from highlighter.store.lookup import require_chunk, require_document, require_readable_document
from highlighter.urls import Links
from highlighter.web.application import current_services
from highlighter.web.link_targets import parse_span
from highlighter.web.request_parameters import parse_count


def get_catalog() -> Catalog:
    return current_services().catalog


def get_known_document(document_id: str) -> Document:
    return require_document(get_catalog(), document_id, get_visible_collections())


def get_readable_document(document_id: str) -> Document:
    return require_readable_document(get_catalog(), document_id, get_visible_collections())


def get_requested_chunk(document: Document, index: int) -> Chunk:
    """The one that the address was made for: it may name the pipeline that cut it, and where it began."""
    start, _ = parse_span(request.args) or (None, None)
    made_for = request.args.get("v", type=parse_count), request.args.get("start", start, type=parse_count)
    return require_chunk(get_catalog(), document, index, *made_for)


def build_absolute_links() -> Links:
    """Whole addresses, for what is taken along: they say where the service is, and nothing of this reader's language."""
    return Links(request.host_url.rstrip("/") + request.environ.get(ENVIRON_ROOT, ""))


def get_links() -> Links:
    """Addresses as they are written to whoever asks, by way of a proxy or not, by a signed link or not."""
    return g.get("links") or Links(request.script_root)
