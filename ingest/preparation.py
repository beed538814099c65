"""Prepare one file inside a child process: read, split, chunk and typeset it, and cut its PDFs, without the store."""

from __future__ import annotations

import logging
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from highlighter.errors import UnreadableFile
from highlighter.locale import N_
from highlighter.models import NO_TEXT, Chunk, Sentence
from highlighter.store.files import TYPESET_PDF_NAME
from highlighter.store.source_map import SourceMap
from highlighter.text.sentences import split_sentences
from ingest.attachments import write_attachments
from ingest.chunker import split_into_chunks
from ingest.file_kinds import OFFICE_KINDS
from ingest.readers import read_document
from ingest.readers.extracted_document import ExtractedDocument

ATTACHMENTS_FOLDER = "attachments"  # in the work folder; what lies there is not stored with the document

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class PreparedDocument:
    """The content of a file, ready to be stored; its PDFs lie in the work folder."""

    text: str
    source_map: SourceMap
    facts: dict[str, Any]
    page_labels: tuple[str, ...]
    chunks: tuple[Chunk, ...]
    sentences: tuple[tuple[int, Sentence], ...]  # (chunk index, sentence)
    warnings: tuple[str, ...]  # what was lost; makes the document partial
    note: str = ""  # worth knowing, though nothing was lost
    attachments: tuple[tuple[str, Path], ...] = ()  # the name of each, and where it lies


def prepare_document(
    path: Path,
    kind: str,
    name: str,
    document_id: str,
    pipeline: int,
    work: Path,
    ocr_seconds: float = 0,
    office_seconds: float = 0,
    conversion_seconds: float = 120,
) -> PreparedDocument:
    """Return the prepared document, and write its PDFs into the work folder.

    Scans are recognised and Word files typeset by an office program where seconds are given for that; other office files
    are converted by it within `conversion_seconds`. Raises `UnreadableFile` for every fault of the file.
    """
    # Imported here, so that starting a worker stays cheap.
    from ingest.chunk_pdf import write_chunk_pdfs

    with tempfile.TemporaryDirectory(prefix="office-", dir=work) as folder:
        converted_kind = kind
        if kind in OFFICE_KINDS:
            path, converted_kind = _convert(path, kind, Path(folder), conversion_seconds)
            ocr_seconds = 0
        extracted, paged_pdf = _read_with_pages(
            path, converted_kind, name, work / TYPESET_PDF_NAME, ocr_seconds, office_seconds
        )
        if kind != converted_kind and converted_kind == "pdf":  # its pages are the generated ones
            paged_pdf = work / TYPESET_PDF_NAME
            shutil.move(path, paged_pdf)
    split = split_sentences(extracted.text, wrapped=False)  # a canonical text has no hard wraps
    chunk_spans = split_into_chunks(extracted.text, split, extracted.headings)
    chunks: list[Chunk] = []
    sentences: list[tuple[int, Sentence]] = []
    for number, chunk_span in enumerate(chunk_spans):
        pages = extracted.source_map.pages_of_span(chunk_span.start, chunk_span.end) or [
            extracted.source_map.page_at(chunk_span.start)
        ]
        text = extracted.text[chunk_span.start : chunk_span.end]
        headings = tuple(
            (h.start, h.end, h.level) for h in extracted.headings if chunk_span.start <= h.start < chunk_span.end
        )
        place = (chunk_span.start, chunk_span.end, min(pages), max(pages))
        chunks.append(Chunk(document_id, pipeline, number, *place, chunk_span.section, text, headings))
        for index in range(chunk_span.first_sentence, chunk_span.last_sentence):
            span = split[index]
            page = extracted.source_map.page_at(span.start_char)
            sentences.append((number, Sentence(index, span.start_char, span.end_char, span.text, page)))
    write_chunk_pdfs(paged_pdf, [(chunk.first_page, chunk.last_page) for chunk in chunks], work / "chunks")
    return PreparedDocument(
        extracted.text,
        extracted.source_map,
        _collect_facts(extracted),
        _collect_page_labels(extracted),
        tuple(chunks),
        tuple(sentences),
        extracted.warnings,
        _build_note(extracted),
        write_attachments(extracted.attachments, work / ATTACHMENTS_FOLDER),
    )


def _convert(path: Path, kind: str, folder: Path, seconds: float) -> tuple[Path, str]:
    from ingest.office_conversion import convert_office_file

    return convert_office_file(path, kind, folder, seconds)


def _read_with_pages(
    path: Path, kind: str, name: str, typeset_path: Path, ocr_seconds: float, office_seconds: float
) -> tuple[ExtractedDocument, Path]:
    """Return the extracted document and the PDF its source map refers to: the file itself, or the PDF made from it."""
    if kind == "pdf" and ocr_seconds:
        from ingest.readers.ocr import read_with_ocr

        return read_with_ocr(path, typeset_path, ocr_seconds)
    extracted = read_document(path, kind)
    if not extracted.text.strip():
        raise UnreadableFile(NO_TEXT, "The document contains no text.")
    if kind == "pdf":
        return extracted, path
    from ingest.typeset import typeset_document

    return typeset_document(path, kind, extracted, name, typeset_path, office_seconds), typeset_path


def _build_note(extracted: ExtractedDocument) -> str:
    notes = list(extracted.notes)
    if extracted.meta.get("ocr"):
        confidence = float(extracted.meta.get("confidence", 0))
        notes.insert(
            0,
            N_(f"The text was recognised from images (OCR), with a confidence of {confidence:.0%}.")
            if confidence
            else N_("The text was recognised from images (OCR)."),
        )
    return " ".join(notes)


def _collect_facts(extracted: ExtractedDocument) -> dict[str, Any]:
    """Return the facts stored beside the text, as plain lists."""
    return {
        "headings": [[h.start, h.end, h.level] for h in extracted.headings],
        "hidden": [[h.start, h.end, h.reason] for h in extracted.hidden_spans],
        "pages": [[p.label, round(p.width, 2), round(p.height, 2), p.characters] for p in extracted.pages],
        "warnings": list(extracted.warnings),
    }


def _collect_page_labels(extracted: ExtractedDocument) -> tuple[str, ...]:
    labels = tuple(page.label for page in extracted.pages)
    return labels if any(label and label != str(n) for n, label in enumerate(labels, 1)) else ()
