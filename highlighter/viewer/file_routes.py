"""Files: the user's own bytes, PDFs with and without highlights, pages as pictures and as words with their places."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from flask import Blueprint, Response, current_app, jsonify, redirect, request, send_file

from highlighter.errors import BadRequest, NotFound
from highlighter.models import MEDIA_TYPES, Chunk, Document
from highlighter.pages.annotate import FOUND, Note
from highlighter.pages.pictures import USUAL_WIDTH, WIDTHS, fitting_width
from highlighter.pages.shown import text_layer
from highlighter.store import parts
from highlighter.store.checked_files import checked_chunk_pdf, checked_original, checked_paged
from highlighter.store.known import checked_page, checked_span, known_chunk
from highlighter.viewer import asking, requested, sought
from highlighter.viewer.leaves import note_of_span, notes
from highlighter.viewer.links import AT, FOUND_AT
from highlighter.viewer.numbers import count
from highlighter.viewer.render import marks

files = Blueprint("files", __name__)

FOR_GOOD = "private, max-age=31536000, immutable"  # for an address that names the pipeline


@files.get("/documents/<document_id>/original")
def original(document_id: str):
    """The user's own bytes. What a browser cannot show safely by itself is offered for saving."""
    found = requested.known(document_id)
    kind = found.kind if found.kind in ("pdf", "txt") else ""
    path = checked_original(current_app.services.files, found)
    return _file(path, kind or found.kind, found.name, save=not kind)


@files.get("/documents/<document_id>/pdf")
def pdf(document_id: str):
    """The paged form: the original when that is a PDF, else the one we typeset, whose page numbers are ours. With a
    sub-question, a copy with its sentences highlighted: those of the chunk named, or of the one that answers best. With
    `at` or `found`, a copy with that span highlighted: cited, or found by searching in the document."""
    found = _read_by(requested.readable(document_id))
    question, services, lit = asking.question("sub_question"), current_app.services, []
    if question and (chunk := _answering(found, question)):
        found = parts.as_read_by(requested.catalog().engine, found, chunk.pipeline)
        lit += _evidence(found, chunk, question)
    lit += _besides(lit, _sought(found))
    path = checked_paged(services.catalog, services.files, found)
    if not lit and path == services.files.original(found.sha256):
        return original(document_id)
    return _file(services.paper.lit_pdf(found, path, lit) if lit else path, "pdf", f"{Path(found.name).stem}.pdf")


@files.get("/documents/<document_id>/chunks/<int:index>.pdf")
def chunk_pdf(document_id: str, index: int):
    """The pages of a chunk; with a sub-question, its sentences highlighted, and with `at` or `found` what of that span
    stands on them."""
    found = requested.readable(document_id)
    chunk = requested.chunk(found, index)
    read, skipped = parts.as_read_by(requested.catalog().engine, found, chunk.pipeline), chunk.first_page - 1
    path = checked_chunk_pdf(requested.catalog(), current_app.services.files, found, chunk)
    question = asking.question("sub_question")
    lit = _evidence(found, chunk, question, skipped) if question else []
    lit += [note for note in _besides(lit, _sought(read, skipped)) if 1 <= note.page <= chunk.last_page - skipped]
    path = current_app.services.paper.lit_pdf(read, path, lit) if lit else path
    return _file(path, "pdf", f"{Path(found.name).stem}, part {index + 1}.pdf")


@files.get("/documents/<document_id>/pages/<int:page>.<any(png, webp):kind>")
def picture(document_id: str, page: int, kind: str):
    """A page as it looks, `width` pixels wide or somewhat more."""
    found = _read_by(requested.readable(document_id))
    wanted = request.args.get("width", str(USUAL_WIDTH))
    if not (wanted.isascii() and wanted.isdigit() and 1 <= int(wanted[:9]) <= WIDTHS[-1]):
        raise BadRequest(f"A page cannot be drawn {wanted[:20]!r} pixels wide: width must be 1 to {WIDTHS[-1]:,}.")
    width = fitting_width(int(wanted))
    paper = current_app.services.paper
    return _kept(
        f"{found.id}-{found.pipeline}-{page}-{width}",
        lambda: Response(paper.picture(found, page, width, kind), mimetype=f"image/{kind}"),
    )


@files.get("/documents/<document_id>/pages/<int:page>.json")
def words(document_id: str, page: int):
    """Every word of a page with its box: points from the top left of the page as shown, for a layer of text over it."""
    found = _read_by(requested.readable(document_id))
    return _kept(f"{found.id}-{found.pipeline}-{page}-words", lambda: jsonify(_words(found, page)))


@files.get("/documents/<document_id>/pages/<int:page>")
def page_view(document_id: str, page: int):
    """The document, open at this page."""
    found = requested.readable(document_id)
    catalog = requested.catalog()
    chunk = known_chunk(catalog, found, parts.holding_page(catalog.engine, found, checked_page(found, page)))
    return redirect(requested.links().chunk(chunk, view="page", page=page))


def _words(document: Document, page: int) -> dict:
    letters = current_app.services.paper.page_letters(document, page)
    width, height = letters.shown_size
    lines = [
        {
            "turn": line.turn,
            "words": [
                {"text": text, "x": at.x, "y": at.y, "width": at.width, "height": at.height} for text, at in line.words
            ],
        }
        for line in text_layer(letters)
    ]
    return {"page": page, "width": round(width, 2), "height": round(height, 2), "lines": lines}


def _answering(document: Document, question: str) -> Chunk | None:
    index = request.args.get("chunk_index", type=count)
    if index is not None:
        return requested.chunk(document, index)
    services = current_app.services
    services.embedder.wait(services.settings.warm_up_seconds)
    return services.search.best_chunk(question, document)


def _evidence(document: Document, chunk: Chunk, question: str, skipped: int = 0) -> list[Note]:
    """What is lit of a chunk, as highlights for a PDF."""
    services = current_app.services
    services.embedder.wait(services.settings.warm_up_seconds)
    evidence = services.passages.chunk(question, chunk, asking.method())
    return notes(document, chunk, marks(evidence), question, services.paper, skipped)


def _sought(read: Document, skipped: int = 0) -> list[Note]:
    """What the address names besides a question: a span that is cited, or one that was found."""
    lit: list[Note] = []
    for name in (AT, FOUND_AT):
        if span := sought.span_of(request.args, name):
            checked_span(requested.catalog(), read, *span)
            lit += note_of_span(read, *span, name == FOUND_AT, current_app.services.paper, skipped)
    return lit


def _besides(evidence: list[Note], sought: list[Note]) -> list[Note]:
    """A sentence that is cited, and evidence by itself, is painted once. A find has a colour of its own."""
    painted = {(note.page, note.boxes) for note in evidence}
    return [note for note in sought if note.strength == FOUND or (note.page, note.boxes) not in painted]


def _kept(tag: str, make: Callable[[], Response]) -> Response:
    """What is made of fixed bytes by one pipeline stays the same: a browser that has it need not ask again."""
    answer = Response(status=304) if request.if_none_match.contains(tag) else make()
    answer.set_etag(tag)
    answer.headers["Cache-Control"] = FOR_GOOD if "v" in request.args else "private, no-cache"
    return answer


def _file(path: Path, kind: str, name: str, save: bool = False):
    if not path.is_file():
        raise NotFound(f"The file {name} is not there. Taking the document in again makes it anew.")
    return send_file(
        path,
        mimetype=MEDIA_TYPES.get(kind, "application/octet-stream"),
        as_attachment=save,
        download_name=name,
        conditional=True,
        max_age=0,
    )


def _read_by(document: Document) -> Document:
    """As the pipeline of the link read it, so that an old link shows what it showed."""
    return parts.as_read_by(requested.catalog().engine, document, request.args.get("v", document.pipeline, type=count))
