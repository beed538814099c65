"""What happens to one file inside a child process: read, split, chunk, typeset, cut. Nothing here touches the store."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from highlighter.errors import UnreadableFile
from highlighter.locale import N_
from highlighter.models import NO_TEXT, Chunk, Sentence
from highlighter.store.files import TYPESET_PDF_NAME
from highlighter.store.source_map import SourceMap
from highlighter.text.sentences import split_sentences
from ingest.chunker import split_into_chunks
from ingest.readers import read_document
from ingest.readers.extracted_document import ExtractedDocument

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class PreparedDocument:
    """All that a file holds, with its PDFs in the folder that was asked for."""

    text: str
    source_map: SourceMap
    facts: dict[str, Any]
    page_labels: tuple[str, ...]
    chunks: tuple[Chunk, ...]
    sentences: tuple[tuple[int, Sentence], ...]  # (chunk index, sentence)
    warnings: tuple[str, ...]  # what was lost: the document is partial
    note: str = ""  # what is worth knowing though nothing was lost


def prepare_document(
    path: Path,
    kind: str,
    name: str,
    document_id: str,
    pipeline: int,
    work: Path,
    ocr_seconds: float = 0,
    office_seconds: float = 0,
) -> PreparedDocument:
    """Raises Unreadable for everything a file can do wrong. Scans are recognised, and Word files typeset by an office
    program, if that is given any time."""
    # Heavy modules come in here, so that starting a worker stays cheap.
    from ingest.chunk_pdf import write_chunk_pdfs

    reading, paged = _read_with_pages(path, kind, name, work / TYPESET_PDF_NAME, ocr_seconds, office_seconds)
    spans = split_sentences(reading.text, wrapped=False)  # a canonical text has no hard wraps
    pieces = split_into_chunks(reading.text, spans, reading.headings)
    chunks, sentences = [], []
    for number, piece in enumerate(pieces):
        pages = reading.source_map.pages_of_span(piece.start, piece.end) or [reading.source_map.page_at(piece.start)]
        own_text = reading.text[piece.start : piece.end]
        headings = tuple((h.start, h.end, h.level) for h in reading.headings if piece.start <= h.start < piece.end)
        span = (piece.start, piece.end, min(pages), max(pages))
        chunks.append(Chunk(document_id, pipeline, number, *span, piece.section, own_text, headings))
        for index in range(piece.first_sentence, piece.last_sentence):
            span = spans[index]
            page = reading.source_map.page_at(span.start_char)
            sentences.append((number, Sentence(index, span.start_char, span.end_char, span.text, page)))
    write_chunk_pdfs(paged, [(piece.first_page, piece.last_page) for piece in chunks], work / "chunks")
    return PreparedDocument(
        reading.text,
        reading.source_map,
        _collect_facts(reading),
        _collect_page_labels(reading),
        tuple(chunks),
        tuple(sentences),
        reading.warnings,
        _build_note(reading),
    )


def _read_with_pages(
    path: Path, kind: str, name: str, typeset_path: Path, ocr_seconds: float, office_seconds: float
) -> tuple[ExtractedDocument, Path]:
    """What is read, and the PDF whose pages its map speaks of: the file itself, or the one made of it."""
    if kind == "pdf" and ocr_seconds:
        from ingest.readers.ocr import read_with_ocr

        return read_with_ocr(path, typeset_path, ocr_seconds)
    reading = read_document(path, kind)
    if not reading.text.strip():
        raise UnreadableFile(NO_TEXT, "The document contains no text.")
    if kind == "pdf":
        return reading, path
    from ingest.typeset import typeset_document

    return typeset_document(path, kind, reading, name, typeset_path, office_seconds), typeset_path


def _build_note(reading: ExtractedDocument) -> str:
    notes = list(reading.notes)
    if reading.meta.get("ocr"):
        sure = float(reading.meta.get("confidence", 0))
        notes.insert(
            0,
            N_(f"The text was recognised from images (OCR), with a confidence of {sure:.0%}.")
            if sure
            else N_("The text was recognised from images (OCR)."),
        )
    return " ".join(notes)


def _collect_facts(reading: ExtractedDocument) -> dict[str, Any]:
    """What is kept beside the text, as plain lists."""
    return {
        "headings": [[h.start, h.end, h.level] for h in reading.headings],
        "hidden": [[h.start, h.end, h.reason] for h in reading.hidden_spans],
        "pages": [[p.label, round(p.width, 2), round(p.height, 2), p.characters] for p in reading.pages],
        "warnings": list(reading.warnings),
    }


def _collect_page_labels(reading: ExtractedDocument) -> tuple[str, ...]:
    labels = tuple(page.label for page in reading.pages)
    return labels if any(label and label != str(n) for n, label in enumerate(labels, 1)) else ()
