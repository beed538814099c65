"""The routes below /embed: the viewer in frames of other sites. The signed link in the URL decides what opens."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from flask import Blueprint, Response, current_app, g, redirect, render_template, request
from flask.typing import ResponseReturnValue

from highlighter.access import get_visible_collections, set_current_principal
from highlighter.errors import NotFound
from highlighter.locale import N_
from highlighter.models import READABLE, Chunk, Document
from highlighter.signed_links import CHUNK_SCOPE, DOWNLOAD_PERMISSION, PAGE_PERMISSION, ExpiredLink
from highlighter.store import listing, lookup
from highlighter.store.lookup import require_chunk, require_page
from highlighter.urls import SPAN_PARAMETER
from highlighter.web import file_routes, link_targets, request_context, request_parameters
from highlighter.web.application import current_services
from highlighter.web.assets import ASSET_ENDPOINTS, IMMUTABLE_CACHE_CONTROL, compute_assets_version
from highlighter.web.chunk_page import ChunkPageOptions, render_chunk_page
from highlighter.web.compression import compress_asset, compress_response
from highlighter.web.embed import oembed_routes
from highlighter.web.embed.link_access import (
    OutsideLinkScope,
    RevokedLink,
    build_frame_context,
    build_link_principal,
    build_reach,
    choose_view,
    count_link_request,
    read_grant,
    require_grant,
)
from highlighter.web.embed.themes import build_themed_stylesheet
from highlighter.web.embed_urls import EmbedLinks
from highlighter.web.page_cache import TOKEN_PLACEHOLDER, cache_page
from highlighter.web.request_parameters import parse_count

embed = Blueprint("embed", __name__, url_prefix="/embed")

MAX_DOCUMENTS = 100  # in the list of a collection, for a link that names no document
PRESERVED_PARAMETERS = ("theme", "lang")  # kept in every URL of the viewer


@embed.url_value_preprocessor
def _take_token(_endpoint: str | None, values: dict[str, Any] | None) -> None:
    g.token = (values or {}).pop("token", "")


@embed.before_request
def _authorize_link() -> None:
    """Set the grant, URLs and principal of the request's signed link, and the origins that may frame the page."""
    if not g.token:
        return
    g.grant, g.ancestors = None, current_services().settings.embed_origins
    try:
        grant = read_grant(g.token)
    except (ExpiredLink, RevokedLink) as err:
        g.ancestors = err.grant.origins  # the host page shows the error
        raise
    g.grant, g.ancestors = grant, grant.origins
    preserved_query = {name: request.args[name] for name in PRESERVED_PARAMETERS if name in request.args}
    g.links = EmbedLinks(request.script_root, g.token, grant, preserved_query)
    g.response_placeholders = {g.token: TOKEN_PLACEHOLDER}
    g.page_cache_key = (replace(grant, expires=0, key=""), request.path.replace(g.token, "", 1), request.query_string)
    set_current_principal(build_link_principal(grant))
    count_link_request(g.token)


@embed.after_request
def _add_headers(response: Response) -> Response:
    """Add headers that keep the link out of caches and referrers, and that let a sandboxed frame load the page's parts.

    A sandboxed frame has no origin of its own, so its requests are cross-origin.
    """
    response.headers["Referrer-Policy"] = "no-referrer"
    response.headers["Access-Control-Allow-Origin"] = "*"
    response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    if g.token:
        response.headers["Cache-Control"] = "no-store"
    return response


@embed.after_app_request
def _share_scripts(response: Response) -> Response:
    """Let sandboxed frames, whose requests are cross-origin, load scripts and styles, which are public."""
    if request.endpoint in ASSET_ENDPOINTS:
        response.headers["Access-Control-Allow-Origin"] = "*"
        response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    return compress_asset(response)


@embed.context_processor
def _add_frame_context() -> dict[str, Any]:
    return {"embed": build_frame_context(g.get("links"), g.get("ancestors", ())), "bare": True}


@embed.get("/<any(light, dark):theme>.css")
def style(theme: str) -> ResponseReturnValue:
    """Return the site's stylesheet in a fixed theme."""
    response = Response(build_themed_stylesheet(str(current_app.static_folder), theme), mimetype="text/css")
    is_versioned = request.args.get("v") == compute_assets_version()
    response.headers["Cache-Control"] = IMMUTABLE_CACHE_CONTROL if is_versioned else "no-cache"
    response.add_etag()
    return compress_response(response).make_conditional(request)


@embed.get("/oembed")
def oembed() -> ResponseReturnValue:
    """Return the oEmbed card of a signed link, for programs without a key."""
    return oembed_routes.send_oembed_card(is_signed=True)


@embed.get("/<token>")
@cache_page
def start() -> ResponseReturnValue:
    """Render the chunk that the link opens at, or the span of the document that `at=start-end` names."""
    grant = g.grant
    if not grant.document_id:
        return _render_documents()
    document = request_context.get_readable_document(grant.document_id)
    question = request_parameters.read_question() or grant.question
    parameters = {"page": request.args.get("page", str(grant.page or ""))}
    span = link_targets.parse_span(request.args)
    if span:
        parameters[SPAN_PARAMETER] = request.args[SPAN_PARAMETER]
        return _render_chunk(document, _find_chunk_at(document, span[0]), question, parameters)
    if grant.span and question == grant.question:
        span_parameter = "cited" if question and not grant.quote else SPAN_PARAMETER
        parameters |= {span_parameter: f"{grant.span[0]}-{grant.span[1]}", "quote": grant.quote}
    return _render_chunk(document, _require_granted_chunk(document), question, parameters)


@embed.get("/<token>/<document_id>/<int:index>")
@cache_page
def chunk_page(document_id: str, index: int) -> ResponseReturnValue:
    """Render another chunk of the document, or of another document of the collection."""
    require_grant(document_id, index)
    document = request_context.get_readable_document(document_id)
    parameters = {name: request.args[name] for name in (SPAN_PARAMETER, "page") if name in request.args}
    chunk, span = _find_chunk(document, index), link_targets.parse_span(request.args)
    if span and not (span[0] < chunk.end and chunk.start < span[1]):
        chunk = _find_chunk_at(document, span[0])
    return _render_chunk(document, chunk, request_parameters.read_question() or g.grant.question, parameters)


@embed.get("/<token>/<document_id>/<int:index>.pdf")
def chunk_pdf(document_id: str, index: int) -> ResponseReturnValue:
    require_grant(document_id, index, DOWNLOAD_PERMISSION)
    _find_chunk(request_context.get_readable_document(document_id), index)
    return file_routes.chunk_pdf(document_id, index)


@embed.get("/<token>/<document_id>/pdf")
def pdf(document_id: str) -> ResponseReturnValue:
    _require_whole_document(document_id)
    return file_routes.pdf(document_id)


@embed.get("/<token>/<document_id>/original")
def original(document_id: str) -> ResponseReturnValue:
    _require_whole_document(document_id)
    return file_routes.original(document_id)


@embed.get("/<token>/<document_id>/pages/<int:page>.<any(png, webp):kind>")
def picture(document_id: str, page: int, kind: str) -> ResponseReturnValue:
    _require_page_access(document_id, page)
    return file_routes.picture(document_id, page, kind)


@embed.get("/<token>/<document_id>/pages/<int:page>.json")
def words(document_id: str, page: int) -> ResponseReturnValue:
    _require_page_access(document_id, page)
    return file_routes.words(document_id, page)


@embed.get("/<token>/<document_id>/pages/<int:page>")
def page_view(document_id: str, page: int) -> ResponseReturnValue:
    """Redirect to the page view of the chunk on a page. Without scripts, pages without an image link here."""
    require_grant(document_id, None, PAGE_PERMISSION)
    document, catalog = request_context.get_readable_document(document_id), request_context.get_catalog()
    index = lookup.find_chunk_of_page(catalog.engine, document, require_page(document, page))
    url = g.links.chunk(require_chunk(catalog, document, index), g.grant.question, "page", page)
    if not url:
        raise OutsideLinkScope
    return redirect(url)


def _render_chunk(document: Document, chunk: Chunk, question: str, parameters: dict[str, str]) -> str:
    require_grant(document.id, chunk.index)
    services = current_services()
    services.embedder.wait_until_loaded(services.settings.warm_up_seconds if question else 0)
    view = choose_view(g.grant, request.args.get("view", ""))
    g.links.current_chunk = chunk
    g.links.current_span = parameters.get(SPAN_PARAMETER, "") if SPAN_PARAMETER in request.args else ""
    options = ChunkPageOptions(
        question,
        request_parameters.read_highlight_method(),
        view,
        is_bare=True,
        parameters={name: value for name, value in parameters.items() if value},
        reachable=build_reach(g.grant),
    )
    return render_chunk_page(document, chunk, options)


def _render_documents() -> str:
    catalog = current_services().catalog
    filters = listing.DocumentFilter(get_visible_collections(), READABLE, include_superseded=False)
    documents = listing.list_documents(catalog.engine, filters, MAX_DOCUMENTS)
    first_chunks = [(document, require_chunk(catalog, document, 0)) for document in documents]
    return render_template("embed_documents.html", documents=first_chunks, collection=g.grant.collection)


def _require_granted_chunk(document: Document) -> Chunk:
    """Return the chunk that the link opens at."""
    grant = g.grant
    catalog = request_context.get_catalog()
    return require_chunk(catalog, document, grant.chunk_index, grant.pipeline, grant.chunk_start)


def _find_chunk(document: Document, index: int) -> Chunk:
    """Return the chunk that the URL names; raise OutsideLinkScope when the link is for another chunk alone."""
    if not g.grant.is_same_chunk(request.args.get("v", type=parse_count), request.args.get("start", type=parse_count)):
        raise OutsideLinkScope
    return request_context.get_requested_chunk(document, index)


def _find_chunk_at(document: Document, offset: int) -> Chunk:
    chunk = request_context.get_catalog().chunk_at(document, offset)
    if chunk is None:
        raise NotFound(N_("{name} has no such position.", name=document.name))
    if not g.grant.is_same_chunk(chunk.pipeline, chunk.start):
        raise OutsideLinkScope
    return chunk


def _require_whole_document(document_id: str) -> None:
    require_grant(document_id, None, DOWNLOAD_PERMISSION)
    if g.grant.scope == CHUNK_SCOPE:
        raise OutsideLinkScope


def _require_page_access(document_id: str, page: int) -> None:
    require_grant(document_id, None, PAGE_PERMISSION)
    if g.grant.scope == CHUNK_SCOPE:
        chunk = _require_granted_chunk(request_context.get_readable_document(document_id))
        if request.args.get("v", type=parse_count) != chunk.pipeline or not chunk.first_page <= page <= chunk.last_page:
            raise OutsideLinkScope
