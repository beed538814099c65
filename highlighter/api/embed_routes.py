"""/api/v1/embed: signed links, for other people's pages. A host's server asks for them; no key ever reaches a browser."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from flask import Blueprint, current_app, request
from spectree import Response

from highlighter.access import current_caller, visible_collections
from highlighter.api.embed_schemas import LinkAnswer, LinkRequest
from highlighter.api.schemas import Problem
from highlighter.api.spec import EMBED, spec
from highlighter.embed.links import EmbedLinks
from highlighter.embed.making import opening

embed_api = Blueprint("embed_api", __name__, url_prefix="/api/v1/embed")


@embed_api.post("/links")
@spec.validate(resp=Response(HTTP_200=LinkAnswer, HTTP_404=Problem, HTTP_409=Problem), tags=[EMBED])
def links(json: LinkRequest):
    """A link that opens the viewer without a key, for some minutes, on the pages that you name."""
    made = opening(json.wanted(), current_app.services, visible_collections())
    grant = replace(made.grant, key=current_caller().key)
    token = current_app.services.link_keys.sign(grant)
    path = EmbedLinks(request.script_root, token, grant).start()
    return LinkAnswer(
        url=request.host_url.rstrip("/") + path, path=path, token=token,
        expires=datetime.fromtimestamp(grant.expires, UTC).isoformat(timespec="seconds"), scope=grant.scope,
        document_id=grant.document or None, filename=made.document.name if made.document else None,
        chunk_index=grant.chunk if grant.document else None, tier=made.tier or None,
    )  # fmt: skip
