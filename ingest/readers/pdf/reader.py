"""Read a PDF into its canonical text: the steps in order."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

from highlighter.errors import UnreadableFile
from highlighter.locale import N_
from highlighter.models import DAMAGED, NO_TEXT
from highlighter.store.source_map import SourceMap
from ingest.readers.extracted_document import ExtractedDocument
from ingest.readers.pdf.browser_print import remove_browser_print
from ingest.readers.pdf.canonical_text import LineWords, join_split_paragraphs, write_blocks
from ingest.readers.pdf.columns import Row, group_main_rows
from ingest.readers.pdf.completeness import collect_notes, collect_warnings, find_nonsense_pages
from ingest.readers.pdf.displayed_formulas import join_cut_paragraphs
from ingest.readers.pdf.fragments import Fragment
from ingest.readers.pdf.headers_footers import remove_headers_footers
from ingest.readers.pdf.headings import mark_headings
from ingest.readers.pdf.inner_pages import split_inner_pages
from ingest.readers.pdf.listings import mark_listings
from ingest.readers.pdf.margin_numbers import remove_margin_numbers
from ingest.readers.pdf.margin_stamps import remove_margin_stamps
from ingest.readers.pdf.notes import bracket_note_marks
from ingest.readers.pdf.page_layout import lay_out_page
from ingest.readers.pdf.pages import PageContent, read_pages
from ingest.readers.pdf.pdf_file import make_brotli_error, open_pdf, uses_brotli
from ingest.readers.pdf.slide_footers import remove_slide_footers
from ingest.readers.text_blocks import make_no_text_error

MAX_PAGES = 10_000


def read(
    path: str | Path,
    max_pages: int = MAX_PAGES,
    recognised: Collection[int] = (),
    *,
    is_presentation: bool = False,
) -> ExtractedDocument:
    """Read a PDF; raises `UnreadableFile` when it has no text.

    `recognised` are the pages on which recognition was tried: that they show little text is no news. The pages of a
    presentation are slides, which have other headers and footers than pages.
    """
    with _pause_garbage_collection():
        return _read(Path(path), max_pages, recognised, is_presentation)


@contextmanager
def _pause_garbage_collection() -> Iterator[None]:
    """Spare the search for garbage among the many objects of a document: all of them are needed until it is read."""
    is_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if is_enabled:
            gc.enable()


def _read(path: Path, max_pages: int, recognised: Collection[int], is_presentation: bool) -> ExtractedDocument:
    with open_pdf(path, max_pages) as document:
        pages = list(read_pages(document, recognised))
    for page in pages:
        page.is_stamped_scan &= page.info.number not in recognised
    _require_text(pages, path)
    mark_listings([page.fragments for page in pages])
    body_size = _estimate_body_size([page.fragments for page in pages])
    rows_of_pages = [group_main_rows(page.fragments) for page in pages]
    if is_presentation:
        body_fragments = remove_slide_footers(pages, rows_of_pages)
    else:
        body_fragments = _remove_page_furniture(pages, rows_of_pages, body_size)
    parts_of_pages = split_inner_pages(rows_of_pages, body_fragments, body_size)
    vocabulary = LineWords([fragment.text for fragments in body_fragments for fragment in fragments])
    layouts = [
        lay_out_page(parts, page, body_size, is_slide=is_presentation)
        for page, parts in zip(pages, parts_of_pages, strict=True)
    ]
    blocks = [block for layout in layouts for block in layout.blocks]
    tagged_pages = sum(layout.is_tagged for layout in layouts)
    bracket_note_marks(blocks)
    blocks = join_split_paragraphs(join_cut_paragraphs(blocks))
    mark_headings(blocks, body_size)
    writer, headings, tables = write_blocks(blocks, vocabulary)
    nonsense = find_nonsense_pages(pages)
    return ExtractedDocument(
        text=writer.text,
        source_map=SourceMap(writer.runs),
        pages=tuple(page.info for page in pages),
        headings=tuple(headings),
        hidden_texts=tuple(text for page in pages for text in page.hidden_texts),
        tables=tuple(tables),
        warnings=collect_warnings(path, pages, nonsense),
        notes=collect_notes(pages, recognised),
        unread_pages=list_unread_pages(pages, nonsense),
        meta={"tagged_pages": str(tagged_pages)} if tagged_pages else {},
    )


def _remove_page_furniture(
    pages: list[PageContent], rows_of_pages: list[list[Row]], body_size: float
) -> list[list[Fragment]]:
    """Return the pages' fragments without headers, footers, and numbers and stamps in the margins."""
    printed = [
        remove_browser_print(page.fragments, rows, page.height) for page, rows in zip(pages, rows_of_pages, strict=True)
    ]
    body_fragments = remove_headers_footers(
        [fragments for fragments, _ in printed], [edge_rows for _, edge_rows in printed], body_size
    )
    return remove_margin_stamps(remove_margin_numbers(body_fragments), pages)


def list_unread_pages(pages: list[PageContent], nonsense: list[int]) -> tuple[int, ...]:
    """Return the numbers of the pages that show something and have no text but stamps, or text that means nothing."""
    meaningless = set(nonsense)
    return tuple(
        page.info.number
        for page in pages
        if page.is_unmapped
        or page.is_stamped_scan
        or page.info.number in meaningless
        or (not page.info.characters and (page.is_picture or page.is_drawing))
    )


def _require_text(pages: list[PageContent], path: Path) -> None:
    if any(page.info.characters for page in pages):
        return
    if uses_brotli(path):
        raise make_brotli_error()
    is_single, count = len(pages) == 1, f"{len(pages):,}"
    if all(page.has_failed for page in pages):
        raise UnreadableFile(DAMAGED, "None of the pages can be opened: the file is damaged.")
    if any(page.is_picture for page in pages):
        reason = (
            N_("This is a scan without selectable text.")
            if is_single
            else N_("All {count} pages are scans without selectable text.", count=count)
        )
        raise UnreadableFile(NO_TEXT, reason)
    if any(page.is_unmapped for page in pages):
        reason = (
            N_("The page shows text, but the file does not identify its characters.")
            if is_single
            else N_("All {count} pages show text, but the file does not identify its characters.", count=count)
        )
        raise UnreadableFile(NO_TEXT, reason)
    if any(page.hidden_texts for page in pages):
        raise make_no_text_error(has_hidden_text=True)
    reason = (
        N_("The page has no text: it is blank or a drawing.")
        if is_single
        else N_("None of the {count} pages has text: they are blank or drawings.", count=count)
    )
    raise UnreadableFile(NO_TEXT, reason)


def _estimate_body_size(pages: list[list[Fragment]]) -> float:
    """Return the font size of most characters."""
    sizes: Counter[float] = Counter()
    for fragments in pages:
        for fragment in fragments:
            sizes[round(fragment.size * 2) / 2] += len(fragment.text)
    return sizes.most_common(1)[0][0] if sizes else 0.0
