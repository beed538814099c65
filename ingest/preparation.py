"""Prepare one file inside a child process: read, split, chunk and typeset it, and cut its PDFs, without the store.

A child imports this module, so it imports no database.
"""

from __future__ import annotations

import logging
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from highlighter.errors import UnreadableFile
from highlighter.locale import join_messages
from highlighter.models import NO_TEXT, PICTURE_KINDS, Chunk, Sentence
from highlighter.store.files import TYPESET_PDF_NAME
from highlighter.store.source_map import SourceMap
from highlighter.text.document_tables import serialize_table
from highlighter.text.sentences import split_sentences
from ingest.attachment_files import write_attachments
from ingest.captions import find_figure_captions, tie_captions
from ingest.chunker import split_into_chunks
from ingest.file_kinds import OFFICE_KINDS
from ingest.readers import read_document
from ingest.readers.extracted_document import ExtractedDocument
from ingest.readers.left_out_notes import describe_hidden_texts

if TYPE_CHECKING:
    from ingest.readers.ocr import RecognisedPage

_PDF_KINDS = frozenset(("pdf", "slides_pdf"))  # of files that have pages
_MAX_HIDDEN_TEXTS, _MAX_HIDDEN_CHARACTERS = 1_000, 1_000  # that are stored, and of each of them
ATTACHMENTS_FOLDER = "attachments"  # in the work folder; what lies there is not stored with the document

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file to read."""

    path: Path
    kind: str
    name: str  # given by the user


@dataclass(frozen=True, slots=True)
class OfficeSeconds:
    """The time limits of an office program, by the clock."""

    typesetting: float = 0.0  # 0: Word files are typeset without it
    conversion: float = 120.0


DEFAULT_OFFICE_SECONDS = OfficeSeconds()


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
    unread_pages: int = 0  # that show something and have no text, or text that means nothing


def prepare_document(
    file: SourceFile,
    document_id: str,
    pipeline: int,
    work: Path,
    limits: OfficeSeconds = DEFAULT_OFFICE_SECONDS,
    recognised_pages: Sequence[RecognisedPage] = (),
) -> PreparedDocument:
    """Return the prepared document, and write its PDFs into the work folder.

    Office files that have no reader are converted by an office program, pictures become PDFs, and Word files are typeset by it where it has
    seconds for that. A PDF is read with the text of its recognised pages. Raises `UnreadableFile` for every fault of the
    file.
    """
    # Imported here, so that starting a worker stays cheap.
    from ingest.chunk_pdf import write_chunk_pdfs

    for path in work.iterdir():  # of a process that was killed at the same task
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    with tempfile.TemporaryDirectory(prefix="office-", dir=work) as folder:
        readable, conversion_notes = _convert(file, Path(folder), limits.conversion)
        extracted, paged_pdf = _read_with_pages(readable, work / TYPESET_PDF_NAME, limits.typesetting, recognised_pages)
        if readable is not file and readable.kind in _PDF_KINDS:  # its pages are the generated ones
            paged_pdf = work / TYPESET_PDF_NAME
            shutil.move(readable.path, paged_pdf)
    chunks, sentences = _split_text(extracted, document_id, pipeline)
    write_chunk_pdfs(paged_pdf, [(chunk.first_page, chunk.last_page) for chunk in chunks], work / "chunks")
    return PreparedDocument(
        extracted.text,
        extracted.source_map,
        _collect_facts(extracted),
        _collect_page_labels(extracted),
        tuple(chunks),
        tuple(sentences),
        extracted.warnings,
        join_messages([*conversion_notes, *extracted.notes, *describe_hidden_texts(extracted.hidden_texts)]),
        write_attachments(extracted.attachments, work / ATTACHMENTS_FOLDER),
        len(extracted.unread_pages) if file.kind == "pdf" else 0,  # pages of other files are not those of the original
    )


def extract_text(file: SourceFile, work: Path) -> str:
    """Return the text of a file that is not stored, as `prepare_document` reads it; raise `UnreadableFile` for its faults."""
    readable, _ = _convert(file, work, DEFAULT_OFFICE_SECONDS.conversion)
    return _require_text(read_document(readable.path, readable.kind)).text


def _split_text(
    extracted: ExtractedDocument, document_id: str, pipeline: int
) -> tuple[list[Chunk], list[tuple[int, Sentence]]]:
    """Return the chunks of a text, and its sentences with the numbers of their chunks."""
    split = split_sentences(extracted.text, wrapped=False)  # a canonical text has no hard wraps
    chunks: list[Chunk] = []
    sentences: list[tuple[int, Sentence]] = []
    for number, chunk_span in enumerate(split_into_chunks(extracted.text, split, extracted.headings)):
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
    return chunks, sentences


def convert_picture_file(path: Path, pdf: Path) -> str:
    """Write a picture as a PDF, and return a note about it."""
    from ingest.picture_conversion import convert_picture  # here, so that the service does not import Pillow

    return convert_picture(path, pdf)


def _convert(file: SourceFile, folder: Path, seconds: float) -> tuple[SourceFile, tuple[str, ...]]:
    """Return a file of a kind that has a reader, the file itself or the one that is made of it, and notes on what that lacks."""
    if file.kind in PICTURE_KINDS:
        pdf = folder / "picture.pdf"
        convert_picture_file(file.path, pdf)
        return SourceFile(pdf, "pdf", file.name), ()
    if file.kind not in OFFICE_KINDS:
        return file, ()
    from ingest.office_conversion import convert_office_file

    converted = convert_office_file(file.path, file.kind, folder, seconds)
    return SourceFile(converted.path, converted.kind, file.name), converted.notes


def _read_with_pages(
    file: SourceFile, typeset_path: Path, typesetting_seconds: float, recognised_pages: Sequence[RecognisedPage]
) -> tuple[ExtractedDocument, Path]:
    """Return the extracted document and the PDF its source map refers to: the file itself, or the PDF made from it."""
    if recognised_pages:
        from ingest.readers.ocr import read_recognised

        return read_recognised(file.path, recognised_pages, typeset_path), typeset_path
    extracted = _require_text(read_document(file.path, file.kind))
    if file.kind in _PDF_KINDS:
        return extracted, file.path
    from ingest.typeset import typeset_document

    typeset = typeset_document(file.path, file.kind, extracted, file.name, typeset_path, typesetting_seconds)
    return typeset, typeset_path


def _require_text(extracted: ExtractedDocument) -> ExtractedDocument:
    if not extracted.text.strip():
        raise UnreadableFile(NO_TEXT, "The document contains no text.")
    return extracted


def _collect_facts(extracted: ExtractedDocument) -> dict[str, Any]:
    """Return the facts stored beside the text, as plain lists."""
    tables = tie_captions(extracted.text, extracted.tables)
    figures = sorted({*find_figure_captions(extracted.text), *extracted.figure_captions})
    return {
        "headings": [[h.start, h.end, h.level] for h in extracted.headings],
        "hidden": [
            [hidden.text[:_MAX_HIDDEN_CHARACTERS], str(hidden.reason), hidden.page]
            for hidden in extracted.hidden_texts[:_MAX_HIDDEN_TEXTS]
        ],
        "pages": [[p.label, round(p.width, 2), round(p.height, 2), p.characters] for p in extracted.pages],
        "warnings": list(extracted.warnings),
        **({"tables": [serialize_table(table) for table in tables]} if tables else {}),
        **({"figures": [list(caption) for caption in figures]} if figures else {}),
        **({"recognition": extracted.recognition} if extracted.recognition else {}),
    }


def _collect_page_labels(extracted: ExtractedDocument) -> tuple[str, ...]:
    labels = tuple(page.label for page in extracted.pages)
    return labels if any(label and label != str(n) for n, label in enumerate(labels, 1)) else ()
