"""Find the pages of a PDF whose text must be recognised, and read the file once it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from highlighter.errors import UnreadableFile
from highlighter.locale import N_, join_messages
from ingest.readers.extracted_document import ExtractedDocument
from ingest.readers.ocr.page_recognition import RecognisedPage, measure_confidence
from ingest.readers.ocr.text_layer import write_searchable_copy
from ingest.readers.ocr.word_spans import find_word_confidences
from ingest.readers.pdf.completeness import find_nonsense_pages, format_page_numbers, format_page_warning
from ingest.readers.pdf.pages import read_pages
from ingest.readers.pdf.pdf_file import open_pdf
from ingest.readers.pdf.reader import MAX_PAGES, list_unread_pages
from ingest.readers.pdf.reader import read as read_pdf


def find_unread_pages(path: Path) -> tuple[int, ...]:
    """Return the numbers of the pages that show something and have no text, or text that means nothing."""
    with open_pdf(path, MAX_PAGES) as document:
        pages = list(read_pages(document))
    return list_unread_pages(pages, find_nonsense_pages(pages))


def read_recognised(path: Path, pages: Sequence[RecognisedPage], copy: Path) -> ExtractedDocument:
    """Return the text of the file with the recognised words, and write the searchable copy that its map refers to."""
    with_words, problems = [page for page in pages if page.lines], _collect_problems(pages)
    write_searchable_copy(path, with_words, copy)
    try:
        extracted = read_pdf(copy, recognised=[page.number for page in pages if not page.problem])
    except UnreadableFile as err:
        reason = join_messages(problems) or N_("The pages are scans, and no text was recognised on them.")
        raise UnreadableFile(err.state, reason) from err
    confidences = find_word_confidences(copy, with_words, extracted.source_map)
    recognition = {
        "pages": {str(page.number): round(page.confidence, 3) for page in with_words},
        "languages": sorted({page.languages for page in with_words}),
        "words": confidences.to_text(),
    }
    note = _describe(with_words, len(extracted.pages))
    return replace(
        extracted,
        warnings=(*extracted.warnings, *problems),
        notes=(note, *extracted.notes) if note else extracted.notes,
        recognition=recognition,
    )


def _describe(pages: Sequence[RecognisedPage], count: int) -> str:
    """Return the sentence that says which text was recognised, and how reliably."""
    if not pages:
        return ""
    percent = f"{measure_confidence([line for page in pages for line in page.lines]):.0%}"
    if len(pages) == count:
        return N_("The text was recognised from images (OCR), with a confidence of {percent}.", percent=percent)
    numbers = format_page_numbers([page.number for page in pages])
    if len(pages) == 1:
        return N_(
            "The text of page {pages} was recognised from an image (OCR), with a confidence of {percent}.",
            pages=numbers,
            percent=percent,
        )
    return N_(
        "The text of pages {pages} was recognised from images (OCR), with a confidence of {percent}.",
        pages=numbers,
        percent=percent,
    )


def _collect_problems(pages: Sequence[RecognisedPage]) -> tuple[str, ...]:
    """Return a sentence for each reason why pages could not be recognised."""
    numbers_by_problem: dict[str, list[int]] = {}
    for page in pages:
        if page.problem:
            numbers_by_problem.setdefault(page.problem, []).append(page.number)
    return tuple(format_page_warning(numbers, problem) for problem, numbers in numbers_by_problem.items())
