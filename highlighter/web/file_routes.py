"""The files of a document: the original, PDFs with and without highlights, page images, and the words of pages."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

from flask import Blueprint, Response, jsonify, redirect, request, send_file
from flask.typing import ResponseReturnValue

from highlighter.errors import BadRequest, NotFound
from highlighter.locale import N_
from highlighter.models import MEDIA_TYPES, Chunk, Document
from highlighter.pages.display_coordinates import build_text_layer
from highlighter.pages.page_images import DEFAULT_WIDTH_PIXELS, IMAGE_WIDTHS_PIXELS, choose_width
from highlighter.pages.pdf_highlights import FIND_STRENGTH, PdfHighlight
from highlighter.store import lookup
from highlighter.store.lookup import require_chunk, require_page, require_span
from highlighter.store.verified_files import get_verified_chunk_pdf, get_verified_original, get_verified_paged_pdf
from highlighter.urls import FOUND_SPAN_PARAMETER, SPAN_PARAMETER
from highlighter.web import link_targets, request_context, request_parameters
from highlighter.web.application import current_services
from highlighter.web.highlighted_text import build_highlight_spans
from highlighter.web.page_overlays import build_highlight_annotations, build_span_annotations
from highlighter.web.request_parameters import parse_count

files = Blueprint("files", __name__)

# Browsers show these kinds of originals without running anything in them; all others are downloads, and those that a
# browser could open as a page have no media type of their own.
SHOWN_KINDS = frozenset(("pdf", "txt", "csv", "md", "png", "jpg", "gif", "webp"))
SENT_MEDIA_TYPES = MEDIA_TYPES | {
    "csv": "text/plain",
    "md": "text/plain",
    "html": "application/octet-stream",
    "eml": "application/octet-stream",
}

_SINGLE_RANGE = re.compile(r"\s*bytes\s*=\s*(\d+\s*-\s*\d*|-\s*\d+)\s*", re.ASCII | re.IGNORECASE)
PRIVATE_IMMUTABLE_CACHE_CONTROL = "private, max-age=31536000, immutable"  # for a URL that names the pipeline


@files.get("/documents/<document_id>/original")
def original(document_id: str) -> Response:
    """Send the uploaded file. A file that browsers cannot show safely is sent as an attachment."""
    document = request_context.get_known_document(document_id)
    if address := _find_storage_url(document):
        response = Response(status=302, headers={"Location": address, "Cache-Control": "no-store"})
        response.vary.update(("Sec-Fetch-Mode", "Sec-Fetch-Dest"))
        return response
    path = get_verified_original(current_services().files, document)
    return _send_file(path, document.kind, document.name, as_attachment=document.kind not in SHOWN_KINDS)


@files.get("/documents/<document_id>/pdf")
def pdf(document_id: str) -> Response:
    """Send the original PDF, or the typeset PDF of a document of another kind.

    With a sub-question, the evidence in one chunk is highlighted: in the named chunk, or in the one that answers best.
    With `at` or `found`, that span is highlighted: a quote, or a find.
    """
    document, services = (
        _with_requested_pipeline(request_context.get_readable_document(document_id)),
        current_services(),
    )
    question = request_parameters.read_question("sub_question")
    annotations: list[PdfHighlight] = []
    if question and (chunk := _find_answering_chunk(document, question)):
        document = lookup.read_document_at_pipeline(services.catalog.engine, document, chunk.pipeline)
        annotations += _build_evidence_annotations(document, chunk, question)
    annotations += _drop_repeated_annotations(annotations, _build_target_annotations(document))
    return send_annotated_pdf(document, annotations)


def _find_storage_url(document: Document) -> str:
    """Return the address of an original that a browser may read from the storage itself; empty: not in this request.

    Only where a person opens the file by itself: a frame or a script follows no redirect to another origin, and other
    programs may send their key along.
    """
    if (request.headers.get("Sec-Fetch-Mode"), request.headers.get("Sec-Fetch-Dest")) != ("navigate", "document"):
        return ""
    media_type = SENT_MEDIA_TYPES.get(document.kind, "application/octet-stream")
    disposition = "inline" if document.kind in SHOWN_KINDS else "attachment"
    return current_services().files.sign_original_url(
        document,
        f"{media_type}; charset=utf-8" if media_type.startswith("text/") else media_type,  # as Flask sends it
        f"{disposition}; filename*=UTF-8''{quote(document.name, safe='')}",
    )


def send_annotated_pdf(document: Document, annotations: Sequence[PdfHighlight]) -> Response:
    """Send the PDF of a document with annotations; without any, the original, where that is a PDF."""
    services = current_services()
    annotations = _tint(annotations)
    path = get_verified_paged_pdf(services.catalog, services.files, document)
    if annotations:
        path = services.page_renderer.write_highlighted_pdf(document, path, annotations)
    elif path == services.files.original_path(document.sha256):
        return original(document.id)
    return _send_file(path, "pdf", f"{Path(document.name).stem}.pdf")


@files.get("/documents/<document_id>/chunks/<int:index>.pdf")
def chunk_pdf(document_id: str, index: int) -> Response:
    """Send the pages of a chunk as a PDF, with the same highlights as for the whole document, as far as on its pages."""
    document, services = request_context.get_readable_document(document_id), current_services()
    chunk = request_context.get_requested_chunk(document, index)
    chunk_document = lookup.read_document_at_pipeline(services.catalog.engine, document, chunk.pipeline)
    skipped_pages = chunk.first_page - 1
    path = get_verified_chunk_pdf(services.catalog, services.files, document, chunk)
    question = request_parameters.read_question("sub_question")
    annotations = _build_evidence_annotations(document, chunk, question, skipped_pages) if question else []
    annotations += [
        annotation
        for annotation in _drop_repeated_annotations(
            annotations, _build_target_annotations(chunk_document, skipped_pages)
        )
        if 1 <= annotation.page <= chunk.last_page - skipped_pages
    ]
    if annotations:
        path = services.page_renderer.write_highlighted_pdf(chunk_document, path, _tint(annotations))
    return _send_file(path, "pdf", f"{Path(document.name).stem}, part {index + 1}.pdf")


@files.get("/documents/<document_id>/pages/<int:page>.<any(png, webp):kind>")
def picture(document_id: str, page: int, kind: str) -> Response:
    """Send a page as an image of the requested width, or of the next larger one there is."""
    document = _with_requested_pipeline(request_context.get_readable_document(document_id))
    width_text = request.args.get("width", str(DEFAULT_WIDTH_PIXELS))
    if not (width_text.isascii() and width_text.isdigit() and 1 <= int(width_text[:9]) <= IMAGE_WIDTHS_PIXELS[-1]):
        raise BadRequest(
            N_(
                "A page cannot be {width!r} pixels wide: width must be 1 to {limit:,}.",
                width=width_text[:20],
                limit=IMAGE_WIDTHS_PIXELS[-1],
            )
        )
    width, renderer = choose_width(int(width_text)), current_services().page_renderer
    return _respond_with_etag(
        f"{document.id}-{document.pipeline}-{page}-{width}",
        lambda: Response(renderer.draw_page(document, page, width, kind), mimetype=f"image/{kind}"),
    )


@files.get("/documents/<document_id>/pages/<int:page>.json")
def words(document_id: str, page: int) -> Response:
    """Send the words of a page with their boxes, in points from the top left of the page as shown."""
    document = _with_requested_pipeline(request_context.get_readable_document(document_id))
    return _respond_with_etag(
        f"{document.id}-{document.pipeline}-{page}-words", lambda: jsonify(_describe_page_words(document, page))
    )


@files.get("/documents/<document_id>/pages/<int:page>")
def page_view(document_id: str, page: int) -> ResponseReturnValue:
    """Redirect to the page view of a document, open at this page."""
    document, catalog = request_context.get_readable_document(document_id), request_context.get_catalog()
    index = lookup.find_chunk_of_page(catalog.engine, document, require_page(document, page))
    chunk = require_chunk(catalog, document, index)
    return redirect(request_context.get_links().chunk(chunk, view="page", page=page))


def _describe_page_words(document: Document, page: int) -> dict[str, Any]:
    characters = current_services().page_renderer.read_page_characters(document, page)
    width, height = characters.display_size
    lines = [
        {
            "turn": line.turn,
            "words": [
                {"text": text, "x": box.x, "y": box.y, "width": box.width, "height": box.height}
                for text, box in line.words
            ],
        }
        for line in build_text_layer(characters)
    ]
    return {"page": page, "width": round(width, 2), "height": round(height, 2), "lines": lines}


def _find_answering_chunk(document: Document, question: str) -> Chunk | None:
    """Return the chunk that the request names, or else the one that answers the question best."""
    index = request.args.get("chunk_index", type=parse_count)
    if index is not None:
        return request_context.get_requested_chunk(document, index)
    services = current_services()
    services.embedder.wait_until_loaded(services.settings.warm_up_seconds)
    return services.search.find_best_chunk(question, document)


def _build_evidence_annotations(
    document: Document, chunk: Chunk, question: str, skipped_pages: int = 0
) -> list[PdfHighlight]:
    """Return the evidence in a chunk as annotations for a PDF."""
    services = current_services()
    services.embedder.wait_until_loaded(services.settings.warm_up_seconds)
    evidence = services.passage_highlighter.highlight_chunk(question, chunk, request_parameters.read_highlight_method())
    return build_highlight_annotations(
        document, chunk, build_highlight_spans(evidence), question, services.page_renderer, skipped_pages
    )


def _build_target_annotations(document: Document, skipped_pages: int = 0) -> list[PdfHighlight]:
    """Return the spans that the request names, a quote and a find, as annotations for a PDF.

    Programs write the spans of a quote, so malformed ones are refused; a find comes from a page.
    """
    annotations: list[PdfHighlight] = []
    for name in (SPAN_PARAMETER, FOUND_SPAN_PARAMETER):
        read_spans = link_targets.require_spans if name == SPAN_PARAMETER else link_targets.parse_spans
        for span in read_spans(request.args, name):
            require_span(request_context.get_catalog(), document, *span)
            annotations += build_span_annotations(
                document, *span, name == FOUND_SPAN_PARAMETER, current_services().page_renderer, skipped_pages
            )
    return annotations


def _tint(annotations: Sequence[PdfHighlight]) -> list[PdfHighlight]:
    """Return annotations in the colour that the request names, which the page view has, too."""
    tint = request_parameters.read_tint(request.args)
    return [replace(annotation, tint=tint) for annotation in annotations]


def _drop_repeated_annotations(evidence: list[PdfHighlight], targets: list[PdfHighlight]) -> list[PdfHighlight]:
    """Return the targets without those that the evidence highlights already. A find stays: it has its own colour."""
    highlighted = {(annotation.page, annotation.boxes) for annotation in evidence}
    return [
        target
        for target in targets
        if target.strength == FIND_STRENGTH or (target.page, target.boxes) not in highlighted
    ]


def _respond_with_etag(tag: str, make: Callable[[], Response]) -> Response:
    """Return a response that never changes, as one pipeline made it from fixed bytes, or 304 where the client has it."""
    response = Response(status=304) if request.if_none_match.contains(tag) else make()
    response.set_etag(tag)
    response.headers["Cache-Control"] = PRIVATE_IMMUTABLE_CACHE_CONTROL if "v" in request.args else "private, no-cache"
    return response


def _send_file(path: Path, kind: str, name: str, as_attachment: bool = False) -> Response:
    if not path.is_file():
        raise NotFound(N_("The file {name} is missing. Upload the document again to restore it.", name=name))
    if not _SINGLE_RANGE.fullmatch(request.headers.get("Range", "")):
        request.environ.pop("HTTP_RANGE", None)  # an unknown unit, or several ranges: RFC 9110 lets the whole be sent
    response = send_file(
        path,
        mimetype=SENT_MEDIA_TYPES.get(kind, "application/octet-stream"),
        as_attachment=as_attachment,
        download_name=name,
        conditional=True,
        max_age=0,
    )
    if response.status_code == 412:  # the file is no longer the one that If-Match names
        response.close()
        return Response(status=412)
    return response


def _with_requested_pipeline(document: Document) -> Document:
    """Return a document as the pipeline that the URL names read it, so that an old link shows what it always showed."""
    return lookup.read_document_at_pipeline(
        request_context.get_catalog().engine, document, request.args.get("v", document.pipeline, type=parse_count)
    )
