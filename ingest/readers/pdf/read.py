"""A PDF into its canonical text: the steps in order."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from highlighter.errors import Unreadable
from highlighter.locale import N_
from highlighter.models import DAMAGED, NO_TEXT
from highlighter.store.source_map import SourceMap
from ingest.readers.pdf.document import in_sequence, vocabulary, write
from ingest.readers.pdf.fragments import Fragment
from ingest.readers.pdf.furniture import without_furniture
from ingest.readers.pdf.headings import mark_headings
from ingest.readers.pdf.layout import page_blocks
from ingest.readers.pdf.notes import bracket_marks
from ingest.readers.pdf.opening import brotli_unsupported, opened, uses_brotli
from ingest.readers.pdf.pages import PageContent, read_pages
from ingest.readers.pdf.truth import warnings_about
from ingest.readers.reading import Reading

MOST_PAGES = 10_000


def read(path: str | Path, most_pages: int = MOST_PAGES) -> Reading:
    """Raises `Unreadable` when there is no text to be had."""
    path = Path(path)
    with opened(path, most_pages) as document:
        pages = list(read_pages(document))
    _must_have_text(pages, path)
    body = _body_size([page.fragments for page in pages])
    kept = without_furniture([page.fragments for page in pages], [page.height for page in pages], body)
    words = vocabulary(fragment.text for fragments in kept for fragment in fragments)
    blocks = [
        block for page, fragments in zip(pages, kept, strict=True) for block in page_blocks(fragments, page.rules, body)
    ]
    bracket_marks(blocks)
    blocks = in_sequence(blocks)
    mark_headings(blocks, body)
    writer, headings, hidden = write(blocks, words)
    pictures = sum(page.picture for page in pages)
    return Reading(
        text=writer.text,
        map=SourceMap(writer.runs),
        pages=tuple(page.facts for page in pages),
        headings=tuple(headings),
        hidden=tuple(hidden),
        warnings=warnings_about(path, pages),
        meta={"pictures": str(pictures)} if 2 * pictures > len(pages) else {},
    )


def _must_have_text(pages: list[PageContent], path: Path) -> None:
    if any(page.facts.characters for page in pages):
        return
    if uses_brotli(path):
        raise brotli_unsupported()
    one, count = len(pages) == 1, f"{len(pages):,}"
    if all(page.failed for page in pages):
        raise Unreadable(DAMAGED, "None of its pages can be opened: the file is damaged.")
    if any(page.picture for page in pages):
        what = N_("Its page is a picture without text.") if one else N_(f"Its {count} pages are pictures without text.")
        raise Unreadable(NO_TEXT, what + " " + N_("Install OCR or upload a searchable copy."))
    if any(page.unmapped for page in pages):
        what = (
            N_("Its page shows letters, but the file does not say which.")
            if one
            else N_(f"Its {count} pages show letters, but the file does not say which.")
        )
        raise Unreadable(NO_TEXT, what + " " + N_("Install OCR or upload another copy."))
    what = (
        N_("Its page has no text: blank, or drawn without letters.")
        if one
        else N_(f"Its {count} pages have no text: blank, or drawn without letters.")
    )
    raise Unreadable(NO_TEXT, what + " " + N_("If words are to be seen there, install OCR."))


def _body_size(pages: list[list[Fragment]]) -> float:
    """The size most characters are set in."""
    sizes: Counter[float] = Counter()
    for fragments in pages:
        for fragment in fragments:
            if not fragment.hidden:
                sizes[round(fragment.size * 2) / 2] += len(fragment.text)
    return sizes.most_common(1)[0][0] if sizes else 0.0
