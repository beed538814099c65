"""Access by signed links: the grant of a request, what the grant opens, and what the frame's script is told."""

from __future__ import annotations

from typing import Any

from flask import g, request

from highlighter.access import READ, Principal
from highlighter.errors import Forbidden
from highlighter.locale import N_
from highlighter.signed_links import CHUNK_SCOPE, COLLECTION_SCOPE, PAGE_PERMISSION, VIEW_PERMISSION, Grant
from highlighter.web.application import current_application, current_services
from highlighter.web.assets import build_asset_url, compute_assets_version
from highlighter.web.auth.rate_limiter import SIGNED_LINK
from highlighter.web.chunk_page import ReachableContent
from highlighter.web.embed.themes import THEMES
from highlighter.web.embed_urls import EmbedLinks


class OutsideLinkScope(Forbidden):
    """A request for something that its signed link does not open."""

    title = N_("Not covered by this link")

    def __init__(self) -> None:
        super().__init__("This link is for another document or another section. Request a link to this one.")


class RevokedLink(Forbidden):
    """A signed link whose API key was revoked, or has expired."""

    title = N_("This link is no longer valid")

    def __init__(self, grant: Grant) -> None:
        super().__init__("The key that created the link is no longer valid. Open it again from the page it came from.")
        self.grant = grant


def read_grant(token: str) -> Grant:
    """Return the grant of a token; raise InvalidLink, ExpiredLink or RevokedLink when the link is not valid now."""
    services = current_services()
    grant = services.link_keys.verify(token)
    if not services.api_keys.is_valid(grant.key):
        raise RevokedLink(grant)
    return grant


def count_link_request(token: str) -> None:
    """Count a request by a signed link, which its signature identifies; raise RateLimitExceeded when there are too many."""
    current_application().rate_limiter.count_request(SIGNED_LINK, token.rpartition(".")[2])


def build_link_principal(grant: Grant) -> Principal:
    """Return a principal that sees the grant's collection. What of the collection is open, `require_grant` decides."""
    return Principal("a signed link", frozenset({READ}), frozenset({grant.collection}))


def require_grant(document_id: str, chunk_index: int | None = None, permission: str = "") -> None:
    """Raise OutsideLinkScope for what the link of the request does not open, whether it exists or not."""
    if not g.grant.is_in_scope(document_id, chunk_index) or (permission and permission not in g.grant.permissions):
        raise OutsideLinkScope


def build_reach(grant: Grant) -> ReachableContent:
    """Return what a chunk's page may link to. Another version is not part of the document that a link is for."""
    return ReachableContent(
        includes_neighbours=grant.scope != CHUNK_SCOPE, includes_newer_version=grant.scope == COLLECTION_SCOPE
    )


def choose_view(grant: Grant, requested: str) -> str:
    """Return the requested view, "text" or "page", if the grant permits it; else the view that suits the link."""
    permission_by_view = {"text": VIEW_PERMISSION, "page": PAGE_PERMISSION}
    views = [view for view, permission in permission_by_view.items() if permission in grant.permissions]
    if requested in views:
        return requested
    opens_at_page = grant.page and not (grant.question or grant.span)
    return views[-1] if opens_at_page else views[0]


def build_frame_context(links: EmbedLinks | None, origins: tuple[str, ...]) -> dict[str, Any]:
    """Return what templates and the page's script need: the theme, the permitted views, and the origins of the host page."""
    theme = request.args.get("theme", "")
    theme = theme if theme in THEMES else "auto"
    styles = {name: f"{request.script_root}/embed/{name}.css?v={compute_assets_version()}" for name in THEMES}
    styles["auto"] = build_asset_url("highlighter.css")
    chunk = links.current_chunk if links else None
    script = {
        "origins": list(origins),
        "root": links.root if links else "",
        "place": links.script_chunk_path(chunk) if links and chunk else "",
        "styles": styles,
        "document_id": chunk.document_id if chunk else None,
        "chunk_index": chunk.index if chunk else None,
    }
    return {"theme": theme, "may": links.grant.permissions if links else (), "style": styles[theme], "script": script}
