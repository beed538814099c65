"""Write one small PDF for each chunk: its pages, cut from the paged PDF."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from pathlib import Path

import pypdfium2
from pypdf import PdfReader, PdfWriter

from highlighter.errors import UnreadableFile
from highlighter.models import DAMAGED

log = logging.getLogger(__name__)

_BLANK_PAGE_POINTS = (595, 842)  # A4, for a page whose size is unknown


def write_chunk_pdfs(paged_pdf: Path, spans: Iterable[tuple[int, int]], folder: Path) -> None:
    """Write `folder/N.pdf` for the Nth span of (first page, last page), with pages counted from 1."""
    folder.mkdir(parents=True, exist_ok=True)
    targets = [(folder / f"{number}.pdf", span) for number, span in enumerate(spans)]
    written: dict[tuple[int, int], Path] = {}
    reader = _open_with_pypdf(paged_pdf)
    for target, span in targets:
        # Neighbouring chunks often share their pages: one file, several names.
        if span in written:
            target.hardlink_to(written[span])
            continue
        if reader is None or not _cut_with_pypdf(reader, span, target):
            _cut_with_pdfium(paged_pdf, span, target)
        written[span] = target


def _open_with_pypdf(paged_pdf: Path) -> PdfReader | None:
    try:
        reader = PdfReader(paged_pdf)
        if reader.is_encrypted:
            reader.decrypt("")
        with pypdfium2.PdfDocument(paged_pdf) as document:
            if len(reader.pages) == len(document):
                return reader
        log.info(
            "pypdf leaves out pages of %s; PDFium cuts it", paged_pdf.name
        )  # the page numbers after a missing page would shift
    except Exception as err:  # a damaged file can make pypdf raise anything
        log.info("pypdf cannot open %s (%s); PDFium cuts it", paged_pdf.name, type(err).__name__)
    return None


def _cut_with_pypdf(reader: PdfReader, span: tuple[int, int], target: Path) -> bool:
    first, last = span
    try:
        with PdfWriter() as writer:
            writer.append(reader, pages=(first - 1, last), import_outline=False)
            writer.write(target)
        return True
    except Exception as err:
        log.info("pypdf cannot cut pages %d-%d (%s); PDFium does", first, last, type(err).__name__)
        return False


def _cut_with_pdfium(paged_pdf: Path, span: tuple[int, int], target: Path) -> None:
    first, last = span
    try:
        with pypdfium2.PdfDocument(paged_pdf) as source:
            try:
                with pypdfium2.PdfDocument.new() as cut_out:
                    cut_out.import_pages(source, list(range(first - 1, last)))
                    cut_out.save(str(target))
            except pypdfium2.PdfiumError:
                _cut_page_by_page(source, range(first - 1, last), target)
    except pypdfium2.PdfiumError as err:
        raise UnreadableFile(DAMAGED, "The pages cannot be copied: the file is damaged.") from err


def _cut_page_by_page(source: pypdfium2.PdfDocument, indexes: range, target: Path) -> None:
    """Write the pages one by one; an unreadable page becomes blank, so that later pages keep their numbers."""
    with pypdfium2.PdfDocument.new() as cut_out:
        for done, index in enumerate(indexes):
            try:
                cut_out.import_pages(source, [index])
            except pypdfium2.PdfiumError:
                while len(cut_out) > done:  # a failed import may leave a page behind
                    cut_out.del_page(done)
                cut_out.new_page(*_BLANK_PAGE_POINTS).close()
        cut_out.save(str(target))
