"""/embed: the viewer in other people's pages. What a reader may open, the link in its address says, and nothing else."""

from __future__ import annotations

from dataclasses import replace

from flask import Blueprint, Response, current_app, g, redirect, render_template, request

from highlighter.access import set_caller, visible_collections
from highlighter.embed import card_routes
from highlighter.embed.grant import CHUNK, DOWNLOAD, PAGE
from highlighter.embed.links import EmbedLinks
from highlighter.embed.reader import (
    Ended,
    OutOfReach,
    caller_of,
    count_reading,
    granted,
    opened,
    reach_of,
    told,
    usual_view,
)
from highlighter.embed.signing import Expired
from highlighter.embed.themes import in_theme
from highlighter.errors import NotFound
from highlighter.models import READABLE, Chunk, Document
from highlighter.store import listing, parts
from highlighter.store.known import checked_page, known_chunk
from highlighter.viewer import asking, file_routes, requested, sought
from highlighter.viewer.answering import A_TOKEN, remembered
from highlighter.viewer.assets import ENDPOINTS, FOR_GOOD, version
from highlighter.viewer.links import AT
from highlighter.viewer.numbers import count
from highlighter.viewer.reading import chunk_view
from highlighter.viewer.squeezing import squeeze, squeezed

embed = Blueprint("embed", __name__, url_prefix="/embed")

DOCUMENTS = 100  # of a collection, where a link says no place in it
KEPT = ("theme", "lang")  # by every address a reader comes to


@embed.url_value_preprocessor
def _take_token(_endpoint: str | None, values: dict | None) -> None:
    g.token = (values or {}).pop("token", "")


@embed.before_request
def _open() -> None:
    """Whoever shows a link may see what it grants, and may show it in the pages that it names."""
    if not g.token:
        return
    g.grant, g.ancestors = None, current_app.services.settings.embed_origins
    try:
        grant = opened(g.token)
    except (Expired, Ended) as err:
        g.ancestors = err.grant.origins  # their page is to be told that it is over
        raise
    g.grant, g.ancestors = grant, grant.origins
    g.links = EmbedLinks(request.script_root, g.token, grant, {k: request.args[k] for k in KEPT if k in request.args})
    g.own_words = {g.token: A_TOKEN}
    g.page_key = (replace(grant, expires=0, key=""), request.path.replace(g.token, "", 1), request.query_string)
    set_caller(caller_of(grant))
    count_reading(g.token)


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
    if request.endpoint in ENDPOINTS:
        response.headers["Access-Control-Allow-Origin"] = "*"
        response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    return squeeze(response)


@embed.context_processor
def _in_a_frame() -> dict:
    return {"embed": told(g.get("links"), g.get("ancestors", ())), "bare": True}


@embed.get("/<any(light, dark):theme>.css")
def style(theme: str):
    """The site's stylesheet, as it is in one of its themes whatever the reader's system prefers."""
    answer = Response(in_theme(current_app.static_folder, theme), mimetype="text/css")
    answer.headers["Cache-Control"] = FOR_GOOD if request.args.get("v") == version() else "no-cache"
    answer.add_etag()
    return squeezed(answer).make_conditional(request)


@embed.get("/oembed")
def oembed():
    """What a signed link stands for, where it is pasted; asked by programs that have no key."""
    return card_routes.answer(signed=True)


@embed.get("/<token>")
@remembered
def start():
    """The place that the link was made for, or another within its reach: `at=start-end`."""
    grant = g.grant
    if not grant.document:
        return _documents()
    found = requested.readable(grant.document)
    asked = asking.question() or grant.question
    look = {"page": request.args.get("page", str(grant.page or ""))}
    span = sought.span_of(request.args)
    if span:
        return _part(found, _chunk_at(found, span[0]), asked, {**look, AT: request.args[AT]})
    if grant.span and asked == grant.question:
        named = "cited" if asked and not grant.quote else AT
        look |= {named: f"{grant.span[0]}-{grant.span[1]}", "quote": grant.quote}
    chunk = known_chunk(requested.catalog(), found, grant.chunk, grant.pipeline, grant.begin)
    return _part(found, chunk, asked, look)


@embed.get("/<token>/<document_id>/<int:index>")
@remembered
def part(document_id: str, index: int):
    """Another part of the document, or of another document of the collection."""
    granted(document_id, index)
    found = requested.readable(document_id)
    look = {name: request.args[name] for name in (AT, "page") if name in request.args}
    chunk, span = _chunk(found, index), sought.span_of(request.args)
    if span and not (span[0] < chunk.end and chunk.start < span[1]):
        chunk = _chunk_at(found, span[0])
    return _part(found, chunk, asking.question() or g.grant.question, look)


@embed.get("/<token>/<document_id>/<int:index>.pdf")
def chunk_pdf(document_id: str, index: int):
    granted(document_id, index, DOWNLOAD)
    _chunk(requested.readable(document_id), index)
    return file_routes.chunk_pdf(document_id, index)


@embed.get("/<token>/<document_id>/pdf")
def pdf(document_id: str):
    _whole(document_id)
    return file_routes.pdf(document_id)


@embed.get("/<token>/<document_id>/original")
def original(document_id: str):
    _whole(document_id)
    return file_routes.original(document_id)


@embed.get("/<token>/<document_id>/pages/<int:page>.<any(png, webp):kind>")
def picture(document_id: str, page: int, kind: str):
    _page(document_id, page)
    return file_routes.picture(document_id, page, kind)


@embed.get("/<token>/<document_id>/pages/<int:page>.json")
def words(document_id: str, page: int):
    _page(document_id, page)
    return file_routes.words(document_id, page)


@embed.get("/<token>/<document_id>/pages/<int:page>")
def page_view(document_id: str, page: int):
    """Without a script, pages that are not drawn lead here."""
    granted(document_id, None, PAGE)
    found, catalog = requested.readable(document_id), requested.catalog()
    index = parts.holding_page(catalog.engine, found, checked_page(found, page))
    address = g.links.chunk(known_chunk(catalog, found, index), g.grant.question, "page", page)
    if not address:
        raise OutOfReach
    return redirect(address)


def _part(document: Document, chunk: Chunk, question: str, look: dict[str, str]):
    granted(document.id, chunk.index)
    services = current_app.services
    services.embedder.wait(services.settings.warm_up_seconds if question else 0)
    view = usual_view(g.grant, request.args.get("view", ""))
    g.links.shown, g.links.span = chunk, look.get(AT, "") if AT in request.args else ""
    return chunk_view(
        document, chunk, question, asking.method(), bare=True, view=view,
        asked={name: value for name, value in look.items() if value}, reach=reach_of(g.grant),
    )  # fmt: skip


def _documents():
    services = current_app.services
    wanted = listing.Wanted(visible_collections(), READABLE, superseded=False)
    found = listing.page(services.catalog.engine, wanted, DOCUMENTS)
    opens = [(document, known_chunk(services.catalog, document, 0)) for document in found]
    return render_template("embed_documents.html", documents=opens, collection=g.grant.collection)


def _chunk(document: Document, index: int) -> Chunk:
    if not g.grant.means(request.args.get("v", type=count), request.args.get("start", type=count)):
        raise OutOfReach
    return requested.chunk(document, index)


def _chunk_at(document: Document, place: int) -> Chunk:
    found = requested.catalog().chunk_at(document, place)
    if found is None:
        raise NotFound(f"{document.name} has no such place.")
    if not g.grant.means(found.pipeline, found.start):
        raise OutOfReach
    return found


def _whole(document_id: str) -> None:
    granted(document_id, None, DOWNLOAD)
    if g.grant.scope == CHUNK:
        raise OutOfReach


def _page(document_id: str, page: int) -> None:
    granted(document_id, None, PAGE)
    grant = g.grant
    if grant.scope == CHUNK:
        chunk = known_chunk(
            requested.catalog(), requested.readable(document_id), grant.chunk, grant.pipeline, grant.begin
        )
        if request.args.get("v", type=count) != chunk.pipeline or not chunk.first_page <= page <= chunk.last_page:
            raise OutOfReach
