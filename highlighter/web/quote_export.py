"""Quotes of highlighted sentences with their citations, for a reader to copy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from highlighter.locale import N_
from highlighter.models import Chunk, Document
from highlighter.quotes.anchors import Anchor
from highlighter.quotes.citation_formats import FORMATS, QuoteExport
from highlighter.quotes.occurrence_chooser import CONTEXT_CHARACTERS
from highlighter.urls import Links
from highlighter.web.excerpts import format_page_range
from highlighter.web.highlighted_text import HighlightSpan

CITATION_FORMAT_LABELS = {"apa": N_("APA-like"), "bibtex": "BibTeX", "markdown": "Markdown", "link": N_("Link only")}


@dataclass(frozen=True, slots=True)
class HighlightExport:
    """The quote of one highlight, in each citation format."""

    number: int  # of the mark
    span: str  # start-end
    text: str
    formats: tuple[tuple[str, str], ...]  # (label, citation)


def build_highlight_exports(
    document: Document, chunk: Chunk, highlights: Sequence[HighlightSpan], pages: Sequence[int], links: Links
) -> list[HighlightExport]:
    """Return the exports of a chunk's highlights, given the page of each. `links` build absolute URLs."""
    return [
        _build_highlight_export(document, chunk, highlight, page, links)
        for highlight, page in zip(highlights, pages, strict=True)
    ]


def _build_highlight_export(
    document: Document, chunk: Chunk, highlight: HighlightSpan, page: int, links: Links
) -> HighlightExport:
    start, end, mark = highlight
    anchor = _make_anchor(chunk, start, end)
    url = links.permanent_quote(document.sha256, anchor, page)
    page_range = format_page_range(document, page)
    quote = QuoteExport.from_metadata(
        anchor.exact, document.name, page_range, url, sha256=document.sha256, metadata=document.meta
    )
    formats = tuple((CITATION_FORMAT_LABELS[name], format_quote(quote)) for name, format_quote in FORMATS.items())
    return HighlightExport(mark.number, f"{start}-{end}", anchor.exact, formats)


def _make_anchor(chunk: Chunk, start: int, end: int) -> Anchor:
    """Return a span of a chunk with the words around it, as far as they are in the chunk."""
    text, first, last = chunk.text, start - chunk.start, end - chunk.start
    prefix = text[max(first - CONTEXT_CHARACTERS, 0) : first]
    return Anchor(start, end, text[first:last], prefix, text[last : last + CONTEXT_CHARACTERS])
