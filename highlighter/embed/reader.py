"""Who reads by a signed link: what they may see, how far they come, and what their page is told of it."""

from __future__ import annotations

from typing import Any

from flask import current_app, g, request

from highlighter.access import READ, Caller
from highlighter.embed.grant import CHUNK, COLLECTION, PAGE, VIEW, Grant
from highlighter.embed.links import EmbedLinks
from highlighter.embed.themes import THEMES
from highlighter.errors import Forbidden
from highlighter.gate.rates import LINK
from highlighter.locale import N_
from highlighter.viewer.assets import asset, version
from highlighter.viewer.reading import Reach


class OutOfReach(Forbidden):
    title = N_("This link does not lead there")

    def __init__(self) -> None:
        super().__init__("It was made for another document, or another part of it. Ask for one that leads there.")


class Ended(Forbidden):
    title = N_("This link has ended")

    def __init__(self, grant: Grant) -> None:
        super().__init__("The key that it was made with is no longer good. Ask for it again on the page it came from.")
        self.grant = grant


def opened(token: str) -> Grant:
    """What a link grants now: it is ours and unaltered, its time is not over, and neither is the key it was made with."""
    services = current_app.services
    grant = services.link_keys.read(token)
    if not services.keys.is_good(grant.key):
        raise Ended(grant)
    return grant


def count_reading(token: str) -> None:
    """One more request by this link; raises when they are too many. Its signature is what no other link has."""
    current_app.rates.take(LINK, token.rpartition(".")[2])


def caller_of(grant: Grant) -> Caller:
    """Sees one collection; what of it, `granted` says."""
    return Caller("a signed link", frozenset({READ}), frozenset({grant.collection}))


def granted(document_id: str, chunk: int | None = None, what: str = "") -> None:
    """Raises for what the link does not open, be it there or not."""
    if not g.grant.reaches(document_id, chunk) or (what and what not in g.grant.may):
        raise OutOfReach


def reach_of(grant: Grant) -> Reach:
    """What another version says is no part of a document that a link was made for."""
    return Reach(around=grant.scope != CHUNK, beyond=grant.scope == COLLECTION)


def usual_view(grant: Grant, asked: str) -> str:
    """What was asked for where it may be seen; else its pages, where the link was made for one of them."""
    views = [view for view, needs in (("text", VIEW), ("page", PAGE)) if needs in grant.may]
    if asked in views:
        return asked
    to_a_page = grant.page and not (grant.question or grant.span)
    return views[-1] if to_a_page else views[0]


def told(links: EmbedLinks | None, origins: tuple[str, ...]) -> dict[str, Any]:
    """For the page and its script: who may talk to it, and where it is."""
    theme = request.args.get("theme", "")
    theme = theme if theme in THEMES else "auto"
    styles = {one: f"{request.script_root}/embed/{one}.css?v={version()}" for one in THEMES}
    styles["auto"] = asset("highlighter.css")
    chunk = links.shown if links else None
    script = {
        "origins": list(origins),
        "root": links.root if links else "",
        "place": links.place_of(chunk) if chunk else "",
        "styles": styles,
        "document_id": chunk.document_id if chunk else None,
        "chunk_index": chunk.index if chunk else None,
    }
    return {"theme": theme, "may": links.grant.may if links else (), "style": styles[theme], "script": script}
