"""The documents that the current request names, as far as its principal sees them, and the URLs for its response."""

from __future__ import annotations

from typing import cast

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
    """Return a document in any state; raise NotFound when the principal does not see it."""
    return require_document(get_catalog(), document_id, get_visible_collections())


def get_readable_document(document_id: str) -> Document:
    """Return a document whose text is there; raise for any other."""
    return require_readable_document(get_catalog(), document_id, get_visible_collections())


def get_requested_chunk(document: Document, index: int) -> Chunk:
    """Return the chunk that the URL was made for: it may name the pipeline that cut the chunk, and the chunk's start."""
    start, _ = parse_span(request.args) or (None, None)
    pipeline = request.args.get("v", type=parse_count)
    return require_chunk(get_catalog(), document, index, pipeline, request.args.get("start", start, type=parse_count))


def build_absolute_links() -> Links:
    """Return whole URLs, for texts that leave the page: with the host, and without the language of this reader."""
    return Links(request.host_url.rstrip("/") + request.environ.get(ENVIRON_ROOT, ""))


def get_links() -> Links:
    """Return the URLs for this response, below the prefix of a proxy or the token of a signed link."""
    return cast(Links, g.get("links")) or Links(request.script_root)
