"""oEmbed: what the address of a highlight stands for. Only of what whoever asks may see, by themselves or by the link."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, urlsplit

from flask import current_app, request
from markupsafe import Markup
from werkzeug.datastructures import MultiDict
from werkzeug.exceptions import HTTPException

from highlighter.access import Visible, visible_collections
from highlighter.embed.reader import OutOfReach, caller_of, count_reading, opened
from highlighter.errors import BadRequest, NotFound
from highlighter.locale.choosing import ROOT, parted
from highlighter.models import Chunk, Document
from highlighter.store.known import known_chunk, readable_document
from highlighter.viewer import asking, render, sought
from highlighter.viewer.cards import passage
from highlighter.viewer.numbers import count
from highlighter.viewer.pages import page_name

WIDTH, HEIGHT = 640, 420
NARROWEST = 280


def described(url: str, signed: bool) -> dict[str, Any]:
    """`signed`: of signed links alone, whose bearer needs no key."""
    endpoint, values, args = _meant(url)
    if endpoint in ("embed.start", "embed.part"):
        return _of_link(url, values, args)
    if endpoint != "viewer.chunk" or signed:
        raise NotFound("That address is no highlight's.")
    document, chunk = _found(values["document_id"], values["index"], visible_collections(), args)
    span = sought.span_of(args) or sought.span_of(args, "cited")
    question = asking.checked(args.get("q", "").strip())
    return {**_card(document, chunk, question, None if args.get("quote") else span), "type": "link"}


def _of_link(url: str, values: dict, args: dict[str, str]) -> dict[str, Any]:
    grant = opened(values["token"])
    count_reading(values["token"])
    visible = visible_collections(caller_of(grant))
    document_id, index = values.get("document_id", grant.document), values.get("index", grant.chunk)
    if not document_id or not grant.reaches(document_id, index):
        raise NotFound("That link opens at no highlight.")
    here = "index" not in values
    if not (here or grant.means(*_made_for(args))):
        raise OutOfReach
    made_for = {"v": str(grant.pipeline), "start": str(grant.begin)} if here else args
    document, chunk = _found(document_id, index, visible, made_for)
    card = _card(document, chunk, grant.question, grant.span if here and not grant.quote else None)
    width, height = (_at_most(name, most) for name, most in (("maxwidth", WIDTH), ("maxheight", HEIGHT)))
    frame = Markup('<iframe src="{}" width="{}" height="{}" title="{}" referrerpolicy="no-referrer"></iframe>').format(
        url, width, height, card["title"]
    )
    return {**card, "type": "rich", "html": str(frame), "width": width, "height": height}


def _meant(url: str) -> tuple[str, dict[str, Any], dict[str, str]]:
    try:
        parts = urlsplit(url)
    except ValueError as err:  # of a host that nobody can have
        raise NotFound("That address is no address.") from err
    if parts.scheme not in ("http", "https") or parts.netloc != request.host:
        raise NotFound("That address is not one of ours.")
    _, path = parted(parts.path.removeprefix(request.environ.get(ROOT, "")))
    try:
        endpoint, values = current_app.url_map.bind(request.host).match(path, "GET")
    except HTTPException as err:
        raise NotFound("That address is no highlight's.") from err
    return endpoint, dict(values), {name: values[-1] for name, values in parse_qs(parts.query).items()}


def _found(document_id: str, index: int, visible: Visible, args: dict[str, str]) -> tuple[Document, Chunk]:
    catalog = current_app.services.catalog
    document = readable_document(catalog, document_id, visible)
    return document, known_chunk(catalog, document, index, *_made_for(args))


def _made_for(args: dict[str, str]) -> tuple[int | None, int | None]:
    """The pipeline that an address names, and where the part began."""
    return MultiDict(args).get("v", type=count), MultiDict(args).get("start", type=count)


def _card(document: Document, chunk: Chunk, question: str, span: tuple[int, int] | None) -> dict[str, Any]:
    services, lit = current_app.services, []
    if span:
        part = max(span[0], chunk.start), min(span[1], chunk.end)
        lit = [(*part, render.Mark(1, -1, 0.0, 0.0, render.STRONG_LIT, current=True))] if part[0] < part[1] else []
    elif question and services.embedder.wait(services.settings.warm_up_seconds):
        lit = render.marks(services.passages.chunk(question, chunk))
    return {
        "version": "1.0",
        "title": f"{document.name}, page {page_name(document, chunk.first_page, chunk.last_page)}",
        "description": passage(chunk, lit),
        "provider_name": "Highlighter",
        "provider_url": request.host_url,
        "cache_age": 300,
    }


def _at_most(name: str, usual: int) -> int:
    at_most = request.args.get(name, 0, type=count) if request.args.get(name) else usual
    if at_most < NARROWEST:
        raise BadRequest(f"{name} must be a number, {NARROWEST} or more.")
    return min(usual, at_most)
