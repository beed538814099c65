"""The route of signed links, /api/v1/embed/links. A host's server requests links, so that no key reaches a browser."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from flask import Blueprint, request
from spectree import Response as Responses

from highlighter.access import get_current_principal, get_visible_collections
from highlighter.schemas.search import Problem
from highlighter.schemas.signed_links import LinkRequest, LinkResponse
from highlighter.signed_links import LINK_PERMISSIONS
from highlighter.web.api.openapi import EMBED_TAG, spec
from highlighter.web.application import current_services
from highlighter.web.embed_urls import EmbedLinks
from highlighter.web.signed_link_issuer import SignedLinkOptions, issue_grant

embed_api = Blueprint("embed_api", __name__, url_prefix="/api/v1/embed")


@embed_api.post("/links")
@spec.validate(resp=Responses(HTTP_200=LinkResponse, HTTP_404=Problem, HTTP_409=Problem), tags=[EMBED_TAG])
def links(json: LinkRequest) -> LinkResponse:
    """Create a link that opens the viewer without a key, for some minutes, in frames of the origins that you name."""
    issued = issue_grant(convert_link_request(json), current_services(), get_visible_collections())
    grant = replace(issued.grant, key=get_current_principal().key)
    token = current_services().link_keys.sign(grant)
    path = EmbedLinks(request.script_root, token, grant).start()
    return LinkResponse(
        url=request.host_url.rstrip("/") + path, path=path, token=token,
        expires=datetime.fromtimestamp(grant.expires, UTC).isoformat(timespec="seconds"), scope=grant.scope,
        document_id=grant.document_id or None, filename=issued.document.name if issued.document else None,
        chunk_index=grant.chunk_index if grant.document_id else None, tier=issued.tier or None,
    )  # fmt: skip


def convert_link_request(json: LinkRequest) -> SignedLinkOptions:
    """Return the options of the signed link that a request asks for."""
    return SignedLinkOptions(
        document_id=json.document_id or "",
        collection=json.collection or "",
        chunk_index=json.chunk_index,
        page=json.page or 0,
        question=json.question or "",
        quote=json.quote or "",
        span=None if json.start is None or json.end is None else (json.start, json.end),
        scope=json.scope or "",
        permissions=tuple(permission for permission in LINK_PERMISSIONS if permission in json.may),
        origins=tuple(json.origins),
        lifetime_seconds=json.expires_in,
    )
