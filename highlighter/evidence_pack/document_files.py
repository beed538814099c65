"""The cited documents as PDFs with the cited words highlighted, and the asker's own texts as they were given."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from highlighter.access import VisibleCollections
from highlighter.answering.records import StoredAnswer
from highlighter.errors import AlteredContent, HighlighterError
from highlighter.evidence_pack.report import PackDocument
from highlighter.models import READABLE, Citation, Document
from highlighter.pages.document_pages import DocumentPages
from highlighter.pages.pdf_highlights import PdfHighlight
from highlighter.store.catalog import Catalog
from highlighter.store.files import FileStore
from highlighter.store.verified_files import get_verified_paged_pdf
from highlighter.web.highlighted_text import grade_score

DELETED_REASON = "The document was deleted after the answer was given."
MISSING_PDF_REASON = "The PDF of the document is missing."


@dataclass(frozen=True, slots=True)
class PackFile:
    """One cited document of the pack. Without content there is no file, and `given.why` says why."""

    document: PackDocument
    source_indexes: tuple[int, ...]  # indexes into the answer's sources
    content: Path | bytes | None
    document_id: str = ""


class PackFileBuilder:
    def __init__(self, catalog: Catalog, files: FileStore, paper: DocumentPages):
        self.catalog, self.files, self.paper = catalog, files, paper

    def build_files(self, stored_answer: StoredAnswer, visible: VisibleCollections) -> Iterator[PackFile]:
        """In the order in which they are first cited."""
        cited: dict[str, list[int]] = {}
        for one in stored_answer.answer.citations:
            at = one.source
            cited.setdefault(one.document_id or f"own {at}", []).append(at)
        for number, (key, sources) in enumerate(cited.items(), 1):
            found = tuple(dict.fromkeys(sources))
            own = not stored_answer.answer.sources[found[0]].document_id
            yield (
                self._build_text_file(stored_answer, number, found)
                if own
                else self._build_pdf_file(stored_answer, number, key, found, visible)
            )

    def _build_text_file(self, stored_answer: StoredAnswer, number: int, sources: tuple[int, ...]) -> PackFile:
        source = stored_answer.answer.sources[sources[0]]
        given = PackDocument(source.filename, "", f"texts/{_safe_file_name(number, source.filename)}.txt")
        return PackFile(given, sources, source.text.encode("utf-8", "replace"))

    def _build_pdf_file(
        self,
        stored_answer: StoredAnswer,
        number: int,
        document_id: str,
        sources: tuple[int, ...],
        visible: VisibleCollections,
    ) -> PackFile:
        kept_as = next(one for one in stored_answer.record.documents if one.document_id == document_id)
        name = stored_answer.answer.sources[sources[0]].filename or f"Document {document_id}"
        document = self.catalog.document(document_id, visible)
        if document is None or document.leaving or document.state not in READABLE:
            return PackFile(PackDocument(name, kept_as.sha256, "", DELETED_REASON), sources, None, document_id)
        why, path = self._highlight_pdf(stored_answer, document)
        file = f"documents/{_safe_file_name(number, Path(name).stem)}.pdf" if path else ""
        return PackFile(PackDocument(name, kept_as.sha256, file, why), sources, path, document_id)

    def _highlight_pdf(self, stored_answer: StoredAnswer, document: Document) -> tuple[str, Path | None]:
        """Why less than all could be done, and the file."""
        read, notes, why = document, [], ""
        for (start, end), numbers in _cited_spans(stored_answer, document.id).items():
            first = stored_answer.answer.citations[numbers[0] - 1]
            read = replace(document, pipeline=first.chunk[0]) if first.chunk else document
            try:
                notes += self._build_notes(stored_answer, read, first, start, end, numbers)
            except HighlighterError as err:
                why = f"Not everything is highlighted in this PDF. {err.detail}"
        try:
            plain = get_verified_paged_pdf(self.catalog, self.files, read)
        except AlteredContent as err:
            return err.detail, None
        with suppress(HighlighterError):
            path = self.paper.write_highlighted_pdf(read, plain, notes) if notes else plain
            return (why, path) if path.is_file() else (MISSING_PDF_REASON, None)
        return (
            (f"Nothing is highlighted in this PDF. {why}".strip(), plain)
            if plain.is_file()
            else (MISSING_PDF_REASON, None)
        )

    def _build_notes(
        self,
        stored_answer: StoredAnswer,
        document: Document,
        citation: Citation,
        start: int,
        end: int,
        numbers: list[int],
    ) -> Iterator[PdfHighlight]:
        boxes = self.paper.find_rectangles(document, start, end)
        said = f"Cited by {'notes' if len(numbers) > 1 else 'note'} {', '.join(map(str, numbers))}"
        asked = f" for: {citation.sub_question}" if citation.sub_question else ""
        for page in dict.fromkeys(box.page for box in boxes):
            letters = self.paper.read_page_characters(document, page)
            here = tuple(box for box in boxes if box.page == page)
            name = f"{stored_answer.answer.id}-{numbers[0]}-{page}"
            origin = (letters.left, letters.bottom)
            yield PdfHighlight(page, here, origin, grade_score(citation.probability), f"{said}{asked}", name)


def _cited_spans(stored_answer: StoredAnswer, document_id: str) -> dict[tuple[int, int], list[int]]:
    """What is cited of a document, each span once, with the numbers of its notes."""
    spans: dict[tuple[int, int], list[int]] = {}
    for number, one in enumerate(stored_answer.answer.citations, 1):
        if one.document_id == document_id and one.quote_start < one.quote_end:
            spans.setdefault((one.quote_start, one.quote_end), []).append(number)
    return spans


def _safe_file_name(number: int, name: str) -> str:
    """A file's name that every system takes; the number keeps two of the same name apart."""
    plain = re.sub(r"[^\w.]+", "-", name).strip("-.")
    return f"{number}-{plain[:60] or 'unnamed'}"
