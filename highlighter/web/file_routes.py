"""Files: the user's own bytes, PDFs with and without highlights, pages as pictures and as words with their places."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from flask import Blueprint, Response, current_app, jsonify, redirect, request, send_file

from highlighter.errors import BadRequest, NotFound
from highlighter.models import MEDIA_TYPES, Chunk, Document
from highlighter.pages.display_coordinates import build_text_layer
from highlighter.pages.page_images import DEFAULT_WIDTH_PIXELS, IMAGE_WIDTHS_PIXELS, choose_width
from highlighter.pages.pdf_highlights import FIND_STRENGTH, PdfHighlight
from highlighter.store import lookup
from highlighter.store.lookup import require_chunk, require_page, require_span
from highlighter.store.verified_files import get_verified_chunk_pdf, get_verified_original, get_verified_paged_pdf
from highlighter.urls import FOUND_SPAN_PARAMETER, SPAN_PARAMETER
from highlighter.web import link_targets, request_context, request_parameters
from highlighter.web.highlighted_text import build_highlight_spans
from highlighter.web.page_overlays import build_highlight_annotations, build_span_annotations
from highlighter.web.request_parameters import parse_count

files = Blueprint("files", __name__)

PRIVATE_IMMUTABLE_CACHE_CONTROL = "private, max-age=31536000, immutable"  # for an address that names the pipeline


@files.get("/documents/<document_id>/original")
def original(document_id: str):
    """The user's own bytes. What a browser cannot show safely by itself is offered for saving."""
    found = request_context.get_known_document(document_id)
    kind = found.kind if found.kind in ("pdf", "txt") else ""
    path = get_verified_original(current_app.services.files, found)
    return _send_file(path, kind or found.kind, found.name, as_attachment=not kind)


@files.get("/documents/<document_id>/pdf")
def pdf(document_id: str):
    """The paged form: the original when that is a PDF, else the one we typeset, whose page numbers are ours. With a
    sub-question, a copy with its sentences highlighted: those of the chunk named, or of the one that answers best. With
    `at` or `found`, a copy with that span highlighted: cited, or found by searching in the document."""
    found = _with_requested_pipeline(request_context.get_readable_document(document_id))
    question, services, lit = request_parameters.read_question("sub_question"), current_app.services, []
    if question and (chunk := _find_answering_chunk(found, question)):
        found = lookup.read_document_at_pipeline(request_context.get_catalog().engine, found, chunk.pipeline)
        lit += _build_evidence_annotations(found, chunk, question)
    lit += _drop_repeated_annotations(lit, _build_target_annotations(found))
    path = get_verified_paged_pdf(services.catalog, services.files, found)
    if not lit and path == services.files.original_path(found.sha256):
        return original(document_id)
    return _send_file(
        services.page_renderer.write_highlighted_pdf(found, path, lit) if lit else path,
        "pdf",
        f"{Path(found.name).stem}.pdf",
    )


@files.get("/documents/<document_id>/chunks/<int:index>.pdf")
def chunk_pdf(document_id: str, index: int):
    """The pages of a chunk; with a sub-question, its sentences highlighted, and with `at` or `found` what of that span
    stands on them."""
    found = request_context.get_readable_document(document_id)
    chunk = request_context.get_requested_chunk(found, index)
    read, skipped = (
        lookup.read_document_at_pipeline(request_context.get_catalog().engine, found, chunk.pipeline),
        chunk.first_page - 1,
    )
    path = get_verified_chunk_pdf(request_context.get_catalog(), current_app.services.files, found, chunk)
    question = request_parameters.read_question("sub_question")
    lit = _build_evidence_annotations(found, chunk, question, skipped) if question else []
    lit += [
        note
        for note in _drop_repeated_annotations(lit, _build_target_annotations(read, skipped))
        if 1 <= note.page <= chunk.last_page - skipped
    ]
    path = current_app.services.page_renderer.write_highlighted_pdf(read, path, lit) if lit else path
    return _send_file(path, "pdf", f"{Path(found.name).stem}, part {index + 1}.pdf")


@files.get("/documents/<document_id>/pages/<int:page>.<any(png, webp):kind>")
def picture(document_id: str, page: int, kind: str):
    """A page as it looks, `width` pixels wide or somewhat more."""
    found = _with_requested_pipeline(request_context.get_readable_document(document_id))
    wanted = request.args.get("width", str(DEFAULT_WIDTH_PIXELS))
    if not (wanted.isascii() and wanted.isdigit() and 1 <= int(wanted[:9]) <= IMAGE_WIDTHS_PIXELS[-1]):
        raise BadRequest(
            f"A page cannot be {wanted[:20]!r} pixels wide: width must be 1 to {IMAGE_WIDTHS_PIXELS[-1]:,}."
        )
    width = choose_width(int(wanted))
    paper = current_app.services.page_renderer
    return _respond_with_etag(
        f"{found.id}-{found.pipeline}-{page}-{width}",
        lambda: Response(paper.draw_page(found, page, width, kind), mimetype=f"image/{kind}"),
    )


@files.get("/documents/<document_id>/pages/<int:page>.json")
def words(document_id: str, page: int):
    """Every word of a page with its box: points from the top left of the page as shown, for a layer of text over it."""
    found = _with_requested_pipeline(request_context.get_readable_document(document_id))
    return _respond_with_etag(
        f"{found.id}-{found.pipeline}-{page}-words", lambda: jsonify(_describe_page_words(found, page))
    )


@files.get("/documents/<document_id>/pages/<int:page>")
def page_view(document_id: str, page: int):
    """The document, open at this page."""
    found = request_context.get_readable_document(document_id)
    catalog = request_context.get_catalog()
    chunk = require_chunk(catalog, found, lookup.find_chunk_of_page(catalog.engine, found, require_page(found, page)))
    return redirect(request_context.get_links().chunk(chunk, view="page", page=page))


def _describe_page_words(document: Document, page: int) -> dict:
    letters = current_app.services.page_renderer.read_page_characters(document, page)
    width, height = letters.display_size
    lines = [
        {
            "turn": line.turn,
            "words": [
                {"text": text, "x": at.x, "y": at.y, "width": at.width, "height": at.height} for text, at in line.words
            ],
        }
        for line in build_text_layer(letters)
    ]
    return {"page": page, "width": round(width, 2), "height": round(height, 2), "lines": lines}


def _find_answering_chunk(document: Document, question: str) -> Chunk | None:
    index = request.args.get("chunk_index", type=parse_count)
    if index is not None:
        return request_context.get_requested_chunk(document, index)
    services = current_app.services
    services.embedder.wait_until_loaded(services.settings.warm_up_seconds)
    return services.search.find_best_chunk(question, document)


def _build_evidence_annotations(
    document: Document, chunk: Chunk, question: str, skipped_pages: int = 0
) -> list[PdfHighlight]:
    """What is lit of a chunk, as highlights for a PDF."""
    services = current_app.services
    services.embedder.wait_until_loaded(services.settings.warm_up_seconds)
    evidence = services.passage_highlighter.highlight_chunk(question, chunk, request_parameters.read_highlight_method())
    return build_highlight_annotations(
        document, chunk, build_highlight_spans(evidence), question, services.page_renderer, skipped_pages
    )


def _build_target_annotations(document: Document, skipped_pages: int = 0) -> list[PdfHighlight]:
    """What the address names besides a question: a span that is cited, or one that was found."""
    lit: list[PdfHighlight] = []
    for name in (SPAN_PARAMETER, FOUND_SPAN_PARAMETER):
        if span := link_targets.parse_span(request.args, name):
            require_span(request_context.get_catalog(), document, *span)
            lit += build_span_annotations(
                document, *span, name == FOUND_SPAN_PARAMETER, current_app.services.page_renderer, skipped_pages
            )
    return lit


def _drop_repeated_annotations(evidence: list[PdfHighlight], targets: list[PdfHighlight]) -> list[PdfHighlight]:
    """A sentence that is cited, and evidence by itself, is painted once. A find has a colour of its own."""
    painted = {(note.page, note.boxes) for note in evidence}
    return [note for note in targets if note.strength == FIND_STRENGTH or (note.page, note.boxes) not in painted]


def _respond_with_etag(tag: str, make: Callable[[], Response]) -> Response:
    """What is made of fixed bytes by one pipeline stays the same: a browser that has it need not ask again."""
    answer = Response(status=304) if request.if_none_match.contains(tag) else make()
    answer.set_etag(tag)
    answer.headers["Cache-Control"] = PRIVATE_IMMUTABLE_CACHE_CONTROL if "v" in request.args else "private, no-cache"
    return answer


def _send_file(path: Path, kind: str, name: str, as_attachment: bool = False):
    if not path.is_file():
        raise NotFound(f"The file {name} is missing. Upload the document again to restore it.")
    return send_file(
        path,
        mimetype=MEDIA_TYPES.get(kind, "application/octet-stream"),
        as_attachment=as_attachment,
        download_name=name,
        conditional=True,
        max_age=0,
    )


def _with_requested_pipeline(document: Document) -> Document:
    """As the pipeline of the link read it, so that an old link shows what it showed."""
    return lookup.read_document_at_pipeline(
        request_context.get_catalog().engine, document, request.args.get("v", document.pipeline, type=parse_count)
    )
