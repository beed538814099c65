"""oEmbed: what the address of a highlight stands for. Only of what whoever asks may see, by themselves or by the link."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, urlsplit

from flask import Blueprint, current_app, jsonify, request
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
from highlighter.web import highlighted_text, link_targets, request_parameters
from highlighter.web.application import current_services
from highlighter.web.embed.link_access import OutsideLinkScope, build_link_principal, count_link_request, read_grant
from highlighter.web.excerpts import format_page_range, make_preview_text
from highlighter.web.request_parameters import parse_count

MAX_CARD_WIDTH_PIXELS, MAX_CARD_HEIGHT_PIXELS = 640, 420
MIN_CARD_SIZE_PIXELS = 280


def build_oembed_card(url: str, is_signed: bool) -> dict[str, Any]:
    """`signed`: of signed links alone, whose bearer needs no key."""
    endpoint, values, args = _match_url(url)
    if endpoint in ("embed.start", "embed.chunk_page"):
        return _build_signed_link_card(url, values, args)
    if endpoint != "document_pages.chunk" or is_signed:
        raise NotFound("This URL does not lead to a highlight.")
    document, chunk = _find_document_and_chunk(values["document_id"], values["index"], get_visible_collections(), args)
    span = link_targets.parse_span(args) or link_targets.parse_span(args, "cited")
    question = request_parameters.check_question_length(args.get("q", "").strip())
    return {**_build_card(document, chunk, question, None if args.get("quote") else span), "type": "link"}


def _build_signed_link_card(url: str, values: dict, args: dict[str, str]) -> dict[str, Any]:
    grant = read_grant(values["token"])
    count_link_request(values["token"])
    visible = get_visible_collections(build_link_principal(grant))
    document_id, index = values.get("document_id", grant.document), values.get("index", grant.chunk)
    if not document_id or not grant.is_in_scope(document_id, index):
        raise NotFound("This link does not open at a highlight.")
    here = "index" not in values
    if not (here or grant.is_same_chunk(*_read_pipeline_and_start(args))):
        raise OutsideLinkScope
    made_for = {"v": str(grant.pipeline), "start": str(grant.begin)} if here else args
    document, chunk = _find_document_and_chunk(document_id, index, visible, made_for)
    card = _build_card(document, chunk, grant.question, grant.span if here and not grant.quote else None)
    width, height = (
        _read_size_limit(name, most)
        for name, most in (("maxwidth", MAX_CARD_WIDTH_PIXELS), ("maxheight", MAX_CARD_HEIGHT_PIXELS))
    )
    frame = Markup('<iframe src="{}" width="{}" height="{}" title="{}" referrerpolicy="no-referrer"></iframe>').format(
        url, width, height, card["title"]
    )
    return {**card, "type": "rich", "html": str(frame), "width": width, "height": height}


def _match_url(url: str) -> tuple[str, dict[str, Any], dict[str, str]]:
    try:
        parts = urlsplit(url)
    except ValueError as err:  # of a host that nobody can have
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
    """The pipeline that an address names, and where the part began."""
    return MultiDict(args).get("v", type=parse_count), MultiDict(args).get("start", type=parse_count)


def _build_card(document: Document, chunk: Chunk, question: str, span: tuple[int, int] | None) -> dict[str, Any]:
    services, lit = current_services(), []
    if span:
        part = max(span[0], chunk.start), min(span[1], chunk.end)
        lit = (
            [(*part, highlighted_text.HighlightMark(1, -1, 0.0, 0.0, STRONG, is_current=True))]
            if part[0] < part[1]
            else []
        )
    elif question and services.embedder.wait_until_loaded(services.settings.warm_up_seconds):
        lit = highlighted_text.build_highlight_spans(services.passage_highlighter.highlight_chunk(question, chunk))
    return {
        "version": "1.0",
        "title": f"{document.name}, page {format_page_range(document, chunk.first_page, chunk.last_page)}",
        "description": make_preview_text(chunk, lit),
        "provider_name": "Highlighter",
        "provider_url": request.host_url,
        "cache_age": 300,
    }


def _read_size_limit(name: str, default: int) -> int:
    at_most = request.args.get(name, 0, type=parse_count) if request.args.get(name) else default
    if at_most < MIN_CARD_SIZE_PIXELS:
        raise BadRequest(f"{name} must be a number, {MIN_CARD_SIZE_PIXELS} or more.")
    return min(default, at_most)


# /oembed, for the site's own addresses: what whoever asks may see. Signed links tell of themselves at /embed/oembed.


oembed_pages = Blueprint("oembed_pages", __name__)


class UnsupportedOembedFormat(HighlighterError):
    status, title = 501, N_("Only JSON is available")


@oembed_pages.get("/oembed")
def oembed():
    return send_oembed_card(is_signed=False)


def send_oembed_card(is_signed: bool):
    if request.args.get("format", "json") != "json":
        raise UnsupportedOembedFormat
    return jsonify(build_oembed_card(request.args.get("url", ""), is_signed))
