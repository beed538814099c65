"""oEmbed: cards for the URLs of highlights.

`/oembed` describes URLs of the site, as far as the principal may see them; `/embed/oembed` describes signed links.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, urlsplit

from flask import Blueprint, Response, current_app, jsonify, request
from flask.typing import ResponseReturnValue
from markupsafe import Markup
from werkzeug.datastructures import MultiDict
from werkzeug.exceptions import HTTPException

from highlighter.access import VisibleCollections, get_visible_collections
from highlighter.errors import BadRequest, HighlighterError, NotFound
from highlighter.evidence.strength import STRONG
from highlighter.locale import N_
from highlighter.locale.language_negotiation import ENVIRON_ROOT, split_language_prefix
from highlighter.models import Chunk, Document
from highlighter.store.lookup import require_chunk, require_readable_document
from highlighter.web import link_targets, request_parameters
from highlighter.web.application import current_services
from highlighter.web.embed.link_access import OutsideLinkScope, build_link_principal, count_link_request, read_grant
from highlighter.web.excerpts import format_page_range, make_preview_text
from highlighter.web.highlighted_text import HighlightMark, HighlightSpan, build_highlight_spans
from highlighter.web.request_parameters import parse_count

MAX_CARD_WIDTH_PIXELS, MAX_CARD_HEIGHT_PIXELS = 640, 420
MIN_CARD_SIZE_PIXELS = 280

oembed_pages = Blueprint("oembed_pages", __name__)


def build_oembed_card(url: str, is_signed: bool) -> dict[str, Any]:
    """Return the card of a URL. `is_signed` allows signed links alone, because their bearer sends no key."""
    endpoint, values, args = _match_url(url)
    if endpoint in ("embed.start", "embed.chunk_page"):
        return _build_signed_link_card(url, values, args)
    if endpoint != "document_pages.chunk" or is_signed:
        raise NotFound("This URL does not lead to a highlight.")
    document, chunk = _find_document_and_chunk(values["document_id"], values["index"], get_visible_collections(), args)
    span = link_targets.parse_span(args) or link_targets.parse_span(args, "cited")
    question = request_parameters.check_question_length(args.get("q", "").strip())
    return {**_build_card(document, chunk, question, None if args.get("quote") else span), "type": "link"}


def _build_signed_link_card(url: str, values: dict[str, Any], args: dict[str, str]) -> dict[str, Any]:
    grant = read_grant(values["token"])
    count_link_request(values["token"])
    visible = get_visible_collections(build_link_principal(grant))
    document_id, index = values.get("document_id", grant.document_id), values.get("index", grant.chunk_index)
    if not document_id or not grant.is_in_scope(document_id, index):
        raise NotFound("This link does not open at a highlight.")
    is_root = "index" not in values  # the URL of the chunk that the link opens at
    if not (is_root or grant.is_same_chunk(*_read_pipeline_and_start(args))):
        raise OutsideLinkScope
    chunk_args = {"v": str(grant.pipeline), "start": str(grant.chunk_start)} if is_root else args
    document, chunk = _find_document_and_chunk(document_id, index, visible, chunk_args)
    card = _build_card(document, chunk, grant.question, grant.span if is_root and not grant.quote else None)
    width = _read_size_limit("maxwidth", MAX_CARD_WIDTH_PIXELS)
    height = _read_size_limit("maxheight", MAX_CARD_HEIGHT_PIXELS)
    frame = Markup('<iframe src="{}" width="{}" height="{}" title="{}" referrerpolicy="no-referrer"></iframe>').format(
        url, width, height, card["title"]
    )
    return {**card, "type": "rich", "html": str(frame), "width": width, "height": height}


def _match_url(url: str) -> tuple[str, dict[str, Any], dict[str, str]]:
    """Return the endpoint, path values and query parameters of a URL of this service; raise NotFound for any other."""
    try:
        parts = urlsplit(url)
    except ValueError as err:  # an invalid host
        raise NotFound("This is not a valid URL.") from err
    if parts.scheme not in ("http", "https") or parts.netloc != request.host:
        raise NotFound("This URL does not belong to this service.")
    _, path = split_language_prefix(parts.path.removeprefix(request.environ.get(ENVIRON_ROOT, "")))
    try:
        endpoint, values = current_app.url_map.bind(request.host).match(path, "GET")
    except HTTPException as err:
        raise NotFound("This URL does not lead to a highlight.") from err
    return endpoint, dict(values), {name: values[-1] for name, values in parse_qs(parts.query).items()}


def _find_document_and_chunk(
    document_id: str, index: int, visible: VisibleCollections, args: dict[str, str]
) -> tuple[Document, Chunk]:
    catalog = current_services().catalog
    document = require_readable_document(catalog, document_id, visible)
    return document, require_chunk(catalog, document, index, *_read_pipeline_and_start(args))


def _read_pipeline_and_start(args: dict[str, str]) -> tuple[int | None, int | None]:
    """Return the pipeline and the start of the chunk that the parameters of a URL name."""
    parameters = MultiDict(args)
    return parameters.get("v", type=parse_count), parameters.get("start", type=parse_count)


def _build_card(document: Document, chunk: Chunk, question: str, span: tuple[int, int] | None) -> dict[str, Any]:
    services = current_services()
    highlights: list[HighlightSpan] = []
    if span:
        start, end = max(span[0], chunk.start), min(span[1], chunk.end)
        if start < end:
            highlights = [(start, end, HighlightMark(1, -1, 0.0, 0.0, STRONG, is_current=True))]
    elif question and services.embedder.wait_until_loaded(services.settings.warm_up_seconds):
        highlights = build_highlight_spans(services.passage_highlighter.highlight_chunk(question, chunk))
    return {
        "version": "1.0",
        "title": f"{document.name}, page {format_page_range(document, chunk.first_page, chunk.last_page)}",
        "description": make_preview_text(chunk, highlights),
        "provider_name": "Highlighter",
        "provider_url": request.host_url,
        "cache_age": 300,
    }


def _read_size_limit(name: str, default: int) -> int:
    limit = request.args.get(name, 0, type=parse_count) if request.args.get(name) else default
    if limit < MIN_CARD_SIZE_PIXELS:
        raise BadRequest(f"{name} must be a number, {MIN_CARD_SIZE_PIXELS} or more.")
    return min(default, limit)


class UnsupportedOembedFormat(HighlighterError):
    """A request for an oEmbed format other than JSON."""

    status, title = 501, N_("Only JSON is available")


@oembed_pages.get("/oembed")
def oembed() -> ResponseReturnValue:
    """Return the card of a URL of the site."""
    return send_oembed_card(is_signed=False)


def send_oembed_card(is_signed: bool) -> Response:
    if request.args.get("format", "json") != "json":
        raise UnsupportedOembedFormat
    return jsonify(build_oembed_card(request.args.get("url", ""), is_signed))
