"""Prepare one file inside a child process: read, split, chunk and typeset it, and cut its PDFs, without the store."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from highlighter.errors import UnreadableFile
from highlighter.models import NO_TEXT, Chunk, Sentence
from highlighter.store.files import TYPESET_PDF_NAME
from highlighter.store.source_map import SourceMap
from highlighter.text.sentences import split_sentences
from ingest.chunker import split_into_chunks
from ingest.readers import read_document
from ingest.readers.extracted_document import ExtractedDocument

if TYPE_CHECKING:
    from ingest.readers.ocr import RecognisedPage

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
    unread_pages: int = 0  # that show something and have no text, or text that means nothing


def prepare_document(
    path: Path,
    kind: str,
    name: str,
    document_id: str,
    pipeline: int,
    work: Path,
    office_seconds: float = 0,
    recognised_pages: Sequence[RecognisedPage] = (),
) -> PreparedDocument:
    """Return the prepared document, and write its PDFs into the work folder.

    Word files are typeset by an office program where seconds are given for that, and a PDF is read with the text of its
    recognised pages. Raises `UnreadableFile` for every fault of the file.
    """
    # Imported here, so that starting a worker stays cheap.
    from ingest.chunk_pdf import write_chunk_pdfs

    extracted, paged_pdf = _read_with_pages(path, kind, name, work / TYPESET_PDF_NAME, office_seconds, recognised_pages)
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
        " ".join(extracted.notes),
        len(extracted.unread_pages),
    )


def _read_with_pages(
    path: Path,
    kind: str,
    name: str,
    typeset_path: Path,
    office_seconds: float,
    recognised_pages: Sequence[RecognisedPage],
) -> tuple[ExtractedDocument, Path]:
    """Return the extracted document and the PDF its source map refers to: the file itself, or the PDF made from it."""
    if recognised_pages:
        from ingest.readers.ocr import read_recognised

        return read_recognised(path, recognised_pages, typeset_path), typeset_path
    extracted = read_document(path, kind)
    if not extracted.text.strip():
        raise UnreadableFile(NO_TEXT, "The document contains no text.")
    if kind == "pdf":
        return extracted, path
    from ingest.typeset import typeset_document

    return typeset_document(path, kind, extracted, name, typeset_path, office_seconds), typeset_path


def _collect_facts(extracted: ExtractedDocument) -> dict[str, Any]:
    """Return the facts stored beside the text, as plain lists."""
    return {
        "headings": [[h.start, h.end, h.level] for h in extracted.headings],
        "hidden": [[h.start, h.end, h.reason] for h in extracted.hidden_spans],
        "pages": [[p.label, round(p.width, 2), round(p.height, 2), p.characters] for p in extracted.pages],
        "warnings": list(extracted.warnings),
        **({"recognition": extracted.recognition} if extracted.recognition else {}),
    }


def _collect_page_labels(extracted: ExtractedDocument) -> tuple[str, ...]:
    labels = tuple(page.label for page in extracted.pages)
    return labels if any(label and label != str(n) for n, label in enumerate(labels, 1)) else ()
