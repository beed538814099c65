"""Who reads by a signed link: what they may see, how far they come, and what their page is told of it."""

from __future__ import annotations

from typing import Any

from flask import g, request

from highlighter.access import READ, Principal
from highlighter.errors import Forbidden
from highlighter.locale import N_
from highlighter.signed_links import CHUNK_SCOPE, COLLECTION_SCOPE, PAGE_PERMISSION, VIEW_PERMISSION, Grant
from highlighter.web.application import current_application, current_services
from highlighter.web.assets import build_asset_url, compute_assets_version
from highlighter.web.auth.rate_limit import SIGNED_LINK
from highlighter.web.chunk_page import ReachableContent
from highlighter.web.embed.themes import THEMES
from highlighter.web.embed_urls import EmbedLinks


class OutsideLinkScope(Forbidden):
    title = N_("This link does not lead there")

    def __init__(self) -> None:
        super().__init__("It was made for another document, or another part of it. Ask for one that leads there.")


class RevokedLink(Forbidden):
    title = N_("This link has ended")

    def __init__(self, grant: Grant) -> None:
        super().__init__("The key that it was made with is no longer good. Ask for it again on the page it came from.")
        self.grant = grant


def read_grant(token: str) -> Grant:
    """What a link grants now: it is ours and unaltered, its time is not over, and neither is the key it was made with."""
    services = current_services()
    grant = services.link_keys.verify(token)
    if not services.api_keys.is_valid(grant.key):
        raise RevokedLink(grant)
    return grant


def count_link_request(token: str) -> None:
    """One more request by this link; raises when they are too many. Its signature is what no other link has."""
    current_application().rate_limiter.count_request(SIGNED_LINK, token.rpartition(".")[2])


def build_link_principal(grant: Grant) -> Principal:
    """Sees one collection; what of it, `granted` says."""
    return Principal("a signed link", frozenset({READ}), frozenset({grant.collection}))


def require_grant(document_id: str, chunk: int | None = None, permission: str = "") -> None:
    """Raises for what the link does not open, be it there or not."""
    if not g.grant.is_in_scope(document_id, chunk) or (permission and permission not in g.grant.permissions):
        raise OutsideLinkScope


def build_reach(grant: Grant) -> ReachableContent:
    """What another version says is no part of a document that a link was made for."""
    return ReachableContent(
        includes_neighbours=grant.scope != CHUNK_SCOPE, includes_newer_version=grant.scope == COLLECTION_SCOPE
    )


def choose_view(grant: Grant, requested: str) -> str:
    """What was asked for where it may be seen; else its pages, where the link was made for one of them."""
    views = [
        view for view, needs in (("text", VIEW_PERMISSION), ("page", PAGE_PERMISSION)) if needs in grant.permissions
    ]
    if requested in views:
        return requested
    to_a_page = grant.page and not (grant.question or grant.span)
    return views[-1] if to_a_page else views[0]


def build_frame_context(links: EmbedLinks | None, origins: tuple[str, ...]) -> dict[str, Any]:
    """For the page and its script: who may talk to it, and where it is."""
    theme = request.args.get("theme", "")
    theme = theme if theme in THEMES else "auto"
    styles = {one: f"{request.script_root}/embed/{one}.css?v={compute_assets_version()}" for one in THEMES}
    styles["auto"] = build_asset_url("highlighter.css")
    chunk = links.current_chunk if links else None
    script = {
        "origins": list(origins),
        "root": links.root if links else "",
        "place": links.script_chunk_path(chunk) if chunk else "",
        "styles": styles,
        "document_id": chunk.document_id if chunk else None,
        "chunk_index": chunk.index if chunk else None,
    }
    return {"theme": theme, "may": links.grant.permissions if links else (), "style": styles[theme], "script": script}
