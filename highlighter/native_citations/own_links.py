"""The links of this service, read back: the document, the chunk, the page and the spans that they name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

from highlighter.signed_links import ExpiredLink, Grant, InvalidLink, LinkKeys

_DOCUMENT_PATH = re.compile(
    r"/documents/(?P<document>[0-9a-f]{32})(?:/chunks/(?P<chunk>\d{1,9})|/pages/(?P<page>\d{1,9}))?(?:[./]|$)"
)
_SIGNED_PATH = re.compile(r"/embed/(?P<token>[\w.-]+)")
_HIGHLIGHT_PATH, _PERMANENT_PATH = "/api/v1/chunks/highlight", "/open"
_SPAN = re.compile(r"(\d{1,9})-(\d{1,9})")
_PAGE_FRAGMENT = re.compile(r"page[=-](\d{1,9})")
_CHUNK_ID = re.compile(r"(?P<document>[0-9a-f]{32})\W{1,2}(?:chunk\W?)?(?P<chunk>\d{1,9})")


@dataclass(frozen=True, slots=True)
class OwnLink:
    """What a link, or the id of a chunk, names."""

    document_id: str = ""
    sha256: str = ""
    chunk_index: int | None = None
    page: int = 0
    spans: tuple[tuple[int, int], ...] = ()
    pipeline: int = 0  # that the spans belong to; 0: unknown
    quote: str = ""


def parse_chunk_id(text: str) -> OwnLink | None:
    """Return what an id of a document and a chunk names, as in "<document id>:3"."""
    match = _CHUNK_ID.fullmatch(text)
    return OwnLink(match["document"], chunk_index=int(match["chunk"])) if match else None


def parse_own_link(url: str, link_keys: LinkKeys) -> OwnLink | None:
    """Return what a URL names, on whatever host the service is reached; None where it is no link of this service."""
    try:
        parts = urlsplit(url)
        query = {name: values[0] for name, values in parse_qs(parts.query, max_num_fields=50).items()}
    except ValueError:
        return None
    if signed := _SIGNED_PATH.search(parts.path):
        return _read_signed_link(signed["token"], link_keys)
    if parts.path.endswith(_PERMANENT_PATH) and ("document" in query or "quote" in query):
        return _read_permanent_link(query)
    fragment_page = _PAGE_FRAGMENT.search(parts.fragment)
    page = int(fragment_page[1]) if fragment_page else _read_number(query, "page")
    spans = tuple((int(start), int(end)) for start, end in _SPAN.findall(query.get("at") or query.get("cited") or ""))
    pipeline, quote = _read_number(query, "v"), query.get("quote", "")
    if parts.path.endswith(_HIGHLIGHT_PATH) and "document_id" in query:
        return OwnLink(
            query["document_id"],
            chunk_index=_read_number(query, "chunk_index"),
            page=page,
            spans=spans,
            pipeline=pipeline,
        )
    match = _DOCUMENT_PATH.search(parts.path)
    if match is None:
        return None
    chunk = int(match["chunk"]) if match["chunk"] else None
    return OwnLink(match["document"], "", chunk, int(match["page"] or page), spans, pipeline, quote)


def _read_signed_link(token: str, link_keys: LinkKeys) -> OwnLink | None:
    """Return what a signed link opens. That its time is over does not change what it names."""
    try:
        grant: Grant = link_keys.verify(token)
    except ExpiredLink as expired:
        grant = expired.grant
    except InvalidLink:
        return None
    spans = (grant.span,) if grant.span else ()
    return OwnLink(grant.document_id, "", grant.chunk_index, grant.page, spans, grant.pipeline, grant.quote)


def _read_permanent_link(query: Mapping[str, str]) -> OwnLink:
    start, end = _read_number(query, "start"), _read_number(query, "end")
    spans = ((start, end),) if start < end else ()
    quote, page = query.get("quote", ""), _read_number(query, "page")
    return OwnLink(sha256=query.get("document", ""), page=page, spans=spans, quote=quote)


def _read_number(query: Mapping[str, str], name: str) -> int:
    value = query.get(name, "")
    return int(value) if value.isascii() and value.isdigit() and len(value) < 10 else 0
