"""Files of the cited documents: PDFs with the cited words highlighted, and the caller's own texts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from highlighter.access import VisibleCollections
from highlighter.answering.records import StoredAnswer
from highlighter.errors import AlteredContent, HighlighterError
from highlighter.evidence.strength import grade_score
from highlighter.evidence_pack.report import PackDocument
from highlighter.models import READABLE, Citation, Document
from highlighter.notes.note_source import NoteSource
from highlighter.pages.document_pages import DocumentPages
from highlighter.pages.outlines import find_outlines
from highlighter.pages.pdf_highlights import PdfHighlight
from highlighter.store.catalog import Catalog
from highlighter.store.files import FileStore
from highlighter.store.verified_files import get_verified_paged_pdf

DELETED_REASON = "The document was deleted after the answer was given."
MISSING_PDF_REASON = "The PDF of the document is missing."


@dataclass(frozen=True, slots=True)
class PackFile:
    """A cited document in the pack. Without content there is no file, and `document.why` gives the reason."""

    document: PackDocument
    source_indexes: tuple[int, ...]  # indexes into the answer's sources
    content: Path | bytes | None
    document_id: str = ""


@dataclass(frozen=True, slots=True)
class CitedSpan:
    """A cited span of a document, with the numbers of the notes that cite the span."""

    start: int
    end: int
    note_numbers: list[int]


class PackFileBuilder:
    """A builder of the pack's document files."""

    def __init__(self, catalog: Catalog, files: FileStore, document_pages: DocumentPages):
        self.catalog, self.files, self.document_pages = catalog, files, document_pages

    def build_files(
        self, stored_answer: StoredAnswer, visible: VisibleCollections, notes: NoteSource | None = None
    ) -> Iterator[PackFile]:
        """Yield the cited documents in the order of their first citation."""
        sources_by_document: dict[str, list[int]] = {}
        for citation in stored_answer.answer.citations:
            source_index = citation.source
            sources_by_document.setdefault(citation.document_id or f"own {source_index}", []).append(source_index)
        for number, (key, sources) in enumerate(sources_by_document.items(), 1):
            source_indexes = tuple(dict.fromkeys(sources))
            is_own_text = not stored_answer.answer.sources[source_indexes[0]].document_id
            yield (
                self._build_text_file(stored_answer, number, source_indexes)
                if is_own_text
                else self._build_pdf_file(stored_answer, number, key, source_indexes, visible, notes)
            )

    def _build_text_file(self, stored_answer: StoredAnswer, number: int, source_indexes: tuple[int, ...]) -> PackFile:
        source = stored_answer.answer.sources[source_indexes[0]]
        document = PackDocument(source.filename, "", f"texts/{_safe_file_name(number, source.filename)}.txt")
        return PackFile(document, source_indexes, source.text.encode("utf-8", "replace"))

    def _build_pdf_file(
        self,
        stored_answer: StoredAnswer,
        number: int,
        document_id: str,
        source_indexes: tuple[int, ...],
        visible: VisibleCollections,
        notes: NoteSource | None,
    ) -> PackFile:
        recorded = next(item for item in stored_answer.record.documents if item.document_id == document_id)
        name = stored_answer.answer.sources[source_indexes[0]].filename or f"Document {document_id}"
        document = self.catalog.document(document_id, visible)
        if document is None or document.deletion_time or document.state not in READABLE:
            return PackFile(PackDocument(name, recorded.sha256, "", DELETED_REASON), source_indexes, None, document_id)
        why, path = self._highlight_pdf(stored_answer, document, notes)
        file = f"documents/{_safe_file_name(number, Path(name).stem)}.pdf" if path else ""
        return PackFile(PackDocument(name, recorded.sha256, file, why), source_indexes, path, document_id)

    def _highlight_pdf(
        self, stored_answer: StoredAnswer, document: Document, reader_notes: NoteSource | None
    ) -> tuple[str, Path | None]:
        """Return why highlights are missing ("" if none is) and the file."""
        read_document, why = document, ""
        notes: list[PdfHighlight] = []
        for span in _cited_spans(stored_answer, document.id):
            citation = stored_answer.answer.citations[span.note_numbers[0] - 1]
            read_document = replace(document, pipeline=citation.chunk[0]) if citation.chunk else document
            try:
                notes += self._build_notes(stored_answer, read_document, citation, span)
            except HighlighterError as err:
                why = f"Not everything is highlighted in this PDF. {err.detail}"
        if reader_notes:
            notes += reader_notes.build_annotations(document.id, self.document_pages)
        try:
            plain = get_verified_paged_pdf(self.catalog, self.files, read_document)
        except AlteredContent as err:
            return err.detail, None
        with suppress(HighlighterError):
            path = self.document_pages.write_highlighted_pdf(read_document, plain, notes) if notes else plain
            return (why, path) if path.is_file() else (MISSING_PDF_REASON, None)
        return (
            (f"Nothing is highlighted in this PDF. {why}".strip(), plain)
            if plain.is_file()
            else (MISSING_PDF_REASON, None)
        )

    def _build_notes(
        self, stored_answer: StoredAnswer, document: Document, citation: Citation, span: CitedSpan
    ) -> Iterator[PdfHighlight]:
        rectangles = self.document_pages.find_rectangles(document, span.start, span.end)
        outlines = find_outlines(self.document_pages, document, span.start, span.end)
        numbers = span.note_numbers
        remark = f"Cited by {'notes' if len(numbers) > 1 else 'note'} {', '.join(map(str, numbers))}"
        question = f" for: {citation.sub_question}" if citation.sub_question else ""
        for page in dict.fromkeys(rectangle.page for rectangle in rectangles):
            characters = self.document_pages.read_page_characters(document, page)
            page_rectangles = tuple(rectangle for rectangle in rectangles if rectangle.page == page)
            name = f"{stored_answer.answer.id}-{numbers[0]}-{page}"
            origin = (characters.left, characters.bottom)
            yield PdfHighlight(
                page, page_rectangles, origin, grade_score(citation.probability), f"{remark}{question}", name,
                outlines=tuple(outline for outline in outlines if outline.page == page),
            )  # fmt: skip


def _cited_spans(stored_answer: StoredAnswer, document_id: str) -> list[CitedSpan]:
    """Return the cited spans of a document, each with the numbers of its notes."""
    note_numbers: dict[tuple[int, int], list[int]] = {}
    for number, citation in enumerate(stored_answer.answer.citations, 1):
        if citation.document_id == document_id and citation.quote_start < citation.quote_end:
            for span in citation.quote_spans or ((citation.quote_start, citation.quote_end),):
                note_numbers.setdefault(span, []).append(number)
    return [CitedSpan(start, end, numbers) for (start, end), numbers in note_numbers.items()]


def _safe_file_name(number: int, name: str) -> str:
    """Return a file name that every system accepts; the number keeps equal names apart."""
    safe_name = re.sub(r"[^\w.]+", "-", name).strip("-.")
    return f"{number}-{safe_name[:60] or 'unnamed'}"
