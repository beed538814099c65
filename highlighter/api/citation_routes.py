"""/api/v1/citations: what the references of a text mean, for any system's answers."""

from __future__ import annotations

from flask import Blueprint, current_app, request
from spectree import Response

from highlighter.access import visible_collections
from highlighter.api.citation_schemas import ResolveAnswer, ResolveRequest
from highlighter.api.references import as_resolved, as_source
from highlighter.api.schemas import Problem
from highlighter.api.spec import QUOTES, spec
from highlighter.viewer.links import Links

citations_api = Blueprint("citations_api", __name__, url_prefix="/api/v1")


@citations_api.post("/citations/resolve")
@spec.validate(resp=Response(HTTP_200=ResolveAnswer, HTTP_400=Problem), tags=[QUOTES])
def resolve(json: ResolveRequest):
    """Each reference in a text, as models and people write them, and what it means; nothing is linked by a guess."""
    services, visible = current_app.services, visible_collections()
    sources = None if json.sources is None else [as_source(given) for given in json.sources]
    found = services.references.resolve(json.text, visible, sources)
    return as_resolved(found, sources is not None, services.catalog, visible, Links(request.script_root))
