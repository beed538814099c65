"""/api/v1/check: does an answer, of any system, say what its sources say?"""

from __future__ import annotations

from flask import Blueprint, current_app
from spectree import Response

from highlighter.access import visible_collections
from highlighter.api.check_schemas import CheckAnswer, CheckRequest
from highlighter.api.checked import as_checked
from highlighter.api.schemas import Problem
from highlighter.api.spec import ANSWERS, spec
from highlighter.models import Source
from highlighter.viewer.told import with_text

checks_api = Blueprint("checks_api", __name__, url_prefix="/api/v1")


@checks_api.post("/check")
@spec.validate(resp=Response(HTTP_200=CheckAnswer, HTTP_404=Problem, HTTP_409=Problem), tags=[ANSWERS])
def check(json: CheckRequest):
    """Each claim of an answer with a verdict and its evidence, each quotation with what became of it."""
    services = current_app.services
    services.embedder.wait(services.settings.warm_up_seconds)
    sources = [
        Source(one.filename or "", document_id=one.document_id or "", chunk_index=one.chunk_index, text=one.text or "")
        for one in json.sources
    ]
    sources = with_text(sources, services.catalog, visible_collections())
    return as_checked(services.checker.check(json.answer, sources), sources, json.append_warnings)
