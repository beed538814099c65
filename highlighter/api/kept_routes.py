"""An answer that was given before: as a page, as JSON, and as a pack of evidence."""

from __future__ import annotations

import tempfile

from flask import Blueprint, current_app, render_template, send_file
from flask import Response as Reply
from spectree import Response

from highlighter.access import visible_collections
from highlighter.api.answer_schemas import AnswerOut
from highlighter.api.answers import as_answer
from highlighter.api.schemas import Problem
from highlighter.api.since import since
from highlighter.api.spec import ANSWERS, spec
from highlighter.generation.keeping import Kept
from highlighter.pack.report import report
from highlighter.viewer.requested import links

kept_api = Blueprint("kept_api", __name__, url_prefix="/api/v1/answers")
kept_pages = Blueprint("kept_pages", __name__)


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


@kept_pages.get("/answers/<answer_id>")
def answer_page(answer_id: str):
    """An answer again as it was; what became of its documents since is told beside it."""
    kept = _kept(answer_id)
    sent = as_answer(kept.answer, links())
    became = since(current_app.services.catalog, kept, visible_collections())
    there = {one.document_id for one in became if one.document}
    leads = [one.links if one.document_id in there else {} for one in sent.citations]
    hrefs = [lead.get("view") or f"#note-{number}" for number, lead in enumerate(leads, 1)]
    return render_template(
        "answer.html", told=report(kept), answer=kept.answer, leads=leads, hrefs=hrefs, became=became
    )  # fmt: skip


def _kept(answer_id: str) -> Kept:
    return current_app.services.keeping.open(answer_id, visible_collections())
