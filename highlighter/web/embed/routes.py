"""/embed: the viewer in other people's pages. What a reader may open, the link in its address says, and nothing else."""

from __future__ import annotations

from dataclasses import replace

from flask import Blueprint, Response, current_app, g, redirect, render_template, request

from highlighter.access import get_visible_collections, set_current_principal
from highlighter.errors import NotFound
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

MAX_DOCUMENTS = 100  # of a collection, where a link says no place in it
PRESERVED_PARAMETERS = ("theme", "lang")  # by every address a reader comes to


@embed.url_value_preprocessor
def _take_token(_endpoint: str | None, values: dict | None) -> None:
    g.token = (values or {}).pop("token", "")


@embed.before_request
def _authorize_link() -> None:
    """Whoever shows a link may see what it grants, and may show it in the pages that it names."""
    if not g.token:
        return
    g.grant, g.ancestors = None, current_services().settings.embed_origins
    try:
        grant = read_grant(g.token)
    except (ExpiredLink, RevokedLink) as err:
        g.ancestors = err.grant.origins  # their page is to be told that it is over
        raise
    g.grant, g.ancestors = grant, grant.origins
    g.links = EmbedLinks(
        request.script_root, g.token, grant, {k: request.args[k] for k in PRESERVED_PARAMETERS if k in request.args}
    )
    g.response_placeholders = {g.token: TOKEN_PLACEHOLDER}
    g.page_cache_key = (replace(grant, expires=0, key=""), request.path.replace(g.token, "", 1), request.query_string)
    set_current_principal(build_link_principal(grant))
    count_link_request(g.token)


@embed.after_request
def _add_headers(response: Response) -> Response:
    """Kept by nobody, told to nobody; and to be had by a frame in a sandbox, which has no origin of its own."""
    response.headers["Referrer-Policy"] = "no-referrer"
    response.headers["Access-Control-Allow-Origin"] = "*"
    response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    if g.token:
        response.headers["Cache-Control"] = "no-store"
    return response


@embed.after_app_request
def _share_scripts(response: Response) -> Response:
    """Scripts and styles are everybody's, and a frame in a sandbox asks for them as a stranger."""
    if request.endpoint in ASSET_ENDPOINTS:
        response.headers["Access-Control-Allow-Origin"] = "*"
        response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    return compress_asset(response)


@embed.context_processor
def _add_frame_context() -> dict:
    return {"embed": build_frame_context(g.get("links"), g.get("ancestors", ())), "bare": True}


@embed.get("/<any(light, dark):theme>.css")
def style(theme: str):
    """The site's stylesheet, as it is in one of its themes whatever the reader's system prefers."""
    answer = Response(build_themed_stylesheet(current_app.static_folder, theme), mimetype="text/css")
    answer.headers["Cache-Control"] = (
        IMMUTABLE_CACHE_CONTROL if request.args.get("v") == compute_assets_version() else "no-cache"
    )
    answer.add_etag()
    return compress_response(answer).make_conditional(request)


@embed.get("/oembed")
def oembed():
    """What a signed link stands for, where it is pasted; asked by programs that have no key."""
    return oembed_routes.send_oembed_card(is_signed=True)


@embed.get("/<token>")
@cache_page
def start():
    """The place that the link was made for, or another within its reach: `at=start-end`."""
    grant = g.grant
    if not grant.document_id:
        return _render_documents()
    found = request_context.get_readable_document(grant.document_id)
    asked = request_parameters.read_question() or grant.question
    look = {"page": request.args.get("page", str(grant.page or ""))}
    span = link_targets.parse_span(request.args)
    if span:
        return _render_chunk(
            found, _find_chunk_at(found, span[0]), asked, {**look, SPAN_PARAMETER: request.args[SPAN_PARAMETER]}
        )
    if grant.span and asked == grant.question:
        named = "cited" if asked and not grant.quote else SPAN_PARAMETER
        look |= {named: f"{grant.span[0]}-{grant.span[1]}", "quote": grant.quote}
    chunk = require_chunk(request_context.get_catalog(), found, grant.chunk_index, grant.pipeline, grant.chunk_start)
    return _render_chunk(found, chunk, asked, look)


@embed.get("/<token>/<document_id>/<int:index>")
@cache_page
def chunk_page(document_id: str, index: int):
    """Another part of the document, or of another document of the collection."""
    require_grant(document_id, index)
    found = request_context.get_readable_document(document_id)
    look = {name: request.args[name] for name in (SPAN_PARAMETER, "page") if name in request.args}
    chunk, span = _find_chunk(found, index), link_targets.parse_span(request.args)
    if span and not (span[0] < chunk.end and chunk.start < span[1]):
        chunk = _find_chunk_at(found, span[0])
    return _render_chunk(found, chunk, request_parameters.read_question() or g.grant.question, look)


@embed.get("/<token>/<document_id>/<int:index>.pdf")
def chunk_pdf(document_id: str, index: int):
    require_grant(document_id, index, DOWNLOAD_PERMISSION)
    _find_chunk(request_context.get_readable_document(document_id), index)
    return file_routes.chunk_pdf(document_id, index)


@embed.get("/<token>/<document_id>/pdf")
def pdf(document_id: str):
    _require_whole_document(document_id)
    return file_routes.pdf(document_id)


@embed.get("/<token>/<document_id>/original")
def original(document_id: str):
    _require_whole_document(document_id)
    return file_routes.original(document_id)


@embed.get("/<token>/<document_id>/pages/<int:page>.<any(png, webp):kind>")
def picture(document_id: str, page: int, kind: str):
    _require_page_access(document_id, page)
    return file_routes.picture(document_id, page, kind)


@embed.get("/<token>/<document_id>/pages/<int:page>.json")
def words(document_id: str, page: int):
    _require_page_access(document_id, page)
    return file_routes.words(document_id, page)


@embed.get("/<token>/<document_id>/pages/<int:page>")
def page_view(document_id: str, page: int):
    """Without a script, pages that are not drawn lead here."""
    require_grant(document_id, None, PAGE_PERMISSION)
    found, catalog = request_context.get_readable_document(document_id), request_context.get_catalog()
    index = lookup.find_chunk_of_page(catalog.engine, found, require_page(found, page))
    address = g.links.chunk(require_chunk(catalog, found, index), g.grant.question, "page", page)
    if not address:
        raise OutsideLinkScope
    return redirect(address)


def _render_chunk(document: Document, chunk: Chunk, question: str, view_query: dict[str, str]):
    require_grant(document.id, chunk.index)
    services = current_services()
    services.embedder.wait_until_loaded(services.settings.warm_up_seconds if question else 0)
    view = choose_view(g.grant, request.args.get("view", ""))
    g.links.current_chunk, g.links.current_span = (
        chunk,
        view_query.get(SPAN_PARAMETER, "") if SPAN_PARAMETER in request.args else "",
    )
    options = ChunkPageOptions(
        question,
        request_parameters.read_highlight_method(),
        view,
        is_bare=True,
        parameters={name: value for name, value in view_query.items() if value},
        reachable=build_reach(g.grant),
    )
    return render_chunk_page(document, chunk, options)


def _render_documents():
    services = current_services()
    wanted = listing.DocumentFilter(get_visible_collections(), READABLE, include_superseded=False)
    found = listing.list_documents(services.catalog.engine, wanted, MAX_DOCUMENTS)
    opens = [(document, require_chunk(services.catalog, document, 0)) for document in found]
    return render_template("embed_documents.html", documents=opens, collection=g.grant.collection)


def _find_chunk(document: Document, index: int) -> Chunk:
    if not g.grant.is_same_chunk(request.args.get("v", type=parse_count), request.args.get("start", type=parse_count)):
        raise OutsideLinkScope
    return request_context.get_requested_chunk(document, index)


def _find_chunk_at(document: Document, offset: int) -> Chunk:
    found = request_context.get_catalog().chunk_at(document, offset)
    if found is None:
        raise NotFound(f"{document.name} has no such place.")
    if not g.grant.is_same_chunk(found.pipeline, found.start):
        raise OutsideLinkScope
    return found


def _require_whole_document(document_id: str) -> None:
    require_grant(document_id, None, DOWNLOAD_PERMISSION)
    if g.grant.scope == CHUNK_SCOPE:
        raise OutsideLinkScope


def _require_page_access(document_id: str, page: int) -> None:
    require_grant(document_id, None, PAGE_PERMISSION)
    grant = g.grant
    if grant.scope == CHUNK_SCOPE:
        chunk = require_chunk(
            request_context.get_catalog(),
            request_context.get_readable_document(document_id),
            grant.chunk_index,
            grant.pipeline,
            grant.chunk_start,
        )
        if request.args.get("v", type=parse_count) != chunk.pipeline or not chunk.first_page <= page <= chunk.last_page:
            raise OutsideLinkScope
