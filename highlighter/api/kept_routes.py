"""/api/v1/answers/<id>: an answer that was given before, and its pack of evidence."""

from __future__ import annotations

import tempfile

from flask import Blueprint, current_app, send_file
from flask import Response as Reply
from spectree import Response

from highlighter.access import visible_collections
from highlighter.api.answer_schemas import AnswerOut
from highlighter.api.answers import as_answer
from highlighter.api.schemas import Problem
from highlighter.api.spec import ANSWERS, spec
from highlighter.generation.keeping import Kept
from highlighter.viewer.requested import links

kept_api = Blueprint("kept_api", __name__, url_prefix="/api/v1/answers")


@kept_api.get("/<answer_id>")
@spec.validate(resp=Response(HTTP_200=AnswerOut, HTTP_404=Problem), tags=[ANSWERS])
def answer_again(answer_id: str):
    """An answer as it was given, less the words that went with a document deleted since."""
    return as_answer(_kept(answer_id).answer, links())


@kept_api.get("/<answer_id>/pack")
@spec.validate(resp=Response(HTTP_404=Problem, HTTP_200=None), tags=[ANSWERS])
def answer_pack(answer_id: str):
    """A zip: the answer as HTML, Markdown and Word, its documents highlighted, annotations, a manifest of SHA-256."""
    services = current_app.services
    out = tempfile.TemporaryFile(dir=services.files.scratch, prefix=services.files.prefix)  # noqa: SIM115 (the reply closes it)
    try:
        services.packing.write(answer_id, visible_collections(), out)
        size = out.tell()
        out.seek(0)
    except BaseException:
        out.close()
        raise
    reply: Reply = send_file(out, "application/zip", as_attachment=True, download_name=f"answer-{answer_id[:12]}.zip")
    reply.content_length = size
    reply.headers["Cache-Control"] = "private, no-cache"
    return reply


def _kept(answer_id: str) -> Kept:
    return current_app.services.keeping.open(answer_id, visible_collections())
